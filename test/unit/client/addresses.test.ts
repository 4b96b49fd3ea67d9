/** The addresses of a host are those of the beginning of the run. */

import net from 'node:net';
import { expect, test, vi } from 'vitest';
import { resolvingOnce } from '../../../src/client/dispatchers.ts';
import { undiciTransport } from '../../../src/client/transport.ts';
import { against, serveHttp } from './wire-server.ts';

type Resolve = NonNullable<Parameters<typeof resolvingOnce>[0]>;

/** Resolves to one address after the other, as a name that moves. */
function moving(...addresses: readonly (string | Error)[]): {
  readonly resolve: Resolve;
  readonly asked: () => number;
} {
  let asked = 0;
  const resolve = (_name: string, _options: unknown, callback: (error: Error | null, found: unknown) => void): void => {
    const next = addresses[Math.min(asked, addresses.length - 1)] ?? '127.0.0.1';
    asked += 1;
    if (typeof next === 'string') callback(null, [{ address: next, family: 4 }]);
    else callback(next, []);
  };
  return { resolve: resolve as unknown as Resolve, asked: () => asked };
}

test('a host name that moves in mid-run leads where it led before', async () => {
  const server = serveHttp((_, response) => response.end('old'));
  await against(server, async (_origin, { port }) => {
    const { resolve, asked } = moving('127.0.0.1', '127.0.0.99');
    const { transport, close } = undiciTransport({ origin: `http://moving.invalid:${port}`, resolve });
    const post = { method: 'POST', path: '/', headers: [], body: null, timeout: 5_000 };
    const outcomes = [await transport(post), await transport(post)];
    await close();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answer', 'answer']);
    expect(asked()).toBe(1);
  });
});

test('a name that could not be resolved is asked for again', () => {
  const { resolve } = moving(new Error('no'), '127.0.0.1', '127.0.0.99');
  const lookup = resolvingOnce(resolve);
  const results: unknown[] = [];
  const note = (error: unknown, found: unknown): unknown => results.push(error ?? found);
  for (const all of [true, true, false]) lookup('moving.invalid', { all }, note as never);
  expect(results).toEqual([expect.any(Error), [{ address: '127.0.0.1', family: 4 }], '127.0.0.1']);
});

test('a host with two addresses has more time for the first one than a handshake over an ocean takes', async () => {
  const connect = vi.spyOn(net, 'connect');
  await against(
    serveHttp((_, response) => response.end('{}')),
    async (origin) => {
      const { transport, close } = undiciTransport({ origin });
      await transport({ method: 'GET', path: '/', headers: [], body: null, timeout: 5_000 });
      await close();
    },
  );
  expect(connect.mock.calls.map(([options]) => options)).toContainEqual(
    expect.objectContaining({ autoSelectFamilyAttemptTimeout: 1_000 }),
  );
});

test('a connection that never came about is not waited for by the next request', async () => {
  const server = serveHttp((_, response) => response.end('new'));
  await against(server, async (_origin, { port }) => {
    const { resolve } = moving('127.0.0.1');
    let asked = 0;
    const once = ((...given: Parameters<Resolve>) => ++asked > 1 && resolve(...given)) as unknown as Resolve;
    const { transport, close } = undiciTransport({ origin: `http://slow.invalid:${port}`, resolve: once });
    const get = (timeout: number) => transport({ method: 'GET', path: '/', headers: [], body: null, timeout });
    const outcomes = [await get(50), await get(5_000)];
    await close();
    expect(outcomes.map((outcome) => ('failure' in outcome ? outcome.failure : outcome.kind))).toEqual([
      'timeout',
      'answer',
    ]);
  });
});
