/** Servers on loopback for the transport's tests: whole ones, and sockets that say whatever a test wants. */

import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type TransportOptions, undiciTransport } from '../../../src/client/transport.ts';
import type { WireOutcome, WireRequest } from '../../../src/exchange/message.ts';

/** A listening server and every connection that it got. */
export interface Listening {
  readonly port: number;
  readonly sockets: readonly Socket[];
  readonly close: () => Promise<void>;
}

/** Lets a server listen on loopback. */
export async function listen(server: Server): Promise<Listening> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, sockets, close };
}

/** A whole HTTP server. */
export function serveHttp(listener: RequestListener): Promise<Listening> {
  return listen(createHttpServer(listener));
}

/** A whole HTTPS server with that certificate. */
export function serveHttps(key: string, cert: string, listener: RequestListener): Promise<Listening> {
  return listen(createHttpsServer({ key, cert }, listener));
}

/** A bare socket: `answer` gets what came so far, whenever something came. */
export function serveSocket(answer: (socket: Socket, received: string) => void): Promise<Listening> {
  return listen(
    createServer((socket) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        answer(socket, received);
      });
    }),
  );
}

/** Sends one request through a transport of its own. */
export async function sendTo(
  origin: string,
  request: Partial<WireRequest> = {},
  options: Partial<TransportOptions> = {},
): Promise<WireOutcome> {
  const open = undiciTransport({ origin, ...options });
  try {
    return await open.transport({ method: 'GET', path: '/', headers: [], body: null, timeout: 5_000, ...request });
  } finally {
    await open.close();
  }
}

/** Runs `work` against a server and closes it on every way out. */
export async function against<T>(
  server: Promise<Listening>,
  work: (origin: string, server: Listening) => Promise<T>,
): Promise<T> {
  const listening = await server;
  try {
    return await work(`http://127.0.0.1:${listening.port}`, listening);
  } finally {
    await listening.close();
  }
}
