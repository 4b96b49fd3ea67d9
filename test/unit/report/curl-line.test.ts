/** The shell line of a cause takes the credential from the file of settings as it was written there. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { curlLine } from '../../../src/report/commands.ts';
import { READ } from '../verdict/judged-exchanges.ts';
import { RESULTS } from './made-run.ts';

test.each([
  ['acme_org_1', 'acme_org_1'],
  [`'acme_org_"2'`, 'acme_org_"2'],
  [`"acme_org_'3" # ours`, "acme_org_'3"],
  ["acme_org_4'5", "acme_org_4'5"],
  ["'acme_org_6\\7'\r", 'acme_org_6\\7'],
])('%j', (written, used) => {
  const settingsFile = join(mkdtempSync(join(tmpdir(), 'pcs-conformance-curl-')), '.env');
  writeFileSync(settingsFile, `PCS_SEED=7\nPCS_ACCESS_TOKEN=${written}\n`);
  const line = curlLine(READ, { results: RESULTS, settingsFile });
  const [before = ''] = line.split('curl ');
  const env = { PATH: process.env['PATH'] ?? '' };
  expect(execFileSync('sh', ['-c', `${before}printf %s "$PCS_ACCESS_TOKEN"`], { env }).toString()).toBe(used);
});
