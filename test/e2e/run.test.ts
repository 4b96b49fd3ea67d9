/** The command against real sockets: what it sends, and what it leaves behind. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selfSigned } from '../../fixtures/service/certificate.ts';
import type { ListenOptions } from '../../fixtures/service/serve.ts';
import { OPERATION_IDS } from '../../src/contract/operations.ts';
import { isWhole, narrowedWords } from '../sampled.ts';
import { command, commandProcess, emptyFolder } from './command.ts';
import { live } from './live.ts';

const resultsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));

test('the full profile is conformant, answers every operation and leaves no call open', async () => {
  await live({}, async ({ reference, env }) => {
    const before = reference.inspect();
    const folder = emptyFolder();
    const { code, out } = await command(
      ['run', '--profile', 'full', ...narrowedWords('SUCCESS-STATUS', 'UPDATE-VISIBLE')],
      env,
      folder,
    );
    expect([code, out]).toEqual([0, expect.stringContaining('CONFORMANT')]);
    const after = reference.inspect();
    const succeeded = after.requests.filter(({ status }) => status >= 200 && status < 300);
    for (const id of OPERATION_IDS) expect(succeeded.some(({ operation }) => operation === id)).toBe(true);
    const { callsOpen, trunkNames, inboundSecret } = after;
    expect([callsOpen, trunkNames, inboundSecret]).toEqual([0, before.trunkNames, before.inboundSecret]);
    expect(resultsIn(folder)).toMatchObject({
      verdict: 'conformant',
      profile: 'full',
      changed: [expect.stringMatching(/^participant .* was muted, and no operation/)],
    });
  });
});

test('read-only without any fixture is conformant and changes nothing', async () => {
  await live({}, async ({ reference, url, env: { PCS_ACCESS_TOKEN } }) => {
    expect(await command(['run', '--base-url', url], { PCS_ACCESS_TOKEN })).toMatchObject({ code: 0 });
    expect(reference.inspect()).toMatchObject({ writes: 0, callsAccepted: 0 });
  });
});

test.each<readonly [string, ListenOptions, string]>([
  ['a path prefix', { prefix: '/api/pcs' }, ''],
  ['a final slash', { prefix: '/api/pcs' }, '/'],
  ['an IPv6 address', { host: '::1' }, ''],
])('%s works', async (_, options, suffix) => {
  await live({ listen: options }, async ({ url, env }) => {
    const words = ['run', '--quiet', '--base-url', `${url}${suffix}`, '--only', 'LIST-STATUS,AUTH-SECRET,AUTH-ALIAS'];
    expect(await command(words, { ...env, PCS_BASE_URL: '' })).toMatchObject({ code: 0, err: '' });
  });
});

test('https with a private authority works with --ca and with NODE_EXTRA_CA_CERTS, and not without', async () => {
  const tls = selfSigned();
  const [cert, other] = ['cert.pem', 'other.pem'].map((name) => join(emptyFolder(), name)) as [string, string];
  writeFileSync(cert, tls.cert);
  writeFileSync(other, selfSigned().cert);
  await live({ listen: { tls } }, async ({ env }) => {
    const words = ['run', '--only', 'LIST-STATUS/listTrunks'];
    expect(await command([...words, '--ca', cert], env)).toMatchObject({ code: 0 });
    // Node reads it when it starts, and --ca keeps what it read.
    const extra = { ...env, NODE_EXTRA_CA_CERTS: cert };
    expect(await commandProcess([...words, '--ca', other], extra)).toMatchObject({ code: 0 });
    if (isWhole()) expect(await commandProcess(words, extra)).toMatchObject({ code: 0 });
    const { code, out } = await command(words, env);
    expect([code, out]).toEqual([3, expect.stringMatching(/unknown authority.*--ca/)]);
  });
});

const FULL = ['run', '--profile', 'full', '--quiet'];

test.each<readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
  ['an unknown requirement', [...FULL, '--only', 'NO-SUCH-THING'], {}, /NO-SUCH-THING/],
  [
    'calls without numbers',
    FULL,
    { PCS_CALL_FROM: '', PCS_CALL_TO: '' },
    /^Profile full places calls, and PCS_CALL_FROM and PCS_CALL_TO are not set: set PCS_CALL_FROM to .* and PCS_CALL_TO to .*, or leave calls out with --without calls\.$/m,
  ],
  ['a field of authorization', ['run', '--header', 'Authorization: Bearer x'], {}, /^(?!.*Bearer x)/],
])('nothing is sent for %s, which is wrong usage and is named in one sentence', async (_, words, more, says) => {
  await live({}, async ({ env, reference }) => {
    const { code, out, err } = await command(words, { ...env, ...more });
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(says)]);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(reference.inspect().requests).toEqual([]);
  });
});

test.each([
  ['calls are left out', [...FULL, '--without', 'calls', '--only', 'PATH-SERVED']],
  ['one case is selected', [...FULL, '--only', 'PATH-SERVED/getTrunk']],
])('no number is demanded where %s', async (_, words) => {
  await live({}, async ({ env, reference }) => {
    expect(await command(words, { ...env, PCS_CALL_FROM: '', PCS_CALL_TO: '' })).toMatchObject({ err: '' });
    expect(reference.inspect().requests.length).toBeGreaterThan(0);
  });
});
