/** Corporate networks: proxies, client certificates and a gateway's header, over real sockets. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { selfSigned } from '../../fixtures/service/certificate.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { narrowedWords } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { enveloped, live } from './live.ts';

interface Proxy {
  readonly url: string;
  /** Methods of the requests that came: CONNECT for a tunnel. */
  readonly methods: readonly string[];
  readonly targets: readonly string[];
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listening<T>(server: Server, work: () => Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work();
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
      if ('closeAllConnections' in server) (server as unknown as { closeAllConnections(): void }).closeAllConnections();
    });
  }
}

/** A proxy that forwards absolute targets as they stand and tunnels CONNECT; `auth` is asked for where given. */
async function proxied<T>(auth: string | null, work: (proxy: Proxy) => Promise<T>): Promise<T> {
  const [methods, targets]: [string[], string[]] = [[], []];
  const isWelcome = (header: string | undefined): boolean =>
    auth === null || header === `Basic ${Buffer.from(auth).toString('base64')}`;
  const server = createHttpServer((request, response) => {
    methods.push(request.method ?? '');
    targets.push(request.url ?? '');
    if (!isWelcome(request.headers['proxy-authorization'])) {
      response.writeHead(407).end();
      return;
    }
    const [, host = '', port = '80', path = ''] = /^http:\/\/([^:/]+)(?::(\d+))?(.*)$/s.exec(request.url ?? '') ?? [];
    const onward = { host, port, path, method: request.method, headers: request.headers };
    request.pipe(
      httpRequest(onward, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request, socket) => {
    methods.push('CONNECT');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [onward, socket]) each.on('error', () => each.destroy());
  });
  return listening(server, () => work({ url: `127.0.0.1:${portOf(server)}`, methods, targets }));
}

const BRIEF = ['run', '--quiet'];
const FULL = [...BRIEF, '--profile', 'full'];

describe('a proxy', () => {
  test('stands between, with credentials, and tidies no path', async () => {
    await proxied('user:pass word', async ({ url, methods, targets }) => {
      await live({}, async ({ env, reference }) => {
        const run = await command([...FULL, ...narrowedWords('SUCCESS-STATUS', 'AUTH-ALIAS')], {
          ...env,
          HTTP_PROXY: `http://user:pass%20word@${url}`,
        });
        expect(run).toMatchObject({ code: 0, err: '' });
        const seen = reference.inspect().requests.map(({ target }) => target);
        expect(methods).toHaveLength(seen.length);
        expect(targets.map((target) => target.replace(/^http:\/\/[^/]+/, '')).sort()).toEqual([...seen].sort());
        expect(seen.some((target) => target.includes('%'))).toBe(true);
      });
    });
  });

  test('that asks for credentials is named as the cause', async () => {
    await proxied('user:word', async ({ url }) => {
      await live({}, async ({ env }) => {
        const { code, out } = await command(['run', '--quiet'], { ...env, http_proxy: url });
        expect([code, out]).toEqual([3, expect.stringContaining('the proxy asks for credentials')]);
      });
    });
  });

  test('tunnels to a target that speaks https', async () => {
    const tls = selfSigned();
    const folder = emptyFolder();
    writeFileSync(join(folder, 'ca.pem'), tls.cert);
    await proxied(null, async ({ url, methods }) => {
      await live({ listen: { tls } }, async ({ env }) => {
        const words = [...BRIEF, ...narrowedWords('LIST-STATUS'), '--ca', join(folder, 'ca.pem')];
        expect(await command(words, { ...env, HTTPS_PROXY: `http://${url}` })).toMatchObject({ code: 0, err: '' });
        expect([...new Set(methods)]).toEqual(['CONNECT']);
      });
    });
  });
});

describe('a gateway', () => {
  test('that wants a client certificate gets it', async () => {
    const [server, client] = [selfSigned(), selfSigned()];
    const folder = emptyFolder();
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const ca = file('ca.pem', server.cert);
    const [cert, alone] = [file('client.pem', client.cert + client.key), file('cert.pem', client.cert)];
    await live({}, async ({ env, url }) => {
      const options = { ...server, ca: client.cert, requestCert: true, rejectUnauthorized: true };
      const gateway = createTlsServer(options, (socket) => {
        const onward = connect(Number(new URL(url).port), '127.0.0.1');
        onward.pipe(socket).pipe(onward);
        for (const each of [onward, socket]) each.on('error', () => each.destroy());
      });
      await listening(gateway, async () => {
        const to = { ...env, PCS_BASE_URL: `https://localhost:${portOf(gateway)}` };
        const words = [...BRIEF, ...narrowedWords('LIST-STATUS'), '--timeout', '5', '--ca', ca];
        expect((await command([...words, '--cert', cert], to)).code).toBe(0);
        expect((await command(words, to)).code).toBe(3);
        expect(await command([...words, '--cert', alone], to)).toMatchObject({ code: 2 });
      });
    });
  });

  test('that wants a header gets it with every request, and no artefact shows its value', async () => {
    const key = 'a gateway, key: 4f7d1c9be0';
    const wrap =
      (service: Service): Service =>
      async (request) =>
        request.headers['x-gateway-key'] === key && request.headers['x-second'] === '2'
          ? service(request)
          : enveloped(403);
    await live({ wrap }, async ({ env }) => {
      const folder = emptyFolder();
      const words = [
        ...FULL,
        ...narrowedWords('SUCCESS-STATUS'),
        '--header',
        `X-Gateway-Key: ${key}`,
        '--header',
        'X-Second: 2',
      ];
      expect(await command(words, env, folder)).toMatchObject({ code: 0 });
      expect((await command(['run', '--quiet'], env)).code).toBe(3);
      const reports = join(folder, 'conformance-report');
      for (const name of readdirSync(reports)) {
        const text = readFileSync(join(reports, name), 'utf8');
        expect([name, text.includes(key)]).toEqual([name, false]);
      }
    });
  });
});
