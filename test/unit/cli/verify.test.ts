/** `verify` and `countersign` on folders: exit codes, sentences, and what is never read. */

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { signStatement } from '../../../src/certificate/attestation.ts';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import { type Certification, canonicalText } from '../../../src/certificate/bundle-files.ts';
import { countersign, keygen, privateKeyAt, type VerifyOptions, verify } from '../../../src/cli/commands/bundles.ts';
import { implementationOf } from '../../../src/cli/commands/certify.ts';
import { machineOf } from '../../../src/cli/terminal.ts';
import { schemaProblem } from '../../../src/regression/own-files.ts';
import { REAL_DISK } from '../../../src/run/disk.ts';
import { allBut, certification, NONCE, newKeys, VERSION } from '../certificate/certified.ts';
import { stage } from './stage.ts';

const keys = newKeys();
/** Of two operations, which is quick to verify. */
const FEW = { without: allBut('listTrunks', 'getTrunk') };
const whole = await certification(NONCE, FEW);

/** A signed bundle on the disk, with some particulars replaced. */
function bundleOf(changes: Partial<Certification>) {
  const place = mkdtempSync(join(tmpdir(), 'pcs-conformance-verify-'));
  const [folder, keyPath] = [join(place, 'bundle'), join(place, 'key.pub.pem')];
  mkdirSync(folder);
  writeFileSync(keyPath, keys.known.export({ type: 'spki', format: 'pem' }));
  const made = makeBundle({ ...whole, ...changes }, keys.own);
  for (const [file, text] of made.files) writeFileSync(join(folder, file), text);
  const run = async (options: Partial<VerifyOptions> = {}) => {
    const { terminal, out, err } = stage();
    return { code: await verify(folder, { key: keyPath, ...options }, terminal, VERSION), out, err };
  };
  return { folder, keyPath, run };
}

describe('verify', () => {
  test('says what is verified and what the signer states, in words and in JSON', async () => {
    const { run } = bundleOf({});
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out[0]).toMatch(
      /^Verified: signature, digests, rerun, and \d+ verdicts computed again from \d+ exchanges; [\d,]+ of [\d,]+ questions answered/,
    );
    expect(out[1]).toMatch(/^Verified: the recorded run is CONFORMANT \(profile full/);
    // Reads without a name left open whether a refused change happened, and the reader saw a green verdict and a number.
    expect(out[2]).toBe('Verified: not exercised: AUTH-ALIAS/listTrunks.');
    expect(out[3]).toBe(`Verified: nonce ${NONCE}, under these conditions:`);
    expect(out.filter((line) => line.startsWith('- ')).length).toBeGreaterThan(12);
    expect(out.at(-2)).toBe(
      'Stated by the signer, not verified: implementation "Reference" "1.2.3" by "Example Communications", target "http://service.invalid", time 2026-01-31T12:00:00.000Z.',
    );
    expect(out.at(-1)).toContain('Not countersigned.');
    const json = JSON.parse((await run({ json: true })).out.join('\n'));
    expect(schemaProblem('verification', json)).toBeNull();
    expect(json.verified.notExercised).toEqual(['AUTH-ALIAS/listTrunks']);
    expect(json).toMatchObject({ outcome: 'conformant', stated: { target: 'http://service.invalid' } });
  });

  test('exits 3 and obeys nothing in a name that is more than a name', async () => {
    const name = 'Acme\u001b[2J\u009b31m\u202e PCS';
    const { code, out, err } = await bundleOf({ implementation: { ...whole.implementation, name } }).run();
    expect({ code, out }).toEqual({ code: 3, out: [] });
    expect(err).toEqual([expect.stringContaining('/implementation/name must match pattern')]);
  });

  test('names what is not listed and reads none of it', async () => {
    const { folder, run } = bundleOf({});
    const notListed = async (name: string, kind: string): Promise<void> => {
      expect(await run()).toEqual({
        code: 3,
        out: [],
        err: [`The bundle is not verifiable: the ${kind} ${name} is not listed in manifest.json.`],
      });
    };
    const strange = join(folder, '\u001b]0;all is well\u0007\nVerified');
    writeFileSync(strange, '');
    await notListed('"\\u001b]0;all is well\\u0007\\nVerified"', 'file');
    rmSync(strange);
    symlinkSync('/dev/zero', join(folder, 'endless'));
    await notListed('"endless"', 'link');
    rmSync(join(folder, 'endless'));
    mkdirSync(join(folder, 'more'));
    await notListed('"more"', 'folder');
    rmdirSync(join(folder, 'more'));
    expect((await run()).code).toBe(0);
  });
});

