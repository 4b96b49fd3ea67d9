/** Gate and certificate as a release manager and a vendor use them, on real sockets. */

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import { RUN_DEFAULTS } from '../../src/contract/settings.ts';
import { isWhole, narrowedWords } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { measured } from './measured.ts';

/** What the service answers to a list of trunks; changed by the tests as releases of a service would. */
let status = 200;
let env: Record<string, string> = {};
let close: () => Promise<void>;
const folder = emptyFolder();
const run = (report: string, ...words: string[]) =>
  command(['run', '--quiet', ...narrowedWords('LIST-STATUS'), '--report-dir', report, ...words], env, folder);
const plain = (...words: string[]) => command(words, {}, folder);

beforeAll(async () => {
  const { service, settings } = createReference();
  const listening = await listen(async (call) => {
    const reply = await service(call);
    return call.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status } : reply;
  });
  env = { ...settings, PCS_BASE_URL: listening.url } as Record<string, string>;
  close = listening.close;
  expect((await run('sound')).code).toBe(0);
  status = 202;
  expect((await run('broken')).code).toBe(1);
});
afterAll(() => close());

test('a baseline fails the gate for new failures and passes it for earlier ones; the verdict is not changed', async () => {
  status = 202;
  const fresh = await run('fresh', '--baseline', 'sound');
  expect([fresh.code, fresh.out]).toEqual([1, expect.stringContaining('LIST-STATUS/listTrunks')]);
  const known = await run('known', '--baseline', join('broken', 'results.json'));
  expect([known.code, known.out]).toEqual([
    0,
    expect.stringContaining('The verdict is NON-CONFORMANT (profile read-only'),
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'known', 'results.json'), 'utf8')).verdict).toBe('non-conformant');
  expect(readFileSync(join(folder, 'fresh', 'comparison.md'), 'utf8')).toContain(
    `### New findings (${isWhole() ? 8 : 2})`,
  );
  expect(readFileSync(join(folder, 'fresh', 'report.html'), 'utf8')).toContain('<b class="bad">NEW</b>');
  // Tried again, such a job would compare the new release with itself, and pass.
  const self = await run('broken', '--baseline', join('.', 'broken', 'results.json'));
  expect(self).toMatchObject({ code: 2, err: expect.stringContaining('is in the folder that this run writes') });
  const narrow = await run('narrow', '--without', 'numbers', '--baseline', 'sound');
  expect(narrow).toMatchObject({ code: 2, err: expect.stringMatching(/^--without .+ leaves out \d+ cases? that the/) });
  // Another seed draws other bodies, to which a known defect looks new.
  await run('drawn', '--seed', '4');
  await run('redrawn', '--baseline', 'drawn');
  const seedIn = (report: string) => JSON.parse(readFileSync(join(folder, report, 'results.json'), 'utf8')).seed;
  expect([seedIn('known'), seedIn('redrawn')]).toEqual([RUN_DEFAULTS.seed, 4]);
  await run('known', '--history', '.');
  for (const file of ['summary.md', 'report.html'])
    expect(readFileSync(join(folder, 'known', file), 'utf8')).toContain('▁██████ (0, 1, 1, 1, 1, 1, 1)');
  // A run of a target that was down has no finding, and would excuse every later one.
  const down = { PCS_BASE_URL: 'http://127.0.0.1:9/' };
  expect((await command(['run', '--report-dir', 'down'], { ...env, ...down }, folder)).code).toBe(3);
  const excused = await run('excused', '--baseline', 'down');
  expect(excused).toMatchObject({ code: 2, err: expect.stringContaining('--baseline down judged nothing: ') });
  mkdirSync(join(folder, 'old'));
  expect(await run('unused', '--history', 'old')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--history old holds no report folder'),
  });
  writeFileSync(join(folder, 'old', 'results.json'), '{"format":"pcs-conformance/results@1"}');
  expect(await run('unused', '--baseline', 'old')).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /results@1", and this version reads pcs-conformance\/results@2: judge that target again/,
    ),
  });
  expect(await run('unused', '--baseline', 'nowhere')).toMatchObject({ code: 2, err: expect.stringMatching(/^.+\n$/) });
});

