/** The command against real sockets: what it exits with, what it sends, and what it leaves behind. */

import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import { type ListenOptions, listen } from '../../fixtures/service/serve.ts';
import { OPERATION_IDS } from '../../src/contract/operations.ts';
import { inLongAlone } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { demandDeepExploration } from './heavy-runs.ts';

interface Served {
  readonly reference: Reference;
  readonly url: string;
  /** Every setting of the reference, and the address. */
  readonly env: Record<string, string>;
}

/** A certificate for this machine, signed with its own key. */
function selfSigned(): { readonly key: string; readonly cert: string } {
  const written = { format: 'pem' } as const;
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', ...written },
    publicKeyEncoding: { type: 'spki', ...written },
  });
  const certificate = forge.pki.createCertificate();
  const name = [{ name: 'commonName', value: 'localhost' }];
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notAfter = new Date(Date.now() + 172_800_000);
  certificate.setSubject(name);
  certificate.setIssuer(name);
  const places = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ];
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: places },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(pair.privateKey), forge.md.sha256.create());
  return { key: pair.privateKey, cert: forge.pki.certificateToPem(certificate) };
}

async function serving<T>(work: (served: Served) => Promise<T>, options: ListenOptions = {}): Promise<T> {
  const reference = createReference();
  const listening = await listen(reference.service, options);
  const env = { ...reference.settings, PCS_BASE_URL: listening.url } as Record<string, string>;
  try {
    return await work({ reference, url: listening.url, env });
  } finally {
    await listening.close();
  }
}

function resultsIn(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));
}

/** Everything that a run sends, byte for byte, but for the secrets and the ids that are not the seed's. */
async function sentWith(seed: string, ...words: readonly string[]): Promise<readonly string[]> {
  const reference = createReference();
  const lines: string[] = [];
  const listening = await listen(async (request) => {
    const { host: _, connection: __, ...headers } = request.headers;
    const body = Buffer.from(request.body)
      .toString('latin1')
      .replace(/"secret":\[?"[^"]*"\]?/, '"secret"');
    lines.push(`${request.method} ${request.target} ${JSON.stringify(headers)} ${body}`);
    return reference.service(request);
  });
  const env = { ...reference.settings, PCS_BASE_URL: listening.url };
  await command(['run', '--profile', 'full', '--seed', seed, ...words], env);
  await listening.close();
  const calls = reference.inspect().calls.map(({ id }) => id);
  return lines.map((line) => calls.reduce((text, id, at) => text.replace(id, `call ${at}`), line)).sort();
}

describe('run against the reference', () => {
  test('the full profile is conformant, answers every operation and leaves no call open', async () => {
    await serving(async ({ reference, env }) => {
      const before = reference.inspect();
      const folder = emptyFolder();
      const { code, out } = await command(['run', '--profile', 'full'], env, folder);
      expect(out).toContain('CONFORMANT');
      expect(code).toBe(0);
      const after = reference.inspect();
      expect(after.requests.length).toBeLessThanOrEqual(850);
      expect(after.callsAccepted).toBeLessThanOrEqual(12);
      expect(after.callsOpen).toBe(0);
      const succeeded = after.requests.filter(({ status }) => status >= 200 && status < 300);
      for (const id of OPERATION_IDS) expect(succeeded.some(({ operation }) => operation === id)).toBe(true);
      expect(after.trunkNames).toEqual(before.trunkNames);
      expect(after.inboundSecret).toBe(before.inboundSecret);
      expect(resultsIn(folder)).toMatchObject({ verdict: 'conformant', profile: 'full', partial: false, changed: [] });
    });
  });

  test('read-only without any fixture is conformant and changes nothing', async () => {
    await serving(async ({ reference, url, env }) => {
      const { PCS_ACCESS_TOKEN = '' } = env;
      const { code } = await command(['run', '--base-url', url], { PCS_ACCESS_TOKEN });
      expect(code).toBe(0);
      expect(reference.inspect()).toMatchObject({ writes: 0, callsAccepted: 0 });
    });
  });

  // In this process, test/unit/report/results.test.ts compares two runs with the same seed.
  inLongAlone('the same seed sends the same requests of the same plan', async () => {
    const [first, second] = [await sentWith('7'), await sentWith('7')];
    expect(first.length).toBeGreaterThan(300);
    expect(second).toEqual(first);
  });

  test('another seed sends other requests', async () => {
    const only = ['--only', 'AUTH-SECRET/getTrunk'];
    expect(await sentWith('8', ...only)).not.toEqual(await sentWith('7', ...only));
  });

  // In this process, test/proof/explore.test.ts counts the requests and calls.
  inLongAlone('a deep hunt sends its requests within the cap on calls, and a small heap is enough for it', async () => {
    await demandDeepExploration(200);
  });

  test('one case alone is a partial run that sends little', async () => {
    await serving(async ({ reference, env }) => {
      const folder = emptyFolder();
      const words = ['run', '--profile', 'full', '--only', 'LIST-STATUS/listTrunks'];
      expect((await command(words, env, folder)).code).toBe(0);
      expect(resultsIn(folder)).toMatchObject({ partial: true, counts: { cases: { pass: 1 } } });
      expect(reference.inspect().requests.length).toBeLessThan(15);
    });
  });
});

describe('addresses', () => {
  test.each([
    ['a path prefix', { prefix: '/api/pcs' }, ''],
    ['a final slash', { prefix: '/api/pcs' }, '/'],
    ['an IPv6 address', { host: '::1' }, ''],
  ])('%s works', async (_, options, suffix) => {
    await serving(async ({ url, env }) => {
      const { code, err } = await command(
        ['run', '--quiet', '--base-url', `${url}${suffix}`, '--only', 'LIST-STATUS,AUTH-SECRET,AUTH-ALIAS'],
        { ...env, PCS_BASE_URL: '' },
      );
      expect({ code, err }).toEqual({ code: 0, err: '' });
    }, options);
  });

  test('https with a private authority works with --ca and with NODE_EXTRA_CA_CERTS, and not without', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-tls-'));
    const tls = selfSigned();
    const cert = join(folder, 'cert.pem');
    writeFileSync(cert, tls.cert);
    await serving(
      async ({ url, env }) => {
        const settings = { ...env, PCS_BASE_URL: '' };
        const words = ['run', '--base-url', url, '--only', 'LIST-STATUS'];
        expect((await command([...words, '--ca', cert], settings)).code).toBe(0);
        expect((await command(words, { ...settings, NODE_EXTRA_CA_CERTS: cert })).code).toBe(0);
        const refused = await command(words, settings);
        expect(refused.code).toBe(3);
        expect(refused.out).toMatch(/authority|certificate/);
      },
      { tls },
    );
  });
});

