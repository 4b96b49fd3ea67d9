/** What a hostile answer can take: header fields, bytes of a body, memory, connections. Counted or measured, never timed. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { undiciTransport } from '../../../src/client/transport.ts';
import type { WireOutcome } from '../../../src/exchange/message.ts';
import { inLongAlone, sampled } from '../../sampled.ts';
import { against, type Listening, serveHttp, serveSocket } from './wire-server.ts';

const MEBIBYTE = 1024 * 1024;
const LIMIT = 4 * MEBIBYTE;

setFlagsFromString('--expose_gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Memory of buffers and of the heap that is still held once everything unreachable is collected. */
async function held(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

/** Sends so many GETs over one transport, one after the other, and passes each outcome on. */
async function readTimes(origin: string, times: number, use: (outcome: WireOutcome) => void): Promise<void> {
  const { transport, close } = undiciTransport({ origin });
  for (let sent = 0; sent < times; sent += 1) {
    use(await transport({ method: 'GET', path: '/', headers: [], body: null, timeout: 5_000 }));
  }
  await close();
}

const allClosed = ({ sockets }: Listening): Promise<unknown> =>
  Promise.all(sockets.map((socket) => socket.destroyed || new Promise((resolve) => socket.on('close', resolve))));

describe('header fields of an answer', () => {
  const answering = (fields: readonly string[]) =>
    serveSocket((socket) => socket.end(`HTTP/1.1 200 OK\r\n${fields.join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`));
  const read = async (fields: readonly string[]): Promise<WireOutcome> => {
    const seen: WireOutcome[] = [];
    await against(answering(fields), (origin) => readTimes(origin, 1, (outcome) => seen.push(outcome)));
    return seen[0] as WireOutcome;
  };
  const many = (count: number, value: string) => Array.from({ length: count }, (_, at) => `h${at}: ${value}`);

  test('of 6,000 the first 256 are kept, and the first of each name that the suite reads', async () => {
    const outcome = await read([...many(6_000, 'v'), 'Content-Type: application/json', 'Content-Type: text/plain']);
    const headers = outcome.kind === 'answer' ? outcome.headers : [];
    expect(outcome).toMatchObject({ kind: 'answer', headersCut: true, body: Buffer.from('{}') });
    expect(headers).toHaveLength(258);
    expect(headers.slice(255)).toEqual([
      ['h255', 'v'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ]);
  });

  test('of long ones the first 16,384 characters are kept', async () => {
    const outcome = await read(many(40, 'x'.repeat(998)));
    const headers = outcome.kind === 'answer' ? outcome.headers : [];
    expect(outcome).toMatchObject({ headersCut: true });
    expect(headers.map(([name]) => name)).toEqual([
      ...Array.from({ length: 16 }, (_, at) => `h${at}`),
      'Content-Length',
    ]);
  });

  test('an ordinary number of them is kept whole, and says so', async () => {
    const outcome = await read(many(255, 'v'));
    expect(outcome.kind === 'answer' && outcome.headers).toHaveLength(256);
    expect(outcome).not.toHaveProperty('headersCut');
  });

  inLongAlone('40 answers with 6,000 each take less than 6 MiB', async () => {
    const kept: WireOutcome[] = [];
    const lines = Buffer.from(`HTTP/1.1 200 OK\r\n${many(6_000, 'v').join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`);
    const before = await held();
    await against(
      serveSocket((socket) => socket.write(lines)),
      (origin) => readTimes(origin, 40, (outcome) => kept.push(outcome)),
    );
    expect((await held()) - before).toBeLessThan(6 * MEBIBYTE);
    expect(kept).toHaveLength(40);
  });
});

describe('bodies without end', () => {
  test('an endless body is read up to 4 MiB, then its connection is destroyed and its memory released', async () => {
    const chunk = Buffer.alloc(65_536, 'x');
    const endless = serveSocket((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    });
    await against(endless, async (origin, server) => {
      const before = await held();
      const lengths: unknown[] = [];
      await readTimes(origin, 3, (outcome) => {
        lengths.push(outcome.kind === 'answer' && outcome.cut && outcome.body.length);
      });
      await allClosed(server);
      expect(lengths).toEqual(Array(3).fill(LIMIT));
      // Beside the limit, only what the system's own buffers hold was ever written.
      for (const { bytesWritten } of server.sockets) expect(bytesWritten).toBeLessThan(4 * LIMIT);
      expect((await held()) - before).toBeLessThan(4 * MEBIBYTE);
    });
  });

  const codings = sampled(['gzip', 'gzip, gzip'], 2);

  test.each(codings.items)(
    `a bomb in %s is unpacked up to 4 MiB, and its memory released (${codings.words})`,
    async (coding) => {
      const once = gzipSync(Buffer.alloc(64 * MEBIBYTE));
      const bomb = coding === 'gzip' ? once : gzipSync(once);
      const server = serveHttp((_request, response) => {
        response.setHeader('Content-Encoding', coding);
        response.end(bomb);
      });
      await against(server, async (origin) => {
        const before = await held();
        const lengths: unknown[] = [];
        await readTimes(origin, 3, (outcome) => {
          lengths.push(outcome.kind === 'answer' && outcome.cut && outcome.body.length);
        });
        expect(lengths).toEqual(Array(3).fill(LIMIT));
        expect((await held()) - before).toBeLessThan(4 * MEBIBYTE);
      });
    },
  );
});

test('answers that drip in mid-run are asked for once each, their connections are closed, and the next request is answered', async () => {
  let requests = 0;
  const closed: Promise<void>[] = [];
  const server = serveSocket((socket) => {
    requests += 1;
    if (requests === 1 || requests > 6) return socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 10);
    closed.push(new Promise((resolve) => socket.on('close', resolve)));
    return socket.on('close', () => clearInterval(drip));
  });
  await against(server, async (origin) => {
    const { transport, close } = undiciTransport({ origin });
    const outcomes: string[] = [];
    for (let sent = 0; sent < 7; sent += 1) {
      const outcome = await transport({ method: 'GET', path: '/', headers: [], body: null, timeout: 100 });
      outcomes.push(outcome.kind === 'answer' ? String(outcome.status) : outcome.failure);
    }
    expect(outcomes).toEqual(['204', ...Array(5).fill('timeout'), '204']);
    expect(requests).toBe(7);
    // Not because the transport is closed, but because the requests were given up.
    await Promise.all(closed);
    await close();
  });
});