test('expectations are written, rejected while blank, matched, and gone once the failure is fixed', async () => {
  const pledge = ['--reason', 'being rebuilt', '--owner', 'voice', '--issue', 'https://issues.example/1'];
  status = 202;
  expect((await plain('expect', 'add', 'broken', '--file', 'blank.json')).out).toContain('Fill in');
  expect((await run('unused', '--expect', 'blank.json')).code).toBe(2);
  expect((await plain('expect', 'add', 'broken', ...pledge)).code).toBe(0);
  const kept = await run('kept', '--expect', 'expectations.json');
  expect([kept.code, kept.out]).toEqual([0, expect.stringContaining('NON-CONFORMANT')]);
  status = 200;
  const mended = await run('mended', '--expect', 'expectations.json');
  expect([mended.code, mended.out]).toEqual([0, expect.stringContaining('expect prune mended')]);
  // A finding of a walk, which the run against the mended target does not send again.
  expect((await plain('expect', 'prune', 'mended')).out).toContain(
    isWhole() ? '7 removed, 1 left' : '2 removed, 0 left',
  );
  expect((await run('mended', '--expect', 'expectations.json')).code).toBe(0);
});

describe('a certificate', () => {
  const about = ['--implementation-name', 'Acme PCS', '--implementation-version', '4.2', '--vendor', 'Acme & Co'];
  const certify = (more: Readonly<Record<string, string>>, ...words: string[]) =>
    command(['certify', '--key', 'certifier.pem', ...words], { ...env, ...more }, folder);

  test('is made, verified with the public key, never overwritten, and rejected once a byte differs', async () => {
    status = 200;
    expect((await plain('keygen', '--out', 'certifier')).code).toBe(0);
    expect(statSync(join(folder, 'certifier.pem')).mode & 0o077).toBe(0);
    expect((await plain('keygen', '--out', 'certifier')).code).toBe(2);
    const few = isWhole()
      ? []
      : ['--without', 'calls,applications,connections,providers,conferences,trunks,assign,available'];
    const made = await certify({}, ...few, ...about);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^Attested in .+: CONFORMANT /m)]);
    const bundle = join(folder, 'conformance-bundle');
    expect(readFileSync(join(bundle, 'certificate.html'), 'utf8')).toContain('Acme &#38; Co');
    const verified = await plain('verify', 'conformance-bundle', '--key', 'certifier.pub.pem');
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('"Acme PCS" "4.2" by "Acme & Co"')]);
    if (isWhole()) {
      const { code, peak } = await measured(['verify', bundle, '--key', join(folder, 'certifier.pub.pem')], {});
      expect([code, peak < 200]).toEqual([0, true]);
    }
    const again = await certify({ PCS_CALL_TO: '' }, '--report-dir', 'never', ...about);
    expect([again.code, again.err]).toEqual([2, expect.stringMatching(/^conformance-bundle holds a signed bundle: /)]);
    expect(existsSync(join(folder, 'never'))).toBe(false);
    const results = join(bundle, 'results.json');
    writeFileSync(results, readFileSync(results, 'utf8').replace('"verdict": "pass"', '"verdict": "fail"'));
    const changed = await plain('verify', 'conformance-bundle', '--key', 'certifier.pub.pem');
    expect([changed.code, changed.err]).toEqual([3, expect.stringContaining('results.json has')]);
  });

  test.each([
    ['PCS_ONLY', 'LIST-STATUS'],
    ['PCS_EXPLORE', '5'],
    ['PCS_EXPECT', 'expectations.json'],
  ])('rejects %s', async (name, value) => {
    const { code, err } = await certify({ [name]: value }, '--bundle-dir', 'unused', ...about);
    expect([code, err]).toEqual([2, expect.stringContaining(name)]);
  });
});
