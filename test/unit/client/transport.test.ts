import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chance } from '../../../fixtures/gateways/drawn.ts';
import { undiciTransport } from '../../../src/client/transport.ts';
import type { Header, WireRequest } from '../../../src/exchange/message.ts';
import { against, sendTo, serveHttp, serveHttps, serveSocket } from './wire-server.ts';

/** The bytes of one request as a server reads them. */
function sent(request: Partial<WireRequest>): Promise<string> {
  let bytes = '';
  const server = serveSocket((socket, received) => {
    bytes = received;
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  return against(server, async (origin) => {
    await sendTo(origin, request);
    return bytes;
  });
}

const answering = (text: string | Buffer) => serveSocket((socket) => socket.end(text));

describe('transport, request', () => {
  test.each(['/a/../b', '/a//b', '/a?', '/%2e%2E/%zz', '/"a"?x=%20y&&', '/v1/calls/', '/.', "/'{}|^`"])(
    'the path %s is sent as it is',
    async (path) => {
      expect(await sent({ path })).toMatch(`GET ${path} HTTP/1.1\r\n`);
    },
  );

  test('header fields keep their letter case, their order and their number', async () => {
    const headers: readonly Header[] = [
      ['X-bB', '1'],
      ['x-AA', '2'],
      ['X-Bb', '3'],
    ];
    expect(await sent({ headers })).toContain('X-bB: 1\r\nx-AA: 2\r\nX-Bb: 3\r\n');
  });

  test.each(['POST', 'PUT', 'PATCH'])('%s without a body says so and names no media type', async (method) => {
    const bytes = (await sent({ method })).toLowerCase();
    expect(bytes).toContain('content-length: 0\r\n');
    expect(bytes).not.toContain('content-type');
    expect(bytes).not.toContain('transfer-encoding');
  });

  test('a body is sent byte by byte with its length', async () => {
    const body = Buffer.from([0x22, 0xff, 0x00, 0x22]);
    const bytes = await sent({ method: 'POST', body, headers: [['Content-Type', 'application/json']] });
    expect(bytes).toContain('content-length: 4\r\n');
    expect(bytes.endsWith('\r\n\r\n"\xff\0"')).toBe(true);
  });

  test('a body in chunks has no length, and is whole', async () => {
    const received: (readonly [string | undefined, string | undefined, string])[] = [];
    const server = serveHttp(async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      received.push([request.headers['transfer-encoding'], request.headers['content-length'], text]);
      response.end('{}');
    });
    const headers: readonly Header[] = [['Transfer-Encoding', 'chunked']];
    const request = { method: 'PATCH', body: Buffer.from('{"name":"a"}'), headers };
    await against(server, (origin) => sendTo(origin, request));
    expect(received).toEqual([['chunked', undefined, '{"name":"a"}']]);
  });

  test('a body in chunks that is answered before it was read, on a connection that is closed then, has its answer', async () => {
    // In a process of its own: within this one everything has arrived before anything is read.
    const server = `require('node:http').createServer((_, response) => response.writeHead(200, { Connection: 'close' }).end('{}'))
      .listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
    const child = spawn(process.execPath, ['-e', server]);
    const [port] = await once(child.stdout, 'data');
    const headers: readonly Header[] = [['Transfer-Encoding', 'chunked']];
    const request = { method: 'PATCH', body: Buffer.from('{"name":"a"}'), headers };
    try {
      for (let time = 0; time < 12; time += 1)
        expect(await sendTo(`http://127.0.0.1:${String(port).trim()}`, request)).toMatchObject({ status: 200 });
    } finally {
      child.kill();
    }
  });

  test('a GET has no body and no length', async () => {
    expect((await sent({})).toLowerCase()).not.toContain('content-length');
  });

  test('reads share a connection, each write and each repetition has its own', async () => {
    const server = serveHttp((_request, response) => response.end('ok'));
    await against(server, async (origin, { sockets }) => {
      const { transport, close } = undiciTransport({ origin });
      const ask = (method: string, more: { readonly fresh?: true } = {}) =>
        transport({ method, path: '/', headers: [], body: null, timeout: 5_000, ...more });
      for (const [method, more] of [['GET'], ['GET'], ['GET', { fresh: true }], ['POST'], ['POST']] as const) {
        await ask(method, more);
        // Until the end of the answer was noticed, no connection could be used again anyway.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(sockets).toHaveLength(4);
      await close();
    });
  });

  test('a request that cannot be written as HTTP is not sent, and the promise resolves', async () => {
    const outcomes = [
      await sendTo('http://127.0.0.1:1', { path: 'a b' }),
      await sendTo('http://127.0.0.1:1', { headers: [['a', 'b\nc']] }),
    ];
    const failure = {
      kind: 'failure',
      failure: 'refused',
      detail: 'nothing was sent: the request cannot be written as HTTP',
    };
    expect(outcomes).toEqual([failure, failure]);
  });
});

describe('transport, answer', () => {
  test('fields are kept as they came, duplicates in order', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nX-a: 1\r\nset-Cookie: b\r\nx-A: 2\r\nContent-Length: 2\r\n\r\n{}';
    const outcome = await against(answering(answer), (origin) => sendTo(origin));
    const headers = [
      ['X-a', '1'],
      ['set-Cookie', 'b'],
      ['x-A', '2'],
      ['Content-Length', '2'],
    ];
    expect(outcome).toEqual({ kind: 'answer', status: 200, headers, body: Buffer.from('{}'), cut: false });
  });

  test('a redirect is an answer', async () => {
    const answer = 'HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n';
    expect(await against(answering(answer), (origin) => sendTo(origin))).toMatchObject({ kind: 'answer', status: 307 });
  });

  test('HEAD is answered without a body whatever the length says', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Encoding: gzip\r\n\r\n';
    const outcome = await against(answering(answer), (origin) => sendTo(origin, { method: 'HEAD' }));
    expect(outcome).toMatchObject({ kind: 'answer', status: 200, body: Buffer.alloc(0) });
  });

  test.each([
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'],
    ['the end of the connection', 'HTTP/1.0 200 OK\r\n\r\n{}'],
    ['a hint before', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
  ])('a body delimited by %s is complete', async (_what, answer) => {
    expect(await against(answering(answer), (origin) => sendTo(origin))).toMatchObject({
      status: 200,
      body: Buffer.from('{}'),
    });
  });

  test('a body of exactly the limit is whole', async () => {
    const outcome = await against(answering('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc'), (origin) =>
      sendTo(origin, {}, { maxBody: 3 }),
    );
    expect(outcome).toMatchObject({ cut: false, body: Buffer.from('abc') });
  });
});

