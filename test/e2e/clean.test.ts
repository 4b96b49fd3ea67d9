/** `clean` where there is nothing to clean, or not with these settings. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, emptyFolder } from './command.ts';
import { live } from './live.ts';

const PCS_ACCESS_TOKEN = 'pcs_org_Fake0123456789abcdef';

/** A report folder with a journal of these entries. */
function journalOf(target: string, entries: readonly object[]): string {
  const folder = join(emptyFolder(), 'report');
  mkdirSync(folder);
  const lines = [{ kind: 'start', target, seed: 1 }, ...entries].map((entry) => JSON.stringify(entry));
  writeFileSync(join(folder, 'journal.ndjson'), `${lines.join('\n')}\n{"kind":"exch`);
  return folder;
}

const OPEN = [
  { kind: 'create', seq: 7 },
  { kind: 'call', ids: ['8f14e45f-ceea-4670-b9d4-0a8c1e1c5f0e'], open: true },
];

describe('clean', () => {
  test('without a journal is wrong usage', async () => {
    const { code, err } = await command(['clean', '--report-dir', 'nowhere'], { PCS_ACCESS_TOKEN });
    expect([code, err.trim()]).toEqual([2, expect.stringMatching(/^No journal at .*--report-dir\.$/)]);
  });

  test('does not take the credential to another target than that of the settings', async () => {
    await live({}, async ({ reference, url }) => {
      const folder = journalOf(url, OPEN);
      const env = { PCS_ACCESS_TOKEN, PCS_BASE_URL: 'https://staging.example.invalid' };
      const { code, err } = await command(['clean', '--report-dir', folder], env);
      expect([code, err]).toEqual([2, expect.stringContaining('but the settings name')]);
      expect(reference.inspect().requests).toEqual([]);
    });
  });

  test('says when a call may still be open because the target rejects the hang-up', async () => {
    await live({}, async ({ url }) => {
      const { code, out, err } = await command(['clean', '--report-dir', journalOf(url, OPEN)], { PCS_ACCESS_TOKEN });
      expect([code, out]).toEqual([3, expect.stringMatching(/^Possibly open: call 8f14.*status 401/)]);
      expect(err).toBe('This hangs up 1 call, and may take some minutes if the target makes it wait.\n');
    });
  });

  test('says that nothing is left where the last line ends the call', async () => {
    const folder = journalOf('http://127.0.0.1:9', [...OPEN, { ...OPEN[1], open: false }]);
    expect(await command(['clean', '--report-dir', folder], { PCS_ACCESS_TOKEN })).toMatchObject({
      code: 0,
      out: 'Every call of that run was hung up.\nEverything that the run wrote was restored.\n',
    });
  });

  test('names a call of an earlier create although a later one was ended', async () => {
    await live({}, async ({ url }) => {
      const later = [
        { kind: 'create', seq: 9 },
        { kind: 'call', ids: ['b'], open: true },
        { kind: 'call', ids: ['b'], open: false },
      ];
      const folder = journalOf(url, [...OPEN, ...later]);
      const { out } = await command(['clean', '--report-dir', folder], { PCS_ACCESS_TOKEN });
      expect(out).toContain('8f14e45f');
    });
  });
});
