/** Broken targets, and addresses that are not the service: each run ends by itself with one sentence that says what is wrong. */

import { writeFileSync } from 'node:fs';
import { createServer as createHttp2Server, createSecureServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { json } from '../../fixtures/null/replies.ts';
import { selfSigned } from '../../fixtures/service/certificate.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import type { ServiceRequest } from '../../fixtures/service/types.ts';
import { isWhole, sampled } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { type HostileTarget, UNREACHABLE, USELESS } from './hostile-targets.ts';
import { live } from './live.ts';
import { measured } from './measured.ts';
import type { RawServer } from './raw-server.ts';

const CREDENTIAL = { PCS_ACCESS_TOKEN: 'pcs_org_Fake0123456789abcdef' };
const IMPATIENT = ['--quiet', '--timeout', '0.5', '--call-timeout', '0.5', '--max-wait', '2'];
/** Mebibytes. */
const MOST_MEMORY = 300;

/** A target that is judged to the end is asked one question of each operation here; in the long project, all of them. */
const flagsOf = ({ code }: HostileTarget): readonly string[] => [
  ...['--quiet', '--max-wait', '2'],
  ...(code === 1 && !isWhole() ? ['--only', 'AUTH-CREDENTIAL-REQUIRED'] : []),
];

/** The line of the verdict. */
const verdictOf = (out: string): string =>
  out.split('\n').find((line) => /^(NON-)?CONFORM|^INCOMP|^VOID/.test(line)) ?? '';

async function closing<T extends Pick<RawServer, 'close'>, R>(opened: Promise<T>, work: (target: T) => Promise<R>) {
  const target = await opened;
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

describe('a broken target', () => {
  const targets = [
    ...UNREACHABLE.map((target) => ({ ...target, flags: IMPATIENT })),
    ...USELESS.map((target) => ({ ...target, flags: flagsOf(target) })),
  ];

  // test/long asks all of them with the timeouts of every run.
  const few = sampled(targets, 7);

  test.each(few.items)(`$name (${few.words})`, async ({ open, says, code, flags, isBig }) => {
    await closing(open(), async ({ url }) => {
      const words = ['run', '--base-url', url, ...flags];
      const run = isBig ? await measured(words, CREDENTIAL) : { ...(await command(words, CREDENTIAL)), peak: 0 };
      expect([run.code, run.err, run.out]).toEqual([code, '', expect.stringMatching(says)]);
      expect(verdictOf(run.out)).not.toBe('');
      expect(run.peak).toBeLessThan(MOST_MEMORY);
    });
  });
});

/** An HTTP/2 server that answers every request that it understands. */
async function http2(server: Http2Server): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end('{}');
  });
  for (const name of ['sessionError', 'error', 'clientError', 'tlsClientError']) server.on(name, () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return { port: (server.address() as AddressInfo).port, close: async () => void server.close() };
}

describe('an address that is not the service', () => {
  const { settings } = createReference();
  const tls = selfSigned();
  const ca = join(emptyFolder(), 'ca.pem');
  writeFileSync(ca, tls.cert);
  const run = (url: string, ...words: readonly string[]) =>
    command(['run', '--profile', 'full', '--quiet', '--strict', '--timeout', '2', ...words], {
      ...settings,
      PCS_BASE_URL: url,
    });

  test('gets reads alone, in every profile', async () => {
    const seen: ServiceRequest[] = [];
    const other = listen(async (request) => {
      seen.push(request);
      return json(200, { detail: 'another service' });
    });
    await closing(other, async ({ url }) => {
      const { code, out } = await run(url);
      expect([code, out]).toEqual([3, expect.stringMatching(/does not look like this service; check PCS_BASE_URL/)]);
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(({ method, body }) => method !== 'GET' || body.length > 0)).toEqual([]);
  });

  test.each([
    ['http to a port for https', { tls }, 'https:', 'http:', 'write https in PCS_BASE_URL'],
    ['https to a port for http', {}, 'http:', 'https:', 'check the scheme and port of PCS_BASE_URL'],
  ])('is named: %s', async (_, options, scheme, other, says) => {
    await live({ listen: options }, async ({ url }) => {
      const { code, out } = await run(url.replace(scheme, other));
      expect([code, out]).toEqual([3, expect.stringContaining(says)]);
    });
  });

  test.each([
    ['with prior knowledge', () => createHttp2Server(), 'http://127.0.0.1', []],
    [
      'as the only protocol of TLS',
      () => createSecureServer({ ...tls, allowHTTP1: false }),
      'https://localhost',
      ['--ca', ca],
    ],
  ])('is named: HTTP/2 %s', async (_, server, origin, words) => {
    await closing(http2(server()), async ({ port }) => {
      const { code, out } = await run(`${origin}:${port}`, ...words);
      expect([code, out]).toEqual([3, expect.stringContaining('speaks only HTTP/2, set PCS_BASE_URL to a proxy')]);
    });
  });
});
