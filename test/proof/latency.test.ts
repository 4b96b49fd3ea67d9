/** How long a full run takes at 40 ms a request, in virtual time: the machine's own speed does not count. */

import { afterEach, expect, test, vi } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { dialsNothing } from '../../src/client/safety/dial-guard.ts';
import { judge, optionsFrom, transportTo } from '../selftest/harness.ts';

const DELAY = 40;
/** Decision 80 says what these milliseconds consist of. */
const LONGEST = 11_900;

afterEach(() => {
  vi.useRealTimers();
});

test('a full run at 40 ms a request takes little more than its calls and its exploration, one after the other', async () => {
  const { service, settings } = createReference();
  const direct = transportTo(service);
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  const clock = { now: Date.now, sleep, rest: sleep };
  let [ringing, most, end] = [0, 0, 0];
  const judging = judge(service, optionsFrom(settings, { explore: 60 }), clock, async (request) => {
    const isCreate = request.method === 'POST' && request.path.endsWith('/v1/calls/');
    const mayRing = isCreate && request.body !== null && !dialsNothing(request.body);
    if (mayRing) most = Math.max(most, ++ringing);
    await sleep(DELAY);
    if (mayRing) ringing -= 1;
    end = Date.now();
    return direct(request);
  });
  await vi.advanceTimersByTimeAsync(60_000);
  const { results } = await judging;
  expect([results.verdict, most]).toEqual(['conformant', 1]);
  expect(end).toBeLessThan(LONGEST);
});