function coded(coding: string, body: Uint8Array, maxBody?: number) {
  const server = serveHttp((_request, response) => {
    response.setHeader('Content-Encoding', coding);
    response.end(body);
  });
  return against(server, (origin) => sendTo(origin, {}, maxBody === undefined ? {} : { maxBody }));
}

describe('transport, content coding', () => {
  const plain = Buffer.from('{"success":false}');

  test.each([
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['identity', plain],
    ['gzip, identity', gzipSync(plain)],
    ['gzip,', gzipSync(plain)],
    ['zstd', plain],
  ] as const)('%s is removed where it is known', async (coding, body) => {
    expect(await coded(coding, body)).toMatchObject({ kind: 'answer', body: plain, cut: false });
  });

  test.each(['gzip', 'br', 'deflate'])(
    'a body that was cut while coded in %s is decoded as far as it goes',
    async (coding) => {
      // Noise does not shrink, so the limit cuts the coded bytes and not what they stand for.
      const random = chance(1);
      const bytes = (): number => Math.floor(random() * 256);
      const noise = Buffer.from(Array.from({ length: 20_000 }, bytes));
      const body =
        coding === 'gzip' ? gzipSync(noise) : coding === 'br' ? brotliCompressSync(noise) : deflateSync(noise);
      const outcome = await coded(coding, Buffer.concat([body, Buffer.alloc(1)]), body.length - 1);
      expect(outcome).toMatchObject({ kind: 'answer', cut: true });
      const read = outcome.kind === 'answer' ? outcome.body : new Uint8Array();
      expect(read.length).toBeGreaterThan(noise.length / 2);
      expect(noise.subarray(0, read.length).equals(read)).toBe(true);
    },
  );

  test.each([
    ['gzip', plain],
    ['gzip', gzipSync(plain).subarray(0, -9)],
    ['br', Buffer.from('no brotli')],
  ] as const)('bytes that are not %s are malformed', async (coding, body) => {
    const failure = { kind: 'failure', failure: 'malformed', detail: 'the content coding is broken', status: 200 };
    expect(await coded(coding, body)).toEqual(failure);
  });

  test('an empty body needs no coding', async () => {
    expect(await coded('gzip', Buffer.alloc(0))).toMatchObject({ kind: 'answer', body: Buffer.alloc(0) });
  });
});

test('the certificates of authorities are read once, however many connections are made', async () => {
  const read = (name: string): string => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8');
  const { createSecureContext } = tls;
  const made: object[] = [];
  tls.createSecureContext = (options = {}) => {
    if (options.ca !== undefined) made.push(options);
    return createSecureContext(options);
  };
  syncBuiltinESMExports();
  try {
    const server = serveHttps(read('server-key'), read('localhost'), (_request, response) => response.end('{}'));
    const kinds = await against(server, async (origin) => {
      const { transport, close } = undiciTransport({ origin: origin.replace('http', 'https'), ca: read('authority') });
      const request = { method: 'GET', path: '/', headers: [], body: null, timeout: 5_000, fresh: true } as const;
      const outcomes = [await transport(request), await transport(request), await transport(request)];
      await close();
      return outcomes.map(({ kind }) => kind);
    });
    expect([kinds, made.length]).toEqual([['answer', 'answer', 'answer'], 1]);
  } finally {
    tls.createSecureContext = createSecureContext;
    syncBuiltinESMExports();
  }
});
