/** Lawful services behind gateways: none is accused of what the gateway does, and a run copes with it by waiting. */

import { describe, expect, test } from 'vitest';
import { delaying, failing, type Gateway, lockingOut, outage } from '../../fixtures/gateways/gateways.ts';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { narrowed } from '../sampled.ts';
import { judgeBehind } from './gateways.ts';

const NEAR = delaying(10, 30);
/** As many requests as the gateway needs to show. */
const CREDENTIALS = narrowed('AUTH-SECRET', 'AUTH-SCHEME', 'SUCCESS-STATUS');

test('an outage is reported once, however many operations it hit, and the results say how long the run waited', async () => {
  const { results } = await judgeBehind({ gateways: [NEAR, outage(200, 3_000, 500, 'text/html')] });
  expect(results.intermittent.map(({ symptom }) => symptom)).toEqual([
    expect.stringMatching(/^outage of \d s on \d+ operations$/),
  ]);
  expect(results.waits).toContainEqual(expect.objectContaining({ reason: 'outage', seconds: expect.any(Number) }));
});

test('lost answers are listed as flaky, and fail the run under --strict alone', async () => {
  for (const strict of [false, true]) {
    const { results } = await judgeBehind({
      gateways: [failing(0.03, 'reset', '')],
      changes: { ...CREDENTIALS, strict },
    });
    expect(results.intermittent.length).toBeGreaterThan(0);
    expect(results.verdict === 'non-conformant').toBe(strict);
  }
});

test('a number search that takes eleven seconds is slow, and does not hang', async () => {
  const search: Gateway =
    ({ wait }) =>
    (service) =>
    async (request) => {
      if (request.target.startsWith('/v1/numbers/available')) await wait(11_000);
      return service(request);
    };
  const { accused, open } = await judgeBehind({ gateways: [NEAR, search], changes: CREDENTIALS });
  expect([accused, open]).toEqual([[], []]);
});

test('a router that answers create call with 404 in plain text is a finding, not an open question', async () => {
  const router: Gateway = () => (service) => (request) =>
    request.method === 'POST' && request.target === '/v1/calls/'
      ? Promise.resolve({ status: 404, headers: [['Content-Type', 'text/plain']], body: 'Not Found' })
      : service(request);
  const { accused } = await judgeBehind({
    gateways: [NEAR, router],
    changes: narrowed('JSON-SYNTAX/createCall', 'CALL-CREATE-STATUS'),
  });
  expect(accused.map((one) => one.split(':')[0])).toContain('JSON-SYNTAX/createCall');
});

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
  expect(accused[0]).toContain('markup (Server: nginx/1.22.1; a lower --rate avoids it, or a JSON error page there)');
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

  test('is no 401 that the same request got before any invalid credential', async () => {
    const conference: Gateway =
      ({ isValid }) =>
      (service) =>
      async (request) =>
        isValid(request) && request.target.includes('/mute') ? json(401, ENVELOPE) : service(request);
    const { record, seconds } = await judgeBehind({ gateways: [NEAR, conference], changes: CREDENTIALS });
    expect(record.exchanges.filter(({ tag, response }) => tag.resend > 0 && response?.status === 401)).toEqual([]);
    expect(seconds).toBeLessThan(60);
  });
});
