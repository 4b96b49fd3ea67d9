/** Facts of a run in a bundle. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verify } from '../../../src/cli/commands/bundles.ts';
import { packageVersion } from '../../../src/cli/terminal.ts';
import { World } from '../../proof/simulation.ts';
import { allBut, newKeys } from '../certificate/certified.ts';
import { stage } from './stage.ts';

const NARROW = ['--quiet', '--without', allBut('listTrunks', 'getTrunk').join()];

test('a bundle holds them as the word of its signer', async () => {
  const place = mkdtempSync(join(tmpdir(), 'pcs-conformance-facts-'));
  const { own, known } = newKeys();
  const [key, publicKey, bundle] = ['key.pem', 'key.pub.pem', 'bundle'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(key, own.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(publicKey, known.export({ type: 'spki', format: 'pem' }));
  const names = ['--implementation-name', 'Acme', '--implementation-version', '1', '--vendor', 'Acme'];
  const words = ['certify', ...NARROW, ...names, '--key', key, '--bundle-dir', bundle];
  expect(await new World().run(words)).toMatchObject({ code: 0 });
  const { terminal, out } = stage();
  expect(await verify(bundle, { key: publicKey }, terminal, packageVersion())).toBe(0);
  expect(out.join('\n')).toMatch(/Stated by the signer.* time \d.* host "/);
});
