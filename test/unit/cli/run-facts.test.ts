/** Facts of a run from the command line: in the reports, redacted, equal where the time is given, and in a bundle. */

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verify } from '../../../src/cli/commands/bundles.ts';
import { packageVersion } from '../../../src/cli/terminal.ts';
import { World } from '../../proof/simulation.ts';
import { newKeys } from '../certificate/certified.ts';
import { stage } from './stage.ts';

const FACTS = ['--run-host', 'build-7', '--run-time', '2026-01-31T12:00:00Z', '--label', 'build=4711'];
const NARROW = ['--quiet', '--without', 'calls,applications,connections,numbers,providers,conferences'];

const textIn = (world: World, file: string): string => world.disk.files.get(`conformance-report/${file}`)?.text ?? '';

test('a run shows what it was told, without secrets, and equal runs write equal results', async () => {
  const results = [];
  for (const _ of [1, 2]) {
    const world = new World();
    const { PCS_ACCESS_TOKEN: token } = world.reference.settings;
    const words = ['run', ...NARROW, ...FACTS, '--label', `key=${token}`, '--target-version', `v1 ${token}`];
    await world.run(words);
    expect([...world.disk.files.values()].some(({ text }) => text.includes(token))).toBe(false);
    results.push(textIn(world, 'results.json'));
  }
  expect(results[0]).toBe(results[1]);
  expect(JSON.parse(results[0] ?? '').run).toEqual({
    startedAt: '2026-01-31T12:00:00.000Z',
    endedAt: '2026-01-31T12:00:00.000Z',
    host: 'build-7',
    targetVersion: 'v1 ⟦credential⟧',
    labels: { build: '4711', key: '⟦credential⟧' },
  });
});

test('a response header shows the version of the target', async () => {
  const world = new World({
    request: (_, when) => (when === 'before' ? { status: 401, headers: [['X-Build', '4.2']], body: '{}' } : null),
  });
  await world.run(['run', ...NARROW, '--target-version-header', 'x-build']);
  expect(JSON.parse(textIn(world, 'results.json')).run.targetVersion).toBe('4.2');
});

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
  const words = ['certify', ...NARROW, ...FACTS.toSpliced(2, 2), ...names, '--key', key, '--bundle-dir', bundle];
  // A certificate states when it was made, and labels in any order.
  expect(await new World().run([...words, ...FACTS.slice(2, 4)])).toMatchObject({ code: 2 });
  expect(await new World().run([...words, '--label', 'area=7'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(bundle, 'certificate.html'), 'utf8')).toContain('4711');
  const { terminal, out } = stage();
  expect(await verify(bundle, { key: publicKey }, terminal, packageVersion())).toBe(0);
  expect(out.join('\n')).toMatch(/Stated by the signer.* time \d.* label area "7", label build "4711"/);
});
