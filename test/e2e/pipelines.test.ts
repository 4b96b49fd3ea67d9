/** The action, the GitLab component, the Kubernetes jobs and the Jenkinsfile do what their systems would have them do. */

import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { SETTINGS } from '../../src/settings/table.ts';
import { lacks } from '../programs.ts';
import { isWhole, sampled } from '../sampled.ts';
import { emptyFolder, type Finished } from './command.ts';
import {
  ACTION,
  BRIEF,
  documentsOf,
  expanded,
  PACKAGE,
  pathOf,
  ran,
  runAction,
  stepEnvironment,
  textOf,
} from './integrations.ts';
import { live, until } from './live.ts';

const CI_PAGE = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');

/** The blocks of YAML on the page about pipelines that hold this text. */
const blocksWith = (text: string): readonly string[] =>
  [...CI_PAGE.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => block).filter((block) => block.includes(text));

/** What a runner does with a run does not depend on its length. */
const FEW: Readonly<Record<string, string>> = isWhole() ? {} : { PCS_ONLY: 'SUCCESS-STATUS' };

// A runner of GitHub has bash.
const bashTest = test.skipIf(lacks('bash', import.meta.url));

describe('the GitHub action', () => {
  test('is valid, and each of its settings is one of the command', () => {
    expect(validateAction(textOf('github-action/action.yml')).errors).toEqual([]);
    expect(validateAction('name: x').errors.length).toBeGreaterThan(0);
    const names = Object.keys(stepEnvironment({})).flatMap((name) => /^INPUT_(PCS_\w+)$/.exec(name)?.[1] ?? []);
    const known = new Set<string>(SETTINGS.map(({ name }) => name));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(Object.values(stepEnvironment({})).filter((value) => value.startsWith('no input'))).toEqual([
      'no input package',
    ]);
  });

  bashTest('judges a target of its inputs, and sets outputs, summary and reports', async () => {
    await live({}, async ({ env, url, reference }) => {
      const { PCS_ACCESS_TOKEN: token = '', PCS_TRUNK_ID: trunk = '' } = env;
      const inputs = {
        'base-url': url,
        'access-token': token,
        settings: `PCS_TRUNK_ID=${trunk}`,
        // A workflow passes a variable that is not set as an empty string.
        'report-dir': '',
        arguments: '--quiet\n--without searchAvailableNumbers\n',
      };
      const step = await runAction(inputs, { PCS_SEED: '7', ...FEW });
      expect([step.code, step.out]).toEqual([0, expect.stringContaining('seed 7')]);
      expect(step.outputs).toMatchObject({ verdict: 'conformant', 'exit-code': '0', failed: '0', calls: '0' });
      expect(Object.keys(step.outputs).toSorted()).toEqual(Object.keys(ACTION.outputs).toSorted());
      expect(step.summary).toContain(
        `no carrier provider) (profile read-only without searchAvailableNumbers${isWhole() ? '' : ', partial'})`,
      );
      expect(step.outputs).toMatchObject({
        summary: expect.stringMatching(
          isWhole() ? /^CONFORMANT .+Numbers\): \d+ passed/ : /^CONFORMANT .+, partial\): \d+ passed/,
        ),
      });
      const reports = join(step.cwd, 'conformance-report');
      expect(readdirSync(reports)).toContain('report.html');
      const { without } = JSON.parse(readFileSync(join(reports, 'results.json'), 'utf8'));
      expect(without).toEqual(['searchAvailableNumbers']);
      const comment = readFileSync(join(step.cwd, step.outputs['comment-file'] ?? ''), 'utf8');
      expect(comment).toBe(`<!-- pcs-conformance -->\n${step.summary}`);
      expect(reference.inspect().requests.some(({ target }) => target.endsWith(trunk))).toBe(true);
      // The settings may be secrets.
      expect(step.summary + JSON.stringify(step.outputs)).not.toContain(token);
    });
  });
});

bashTest('the action refuses arguments that it would take apart', async () => {
  const step = await runAction({ arguments: "--header 'X-Name: a value'" });
  expect([step.code, step.out]).toEqual([2, expect.stringContaining('quotes in arguments')]);
});

