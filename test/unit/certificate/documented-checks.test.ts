/** The checks that docs/certification.md shows in other languages, taken from the page and run on a bundle. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countersigned, fingerprintOf } from '../../../src/certificate/attestation.ts';
import type { Bundle } from '../../../src/certificate/bundle.ts';
import { ATTESTATION } from '../../../src/certificate/bundle-files.ts';
import { openVerified } from '../../../src/certificate/verify.ts';
import { lacks } from '../../programs.ts';
import { bytesOf, entriesOf, narrowBundle, newKeys, VERSION } from './certified.ts';

const PAGE = readFileSync(new URL('../../../docs/certification.md', import.meta.url), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);

const [vendor, programme] = [newKeys(), newKeys()];
const bundle: Bundle = await narrowBundle(vendor.own);

/** A folder with the bundle, countersigned, and the public keys beside it. */
function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-documented-'));
  mkdirSync(join(folder, 'conformance-bundle'));
  for (const [name, text] of bundle.files) writeFileSync(join(folder, 'conformance-bundle', name), text);
  const signed = countersigned(entriesOf(bytesOf(bundle)), programme.own);
  writeFileSync(join(folder, 'conformance-bundle', ATTESTATION), signed);
  for (const [name, { known }] of Object.entries({ vendor, programme })) {
    writeFileSync(join(folder, `${name}.pub.pem`), known.export({ type: 'spki', format: 'pem' }));
  }
  return folder;
}

/** Changes one byte of a file of the bundle. */
function spoil(folder: string, name: string): void {
  const path = join(folder, 'conformance-bundle', name);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** Whether any of these programs is missing. */
const lackAny = (...programs: readonly string[]): boolean =>
  programs.filter((program) => lacks(program, import.meta.url)).length > 0;

describe.skipIf(lackAny('bash', 'jq', 'openssl'))('the lines with openssl', () => {
  const [lines = ''] = blocks('sh').filter((text) => text.includes('openssl pkeyutl'));
  const output = (folder: string): string => execFileSync('bash', ['-e', '-c', lines], { cwd: folder }).toString();

  test('verify a bundle', () => {
    const out = output(place());
    expect(out).toMatch(/Verified OK|Signature Verified Successfully/);
    expect(new Set(out.match(/\b[0-9a-f]{64}\b/g))).toContain(fingerprintOf(vendor.known));
    expect(out).toContain('exchanges.ndjson: OK');
  });

  test.each(['results.json', ATTESTATION])('reject a changed %s', (name) => {
    const folder = place();
    spoil(folder, name);
    expect(() => output(folder)).toThrow();
  });
});

describe.skipIf(lackAny('bash', 'jq'))('the table', () => {
  test('has a row for each bundle, with the reason of one that is not verifiable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-documented-'));
    const spoiled = { files: new Map([...bundle.files, ['results.json', '{}']]) };
    for (const [name, made] of Object.entries({ 'acme-bundle': bundle, 'example-bundle': spoiled })) {
      const entries = entriesOf(bytesOf(made));
      const { verification } = await openVerified(name, entries, { signer: vendor.known }, VERSION);
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(verification));
    }
    const [lines = ''] = blocks('sh').filter((text) => text.includes('@tsv'));
    const script = `pcs-conformance() { [ "$1 $3 $4 $5" = "verify --key $2.pub.pem --json" ] && cat "$2.json"; }\n${lines}`;
    const [one = '', two = ''] = execFileSync('bash', ['-e', '-c', script], { cwd: folder }).toString().split('\n');
    expect(one).toMatch(/^acme-bundle\tconformant\tReference\t\d+\t[^\t]+$/);
    expect(two).toMatch(/^example-bundle\tnot verifiable\t\t\tresults.json has 2 bytes/);
  });
});

describe.skipIf(lackAny('python3', 'openssl'))('the verifier in Python', () => {
  const [program = ''] = blocks('python');
  const check = (folder: string, key: string) => {
    writeFileSync(join(folder, 'check.py'), program);
    const run = spawnSync('python3', ['check.py', 'conformance-bundle', `${key}.pub.pem`], { cwd: folder });
    return { code: run.status, out: `${run.stdout}${run.stderr}` };
  };

  test.each([
    ['vendor', vendor],
    ['programme', programme],
  ])('agrees about the signature of the %s', (name, { known }) => {
    const { code, out } = check(place(), name);
    expect({ code, out }).toEqual({ code: 0, out: `conformant is what the key ${fingerprintOf(known)} signed\n` });
  });

  test.each(['results.json', 'manifest.json', 'exchanges.ndjson'])('rejects a changed %s', (name) => {
    const folder = place();
    spoil(folder, name);
    expect(check(folder, 'vendor').code).not.toBe(0);
  });

  test('rejects a key that has not signed', () => {
    const folder = place();
    writeFileSync(join(folder, 'other.pub.pem'), newKeys().known.export({ type: 'spki', format: 'pem' }));
    expect(check(folder, 'other').out).toContain('has not signed this bundle');
  });
});
