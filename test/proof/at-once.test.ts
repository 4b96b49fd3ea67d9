/** What only two requests at the same moment show is asked, also in a certification, and named where it is not. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { delaying, narrow } from '../../fixtures/gateways/gateways.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { allAnswered, plannedQuestions } from '../planned.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';
import { expectNamed } from './broken-by.ts';
import { judgeBehind } from './gateways.ts';

const OF_TWO: readonly string[] = ['answers-race', 'crash-under-concurrency', 'mutes-race', 'updates-coalesced'];
const OF_MORE: readonly string[] = ['pool-of-two-connections', 'pool-of-three-connections'];

async function judged(changes: Partial<RunOptions>, name?: string) {
  const { service, settings } = createReference();
  const fault = FAULTS.find((one) => one.name === name);
  const options = optionsFrom(settings, changes);
  const run = await judge(fault?.inject(service, settings) ?? service, options, skippingClock());
  return { ...run, options, fault };
}

const TWO_HERE = sampled(OF_TWO, 4);

test.each(TWO_HERE.items)(`%s shows with --concurrency 2 (${TWO_HERE.words})`, async (name) => {
  const { results, fault } = await judged({ concurrency: 2 }, name);
  expectNamed(results, fault);
});

const CERTIFIED_HERE = sampled([...OF_TWO, ...OF_MORE], 4);

test.each(CERTIFIED_HERE.items)(
  `%s shows where one lane follows the other, as in a certification (${CERTIFIED_HERE.words})`,
  async (name) => {
    const { results, fault } = await judged({ drawnOrder: 'a draw' }, name);
    expectNamed(results, fault);
  },
);

test.each([{ concurrency: 1 }, { rate: 20 }])(
  'with %o these questions are not asked, and the verdict says so',
  async (changes) => {
    const { record, results, options } = await judged(changes);
    const { lacking } = plannedQuestions(options);
    expect(lacking).toBeGreaterThan(40);
    const summary = `${allAnswered(options)}; ${lacking} need --concurrency 2 without --rate`;
    expect([results.verdict, results.summary]).toEqual(['conformant', summary]);
    await comesOutTheSameToo(record);
  },
);

test('with --concurrency 1 and --require-complete the run is incomplete, and names the remedy', async () => {
  const { results } = await judged({ concurrency: 1, requireComplete: true });
  expect([results.verdict, results.summary]).toEqual([
    'incomplete',
    expect.stringContaining('to resolve: set --concurrency to 2 or more, without --rate'),
  ]);
});

test('a request that the target defers was not served at the same moment, so its question stays open', async () => {
  const { results } = await judgeBehind({ gateways: [delaying(5, 25), narrow(1, 429)] });
  const { planned, answered } = results.questions;
  const { all } = plannedQuestions(optionsFrom(createReference().settings));
  expect([results.verdict, planned]).toEqual(['conformant', all]);
  expect(planned - answered).toBeGreaterThan(40);
});

const BEYOND_FOUR = sampled([502, 504] as const, 2);

test.each(BEYOND_FOUR.items)(
  'a gateway that answers %i beyond four requests at once leads to no finding, and the remedy helps',
  async (status) => {
    const gateways = [delaying(5, 25), narrow(4, status)];
    const { results } = await judgeBehind({ gateways });
    expect([brokenIn(results), results.verdict]).toEqual([[], 'incomplete']);
    expect(results.summary).toMatch(/to resolve: .*with --concurrency 1/);
    const helped = await judgeBehind({ gateways, changes: { concurrency: 1 } });
    expect([brokenIn(helped.results), helped.results.verdict]).toEqual([[], 'conformant']);
  },
);
