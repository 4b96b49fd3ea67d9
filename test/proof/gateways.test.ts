/** Lawful services behind gateways: none is accused of what the gateway does, and a run copes with it by waiting. */

import { describe, expect, test } from 'vitest';
import { delaying, type Gateway, lockingOut, outage } from '../../fixtures/gateways/gateways.ts';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { narrowed } from '../sampled.ts';
import { judgeBehind } from './gateways.ts';

const NEAR = delaying(10, 30);
/** As many requests as the gateway needs to show. */
const CREDENTIALS = narrowed('AUTH-SECRET', 'AUTH-SCHEME', 'SUCCESS-STATUS');

test('pages of a rate limiter are findings that name the gateway, and say what avoids them', async () => {
  const limiting: Gateway = () => (service) => {
    let count = 0;
    return async (request) => {
      count += 1;
      if (count % 20 !== 0) return service(request);
      return { status: 429, headers: [['Server', 'nginx/1.22.1 (Debian)']], body: '<html>Too Many Requests</html>' };
    };
  };
  const { accused } = await judgeBehind({ gateways: [NEAR, limiting] });
  expect(accused[0]).toContain(
    'markup (Server: nginx/1.22.1; a lower --rate, or an error page in JSON at that server avoids it)',
  );
});

test('a lock-out that sends pages, and an ingress without a backend, are not accused', async () => {
  for (const gateway of [lockingOut(10, 2_000, 401, 'none', true), outage(200, 3_000, 404, 'text/plain')]) {
    const { accused, open } = await judgeBehind({ gateways: [NEAR, gateway] });
    expect([accused, open]).toEqual([[], []]);
  }
});

describe('a lock-out', () => {
  test('that ends in a 403 for good costs little more than a minute', async () => {
    const { seconds, results } = await judgeBehind({
      gateways: [NEAR, lockingOut(30, Number.POSITIVE_INFINITY, 403, 'none')],
    });
    expect(seconds).toBeLessThan(120);
    expect([results.verdict, results.endedEarly]).toEqual(['incomplete', expect.stringContaining('locked out')]);
  });

  test('is no 401 of one operation alone: it is asked once more, behind a read', async () => {
    const conference: Gateway =
      ({ isValid }) =>
      (service) =>
      async (request) =>
        isValid(request) && request.target.includes('/mute') ? json(401, ENVELOPE) : service(request);
    const { record, seconds } = await judgeBehind({ gateways: [NEAR, conference], changes: CREDENTIALS });
    expect(record.exchanges.filter(({ tag, response }) => tag.resend > 0 && response?.status === 401)).toHaveLength(1);
    expect(seconds).toBeLessThan(60);
  });
});
