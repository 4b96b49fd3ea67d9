import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { chance } from '../../../fixtures/gateways/drawn.ts';
import { withoutInterimResponses } from '../../../src/client/dispatchers.ts';
import { against, sendTo, serveHttp, serveSocket } from './wire-server.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n';
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';

/** What a client reads from a socket on which these pieces arrive, each after the client found nothing more to read. */
function readFrom(pieces: readonly string[]): string {
  const arrived: Buffer[] = [];
  const bare = { read: () => arrived.shift() ?? null, write: () => true };
  const socket = withoutInterimResponses(bare as unknown as Socket);
  let text = '';
  for (const piece of pieces) {
    arrived.push(Buffer.from(piece, 'latin1'));
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) text += chunk.toString('latin1');
  }
  return text;
}

function splitAt(text: string, places: readonly number[]): readonly string[] {
  const ends = [...places, text.length];
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((piece) => piece !== '');
}

describe('interim responses', () => {
  const all = CONTINUE + HINTS + CONTINUE + FINAL;

  test('are removed wherever the bytes are split in two', () => {
    for (let at = 0; at <= all.length; at += 1) expect(readFrom(splitAt(all, [at])), `at ${at}`).toBe(FINAL);
  });

  test('are removed byte by byte, and at random places', () => {
    expect(readFrom([...all])).toBe(FINAL);
    const random = chance(7);
    for (let round = 0; round < 500; round += 1) {
      const places = Array.from({ length: 1 + Math.floor(random() * 8) }, () => Math.floor(random() * all.length));
      expect(
        readFrom(
          splitAt(
            all,
            places.toSorted((a, b) => a - b),
          ),
        ),
      ).toBe(FINAL);
    }
  });

  test('are removed before each response on the same connection', () => {
    const arrived = [CONTINUE + FINAL, HINTS, CONTINUE + FINAL].map((text) => Buffer.from(text, 'latin1'));
    const bare = { read: () => arrived.shift() ?? null, write: () => true } as unknown as Socket;
    const socket = withoutInterimResponses(bare);
    expect(socket.read().toString()).toBe(FINAL);
    socket.write('GET / HTTP/1.1\r\n\r\n', 'latin1');
    socket.write(new Uint8Array(2));
    expect(socket.read().toString()).toBe(FINAL);
  });

  test.each([
    ['garbage', 'hello'],
    ['a body that looks like one', FINAL],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\nrest'],
    ['a line end that only some parsers accept', 'HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\r\n\r\n'],
    ['a status with four digits', 'HTTP/1.1 1000 Continue\r\n\r\n'],
    ['a header section past 64 KiB', `HTTP/1.1 100 Continue\r\nA: ${'x'.repeat(70_000)}`],
  ])('%s reaches the parser unchanged', (_what, text) => {
    expect(
      readFrom(
        splitAt(
          text,
          [3, 11, 20].filter((at) => at < text.length),
        ),
      ),
    ).toBe(text);
  });

  test('come from a real server before reads and writes, and on a connection that is kept', async () => {
    const server = serveHttp((request, response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end(request.method);
    });
    await against(server, async (origin) => {
      for (const method of ['GET', 'POST']) {
        expect(await sendTo(origin, { method })).toMatchObject({ status: 200, body: Buffer.from(method) });
      }
    });
  });

  test('without end are a timeout', async () => {
    const server = serveSocket((socket) => {
      const timer = setInterval(() => socket.write(CONTINUE), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const outcome = await against(server, (origin) => sendTo(origin, { timeout: 100 }));
    expect(outcome).toMatchObject({ kind: 'failure', failure: 'timeout' });
  });
});
