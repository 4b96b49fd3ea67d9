/** Over sockets: gateways that accept only a few connections are not the service's fault. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import { undiciTransport } from '../../src/client/transport.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf, isBroken, isMust } from '../selftest/judged.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Passes connections on to a port, at most so many at once; others it closes. */
async function passingOn(port: number, most: number) {
  const sockets = new Set<Socket>();
  let [open, highest] = [0, 0];
  const server = createServer({ allowHalfOpen: true }, (from) => {
    open += 1;
    highest = Math.max(highest, open);
    if (open > most) {
      open -= 1;
      from.resetAndDestroy();
      return;
    }
    let isOpen = true;
    const over = (): void => {
      if (isOpen) open -= 1;
      isOpen = false;
    };
    const to = connect(port, '127.0.0.1');
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => from.destroy() && to.destroy());
    }
    // A caller that has closed holds no connection any more.
    from.on('end', over).on('close', over);
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, highest: () => highest };
}

/** A run of the reference service behind such a gateway. */
async function judgedBehind(most: number) {
  const clock = skippingClock();
  const { service, settings } = createReference({ now: clock.now, wait: clock.sleep });
  const { url, close } = await listen(service);
  closing.push(close);
  const { origin, highest } = await passingOn(Number(new URL(url).port), most);
  const open = undiciTransport({ origin });
  closing.push(open.close);
  const options = { ...optionsFrom(settings), baseUrl: origin };
  const { results } = await judge(service, options, clock, open.transport);
  const cases = casesOf(results);
  return {
    highest: highest(),
    verdict: results.verdict,
    accused: cases.filter(isBroken).map(({ id, reason }) => `${id}: ${reason}`),
    left: cases
      .filter((one) => isMust(one) && one.verdict === 'inconclusive')
      .map(({ id, reason }) => `${id}: ${reason}`),
  };
}

test('a run holds eight connections at most, and one alone but for what it sends together', async () => {
  const { highest, accused, left } = await judgedBehind(Number.POSITIVE_INFINITY);
  expect(highest).toBe(8);
  expect({ accused, left }).toEqual({ accused: [], left: [] });
});

const NARROW = sampled([1, 4, 10], 3);

test.each(NARROW.items)(
  `behind a gateway that takes %i connections and resets others a run accuses nobody (${NARROW.words})`,
  async (most) => {
    const { accused, left, verdict } = await judgedBehind(most);
    expect({ accused, left, verdict }).toEqual({ accused: [], left: [], verdict: 'conformant' });
  },
);
