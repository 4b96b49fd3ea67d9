/** The recipes of README.md and of the pages that it leads to: each command is run, and prints what the page says. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inLongAlone, isWhole } from '../sampled.ts';
import { cleanEnvironment, emptyFolder } from './command.ts';
import { live, until } from './live.ts';
import { follow, printed, printedAgain, settled, shellFolder, stepsOf, textOf } from './recipes.ts';

/** test/long follows them in processes of their own, and twice. */
const ONCE = { passes: 1, way: printedAgain } as const;

/** The README shows the first steps of a page. */
function expectSameStart(title: string, page: string): void {
  const steps = stepsOf('README.md', title);
  expect(steps.length).toBeGreaterThan(0);
  const start = stepsOf(page, title).slice(0, steps.length);
  expect(steps.map(({ command, output }) => [command, settled(output)])).toEqual(
    start.map(({ command, output }) => [command, settled(output)]),
  );
}

const times = isWhole() ? 'two runs' : 'one run (two in npm run test:long)';

test(`try it without a target: ${times}, and .env is written when the port is open`, async () => {
  const [, serve = '', run = ''] =
    /^(npx pcs-conformance serve .*)\n(npx pcs-conformance run .*)$/m.exec(textOf('README.md')) ?? [];
  expect(serve).toContain(' --out .env');
  const [told = ''] = /^CONFORMANT .*$/m.exec(textOf('README.md')) ?? [];
  expect(told).toMatch(/^CONFORMANT \(profile full\): [\d,]+ passed, 0 failed, \d+ not judged$/);
  const folder = emptyFolder();
  const env = { ...cleanEnvironment(), PATH: `${shellFolder()}:${process.env['PATH'] ?? ''}` };
  // The default port may be taken on this machine.
  const child = spawn('sh', ['-c', `exec ${serve} --port 0`], { cwd: folder, env });
  try {
    await until(() => existsSync(join(folder, '.env')) && readFileSync(join(folder, '.env'), 'utf8').endsWith('\n'));
    const ways = isWhole() ? [printed, printedAgain] : [printedAgain];
    for (const way of ways) expect((await way(run, folder, {})).split('\n')).toContain(told);
  } finally {
    child.kill();
  }
});

test('staging in CI', async () => {
  await follow('README.md', 'Staging in CI', emptyFolder(), ONCE);
});

test.each([
  ['Certify an implementation', 'docs/certification.md'],
  ['Gate a release', 'docs/ci.md'],
])('the README begins "%s" as %s does', expectSameStart);

// Single commands of these two are in gate.test.ts.
inLongAlone('certify an implementation', async () => {
  await follow('docs/certification.md', 'Certify an implementation', emptyFolder(), ONCE);
});

inLongAlone('gate a release', async () => {
  const folder = emptyFolder();
  const before = 'npx pcs-conformance run --profile full --quiet --report-dir last-release';
  expect(await live({}, ({ env }) => printedAgain(before, folder, env))).toContain('CONFORMANT');
  const [, fault = ''] = /`--fault ([a-z-]+)`/.exec(textOf('docs/ci.md')) ?? [];
  await follow('docs/ci.md', 'Gate a release', folder, { ...ONCE, difference: { fault } });
});
