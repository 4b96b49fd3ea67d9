/** The pipelines of the full profile: with live fixtures, a baseline from the last release and the runs before. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { startServed } from '../../src/cli/commands/serve.ts';
import { lacks } from '../programs.ts';
import { inLongAlone, narrowedWords } from '../sampled.ts';
import { BIN, emptyFolder } from './command.ts';
import { ACTION, documentsOf, PACKAGE, ran, runAction, scripts, textOf } from './integrations.ts';

type Text = Readonly<Record<string, string>>;

interface Job {
  readonly variables: Text;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly after_script: readonly string[];
}

const [, SELECTED = ''] = narrowedWords('SUCCESS-STATUS/answerCall', 'ERROR-ENVELOPE/hangUpCall');
const FEW: Text = SELECTED === '' ? {} : { PCS_ONLY: SELECTED };

/** Works with a service that is served, its settings without what a fixture brings, and a checkout with the fixture. */
async function served(work: (env: Text, cwd: string, faulty: Text) => Promise<void>): Promise<void> {
  const address = { host: '127.0.0.1', port: 0 };
  const [right, wrong] = [await startServed(address), await startServed(address, ['hang-up-error-without-message'])];
  const cwd = emptyFolder();
  mkdirSync(join(cwd, 'conformance'));
  writeFileSync(join(cwd, 'conformance', 'fixture.mjs'), textOf('fixtures/fixture.mjs'));
  const { PCS_RINGING_CALL_ID: _, PCS_CONFERENCE_ID: __, PCS_PARTICIPANT_ID: ___, ...rest } = right.settings;
  const env = { ...(rest as Text), PCS_BASE_URL: right.url };
  try {
    await work(env, cwd, { ...env, PCS_BASE_URL: wrong.url });
  } finally {
    await right.close();
    await wrong.close();
  }
}

test('the fixture starts what a run of the full profile needs, also where a file names the target', async () => {
  await served(async (env, cwd) => {
    const { code, out } = await ran([process.execPath, 'conformance/fixture.mjs', 'start', 'table'], env, cwd);
    expect([code, out]).toEqual([2, '']);
    writeFileSync(
      join(cwd, '.env'),
      Object.entries(env)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
    );
    const fixture = `"${process.execPath}" conformance/fixture.mjs`;
    const only = 'SUCCESS-STATUS/answerCall,SUCCESS-STATUS/muteParticipant';
    const flags = ['--fixture-command', `${fixture} start`, '--fixture-cleanup', `${fixture} end`];
    // As a process: its clean-up asks the service, which is in this one.
    const words = [BIN, 'run', '--profile', 'full', '--quiet', '--only', only, ...flags];
    const run = await ran([process.execPath, ...words], {}, cwd);
    expect([run.code, run.out, run.err]).toEqual([0, expect.stringContaining('2 passed, 0 failed, 0 not judged'), '']);
  });
});

