/** The recipes in processes of their own, each command as a user types it, and all of them twice in one folder. */

import { expect, test } from 'vitest';
import { emptyFolder } from '../e2e/command.ts';
import { follow, printed, served, textOf } from '../e2e/recipes.ts';

test('staging in CI', async () => {
  await follow('README.md', 'Staging in CI', emptyFolder());
});

test('certify an implementation', async () => {
  await follow('docs/certification.md', 'Certify an implementation', emptyFolder());
});

test('gate a release', async () => {
  const folder = emptyFolder();
  const before = 'pcs-conformance run --profile full --quiet --report-dir last-release';
  expect(await served([], (env) => printed(before, folder, env))).toContain('CONFORMANT');
  const [, fault = ''] = /`--fault ([a-z-]+)`/.exec(textOf('docs/ci.md')) ?? [];
  await follow('docs/ci.md', 'Gate a release', folder, [fault]);
});
