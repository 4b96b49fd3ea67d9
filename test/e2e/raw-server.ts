/** A TCP server that answers a request with bytes of its own making, for targets that no HTTP library would serve. */

import { createServer, type Socket } from 'node:net';

/** A server that listens on a free port of this machine. */
export interface RawServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Listens; `answer` is called once for each request whose header section has arrived. */
export async function rawServer(answer: (socket: Socket, request: string) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let seen = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      if (!seen.includes('\r\n\r\n')) return;
      const request = seen;
      seen = '';
      answer(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Writes chunk after chunk as fast as the reader takes them, until the socket ends. */
export function flood(socket: Socket, chunk: Uint8Array): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}