// A runner has bash; what it asks of GitHub and GitLab is answered by scripts in their places.
const bashTest = test.skipIf(lacks('bash', import.meta.url));
const bash = (script: string, env: Text, cwd: string) =>
  ran(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', script], env, cwd);

describe('for GitHub', () => {
  const text = textOf('github-workflow/full-profile.yml');
  const steps: readonly {
    readonly name?: string;
    readonly run?: string;
    readonly with?: Text;
    readonly if?: string;
  }[] = parse(text).jobs.full.steps;

  test('is valid, and uses inputs that the action has', () => {
    expect(validateWorkflow(text).errors).toEqual([]);
    const inputs = steps.flatMap(({ with: given = {} }) => Object.keys(given));
    const others = ['path', 'key', 'restore-keys', 'sarif_file', 'category'];
    expect(inputs.filter((name) => !(name in ACTION.inputs) && !others.includes(name))).toEqual([]);
  });

  bashTest('attaches the report to a release, and compares the next run with it', async () => {
    await served(async (env, cwd, faulty) => {
      const releases = emptyFolder();
      const gh = `case "$2" in
        list) ls "${releases}" ;;
        download) cp "${releases}/$3/$5" "$7" ;;
        upload) mkdir -p "${releases}/$3" && cp "$4" "${releases}/$3" ;;
      esac`;
      /** What the workflow does for an event. */
      const workflow = async (isRelease: boolean, target: Text) => {
        const [githubEnv, summary] = [join(cwd, 'github-env'), join(cwd, 'github-summary')];
        for (const file of [githubEnv, summary]) writeFileSync(file, '');
        const shell = {
          PATH: scripts({ gh }),
          GITHUB_ENV: githubEnv,
          GITHUB_STEP_SUMMARY: summary,
          CONFORMANCE_PACKAGE: PACKAGE,
        };
        let code: number | null = null;
        for (const step of steps) {
          if (step.with?.['package'] !== undefined) {
            const baseline = readFileSync(githubEnv, 'utf8').trim().split('=').slice(1).join();
            const { PCS_BASE_URL: _, ...settings } = target;
            const inputs = { ...step.with, package: PACKAGE, 'base-url': target['PCS_BASE_URL'] ?? '' };
            const secrets = Object.fromEntries(
              Object.entries(inputs).filter(([, value]) => !value.includes('secrets.')),
            );
            code = (await runAction(secrets, { ...settings, ...FEW, ...(baseline && { PCS_BASELINE: baseline }) }, cwd))
              .code;
          } else if (step.run !== undefined && (isRelease || !step.if?.includes('release'))) {
            const script = step.run.replace(/\$\{\{ github\.event\.release\.tag_name \}\}/, 'v1');
            expect(await bash(script, shell, cwd), step.name).toMatchObject({ code: 0 });
          } else if (step.with?.['sarif_file'] !== undefined) {
            expect(existsSync(join(cwd, step.with['sarif_file'] ?? ''))).toBe(true);
          }
        }
        return { code, summary: readFileSync(summary, 'utf8') };
      };
      expect(await workflow(true, env)).toEqual({ code: 0, summary: '' });
      expect(readdirSync(join(releases, 'v1'))).toEqual(['conformance-report.tgz']);
      const later = await workflow(false, faulty);
      expect(later).toEqual({ code: 1, summary: expect.stringContaining('ERROR-ENVELOPE') });
      expect(
        JSON.parse(readFileSync(join(cwd, 'conformance-report', 'results.json'), 'utf8')).gate.new.length,
      ).toBeGreaterThan(0);
    });
  });
});

describe('for GitLab', () => {
  const page = parse(textOf('gitlab/full-profile.yml'));
  const job: Job = page['conformance'];
  const [spec, template] = documentsOf<Readonly<Record<string, never>>>(
    'gitlab/templates/conformance/template.yml',
  ) as unknown as [
    { readonly spec: { readonly inputs: Readonly<Record<string, { readonly default?: unknown }>> } },
    Readonly<Record<string, Job>>,
  ];

  inLongAlone('compares a run with the artifact of the last release, and keeps the runs', async () => {
    await served(async (env, cwd, faulty) => {
      const given: Readonly<Record<string, unknown>> = page.include[0].inputs;
      const filled = (text: string): string =>
        text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) =>
          String(given[name] ?? spec.spec.inputs[name]?.default ?? ''),
        );
      const included = Object.entries(template).find(([name]) => name.startsWith('$[['))?.[1];
      const variables = Object.fromEntries(
        Object.entries(included?.variables ?? {}).map(([name, value]) => [name, filled(value)]),
      );
      const releases = emptyFolder();
      const curl = `case "$*" in
        *"/jobs/artifacts/v1/download?job=conformance") printf v1 > last-release.zip; [ -d "${releases}/v1" ] ;;
        *"/releases?per_page=10") printf '[{"tag_name":"v2"},{"tag_name":"v1"}]' ;;
        *) exit 22 ;;
      esac`;
      const tools = { curl, unzip: `mkdir "$4" && cp -r "${releases}/v1/." "$4"` };
      /** What a runner does with the job. */
      const pipeline = async (target: Text) => {
        const all = { ...target, ...FEW, ...variables, ...job.variables, PATH: scripts(tools) };
        const project = { CI_API_V4_URL: 'https://gitlab.example/api/v4', CI_PROJECT_ID: '7', CI_JOB_TOKEN: 'token' };
        const shell = {
          ...all,
          ...project,
          CONFORMANCE_PACKAGE: PACKAGE,
          INPUT_PACKAGE: PACKAGE,
          INPUT_PCS_BASE_URL: '',
        };
        const script = [...job.before_script, ...(included?.script ?? [])].map(filled).join('\n');
        const { code, out, err } = await bash(script, shell, cwd);
        expect(await bash(job.after_script.join('\n'), shell, cwd)).toMatchObject({ code: 0 });
        return { code, said: out + err };
      };
      expect(await pipeline(env)).toEqual({ code: 0, said: expect.stringContaining('this run has no baseline') });
      cpSync(join(cwd, 'conformance-report'), join(releases, 'v1', 'conformance-report'), { recursive: true });
      expect(await pipeline(faulty)).toEqual({ code: 1, said: expect.stringMatching(/Gate: .*new/) });
      expect(readdirSync(join(cwd, 'runs')).length).toBe(2);
      expect(readFileSync(join(cwd, 'conformance-report', 'history.md'), 'utf8')).toContain('ERROR-ENVELOPE');
    });
  });

  test('includes the component with inputs that it has', () => {
    const inputs = (page.include as readonly { readonly inputs: object }[]).flatMap((entry) =>
      Object.keys(entry.inputs),
    );
    expect(inputs.filter((name) => !(name in spec.spec.inputs))).toEqual([]);
    expect(parseAllDocuments(textOf('gitlab/full-profile.yml')).flatMap(({ errors }) => errors)).toEqual([]);
  });
});
