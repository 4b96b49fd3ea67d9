/** Gate and certificate as a release manager and a vendor use them: the compiled command on real sockets. */

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import { OPERATION_IDS } from '../../src/contract/operations.ts';
import { isWhole } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { measured } from './measured.ts';

/** What the service answers to a list of trunks; changed by the tests as releases of a service would. */
let status = 200;
let env: Record<string, string> = {};
let close: () => Promise<void>;
const folder = emptyFolder();
const run = (...words: string[]) => command(['run', ...words], env, folder);
const plain = (...words: string[]) => command(words, {}, folder);

beforeAll(async () => {
  const { service, settings } = createReference();
  const listening = await listen(async (call) => {
    const reply = await service(call);
    return call.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status } : reply;
  });
  env = { ...settings, PCS_BASE_URL: listening.url } as Record<string, string>;
  close = listening.close;
  status = 200;
  expect((await run('--report-dir', 'sound')).code).toBe(0);
  status = 202;
  expect((await run('--report-dir', 'broken')).code).toBe(1);
});
afterAll(() => close());

describe('a baseline', () => {
  test('fails the gate for new failures and passes it for earlier ones; the verdict remains', async () => {
    status = 202;
    const fresh = await run('--baseline', 'sound', '--report-dir', 'fresh');
    expect(fresh.code).toBe(1);
    expect(fresh.out).toContain('Newly failing (1)\n  LIST-STATUS/listTrunks');
    const known = await run('--baseline', 'broken', '--report-dir', 'known', '--quiet');
    expect(known.code).toBe(0);
    expect(known.out).toContain('NON-CONFORMANT');
    expect(known.out).toContain('The gate passes (exit 0). The verdict remains non-conformant.');
    const results = JSON.parse(readFileSync(join(folder, 'known', 'results.json'), 'utf8'));
    expect(results.verdict).toBe('non-conformant');
    expect(readFileSync(join(folder, 'fresh', 'comparison.md'), 'utf8')).toContain('### Newly failing (1)');
    expect(readFileSync(join(folder, 'fresh', 'report.html'), 'utf8')).toContain('Newly failing');
  });

  test('is compared in text, JSON and Markdown, and exits 1 only for new failures', async () => {
    expect(await plain('compare', 'sound', 'broken')).toMatchObject({ code: 1 });
    expect(await plain('compare', 'broken', 'sound')).toMatchObject({ code: 0 });
    expect(await plain('compare', 'broken', 'broken')).toMatchObject({ code: 0 });
    const json = JSON.parse((await plain('compare', 'sound', 'broken', '--format', 'json')).out);
    expect(json.newlyFailing[0].case).toBe('LIST-STATUS/listTrunks');
    expect((await plain('compare', 'broken', 'sound', '--format', 'markdown')).out).toContain('### Newly passing (1)');
  });

  test('that does not exist is wrong usage', async () => {
    const { code, err } = await run('--baseline', 'nowhere', '--report-dir', 'unused');
    expect({ code, lines: err.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
  });
});

describe('expectations', () => {
  const pledge = ['--reason', 'being rebuilt', '--owner', 'voice', '--issue', 'https://issues.example/1'];

  test('are written, rejected while blank, matched, and stale once the failure is fixed', async () => {
    status = 202;
    expect((await plain('expect', 'add', 'broken', '--file', 'blank.json')).out).toContain('Fill in');
    expect((await run('--expect', 'blank.json', '--report-dir', 'unused')).code).toBe(2);
    expect((await plain('expect', 'add', 'broken', ...pledge)).code).toBe(0);
    const kept = await run('--expect', 'expectations.json', '--report-dir', 'kept', '--quiet');
    expect(kept.out).toContain('NON-CONFORMANT');
    expect(kept.code).toBe(0);
    status = 200;
    const mended = await run('--expect', 'expectations.json', '--report-dir', 'mended', '--quiet');
    expect(mended.out).toContain('passes now: remove the entry');
    expect(mended.code).toBe(1);
    expect((await plain('expect', 'prune', 'mended')).out).toContain('1 removed, 0 left');
    expect((await run('--expect', 'expectations.json', '--report-dir', 'mended')).code).toBe(0);
  });

  test('for unknown cases are wrong usage', async () => {
    const entry = {
      requirement: 'NO-SUCH',
      operation: 'getTrunk',
      expected: 'a',
      actual: 'b',
      reason: 'r',
      owner: 'o',
    };
    const expectations = [{ ...entry, issue: 'https://issues.example/1', expires: '2999-01-01' }];
    const text = JSON.stringify({ format: 'pcs-conformance/expectations@1', expectations });
    writeFileSync(join(folder, 'nothing.json'), text);
    const { code, err } = await run('--expect', 'nothing.json', '--report-dir', 'unused');
    expect(code).toBe(2);
    expect(err).toContain('NO-SUCH/getTrunk');
  });
});

describe('a certificate', () => {
  const about = ['--implementation-name', 'Acme PCS', '--implementation-version', '4.2', '--vendor', 'Acme & Co'];

  test('is made, verified with the public key, and rejected once a byte differs', async () => {
    status = 200;
    expect((await plain('keygen', '--out', 'certifier')).code).toBe(0);
    expect(statSync(join(folder, 'certifier.pem')).mode & 0o077).toBe(0);
    expect((await plain('keygen', '--out', 'certifier')).code).toBe(2);
    const few = isWhole() ? [] : ['--without', 'applications,connections,providers,conferences,trunks'];
    const made = await command(['certify', '--key', 'certifier.pem', ...few, ...about], env, folder);
    expect(made.out).toContain('Attested as conformant');
    expect(made.code).toBe(0);
    const page = readFileSync(join(folder, 'conformance-bundle', 'certificate.html'), 'utf8');
    expect(page).toContain('Acme &amp; Co');
    const verified = await plain('verify', 'conformance-bundle', '--key', 'certifier.pub.pem');
    expect(verified.out).toContain('implementation "Acme PCS" "4.2" by "Acme & Co"');
    expect(verified.code).toBe(0);
    if (isWhole()) {
      const paths = [join(folder, 'conformance-bundle'), '--key', join(folder, 'certifier.pub.pem')];
      const { code, peak } = await measured(['verify', ...paths], {});
      expect(code).toBe(0);
      expect(peak).toBeLessThan(200);
    }
    const results = join(folder, 'conformance-bundle', 'results.json');
    writeFileSync(results, readFileSync(results, 'utf8').replace('"verdict": "pass"', '"verdict": "fail"'));
    const refused = await plain('verify', 'conformance-bundle', '--key', 'certifier.pub.pem');
    expect(refused.err).toContain('results.json has');
    expect(refused.code).toBe(3);
  });

  test('is never overwritten', async () => {
    const signed = readFileSync(join(folder, 'conformance-bundle', 'attestation.json'), 'utf8');
    const words = ['certify', '--key', 'certifier.pem', '--report-dir', 'never', ...about];
    const { code, err } = await command(words, { ...env, PCS_CALL_TO: '' }, folder);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'conformance-bundle holds a signed bundle: move it away or choose another --bundle-dir.\n',
    });
    expect(existsSync(join(folder, 'never'))).toBe(false);
    expect(readFileSync(join(folder, 'conformance-bundle', 'attestation.json'), 'utf8')).toBe(signed);
  });

  test('is not made and not signed if a case was not judged', async () => {
    status = 200;
    // Calls alone, which nothing else has to be asked for.
    const others = OPERATION_IDS.filter((id) => !['createCall', 'hangUpCall', 'listTrunks'].includes(id)).join();
    const words = ['certify', '--key', 'certifier.pem', '--bundle-dir', 'open', '--without', others, ...about];
    const { code, out } = await command(words, { ...env, PCS_CALL_TO: '', PCS_RINGING_CALL_ID: '' }, folder);
    expect(code).toBe(3);
    expect(out).toContain('No certificate');
    expect(readdirSync(join(folder, 'open'))).not.toContain('attestation.json');
  });

  test('rejects a filter, expectations, random cases and an implementation without a name', async () => {
    const words = ['certify', '--key', 'certifier.pem', '--bundle-dir', 'unused'];
    for (const [name, value] of [
      ['PCS_ONLY', 'LIST-STATUS'],
      ['PCS_EXPLORE', '5'],
      ['PCS_EXPECT', 'expectations.json'],
    ]) {
      const { code, err } = await command([...words, ...about], { ...env, [name ?? '']: value }, folder);
      expect(code).toBe(2);
      expect(err).toContain(name);
    }
    expect((await command(words, env, folder)).code).toBe(2);
  });
});
