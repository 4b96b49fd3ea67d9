/** Targets that are broken, each in one way, behind real sockets. */

import { gzipSync } from 'node:zlib';
import { listen } from '../../fixtures/service/serve.ts';
import type { ServiceReply } from '../../fixtures/service/types.ts';
import { flood, type RawServer, rawServer } from './raw-server.ts';

/** A broken target: how to put it up, what the command says of it, and with which code it exits. */
export interface HostileTarget {
  readonly name: string;
  readonly open: () => Promise<RawServer>;
  readonly says: RegExp;
  readonly code: 1 | 3;
  /** Whether it could fill the memory of its reader. */
  readonly isBig?: true;
}

const MEBIBYTE = 1024 * 1024;
const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

const nobody = async (url: string): Promise<RawServer> => ({ url, close: async () => undefined });

/** Answers every request alike, through an HTTP server. */
function always(reply: Partial<ServiceReply>): () => Promise<RawServer> {
  return () => listen(async () => ({ status: 200, headers: [], body: null, ...reply }));
}

const json = ['Content-Type', 'application/json'] as const;
const envelope = (message: string): string => JSON.stringify({ success: false, error: { code: 'no', message } });

/** Far deeper than any recursion goes. */
const LEVELS = 200_000;
const deep = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
/** One mebibyte on the wire, one gibibyte unpacked: gzip members in a row are one stream. */
const bomb = Buffer.concat(Array(16).fill(gzipSync(Buffer.alloc(64 * MEBIBYTE, ' '))));

/** Targets where no request gets a complete answer. */
export const UNREACHABLE: readonly HostileTarget[] = [
  {
    name: 'nobody listens',
    open: () => nobody('http://127.0.0.1:9'),
    says: /could not be reached: the connection was refused/,
    code: 3,
  },
  {
    name: 'the name does not resolve',
    open: () => nobody('http://no-such-host.invalid'),
    says: /could not be reached: the (host name does not resolve|name server did not answer)/,
    code: 3,
  },
  {
    name: 'connections are accepted and closed',
    open: () => rawServer((socket) => socket.end()),
    says: /the connection ended before a response came/,
    code: 3,
  },
  {
    name: 'nothing is ever answered',
    open: () => rawServer(() => undefined),
    says: /does not answer: no response came in time/,
    code: 3,
  },
  {
    name: 'garbage instead of HTTP',
    open: () => rawServer((socket) => socket.end('\u0000\u0001SSH-2.0-who_knows\r\n\r\n')),
    says: /the response is not well-formed HTTP/,
    code: 3,
  },
  {
    name: 'a header field without its colon',
    open: () => rawServer((socket) => socket.end(`${JSON_HEAD}X-Broken\r\n\r\n{}`)),
    says: /to every read the response .* \(a line of its header section .*, section 5\): "X-Broken": fix the target, or the gateway/,
    code: 3,
  },
  {
    name: 'half a header, then nothing',
    open: () => rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty')),
    says: /does not answer: no response came in time/,
    code: 3,
  },
  {
    name: 'a body that drips',
    open: () =>
      rawServer((socket) => {
        socket.write(`${JSON_HEAD}Content-Length: 100000\r\n\r\n[`);
        const drip = setInterval(() => socket.write(' '), 50);
        socket.on('close', () => clearInterval(drip));
      }),
    says: /does not answer: the response was not complete in time/,
    code: 3,
  },
];

/** Targets that answer everything alike, and nothing as the interface says. */
export const USELESS: readonly HostileTarget[] = [
  {
    name: 'an endless body',
    isBig: true,
    open: () =>
      rawServer((socket) => {
        socket.write(`${JSON_HEAD}\r\n["`);
        flood(socket, Buffer.alloc(64 * 1024, 'x'));
      }),
    says: /exceeds the limit of 4 MiB/,
    code: 3,
  },
  {
    name: 'a compression bomb',
    isBig: true,
    open: always({ headers: [json, ['Content-Encoding', 'gzip']], body: bomb }),
    says: /exceeds the limit of 4 MiB/,
    code: 3,
  },
  {
    name: 'JSON 200,000 levels deep',
    isBig: true,
    open: () =>
      listen(async ({ target }) =>
        target.includes('unknown-route')
          ? { status: 404, headers: [json], body: envelope('no such route') }
          : { status: 200, headers: [json], body: deep },
      ),
    says: /AUTH-/,
    code: 1,
  },
  {
    name: 'errors 200,000 levels deep',
    open: always({ status: 400, headers: [json], body: deep }),
    says: /status 400/,
    code: 3,
  },
  {
    name: 'status 429 for ever, a second at a time',
    open: always({ status: 429, headers: [json, ['Retry-After', '1']], body: envelope('x') }),
    says: /rate-limiting this caller/,
    code: 3,
  },
];
