import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { undiciTransport } from '../../../src/client/transport.ts';
import { wireFailure } from '../../../src/client/transport-failure.ts';
import { against, sendTo, serveHttp, serveHttps, serveSocket } from './wire-server.ts';

/** Milliseconds until a request is given up in a test that waits for just that. */
const SOON = 150;
/** Discard, below the ports that a system gives out: a port that was just closed, another test's server can get. */
const CLOSED_PORT = 'http://127.0.0.1:9';

const pem = (name: string): string => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8');
const answering = (text: string) => serveSocket((socket) => socket.end(text));
const failing = (text: string) => against(answering(text), (origin) => sendTo(origin));

describe('transport failures', () => {
  test('a closed port refuses connections', async () => {
    const failure = { kind: 'failure', failure: 'refused', detail: 'the connection was refused' };
    expect([await sendTo(CLOSED_PORT), await sendTo(CLOSED_PORT, { method: 'POST' })]).toEqual([failure, failure]);
  });

  test('a closed port is that of the proxy where there is one', async () => {
    const { transport, close } = undiciTransport({ origin: 'http://service.invalid', proxy: CLOSED_PORT });
    const request = { method: 'GET', path: '/', headers: [], body: null, timeout: 5_000 };
    expect(await transport(request)).toMatchObject({
      failure: 'refused',
      detail: 'the connection was refused (of the proxy in HTTP_PROXY or HTTPS_PROXY)',
    });
    await close();
  });

  test.each([
    [
      'closed',
      (socket: Socket): void => {
        socket.end();
      },
    ],
    [
      'reset',
      (socket: Socket): void => {
        socket.resetAndDestroy();
      },
    ],
  ] as const)('a connection %s before the answer is a reset', async (_what, end) => {
    const outcome = await against(serveSocket(end), (origin) => sendTo(origin, { method: 'POST' }));
    expect(outcome).toEqual({
      kind: 'failure',
      failure: 'reset',
      detail: 'the connection ended before a response came',
    });
  });

  test.each([
    ['less than its length', 'HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n{}'],
    ['no last chunk', 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n'],
  ])('a body with %s is short', async (_what, text) => {
    expect(await failing(text)).toMatchObject({ kind: 'failure', failure: 'short', status: 201 });
  });

  test('a 304 has no body, whatever length it says', async () => {
    const outcome = await failing('HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n');
    expect(outcome).toMatchObject({ kind: 'answer', status: 304, body: Buffer.alloc(0), cut: false });
  });

  test('a connection reset within the body is short', async () => {
    const server = serveSocket((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}', () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    });
    expect(await against(server, (origin) => sendTo(origin))).toMatchObject({ failure: 'short', status: 200 });
  });

  test.each([
    ['SSH-2.0-server', '', 'SSH-2.0-server'],
    [
      'HTTP/1.1 20 OK',
      ' (its status line has no known version or no status of three digits, section 4)',
      'HTTP/1.1 20 OK',
    ],
    ['HTTP/1.1 200 OK\r\nnonsense', ' (a line of its header section is not "name: value", section 5)', 'nonsense'],
    ['HTTP/1.1 200 OK\r\nX: \0', ' (the value of a header field holds a control character, section 5)', 'X: …'],
    [
      'HTTP/1.1 200 OK\r\nX: 1\r\nX-Request Id: 7f3a\r\nY: 2',
      ' (a line of its header section is not "name: value", section 5)',
      'X-Request Id: …',
    ],
    ['HTTP/1.1 200 OK\r\nX: 1\r\n 2', ' (a header field goes on in the next line, section 5.2)', ' 2'],
    ['HTTP/1.1 200 OK\nX: 1', ' (a line does not end with CR LF, section 2.2)', 'HTTP/1.1 200 OK'],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      ' (it has both Transfer-Encoding and Content-Length, section 6.2)',
      'Content-Length: 2',
    ],
    ['HTTP/1.1 200 OK\r\nContent-Length: x', ' (Content-Length is not a number, section 6.2)', 'Content-Length: x'],
    ...['2\r\nContent-Length: 1', '2\r\nContent-Length: 2', '2, 2', '2\r\nX Y: 1'].map((rest) => [
      `HTTP/1.1 200 OK\r\nContent-Length: ${rest}`,
      ' (it says its length twice, or a line after Content-Length is malformed, section 6.3)',
      '',
    ]),
    [
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade',
      ' (it changes a protocol without a request for that: RFC 9110, section 7.8)',
      '',
    ],
  ])('%j is malformed, by which rule%s, and in which line', async (text, rule, line) => {
    expect(await failing(`${text}\r\n\r\n{}`)).toEqual({
      kind: 'failure',
      failure: 'malformed',
      detail: `the response is not well-formed HTTP${rule}${line && `: ${JSON.stringify(line)}`}`,
    });
  });

  test('a broken chunk is malformed and keeps the status', async () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n';
    expect(await failing(text)).toMatchObject({ failure: 'malformed', status: 200 });
  });

  test('a header section without end is too large', async () => {
    const outcome = await failing(`HTTP/1.1 200 OK\r\n${'X-Filler: 1234567890\r\n'.repeat(5_000)}`);
    expect(outcome).toMatchObject({ kind: 'failure', failure: 'too-large' });
  });

  test('a silent server times out, and its late answer changes nothing', async () => {
    let late: (() => void) | undefined;
    const silent = serveSocket((socket) => {
      late = () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const outcome = await against(silent, async (origin) => {
      const given = await sendTo(origin, { timeout: SOON });
      late?.();
      return given;
    });
    expect(outcome).toEqual({ kind: 'failure', failure: 'timeout', detail: 'no response came in time' });
  });

  test.each([
    ['header', 'HTTP/1.1 200 OK\r\nX-Drip: ', undefined],
    ['body', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n', 200],
  ])('a %s that drips times out', async (_what, beginning, status) => {
    const dripping = serveSocket((socket) => {
      socket.write(beginning);
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const outcome = await against(dripping, (origin) => sendTo(origin, { timeout: SOON }));
    expect(outcome).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(outcome.kind === 'failure' && outcome.status).toBe(status);
  });

  test('a request that timed out closes its connection', async () => {
    let closed: Promise<unknown> = Promise.reject(new Error('nothing came'));
    closed.catch(() => undefined);
    const silent = serveSocket((socket) => {
      closed = new Promise((resolve) => socket.on('close', resolve));
    });
    await against(silent, async (origin) => {
      const { transport, close } = undiciTransport({ origin });
      await transport({ method: 'POST', path: '/', headers: [], body: null, timeout: SOON });
      await closed;
      await close();
    });
  });

  test('a request that timed out while connecting is never sent later', async () => {
    let received = '';
    const mute = serveSocket((_socket, bytes) => {
      received = bytes;
    });
    await against(mute, async (origin) => {
      const secure = origin.replace('http:', 'https:');
      const request = { method: 'POST', path: '/late', timeout: SOON } as const;
      expect(await sendTo(secure, request)).toMatchObject({ failure: 'timeout', detail: 'no response came in time' });
    });
    expect(received).not.toContain('/late');
  });

  test('closing ends what is under way', async () => {
    const outcome = await against(
      serveSocket(() => undefined),
      async (origin) => {
        const { transport, close } = undiciTransport({ origin });
        const pending = transport({ method: 'GET', path: '/', headers: [], body: null, timeout: 5_000 });
        await close();
        return pending;
      },
    );
    expect(outcome).toMatchObject({ failure: 'reset', detail: 'the transport was closed before a response came' });
  });
});

describe('transport failures of TLS', () => {
  const received: string[] = [];
  const secure = (certificate: string, host: string, ca: string | null) =>
    against(
      serveHttps(pem('server-key'), pem(certificate), ({ url = '' }, response) => {
        received.push(url);
        response.end('{}');
      }),
      (origin) => sendTo(origin.replace('http://127.0.0.1', `https://${host}`), {}, ca === null ? {} : { ca }),
    );

  test('a certificate of a configured authority is trusted, for a name and for an address', async () => {
    const trusted = [
      await secure('localhost', '127.0.0.1', pem('authority')),
      await secure('localhost', 'localhost', pem('authority')),
    ];
    expect(trusted.map(({ kind }) => kind)).toEqual(['answer', 'answer']);
  });

  test.each([
    ['expired', 'expired', 'authority', 'the certificate has expired'],
    ['issued for another name', 'other-name', 'authority', 'the certificate was issued for another name'],
    ['issued by someone unknown', 'localhost', null, 'the certificate was issued by an unknown authority'],
  ] as const)('a certificate that was %s is rejected', async (_what, certificate, ca, detail) => {
    const outcome = await secure(certificate, '127.0.0.1', ca === null ? null : pem(ca));
    expect(outcome).toEqual({ kind: 'failure', failure: 'tls', detail });
  });

  test('a certificate of an unknown authority is rejected and nothing is sent, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    received.length = 0;
    const outcome = await secure('localhost', '127.0.0.1', null);
    vi.unstubAllEnvs();
    expect([outcome, received]).toEqual([expect.objectContaining({ failure: 'tls' }), []]);
  });

  test('with a server without TLS the handshake fails', async () => {
    const plain = serveHttp((_request, response) => response.end('{}'));
    const outcome = await against(plain, (origin) => sendTo(origin.replace('http:', 'https:')));
    expect(outcome).toEqual({ kind: 'failure', failure: 'tls', detail: 'the TLS handshake failed' });
  });

  // Alerts: no such name, no such version, an internal error.
  test.each(['reset', 'closed', ...[112, 70, 80].map((alert) => Buffer.from([21, 3, 3, 0, 2, 2, alert]))])(
    'nothing was sent where the connection ends in the handshake: %j',
    async (end) => {
      const server = serveSocket((socket) => {
        if (end === 'reset') socket.resetAndDestroy();
        else socket.end(end === 'closed' ? '' : end);
      });
      const outcome = await against(server, (origin) => sendTo(origin.replace('http:', 'https:')));
      expect(outcome).toEqual({ kind: 'failure', failure: 'tls', detail: 'the TLS handshake failed' });
    },
  );

  test.each(['end', 'resetAndDestroy'] as const)(
    'nothing was sent where a proxy ends the connection instead of connecting, and it is asked once: %s',
    async (end) => {
      let asked = 0;
      const proxy = serveSocket((socket) => {
        asked += 1;
        socket[end]();
      });
      const outcome = await against(proxy, (address) => sendTo('https://api.invalid', {}, { proxy: address }));
      const detail = 'the proxy in HTTP_PROXY or HTTPS_PROXY did not connect to the target, but ended the connection';
      expect([outcome, asked]).toEqual([{ kind: 'failure', failure: 'refused', detail }, 1]);
    },
  );
});

describe('errors by code', () => {
  const coded = (code: string, syscall?: string) => Object.assign(new Error('x'), { code, syscall });

  test.each([
    [coded('ENOTFOUND', 'getaddrinfo'), 'unresolved'],
    [coded('EAI_AGAIN', 'getaddrinfo'), 'unresolved'],
    [Object.assign(coded('EAI_FAIL', 'getaddrinfo'), { isUnconnected: true }), 'unresolved'],
    [coded('EHOSTUNREACH', 'connect'), 'refused'],
    [coded('ETIMEDOUT', 'connect'), 'timeout'],
    [coded('EHOSTUNREACH', 'read'), 'reset'],
    [coded('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), 'reset'],
    [coded('CERT_NOT_YET_VALID'), 'tls'],
    [Object.assign(new AggregateError([coded('ECONNREFUSED', 'connect')]), { code: 'ECONNREFUSED' }), 'refused'],
    [new AggregateError([coded('ECONNREFUSED', 'connect'), coded('ECONNRESET', 'read')]), 'reset'],
    ['no error at all', 'reset'],
    [null, 'reset'],
  ] as const)('%s has its own kind', (error, kind) => {
    expect(wireFailure(error, null).failure).toBe(kind);
  });

  test.each([
    ['EPROTO', 'tls'],
    ['UND_ERR_SOCKET', 'refused'],
  ])('%s of a connection through a proxy is one of its own, too', (code, kind) => {
    expect(wireFailure(Object.assign(coded(code), { isUnconnected: true }), null, true).failure).toBe(kind);
  });
});