// Reports elsewhere were not found: a conformant run came out as "nothing was judged", with exit code 4 and no artifact.
bashTest.each([
  { arguments: '--report-dir elsewhere' },
  { arguments: '--quiet\n--report-dir=elsewhere' },
  { settings: 'PCS_SEED=1\n export PCS_REPORT_DIR=elsewhere' },
])('the action refuses inputs that put the reports where it does not look: %j', async (inputs) => {
  const step = await runAction(inputs);
  expect([step.code, step.out]).toEqual([2, expect.stringContaining('use the input report-dir')]);
});

describe('the workflows on the page', () => {
  test('are valid, and use inputs and outputs that the action has', () => {
    const workflows = blocksWith('\njobs:\n');
    expect(workflows.length).toBeGreaterThan(2);
    for (const workflow of workflows) {
      expect(validateWorkflow(workflow).errors, workflow).toEqual([]);
      const steps = Object.values(parse(workflow).jobs).flatMap((job) => (job as { steps: readonly Used[] }).steps);
      const used = steps.filter(({ uses }) => uses?.includes('/integrations/github-action@'));
      expect(used.length).toBeGreaterThan(0);
      const inputs = used.flatMap((step) => Object.keys(step.with ?? {}));
      expect(inputs.filter((name) => !(name in ACTION.inputs))).toEqual([]);
      const outputs = [...workflow.matchAll(/steps\.conformance\.outputs\.([\w-]+)/g)].map(([, name = '']) => name);
      expect(outputs.filter((name) => !(name in ACTION.outputs))).toEqual([]);
    }
  });
});

bashTest('the nightly run of the page is conformant with the inputs that it gives', async () => {
  const [workflow = ''] = blocksWith('name: conformance\n');
  const { steps } = parse(workflow).jobs.nightly as { readonly steps: readonly Used[] };
  await live({}, async ({ url, env: { PCS_ACCESS_TOKEN = '' } }) => {
    const inputs = { ...steps.at(-1)?.with, package: PACKAGE, 'base-url': url, 'access-token': PCS_ACCESS_TOKEN };
    const step = await runAction({ ...inputs, seed: '20260131' }, FEW);
    expect([step.code, step.outputs['verdict']]).toEqual([0, 'conformant']);
  });
});

interface Used {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

describe('the GitLab component', () => {
  test('has the inputs that the page gives it', () => {
    const [spec] = documentsOf<{ spec: { inputs: Readonly<Record<string, object>> } }>(
      'gitlab/templates/conformance/template.yml',
    );
    const used = blocksWith('component:').flatMap((block) =>
      (parse(block).include as readonly { inputs?: object }[]).flatMap(({ inputs = {} }) => Object.keys(inputs)),
    );
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((name) => !(name in (spec?.spec.inputs ?? {})))).toEqual([]);
  });
});

interface Resource {
  readonly kind: string;
  readonly spec?: {
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec: { readonly template: Template } };
  };
}

interface Template {
  readonly spec: Pod;
}

interface Named {
  readonly name: string;
}

interface Pod {
  readonly containers: readonly [Container];
  readonly restartPolicy: string;
  readonly volumes: readonly Named[];
}

