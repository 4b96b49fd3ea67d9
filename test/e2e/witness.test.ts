/** A certification with a witness, from its keys to the matrix; openssl makes the digests and checks the signature again. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../fixtures/service/certificate.ts';
import { signedBytes } from '../../src/certificate/attestation.ts';
import { witness } from '../../src/cli/commands/witness.ts';
import { inLongAlone } from '../sampled.ts';
import { stage } from '../unit/cli/stage.ts';
import { command, emptyFolder } from './command.ts';
import { live, until } from './live.ts';

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;
const openssl = (words: readonly string[], input: string | Uint8Array = ''): string =>
  spawnSync('openssl', words, { input }).stdout.toString();

const folder = emptyFolder();
const at = (...path: readonly string[]): string => join(folder, ...path);
const plain = (...words: readonly string[]) => command(words, {}, folder);
const NAMES = ['--implementation-name', 'Acme PCS', '--implementation-version', '4.2', '--vendor', 'Acme'];
const FEW = ['--without', 'applications,connections,providers,conferences,trunks', '--quiet'];
const certify = ['certify', '--key', 'vendor.pem', ...NAMES, ...FEW, '--label', 'zone=1', '--label', 'build=2'];
const verify = ['verify', 'conformance-bundle', '--key', 'vendor.pub.pem'];

beforeAll(async () => {
  await plain('keygen', '--out', 'vendor');
  const { terminal, err, send } = stage();
  const listening = witness({ log: at('witness.ndjson'), host: '127.0.0.1', port: '0' }, terminal);
  await until(() => err.length > 0);
  const [url = ''] = /http:\S+/.exec(err[0] ?? '') ?? [];
  await live({}, async ({ env }) => {
    const made = await command([...certify, '--witness', url], env, folder);
    expect(made).toMatchObject({ code: 0, err: '' });
  });
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(409);
  expect((await fetch(url, { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413);
  send('SIGINT', 0);
  expect(await listening).toBe(0);
});

const linesOf = (...path: readonly string[]): readonly string[] =>
  readFileSync(at(...path), 'utf8')
    .trimEnd()
    .split('\n');
const manifest = () => JSON.parse(readFileSync(at('conformance-bundle', 'manifest.json'), 'utf8'));

describe('a certification with a witness', () => {
  test('is verified with the log, and without it says that there is one', async () => {
    const seen = await plain(...verify, '--witness', 'witness.ndjson');
    expect(seen).toMatchObject({ code: 0, err: '' });
    expect(seen.out).toMatch(
      /Verified: these are the answers as they came, in one piece, from 20\S+ to 20\S+ by the clock/,
    );
    expect(seen.out).toContain('label build "2", label zone "1"');
    expect((await plain(...verify)).out).toContain('A witness saw the run, and was not asked: give --witness LOG.');
  });

  inLongAlone('is verified of a target behind TLS and a gateway, at a rate, with a file as its witness', async () => {
    const tls = selfSigned();
    writeFileSync(at('ca.pem'), tls.cert);
    await live({ listen: { tls } }, async ({ env }) => {
      const places = ['--witness', 'own.ndjson', '--bundle-dir', 'other', '--report-dir', 'later'];
      const paced = ['--rate', '400', '--ca', 'ca.pem', '--header', 'X-Gateway-Key: Open5esame'];
      expect(await command([...certify, ...places, ...paced], env, folder)).toMatchObject({ code: 0, err: '' });
    });
    const { code, out } = await plain('verify', 'other', '--key', 'vendor.pub.pem', '--witness', 'own.ndjson');
    expect(code).toBe(0);
    expect(out).toContain('the header field X-Gateway-Key added to each request');
    expect(out).toContain('target "https://127.0.0.1:');
    expect(out).toContain('Verified: these are the answers as they came');
    const mistaken = await plain(...verify, '--witness', 'own.ndjson');
    expect(mistaken).toMatchObject({ code: 3, err: expect.stringContaining('the log of the witness has no run') });
  });

  test('is rejected without a log', async () => {
    expect(await plain(...verify, '--witness', 'none.ndjson')).toMatchObject({
      code: 2,
      err: '--witness none.ndjson is empty or missing: name the log that the witness writes.\n',
    });
  });

  test.skipIf(!hasOpenssl)('has the commitments and the signature that openssl makes and checks', () => {
    const { salt } = manifest().witness;
    const answers = linesOf('witness.ndjson').flatMap((line) => JSON.parse(line).answers);
    const exchanges = linesOf('conformance-bundle', 'exchanges.ndjson');
    expect(answers).toHaveLength(exchanges.length);
    for (const { seq, sha256 } of [...answers.slice(0, 3), ...answers.slice(-3)]) {
      expect(openssl(['dgst', '-sha256', '-r'], `${salt} ${exchanges[seq - 1]}`).slice(0, 64)).toBe(sha256);
    }
    const { payload, payloadType, signatures } = JSON.parse(linesOf('conformance-bundle', 'attestation.json')[0] ?? '');
    writeFileSync(at('signed'), signedBytes(payloadType, Buffer.from(payload, 'base64')));
    writeFileSync(at('sig'), Buffer.from(signatures[0].sig, 'base64'));
    const key = ['-pubin', '-inkey', at('vendor.pub.pem'), '-rawin', '-in', at('signed'), '-sigfile', at('sig')];
    expect(openssl(['pkeyutl', '-verify', ...key])).toMatch(/Verified OK|Signature Verified Successfully/);
  });

  inLongAlone('is in the matrix as the register of the programme says', async () => {
    const bundle = readFileSync(at('conformance-bundle', 'manifest.json'));
    const digest = createHash('sha256').update(bundle).digest('hex');
    const having = async (entry: object, more: object = {}) => {
      const register = { format: 'pcs-conformance/register@1', certificates: { [digest]: entry }, ...more };
      writeFileSync(at('register.json'), JSON.stringify(register));
      const asked = ['--register', 'register.json', '--witness', 'witness.ndjson'];
      const one = await plain(...verify, ...asked);
      const all = await plain('matrix', 'conformance-bundle', '--key', 'vendor.pub.pem', ...asked);
      const page = readFileSync(at('conformance-matrix', 'matrix.html'), 'utf8');
      return { codes: [one.code, all.code], said: one.out, row: all.out, page };
    };
    const good = await having({ expires: '2999-12-31' });
    expect(good).toMatchObject({
      codes: [0, 0],
      said: expect.stringContaining('In force, by the register, until 2999-12-31.'),
    });
    expect(good.page).toContain('2999-12-31');
    expect(good.page).toContain('Seen by a witness');
    const withdrawn = await having({ withdrawn: { day: '2026-02-01', reason: 'Another product was tested.' } });
    expect(withdrawn.codes).toEqual([3, 3]);
    expect(withdrawn.said).toContain(
      'Not in force, by the register: it was withdrawn on 2026-02-01: Another product was tested.',
    );
    expect(withdrawn.row).toContain('conformance-bundle is conformant, and not in force: it was withdrawn');
    expect(withdrawn.page).toContain('Another product was tested.');
    expect((await having({ expires: '2020-01-01' })).said).toContain(
      'Not in force, by the register: it expired on 2020-01-01',
    );
    expect((await having({}, { minimumVersion: '99.0.0' })).said).toContain(
      'and the programme accepts 99.0.0 or later',
    );
  });

  inLongAlone('is not made where the witness cannot be reached or writes nothing', async () => {
    await live({}, async ({ env }) => {
      const none = await command([...certify, '--bundle-dir', 'none', '--witness', 'no/such/folder/log'], env, folder);
      expect(none).toMatchObject({
        code: 2,
        err: expect.stringContaining('--witness no/such/folder/log cannot be written'),
      });
      appendFileSync(at('broken.ndjson'), 'no log\n');
      const broken = await command([...certify, '--bundle-dir', 'none', '--witness', 'broken.ndjson'], env, folder);
      expect(broken.err).toContain('--witness broken.ndjson is not the log of a witness: name another file.');
    });
  });
});

test('a private key that others can read is named, and so are letters that may look like others', async () => {
  chmodSync(at('vendor.pem'), 0o644);
  const bare = [
    'certify',
    '--key',
    'vendor.pem',
    ...NAMES.slice(0, 4),
    '--vendor',
    'Асме',
    '--bundle-dir',
    'bare',
    '--reference',
  ];
  const { code, err } = await command([...bare, '--max-calls', '1'], {}, folder);
  expect(code).toBe(2);
  expect(err).toContain('Warning: vendor.pem can be read by other users: make it yours alone with chmod 600.');
  expect(err).toContain('Warning: the vendor "Асме" has Cyrillic letters, and verify says so.');
  chmodSync(at('vendor.pem'), 0o600);
});

test('a key pair is made as a whole or not at all', async () => {
  writeFileSync(at('half.pub.pem'), 'mine');
  expect(await plain('keygen', '--out', 'half')).toMatchObject({ code: 2 });
  expect(readdirSync(folder)).not.toContain('half.pem');
  expect(readFileSync(at('half.pub.pem'), 'utf8')).toBe('mine');
});
