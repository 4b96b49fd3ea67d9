/** What the pipelines do in their systems, where it takes long: failures, a cancelled job, and GitLab's runner. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import { emptyFolder } from '../e2e/command.ts';
import { BRIEF, PACKAGE, READ_ONLY, ran, runAction, textOf } from '../e2e/integrations.ts';
import { live } from '../e2e/live.ts';

const LOCAL = new URL('../../node_modules/.bin/gitlab-ci-local', import.meta.url).pathname;

/** Labels every body as text, so that a dozen requirements fail. */
const mislabelled = (service: Service): Service => {
  return async (request) => ({ ...(await service(request)), headers: [['Content-Type', 'text/plain']] });
};

describe('the GitHub action', () => {
  test('fails unless told to pass', async () => {
    await live({ wrap: mislabelled }, async ({ env }) => {
      const step = await runAction({ arguments: '--quiet' }, { ...env, ...READ_ONLY });
      expect([step.code, step.outputs['verdict']]).toEqual([1, 'non-conformant']);
      const passed = await runAction(
        { arguments: '--only LIST-STATUS,JSON-LABEL', fail: 'false' },
        { ...env, ...READ_ONLY },
      );
      expect([passed.code, passed.outputs['exit-code']]).toEqual([0, '1']);
    });
  });
});

/** A pipeline that includes the component, run in a shell by gitlab-ci-local, which checks it by GitLab's schema. */
async function runGitLab(inputs: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>>) {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, 'templates', 'conformance'), { recursive: true });
  const template = 'templates/conformance/template.yml';
  writeFileSync(join(cwd, template), textOf(`gitlab/${template}`));
  const include = [{ local: `/${template}`, inputs: { package: '$CONFORMANCE_PACKAGE', ...inputs } }];
  writeFileSync(join(cwd, '.gitlab-ci.yml'), JSON.stringify({ include }));
  const git = 'git init -q -b main . && git remote add origin https://gitlab.example/OWNER/REPO.git && git add -A';
  await ran(['sh', '-c', `${git} && git -c user.name=a -c user.email=a@b.example commit -qm a`], {}, cwd);
  return {
    cwd,
    ...(await ran(
      // A variable of the project.
      [LOCAL, '--force-shell-executor', '--variable', `CONFORMANCE_PACKAGE=${PACKAGE}`],
      { ...env, HOME: emptyFolder() },
      cwd,
    )),
  };
}

describe('the GitLab component', () => {
  test('judges a target of the variables and inputs, and leaves a JUnit report', async () => {
    await live({}, async ({ env }) => {
      const { cwd, code, out, err } = await runGitLab({ seed: '7', arguments: '--quiet' }, { ...env, ...BRIEF });
      expect([code, out + err]).toEqual([0, expect.stringMatching(/CONFORMANT.*seed 7\b/s)]);
      const template = textOf('gitlab/templates/conformance/template.yml');
      const junit = /junit: (.*)/.exec(template)?.[1]?.replace('$[[ inputs.report-dir ]]', 'conformance-report') ?? '';
      expect(readFileSync(join(cwd, junit), 'utf8')).toContain('<testsuites');
    });
  });

  test('fails with the exit code of the verdict, and passes an incomplete run with a warning if told to', async () => {
    await live({ wrap: mislabelled }, async ({ env }) => {
      const { code, out } = await runGitLab({ arguments: '--quiet' }, { ...env, ...READ_ONLY, PCS_ONLY: 'JSON-LABEL' });
      expect([code, out]).toEqual([1, expect.stringMatching(/FAIL.* conformance/s)]);
    });
    const settings = { PCS_BASE_URL: 'http://127.0.0.1:9', PCS_ACCESS_TOKEN: 'service_org_secret' };
    const { code, out } = await runGitLab({ 'allow-incomplete': true, arguments: '--quiet' }, settings);
    expect([code, out]).toEqual([0, expect.stringMatching(/WARN.* conformance/s)]);
  });
});