interface Container {
  readonly command: readonly string[];
  readonly volumeMounts: readonly Named[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** The fields of Kubernetes 1.33 that the resources may use. */
const KNOWN = {
  cron: 'concurrencyPolicy failedJobsHistoryLimit jobTemplate schedule successfulJobsHistoryLimit suspend timeZone',
  job: 'activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions parallelism template ttlSecondsAfterFinished',
  pod: 'containers restartPolicy securityContext terminationGracePeriodSeconds volumes',
  container: 'command env envFrom image name resources securityContext volumeMounts',
} as const;

describe('the Kubernetes resources', () => {
  const resources = ['settings', 'job', 'nightly', 'indexed'].flatMap((name) =>
    documentsOf<Resource>(`kubernetes/${name}.yaml`),
  );

  test('have fields that Kubernetes knows, and mounts of volumes that are there', () => {
    expect(resources.map(({ kind }) => kind).toSorted()).toEqual(
      ['ConfigMap', 'CronJob', 'Job', 'Job', 'PersistentVolumeClaim', 'Secret'].toSorted(),
    );
    for (const { kind, spec } of resources) {
      if (spec === undefined || !/Job$/.test(kind)) continue;
      const job = spec.jobTemplate?.spec ?? spec;
      const pod = job.template?.spec as Pod;
      const [container] = pod.containers;
      const parts = { cron: spec.jobTemplate === undefined ? {} : spec, job, pod, container };
      const unknown = Object.entries(parts).flatMap(([part, fields]) =>
        Object.keys(fields).filter((name) => !KNOWN[part as keyof typeof KNOWN].split(' ').includes(name)),
      );
      expect([unknown, pod.restartPolicy]).toEqual([[], 'Never']);
      const volumes = pod.volumes.map(({ name }) => name);
      expect(container.volumeMounts.filter(({ name }) => !volumes.includes(name))).toEqual([]);
    }
  });

  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');

  const jobs = sampled(
    [
      ['job', 'seed 20250101', 'pod-1'],
      ['indexed', 'seed 4;', 'job-1/3'],
      ['nightly', `seed ${today.slice(0, 4)}`, 'pod-1'],
    ] as const,
    3,
  );

  test.each(jobs.items)(`judge a target by the command of %s.yaml (${jobs.words})`, async (name, seed, folder) => {
    const [{ spec }] = documentsOf<Resource>(`kubernetes/${name}.yaml`) as [Resource];
    const [container] = (spec?.template ?? spec?.jobTemplate?.spec.template)?.spec.containers ?? [];
    const cwd = emptyFolder();
    await live({}, async ({ env: { PCS_BASE_URL = '', PCS_ACCESS_TOKEN = '' } }) => {
      let env: Readonly<Record<string, string>> = {
        ...documentsOf<{ readonly data?: object }>('kubernetes/settings.yaml')[0]?.data,
        ...{ PCS_BASE_URL, PCS_ACCESS_TOKEN },
        ...{ POD_NAME: 'pod-1', JOB_NAME: 'job-1', JOB_COMPLETION_INDEX: '3' },
        CONFORMANCE_PACKAGE: PACKAGE,
        ...FEW,
      };
      for (const { name, value } of container?.env ?? []) {
        if (value !== undefined)
          env = { ...env, [name]: expanded(value, env).replace('/reports', join(cwd, 'reports')) };
      }
      const words = (container?.command ?? []).map((word) => expanded(word, env));
      const { code, out } = await ran(words, env, cwd);
      expect([code, out]).toEqual([0, expect.stringContaining(seed)]);
      expect(existsSync(join(cwd, 'reports', folder, 'results.json'))).toBe(true);
    });
  });
});

test('the Jenkinsfile runs the package with settings that exist, and a home that npm can write to', async () => {
  const text = textOf('jenkins/Jenkinsfile');
  const [, line = ''] = /sh '''(.+?)'''/s.exec(text) ?? [];
  expect(text).toMatch(/^ +HOME = "\$\{env\.WORKSPACE_TMP\}"$/m);
  const settings = Object.fromEntries(
    [...text.matchAll(/\b((?:PCS|CONFORMANCE)_\w+) = '(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  expect(Object.keys(settings)).toEqual(['CONFORMANCE_PACKAGE', 'PCS_BASE_URL', 'PCS_PROFILE']);
  await live({}, async ({ env: { PCS_BASE_URL = '', PCS_ACCESS_TOKEN = '' } }) => {
    const env = { ...settings, ...FEW, PCS_BASE_URL, PCS_ACCESS_TOKEN };
    expect((await ran(['sh', '-ec', line], env, emptyFolder())).code).toBe(0);
  });
});

describe('a cancelled job hangs up', () => {
  const [{ spec }] = documentsOf<Resource>('kubernetes/job.yaml') as [Resource];
  const [, template] = documentsOf<Readonly<Record<string, { readonly script?: readonly string[] }>>>(
    'gitlab/templates/conformance/template.yml',
  );
  const script = template?.['$[[ inputs.job-name ]]']?.script?.at(-1) ?? '';
  const slow = { PCS_PROFILE: 'full', PCS_RATE: '40', PCS_ONLY: 'SUCCESS-STATUS', PCS_QUIET: 'true' };
  const words = {
    'kubernetes/job.yaml': (spec?.template?.spec.containers[0]?.command ?? []).map((word) => expanded(word, {})),
    'the GitLab component': ['sh', '-ec', script.replace(/\$\[\[.*?\]\]/g, '')],
  };
  type Start = (env: Readonly<Record<string, string>>, onStart: (child: ChildProcess) => unknown) => Promise<Finished>;
  type Row = readonly [string, NodeJS.Signals, Start];
  const action: Row = ['the GitHub action', 'SIGINT', (env, onStart) => runAction({}, env, emptyFolder(), onStart)];
  const jobs = Object.entries(words).map(([name, command]): Row => {
    const start: Start = (env, onStart) =>
      ran(command, { ...env, CONFORMANCE_PACKAGE: PACKAGE, INPUT_PACKAGE: PACKAGE }, emptyFolder(), onStart);
    return [name, 'SIGTERM', start];
  });

  // npx ends at once and leaves the run behind, in the middle of a call, until the machine is taken away.
  const hangsUp = async (_: string, signal: NodeJS.Signals, start: Start): Promise<void> => {
    await live({}, async ({ env, reference }) => {
      const finished = await start({ ...env, ...slow }, async (child) => {
        await until(() => reference.inspect().callsOpen > 0);
        child.kill(signal);
      });
      expect([finished.code, finished.out]).toEqual([143, expect.stringContaining('the run was interrupted')]);
      expect(reference.inspect().callsOpen).toBe(0);
    });
  };
  const few = sampled(jobs, 2);
  test.each(few.items)(`%s at %s (${few.words})`, hangsUp);
  bashTest.each([action])('%s at %s', hangsUp);

  // With nothing new until it was cancelled, a run had the output `passes` beside the exit code 143.
  test.each([
    ['0', 'gate=passes'],
    ['143', 'gate=fails'],
  ])('the gate of the GitHub action, at exit code %s: %s', async (code, gate) => {
    const [started, cwd] = [emptyFolder(), emptyFolder()];
    const results = { summary: '', counts: { cases: {} }, gate: { code: 0, new: [], known: [], gone: [] } };
    writeFileSync(join(cwd, 'results.json'), JSON.stringify(results));
    writeFileSync(join(cwd, 'summary.md'), '');
    const words = ['node', pathOf('github-action/outputs.mjs'), cwd, code, started];
    expect((await ran(words, {}, cwd)).out).toContain(gate);
  });
});

describe('where the suite comes from', () => {
  const FILES = [
    'github-action/action.yml',
    'github-action/run.sh',
    'github-workflow/full-profile.yml',
    'gitlab/full-profile.yml',
    'gitlab/templates/conformance/template.yml',
    'jenkins/Jenkinsfile',
    ...['settings', 'job', 'nightly', 'indexed'].map((name) => `kubernetes/${name}.yaml`),
  ];

  test.each(FILES)('%s takes it from outside, never from a name that is free', (file) => {
    const commands = [...textOf(file).matchAll(/\bnpx --.*/g)].map(([line]) => line);
    const fetched = /^npx --yes --package "\$\w+" -- (?:sh -c 'command -v pcs-conformance'\)|pcs-conformance compare )/;
    expect(commands.filter((line) => !fetched.test(line))).toEqual([]);
    expect(textOf(file)).not.toMatch(/pcs-conformance@/);
    // A shell that stays gets the signal in its place; only three of them are cancelled above.
    expect([...textOf(file).matchAll(/.*"\$suite" run/g)].filter(([line]) => !/\bexec "/.test(line))).toEqual([]);
  });

  test('the version in the examples is that of the package', () => {
    const pages = [CI_PAGE, readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8'), PACKAGE];
    const texts = [...FILES.map(textOf), ...pages];
    const versions = texts.flatMap((text) =>
      [...text.matchAll(/pcs-conformance-(\d[\w.]*)\.tgz/g)].map(([, one]) => one),
    );
    expect(new Set(versions)).toEqual(new Set([packageJson.version]));
  });

  bashTest('a step whose npm fails says so, whatever an earlier run has left', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, 'conformance-report'));
    writeFileSync(join(cwd, 'conformance-report', 'results.json'), '{"verdict":"conformant"}');
    utimesSync(join(cwd, 'conformance-report', 'results.json'), 1, 1);
    const step = await runAction({ package: 'nowhere', fail: 'false' }, BRIEF, cwd);
    expect([step.code, step.outputs]).toEqual([1, { 'exit-code': '1' }]);
    expect(step.out).toContain('::error title=nothing was judged::The command exited with 1 before it judged anything');
    expect(step.err).toBe('');
  });
});
