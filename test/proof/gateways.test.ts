/** Lawful services behind gateways: none is accused of what the gateway does, and a run copes with it by waiting. */

import { describe, expect, test } from 'vitest';
import {
  bucket,
  delaying,
  failing,
  type Gateway,
  lockingOut,
  maintenance,
  narrow,
  outage,
  postponing,
  throttling,
  windowed,
} from '../../fixtures/gateways/gateways.ts';
import { sampled } from '../sampled.ts';
import { comesOutTheSameToo } from './again.ts';
import { judgeBehind } from './gateways.ts';

interface Telling {
  readonly name: string;
  readonly gateways: readonly Gateway[];
  /** Seconds of virtual time that the run may take. */
  readonly within: number;
  /** What it has in common with others, of which one in five is enough for `npm test`. */
  readonly kind?: string;
}

const NEAR = delaying(10, 30);

const TELLING: readonly Telling[] = [
  {
    name: 'eight requests a second in bursts of 40',
    gateways: [NEAR, bucket(8, 40, 'seconds')],
    within: 150,
    kind: 'bucket',
  },
  {
    name: 'three requests a second in bursts of 40, on a busy machine',
    gateways: [delaying(10, 300), bucket(3, 40, 'seconds'), delaying(10, 300)],
    within: 320,
    kind: 'bucket',
  },
  {
    name: 'eight requests a second, and no word of when',
    gateways: [NEAR, bucket(8, 40, 'none')],
    within: 180,
    kind: 'bucket',
  },
  { name: '300 requests a minute', gateways: [NEAR, windowed(300, 60_000, 'date')], within: 200, kind: 'bucket' },
  { name: 'one request at a time, 429 otherwise', gateways: [NEAR, narrow(1, 429)], within: 60 },
  { name: 'four connections, others reset', gateways: [NEAR, narrow(4, 'reset')], within: 60, kind: 'few connections' },
  {
    name: 'four connections and slow answers',
    gateways: [delaying(500, 2_000), narrow(4, 'reset')],
    within: 950,
    kind: 'few connections',
  },
  ...(['text/html', 'text/plain'] as const).flatMap((type) =>
    [500, 502, 503, 520].map((status) => ({
      name: `three seconds of ${status} as ${type}`,
      gateways: [NEAR, outage(200, 3_000, status, type)],
      within: 90,
      kind: 'outage',
    })),
  ),
  {
    name: 'one 500 in a hundred, as a page',
    gateways: [NEAR, failing(0.01, 500, 'text/html')],
    within: 60,
    kind: 'chance',
  },
  {
    name: 'one 520 in a hundred, in plain text',
    gateways: [NEAR, failing(0.01, 520, 'text/plain')],
    within: 60,
    kind: 'chance',
  },
  {
    name: 'one 503 in a hundred, as a page',
    gateways: [NEAR, failing(0.01, 503, 'text/html')],
    within: 90,
    kind: 'chance',
  },
  { name: 'one reset in a hundred', gateways: [NEAR, failing(0.01, 'reset', '')], within: 60, kind: 'chance' },
  ...[403, 409, 423, 429, 503].flatMap((status) =>
    (['seconds', 'date'] as const).map((form) => ({
      name: `every 40th request has to wait: ${status}, Retry-After in ${form}`,
      gateways: [NEAR, postponing(40, status, 3_000, form)],
      within: 250,
      kind: 'postponing',
    })),
  ),
  {
    name: 'half a minute of maintenance',
    gateways: [NEAR, maintenance(300, 30_000, 'seconds')],
    within: 90,
    kind: 'outage',
  },
  {
    name: 'thirty rejected credentials in ten seconds, 429 beyond',
    gateways: [NEAR, throttling(30, 10_000)],
    within: 110,
    kind: 'credentials',
  },
  {
    name: 'a lock-out of 20 seconds',
    gateways: [NEAR, lockingOut(20, 20_000, 401, 'none')],
    within: 700,
    kind: 'credentials',
  },
];

const SAMPLE = sampled(TELLING, 5, ({ name, kind = name }) => kind);

describe(`a lawful service is judged to the end (${SAMPLE.words})`, () => {
  test.each(SAMPLE.items)('behind $name', async ({ gateways, within }) => {
    const { record, results, seconds, accused, open, callsOpen } = await judgeBehind({ gateways });
    expect({ accused, open, end: results.endedEarly, callsOpen }).toEqual({
      accused: [],
      open: [],
      end: null,
      callsOpen: 0,
    });
    expect(seconds).toBeLessThan(within);
    const limited = record.exchanges.filter(({ response }) => response?.status === 429);
    expect(limited.length).toBeLessThan(60);
    await comesOutTheSameToo(record);
  });
});

test('an outage is reported once, however many operations it hit, and the results say how long the run waited', async () => {
  const { results } = await judgeBehind({ gateways: [NEAR, outage(200, 3_000, 500, 'text/html')] });
  expect(results.intermittent.map(({ symptom }) => symptom)).toEqual([
    expect.stringMatching(/^outage of \d s on \d+ operations$/),
  ]);
  expect(results.waited).toBeGreaterThan(0);
});

test('a number search that takes eleven seconds is slow, and does not hang', async () => {
  const search: Gateway =
    ({ wait }) =>
    (service) =>
    async (request) => {
      if (request.target.startsWith('/v1/numbers/available')) await wait(11_000);
      return service(request);
    };
  const { accused, open } = await judgeBehind({ gateways: [NEAR, search] });
  expect([accused, open]).toEqual([[], []]);
});

test('a router that answers create call with 404 in plain text is a finding, not an open question', async () => {
  const router: Gateway = () => (service) => (request) =>
    request.method === 'POST' && request.target === '/v1/calls/'
      ? Promise.resolve({ status: 404, headers: [['Content-Type', 'text/plain']], body: 'Not Found' })
      : service(request);
  const { accused } = await judgeBehind({ gateways: [NEAR, router] });
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
        isValid(request) && request.target.includes('/mute')
          ? { status: 401, headers: [['Content-Type', 'application/json']], body: UNAUTHORIZED }
          : service(request);
    const { record, seconds } = await judgeBehind({ gateways: [NEAR, conference] });
    expect(record.exchanges.filter(({ tag, response }) => tag.resend > 0 && response?.status === 401)).toEqual([]);
    expect(seconds).toBeLessThan(60);
  });
});

const UNAUTHORIZED = '{"success":false,"error":{"code":"unauthorized","message":"No rights."}}';