describe('countersign', () => {
  test('adds the signature of the programme, which verify checks', async () => {
    const { folder, run, keyPath } = bundleOf({});
    const programme = newKeys();
    const [key, known] = [join(folder, '..', 'programme.pem'), join(folder, '..', 'programme.pub.pem')];
    writeFileSync(key, programme.own.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(known, programme.known.export({ type: 'spki', format: 'pem' }));
    expect((await run({ programmeKey: known })).err).toEqual([
      'The bundle is not verifiable: attestation.json is not countersigned.',
    ]);
    const { terminal, out } = stage();
    const fail = (): never => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const full = { ...terminal, machine: { ...machineOf(terminal), disk: { ...REAL_DISK, replace: fail } } };
    // An empty attestation.json.new had stayed, and the bundle was not verifiable any more.
    await expect(countersign(folder, { key, signerKey: keyPath }, full, VERSION)).rejects.toThrow(
      'attestation.json cannot be written: the disk is full; countersign a copy in another folder.',
    );
    expect((await run()).code).toBe(0);
    expect(await countersign(folder, { key, signerKey: keyPath }, terminal, VERSION)).toBe(0);
    expect(out.at(-1)).toMatch(
      /^Countersigned the bundle of the key [0-9a-f]{64}: CONFORMANT \(profile full without .*\)\. The/,
    );
    expect((await run()).out.at(-1)).toContain('was not checked: give --programme-key.');
    expect((await run({ programmeKey: known })).code).toBe(0);
    const other = join(folder, '..', 'other.pub.pem');
    writeFileSync(other, newKeys().known.export({ type: 'spki', format: 'pem' }));
    expect((await run({ programmeKey: other })).err.join()).toContain('is countersigned with the key');
    await expect(countersign(folder, { key, signerKey: keyPath }, terminal, VERSION)).rejects.toThrow(
      'is already countersigned',
    );
  });
});

describe('countersign and verify', () => {
  const programme = newKeys();

  /** The words of `countersign` on a bundle, and its exit code. */
  async function countersigning({ folder, keyPath }: ReturnType<typeof bundleOf>) {
    const key = join(folder, '..', 'programme.pem');
    writeFileSync(key, programme.own.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const { terminal, out, err } = stage();
    return { code: await countersign(folder, { key, signerKey: keyPath }, terminal, VERSION), out, err };
  }

  test('a broken signature of the vendor is rejected, and the file stays as it was', async () => {
    const bundle = bundleOf({});
    const path = join(bundle.folder, 'attestation.json');
    const file = JSON.parse(readFileSync(path, 'utf8'));
    file.signatures[0].sig = Buffer.alloc(64).toString('base64');
    const broken = canonicalText(file);
    writeFileSync(path, broken);
    expect(await countersigning(bundle)).toEqual({
      code: 3,
      out: [],
      err: [expect.stringContaining('does not match its payload')],
    });
    expect(readFileSync(path, 'utf8')).toBe(broken);
  });

  test('the signature of another vendor in place of the first is rejected: the programme did not watch that one', async () => {
    const { folder, keyPath, run } = bundleOf({});
    expect((await countersigning({ folder, keyPath, run })).code).toBe(0);
    const path = join(folder, 'attestation.json');
    const { signatures, ...file } = JSON.parse(readFileSync(path, 'utf8'));
    const other = newKeys();
    const statement = JSON.parse(Buffer.from(file.payload, 'base64').toString());
    const [theirs] = JSON.parse(signStatement(statement, other.own)).signatures;
    writeFileSync(path, canonicalText({ ...file, signatures: [theirs, signatures[1]] }));
    writeFileSync(keyPath, other.known.export({ type: 'spki', format: 'pem' }));
    expect(await run()).toEqual({ code: 3, out: [], err: [expect.stringContaining('at /predicate/signer')] });
  });

  test('a non-conformant bundle is named so when it is countersigned', async () => {
    const faulty = await certification(NONCE, FEW, (service) => async (request) => {
      const reply = await service(request);
      return reply.status === 200 && request.target === '/v1/trunks/' ? { ...reply, status: 202 } : reply;
    });
    const { code, out } = await countersigning(bundleOf(faulty));
    expect([code, out.at(-1)]).toEqual([0, expect.stringMatching(/^Countersigned the bundle .*: NON-CONFORMANT /)]);
  });

  test('a bundle of less than the whole interface is not complete', async () => {
    const { code, err } = await bundleOf({}).run({ requireComplete: true });
    expect([code, err]).toEqual([
      3,
      [
        expect.stringMatching(
          /^Not complete: CONFORMANT \(profile full without .*\): not the whole interface was judged\.$/,
        ),
      ],
    ]);
  });
});

describe('keygen', () => {
  test('makes a pair as a whole or not at all, and a private key that others can read is named', () => {
    const place = mkdtempSync(join(tmpdir(), 'pcs-conformance-keys-'));
    const { terminal, err } = stage();
    writeFileSync(join(place, 'half.pub.pem'), 'mine');
    expect(() => keygen({ out: join(place, 'half') }, terminal)).toThrow('cannot be written or already exists');
    expect(readdirSync(place)).toEqual(['half.pub.pem']);
    expect(readFileSync(join(place, 'half.pub.pem'), 'utf8')).toBe('mine');
    const path = join(place, 'whole.pem');
    expect(keygen({ out: join(place, 'whole') }, terminal)).toBe(0);
    privateKeyAt(path, '', terminal);
    expect(err).toEqual([]);
    chmodSync(path, 0o644);
    privateKeyAt(path, '', terminal);
    expect(err).toEqual([`Warning: ${path} can be read by other users: make it yours alone with chmod 600.`]);
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
      new RegExp(`^${flag} \\("a\\\\x1b\\[31m\\\\n"\\) cannot stand on a certificate: write 1 to 100 letters`),
    );
  });
});
