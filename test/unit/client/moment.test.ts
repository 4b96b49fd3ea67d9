/** Requests of one moment leave together, once each has a connection that the target has accepted. */

import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { undiciTransport } from '../../../src/client/transport.ts';
import { TRIALS } from '../../../src/contract/limits.ts';
import type { Transport, WireRequest } from '../../../src/exchange/message.ts';
import { against, listen, serveSocket } from './wire-server.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const READ: WireRequest = { method: 'GET', path: '/', headers: [], body: null, timeout: 5_000 };
const WRITE: WireRequest = { ...READ, method: 'PUT', body: Buffer.from('{}') };
const CHUNKED: WireRequest = { ...WRITE, headers: [['Transfer-Encoding', 'chunked']] };

/** Sends requests at one moment, and resolves with the kinds of what came of them. */
async function atOnce(transport: Transport, requests: readonly WireRequest[]): Promise<readonly string[]> {
  const moment = { count: requests.length };
  const sent = requests.map((request) => transport({ ...request, room: requests.length, moment }));
  return (await Promise.all(sent)).map(({ kind }) => kind);
}

test('the target has accepted every connection before the first byte comes', async () => {
  const accepted: number[] = [];
  const methods: string[] = [];
  const server = serveSocket((socket, received) => {
    if (/^GET|\r\n0\r\n\r\n$/.test(received)) socket.write(OK);
    accepted.push(connections());
    methods.push(received.slice(0, 3));
  });
  let connections = (): number => 0;
  await against(server, async (origin, { sockets }) => {
    connections = () => sockets.length;
    const { transport, close } = undiciTransport({ origin });
    expect(await atOnce(transport, [READ, CHUNKED, READ, CHUNKED])).toEqual(Array(4).fill('answer'));
    expect(new Set(accepted.splice(0))).toEqual(new Set([4]));
    expect(methods.splice(0)).toEqual(['GET', 'PUT', 'GET', 'PUT']);
    // Two connections of reads are kept.
    expect(await atOnce(transport, [READ, CHUNKED, READ, READ])).toEqual(Array(4).fill('answer'));
    expect(new Set(accepted)).toEqual(new Set([6]));
    expect(methods).toEqual(['GET', 'PUT', 'GET', 'GET']);
    await close();
  });
});

test('a target that takes one connection at a time gets the next after the end of the one before', async () => {
  const taken = new Set<Socket>();
  const server = listen(
    createServer((socket) => {
      if (taken.size > 0) return socket.resetAndDestroy();
      taken.add(socket);
      socket.on('close', () => taken.delete(socket));
      return socket.on('data', () => socket.write(OK));
    }),
  );
  await against(server, async (origin) => {
    const { transport, close } = undiciTransport({ origin });
    const kinds: string[] = [];
    for (const request of [READ, WRITE, READ, WRITE, WRITE, READ, { ...READ, fresh: true } as const])
      kinds.push((await transport({ ...request, room: 1 })).kind);
    expect(kinds).toEqual(Array(7).fill('answer'));
    await close();
  });
});

test('a request that cannot be written keeps none of the others waiting', async () => {
  const server = serveSocket((socket) => socket.write(OK));
  await against(server, async (origin) => {
    const { transport, close } = undiciTransport({ origin, together: 60_000 });
    const wrong: WireRequest = { ...READ, headers: [['no name', '']] };
    expect(await atOnce(transport, [READ, wrong, READ])).toEqual(['answer', 'failure', 'answer']);
    await close();
  });
});

test('a target that takes the next connection after its answer is waited for three times', async () => {
  const read = (name: string): string => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8');
  const secured = createHttpsServer({ key: read('server-key'), cert: read('localhost') }, (_, response) => {
    response.end('{}');
  });
  const waiting: Socket[] = [];
  const next = (): void => {
    const [socket] = waiting;
    socket?.once('close', () => {
      waiting.shift();
      next();
    });
    secured.emit('connection', socket);
  };
  const server = listen(
    createServer((socket) => {
      waiting.push(socket);
      if (waiting.length === 1) next();
    }),
  );
  const waits = vi.spyOn(globalThis, 'setTimeout');
  const together = 77;
  await against(server, async (origin) => {
    const secure = origin.replace('http', 'https');
    const { transport, close } = undiciTransport({ origin: secure, ca: read('authority'), together });
    for (let times = 0; times <= TRIALS.rule; times += 1)
      expect(await atOnce(transport, [CHUNKED, CHUNKED])).toEqual(['answer', 'answer']);
    expect(waits.mock.calls.filter(([, milliseconds]) => milliseconds === together)).toHaveLength(TRIALS.rule);
    await close();
  });
  waits.mockRestore();
});
