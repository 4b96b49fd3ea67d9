/** `verify` escapes what a bundle holds, so that no terminal obeys it. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import { implementationOf } from '../../../src/cli/commands/certify.ts';
import { verify } from '../../../src/cli/commands/verify.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { certification, newKeys, VERSION } from '../certificate/certified.ts';
import { stage } from './stage.ts';

const keys = newKeys();
const whole = await certification();

/** A signed bundle on the disk, with the name of an implementation. */
function bundleOf(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-verify-'));
  const keyPath = join(mkdtempSync(join(tmpdir(), 'pcs-conformance-verify-')), 'key.pub.pem');
  writeFileSync(keyPath, keys.known.export({ type: 'spki', format: 'pem' }));
  const made = makeBundle({ ...whole, implementation: { ...whole.implementation, name } }, keys.own);
  for (const [file, text] of made.files) writeFileSync(join(folder, file), text);
  const run = async () => {
    const { terminal, out, err } = stage();
    return { code: await verify(folder, { key: keyPath }, terminal, VERSION), out, err };
  };
  return { folder, run };
}

describe('verify', () => {
  test('escapes control characters in the name of an implementation', async () => {
    const { code, out } = await bundleOf('Acme\u001b[2J\u009b31m\u202e PCS').run();
    expect(code).toBe(0);
    expect(out.at(-1)).toContain('Acme\\x1b[2J\\u{9b}31m\\u{202e} PCS 1.2.3 (Example Communications) is conformant');
    expect(out.join('')).not.toMatch(/\p{C}/u);
  });

  test('escapes the name of an unlisted file', async () => {
    const { folder, run } = bundleOf('Acme');
    writeFileSync(join(folder, '\u001b]0;all is well\u0007\nThe bundle is verified'), '');
    expect(await run()).toEqual({
      code: 1,
      out: [],
      err: [
        'The bundle is rejected: \\x1b]0;all is well\\u{7}\\nThe bundle is verified is not listed in manifest.json.',
      ],
    });
  });
});

describe('certify', () => {
  const plain = { implementationName: 'Acme', implementationVersion: '1', vendor: 'Acme Ltd' };
  const base = { key: 'k.pem', bundleDir: 'b' };

  test.each([
    ['implementationName', '--implementation-name'],
    ['implementationVersion', '--implementation-version'],
    ['vendor', '--vendor'],
  ])('rejects control characters in %s', (member, flag) => {
    expect(implementationOf({ ...base, ...plain })).toEqual({ name: 'Acme', version: '1', vendor: 'Acme Ltd' });
    expect(() => implementationOf({ ...base, ...plain, [member]: 'a\u001b[31m\n' })).toThrow(
      new UsageError(`${flag} ("a\\x1b[31m\\n") holds a control character: remove it.`),
    );
  });

  test('rejects them in a file, too', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pcs-conformance-verify-')), 'acme.json');
    writeFileSync(path, JSON.stringify({ name: 'Acme', version: '1', vendor: 'a\u0007' }));
    expect(() => implementationOf({ ...base, implementation: path })).toThrow(`vendor in ${path} ("a\\u{7}") holds`);
  });
});
