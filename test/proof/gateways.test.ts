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
  windowed,
} from '../../fixtures/gateways/gateways.ts';
import { rerun } from '../../src/run/rerun.ts';
import { evaluate, SUITE } from '../../suites/index.ts';
import { judgeBehind } from './gateways.ts';

interface Telling {
  readonly name: string;
  readonly gateways: readonly Gateway[];
  /** Seconds of virtual time that the run may take. */
  readonly within: number;
}

const NEAR = delaying(10, 30);

const TELLING: readonly Telling[] = [
  { name: 'eight requests a second in bursts of 40', gateways: [NEAR, bucket(8, 40, 'seconds')], within: 150 },
  {
    name: 'three requests a second in bursts of 40, on a busy machine',
    gateways: [delaying(10, 300), bucket(3, 40, 'seconds'), delaying(10, 300)],
    within: 320,
  },
  { name: 'eight requests a second, and no word of when', gateways: [NEAR, bucket(8, 40, 'none')], within: 180 },
  { name: '300 requests a minute', gateways: [NEAR, windowed(300, 60_000, 'date')], within: 200 },
  { name: 'one request at a time, 429 otherwise', gateways: [NEAR, narrow(1, 429)], within: 60 },
  { name: 'four connections, others reset', gateways: [NEAR, narrow(4, 'reset')], within: 60 },
  { name: 'four connections and slow answers', gateways: [delaying(500, 2_000), narrow(4, 'reset')], within: 900 },
  ...(['text/html', 'text/plain'] as const).flatMap((type) =>
    [500, 502, 503, 520].map((status) => ({
      name: `three seconds of ${status} as ${type}`,
      gateways: [NEAR, outage(200, 3_000, status, type)],
      within: 90,
    })),
  ),
  { name: 'one 500 in a hundred, as a page', gateways: [NEAR, failing(0.01, 500, 'text/html')], within: 60 },
  { name: 'one 520 in a hundred, in plain text', gateways: [NEAR, failing(0.01, 520, 'text/plain')], within: 60 },
  { name: 'one 503 in a hundred, as a page', gateways: [NEAR, failing(0.01, 503, 'text/html')], within: 90 },
  { name: 'one reset in a hundred', gateways: [NEAR, failing(0.01, 'reset', '')], within: 60 },
  ...[403, 409, 423, 429, 503].flatMap((status) =>
    (['seconds', 'date'] as const).map((form) => ({
      name: `every 40th request has to wait: ${status}, Retry-After in ${form}`,
      gateways: [NEAR, postponing(40, status, 3_000, form)],
      within: 250,
    })),
  ),
  { name: 'half a minute of maintenance', gateways: [NEAR, maintenance(300, 30_000, 'seconds')], within: 90 },
  { name: 'a lock-out of 20 seconds', gateways: [NEAR, lockingOut(20, 20_000, 401, 'none')], within: 700 },
];

describe('a lawful service is judged to the end', () => {
  test.each(TELLING)('behind $name', async ({ gateways, within }) => {
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
    const again = await rerun(JSON.parse(JSON.stringify(record)), SUITE);
    expect(JSON.stringify(evaluate(again))).toBe(JSON.stringify(evaluate(record)));
  });
});
