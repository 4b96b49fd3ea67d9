/** A report that was asked for and cannot be written: the command does not exit as if all were well. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allBut, newKeys } from '../unit/certificate/certified.ts';
import { type Hooks, World } from './simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-lost-'));
const key = join(folder, 'signing.pem');
writeFileSync(key, newKeys().own.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });

const FEW = ['--without', allBut('listTrunks', 'getTrunk').join()];
const ABOUT = ['--implementation-name', 'Acme', '--implementation-version', '1', '--vendor', 'Acme'];
const BUNDLE = ['--key', key, '--bundle-dir', join(folder, 'lost'), ...ABOUT];

/** A disk that has no room for one of the reports. */
const full: Hooks = {
  write: (_, path) => {
    if (path.includes('summary.md')) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  },
};

test.each([
  ['run', []],
  ['certify', BUNDLE],
])('%s exits 3 and names the report', async (command, words) => {
  const { code, screen } = await new World(full).run([command, ...words, ...FEW]);
  expect([code, screen]).toEqual([3, expect.stringMatching(/^Not all reports could be written .*the disk is full/m)]);
});
