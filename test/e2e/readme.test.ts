/** The first recipe of README.md prints what the page says; test/long follows the others, and those of the pages that it leads to. */

import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isWhole, narrowedWords } from '../sampled.ts';
import { BIN, cleanEnvironment, command, emptyFolder } from './command.ts';
import { until } from './live.ts';
import { settled, shellFolder, stepsOf, textOf } from './recipes.ts';

/** The README shows the first steps of a page. */
function expectSameStart(title: string, page: string): void {
  const steps = stepsOf('README.md', title);
  expect(steps.length).toBeGreaterThan(0);
  const start = stepsOf(page, title).slice(0, steps.length);
  const shown = (some: typeof steps) => some.map((step) => [step.command, settled(step.output)]);
  expect(shown(steps)).toEqual(shown(start));
}

test('try it without a target: .env is written when the port is open', async () => {
  const [, serve = '', run = ''] =
    /^(pcs-conformance serve .*)\n(pcs-conformance run .*)$/m.exec(textOf('README.md')) ?? [];
  expect(serve).toContain(' --out .env');
  const [started = '', told = ''] = textOf('README.md').match(/^CONFORMANT .*$/gm) ?? [];
  expect(told).toMatch(/^CONFORMANT \(profile full\): [\d,]+ passed, 0 failed, \d+ not judged$/);
  expect(started).toBe(told.replace('profile full', 'profile full, built-in reference service'));
  const folder = emptyFolder();
  const env = { ...cleanEnvironment(), PATH: `${shellFolder()}:${process.env['PATH'] ?? ''}` };
  // The default port may be taken on this machine.
  const child = spawn('sh', ['-c', `exec ${serve} --port 0`], { cwd: folder, env });
  try {
    await until(() => existsSync(join(folder, '.env')) && readFileSync(join(folder, '.env'), 'utf8').endsWith('\n'));
    // The figure is that of a run in docs.test.ts, too; here a few cases show that the two commands fit together.
    const { out } = await command([...run.split(' ').slice(1), ...narrowedWords('SUCCESS-STATUS')], {}, folder);
    expect(out).toMatch(/^CONFORMANT .*\(profile full/m);
    if (isWhole()) expect(out.split('\n')).toContain(told);
  } finally {
    child.kill();
  }
});

test('a target of your own: the plan needs no more settings than the two that the page names', async () => {
  const [, , steps = ''] =
    /fill in `PCS_BASE_URL` and `PCS_ACCESS_TOKEN`(.*?)```sh\n(.*?)```/s.exec(textOf('README.md')) ?? [];
  const plan = /^pcs-conformance (plan.*)$/m.exec(steps)?.[1] ?? '';
  const env = { PCS_BASE_URL: 'http://127.0.0.1:9', PCS_ACCESS_TOKEN: 'an_org_token' };
  const { code, out } = await command(plan.split(' '), { ...cleanEnvironment(), ...env }, emptyFolder());
  expect([code, out]).toEqual([0, expect.stringMatching(/Sends about \d+ requests/)]);
});

test('the alias of the README is the command', async () => {
  const [alias = ''] = /^alias .*$/m.exec(textOf('README.md')) ?? [];
  const line = `cd '${BIN.replace(/dist.*/, '')}'; ${alias}; alias pcs-conformance`;
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: cleanEnvironment() });
  expect(stdout.trim()).toMatch(new RegExp(`='node ${BIN.replace('bin.cjs', 'main.js')}'$`));
});

test.each([
  ['Certify an implementation', 'docs/certification.md'],
  ['Gate a release', 'docs/ci.md'],
])('the README begins "%s" as %s does', expectSameStart);
