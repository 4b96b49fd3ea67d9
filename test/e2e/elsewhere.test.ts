/** Addresses that are not the service, over real sockets: exit 3, and nothing but reads reaches them. */

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
import { command, emptyFolder } from './command.ts';

const { settings } = createReference();
const TLS = selfSigned();

/** The file of the certificate's authority. */
function authority(): string {
  const file = join(emptyFolder(), 'ca.pem');
  writeFileSync(file, TLS.cert);
  return file;
}

function run(url: string, ...words: readonly string[]) {
  const env = { ...settings, PCS_BASE_URL: url } as Readonly<Record<string, string>>;
  return command(['run', '--profile', 'full', '--quiet', '--strict', '--timeout', '2', ...words], env);
}

/** An HTTP/2 server that answers every request that it understands. */
async function http2<T>(server: Http2Server, work: (port: number) => Promise<T>): Promise<T> {
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end('{}');
  });
  for (const name of ['sessionError', 'error', 'clientError', 'tlsClientError']) server.on(name, () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

describe('an address that is not the service', () => {
  test('that serves other JSON gets reads alone, in every profile', async () => {
    const seen: ServiceRequest[] = [];
    const other = await listen(async (request) => {
      seen.push(request);
      return json(200, { detail: 'another service' });
    });
    try {
      const { code, out } = await run(other.url);
      expect([code, out]).toEqual([3, expect.stringMatching(/does not look like this service; check PCS_BASE_URL/)]);
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.filter(({ method, body }) => method !== 'GET' || body.length > 0)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('http to a port for https', async () => {
    const target = await listen(createReference().service, { tls: TLS });
    try {
      const { code, out } = await run(target.url.replace('https:', 'http:'));
      expect([code, out]).toEqual([3, expect.stringContaining('write https in PCS_BASE_URL')]);
    } finally {
      await target.close();
    }
  });

  test('https to a port for http', async () => {
    const target = await listen(createReference().service);
    try {
      const { code, out } = await run(target.url.replace('http:', 'https:'));
      expect([code, out]).toEqual([3, expect.stringContaining('check the scheme and port of PCS_BASE_URL')]);
    } finally {
      await target.close();
    }
  });

  test('HTTP/2 with prior knowledge', async () => {
    await http2(createHttp2Server(), async (port) => {
      const { code, out } = await run(`http://127.0.0.1:${port}`);
      expect([code, out]).toEqual([3, expect.stringContaining('speaks only HTTP/2, set PCS_BASE_URL to a proxy')]);
    });
  });

  test('HTTP/2 as the only protocol of TLS', async () => {
    await http2(createSecureServer({ ...TLS, allowHTTP1: false }), async (port) => {
      const { code, out } = await run(`https://localhost:${port}`, '--ca', authority());
      expect([code, out]).toEqual([3, expect.stringContaining('speaks only HTTP/2, set PCS_BASE_URL to a proxy')]);
    });
  });
});
