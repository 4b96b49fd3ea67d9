import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { skippingContinue } from '../../../src/client/dispatchers.ts';
import { against, sendTo, serveHttp, serveSocket } from './wire-server.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n';
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
const SKIPPED = CONTINUE.replace('100', '102');

/** A socket on which these chunks arrive. */
function socketWith(chunks: readonly string[]): Socket {
  const arrived = chunks.map((text) => Buffer.from(text, 'latin1'));
  const sending = { write: () => true, cork: () => undefined, uncork: () => undefined, destroy: () => undefined };
  return skippingContinue({ read: () => arrived.shift() ?? null, ...sending } as unknown as Socket);
}

describe('interim responses', () => {
  test.each([
    ['before the response', [CONTINUE + HINTS + CONTINUE + FINAL], SKIPPED + HINTS.replace('103', '102') + SKIPPED],
    ['one by one', [CONTINUE, CONTINUE, FINAL], SKIPPED + SKIPPED],
  ])('read as such that the parser skips: %s', (_, chunks, before) => {
    const socket = socketWith(chunks);
    expect(chunks.map(() => socket.read().toString()).join('')).toBe(before + FINAL);
  });

  test('read as such wherever a packet ends', () => {
    const whole = CONTINUE + HINTS + FINAL;
    for (let at = 1; at < whole.length; at += 1) {
      const socket = socketWith([whole.slice(0, at), whole.slice(at)]);
      const read = [socket.read(), socket.read(), socket.read()].map((chunk) => chunk?.toString() ?? '');
      expect([at, read.join('')]).toEqual([at, SKIPPED + HINTS.replace('103', '102') + FINAL]);
    }
  });

  test('are looked for anew once the next request is written', () => {
    const socket = socketWith([FINAL, CONTINUE, CONTINUE + FINAL]);
    expect([socket.read().toString(), socket.read().toString()]).toEqual([FINAL, CONTINUE]);
    socket.write('GET / HTTP/1.1\r\n\r\n', 'latin1');
    socket.write(new Uint8Array(2));
    expect(socket.read().toString()).toBe(SKIPPED + FINAL);
  });

  test.each([
    ['garbage', 'hello'],
    ['a body that looks like one', FINAL],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\nrest'],
    ['a line end that only some parsers accept', 'HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\r\n\r\n'],
    ['a status with four digits', 'HTTP/1.1 1000 Continue\r\n\r\n'],
    ['a header section past 64 KiB', `HTTP/1.1 100 Continue\r\nA: ${'x'.repeat(70_000)}`],
  ])('%s reaches the parser unchanged', (_what, text) => {
    expect(socketWith([text]).read().toString()).toBe(text);
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
