/** A fixture command is of use, or it is over. */

import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { printedBy, withFixtures } from '../../../src/cli/target.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';

test.each([
  ['echo PCS_RINGING_CALL_ID=$OF', { out: 'PCS_RINGING_CALL_ID=a\n' }],
  ['exit 7', { wrong: 'ended with code 7' }],
  ['kill -9 $$', { wrong: 'ended with SIGKILL' }],
  ['no-such-command-anywhere', { wrong: 'ended with code 127' }],
  ['yes', { wrong: 'printed more than 64 KiB' }],
])('%s', async (command, expected) => {
  expect(await printedBy(command, { PATH: process.env['PATH'], OF: 'a' })).toEqual(expected);
});

test('a command is over when it ends, and what it left in the background lives on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixture-'));
  const [go, talked] = [join(folder, 'go'), join(folder, 'talked')];
  const phone = `while [ ! -e ${go} ]; do sleep 0.05; done; echo rings; touch ${talked}; sleep 60`;
  const printed = await printedBy(`(${phone}) & echo $!`, { PATH: process.env['PATH'] }, 5_000);
  expect(printed).toEqual({ out: expect.stringMatching(/^\d+\n$/) });
  writeFileSync(go, '');
  await vi.waitFor(() => expect(existsSync(talked)).toBe(true), 5_000);
  process.kill(Number('out' in printed && printed.out));
});

test('a secret that it prints is not quoted', async () => {
  const settings = readSettings(
    { 'fixture-command': 'echo PCS_RINGING_CALL_ID=pcs_org_hunter2/x #', profile: 'full', 'base-url': 'http://a' },
    { env: { PCS_ACCESS_TOKEN: 'svc_org_abc' }, textOf: () => undefined, canRead: () => false },
  );
  const begun = withFixtures(settings, { PATH: process.env['PATH'] }, async () => 'begun');
  await expect(begun).rejects.toThrow(/^PCS_RINGING_CALL_ID contains a slash/);
});