describe('exit codes', () => {
  test('no target is wrong usage', async () => {
    const { code, err } = await command(['run']);
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('a closed port is incomplete, and one sentence says that nothing listens there', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const words = ['run', '--base-url', `http://127.0.0.1:${port}`, '--quiet'];
    const { code, out } = await command(words, { PCS_ACCESS_TOKEN: 'pcs_org_0123456789abcdef' });
    expect(code).toBe(3);
    expect(out).toContain('could not be reached');
  });

  test('a wrong credential is incomplete, and one sentence says that it is rejected', async () => {
    await serving(async ({ url, reference }) => {
      const words = ['run', '--base-url', url, '--quiet'];
      const { code, out } = await command(words, { PCS_ACCESS_TOKEN: 'pcs_org_Wrong0Wrong1Wrong2Wrong3' });
      expect(code).toBe(3);
      expect(out).toContain('rejects the credential');
      expect(out.trim().split('\n').length).toBeLessThan(8);
      expect(reference.inspect().requests.length).toBeLessThanOrEqual(4);
    });
  });

  test.each([
    ['an unknown flag', ['run', '--bogus'], '--bogus'],
    ['an unknown requirement', ['run', '--reference', '--only', 'NO-SUCH-THING'], 'NO-SUCH-THING'],
    ['an unknown operation', ['run', '--reference', '--without', 'teleport'], 'teleport'],
    ['a base URL without a scheme', ['run', '--base-url', 'example.invalid'], 'example.invalid'],
    ['a missing credential', ['run', '--base-url', 'http://127.0.0.1:9'], 'PCS_ACCESS_TOKEN'],
  ])('%s is wrong usage and is named in one sentence', async (_, words, name) => {
    const { code, out, err } = await command(words);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(name);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('a service with a defect is non-conformant', async () => {
    const reference = createReference({ policy: { rejectionStatus: 401 } });
    const leaky = await listen(async (request) => {
      const reply = await reference.service(request);
      return reply.status === 401 ? { ...reply, body: '{"success":false,"error":{"message":"no"}}' } : reply;
    });
    try {
      const { code, out } = await command(['run', '--base-url', leaky.url, '--quiet'], { ...reference.settings });
      expect(code).toBe(1);
      expect(out).toContain('ERROR-ENVELOPE');
    } finally {
      await leaky.close();
    }
  });
});
