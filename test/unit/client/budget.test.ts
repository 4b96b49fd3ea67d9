/** The one budget of waiting: what a run may still wait for, and the minutes that clean-up has of its own. */

import { describe, expect, test } from 'vitest';
import { Budget } from '../../../src/client/budget.ts';
import { nextCheck } from '../../../src/client/presence.ts';
import type { SuiteRequest } from '../../../src/client/request.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const wait = (operation: string, isCleanUp: boolean) => (seconds: number) => ({
  ...{ reason: 'rate limit' as const, operation, isCleanUp, milliseconds: seconds * 1_000 },
});
const [request, restoring, hangUp] = [
  wait('updateTrunk', false),
  wait('updateTrunk', true),
  wait('hangUpCall', true),
] as const;
type Asked = ReturnType<typeof request>;

function budgetOf(isStopped = (): boolean => false) {
  const slept: string[] = [];
  const clock = {
    now: () => 0,
    sleep: async (milliseconds: number) => void slept.push(`sleep ${milliseconds}`),
    rest: async (milliseconds: number) => void slept.push(`rest ${milliseconds}`),
  };
  return {
    slept,
    budget: new Budget({ clock, maxWait: 10_000, callTimeout: 60_000, timeout: 10_000 }, isStopped),
  };
}

/** Whether each wait was to be had, one after the other, of a budget of 10 s. */
async function granted(asked: readonly Asked[], isStopped = false): Promise<readonly boolean[]> {
  const { budget } = budgetOf(() => isStopped);
  const answers: boolean[] = [];
  for (const one of asked) answers.push(await budget.wait(one));
  return answers;
}

test.each<readonly [string, readonly Asked[], readonly boolean[]]>([
  ['the budget is spent by all requests together', [request(10), request(1)], [true, false]],
  ['what was not to be had costs nothing', [request(11), request(10)], [false, true]],
  ['clean-up waits although nothing is left', [request(10), restoring(60)], [true, true]],
  ['clean-up has 65 seconds, and no more', [request(10), restoring(66)], [true, false]],
  ['restoring does not spend the time of hang-ups', [restoring(60), hangUp(60)], [true, true]],
  ['restoring spends its own time', [restoring(60), restoring(60)], [true, false]],
  ['what clean-up waited is spent for requests', [hangUp(9), request(2)], [true, false]],
  ['no time at all is always to be had', [request(10), request(0)], [true, true]],
])('%s', async (_, asked, answers) => {
  expect(await granted(asked)).toEqual(answers);
});

test('a stopped run waits for clean-up alone, and undisturbed', async () => {
  expect(await granted([request(1), restoring(1), hangUp(1)], true)).toEqual([false, true, true]);
  const { budget, slept } = budgetOf();
  for (const one of [request(1), restoring(1)]) await budget.wait(one);
  expect(slept).toEqual(['sleep 1000', 'rest 1000']);
});

test('an interruption in a wait ends it', async () => {
  let calls = 0;
  const { budget } = budgetOf(() => ++calls > 1);
  expect(await budget.wait(request(1))).toBe(false);
  expect(budget.now).toBe(0);
});

describe('the lines of a budget', () => {
  test('add up what was waited by reason and operation, the longest first, with what was not to be had', async () => {
    const { budget } = budgetOf();
    for (const one of [request(1), hangUp(6), request(2), request(9)]) await budget.wait(one);
    expect(budget.waited).toEqual([
      { reason: 'rate limit', operation: 'hangUpCall', times: 1, seconds: 6 },
      { reason: 'rate limit', operation: 'updateTrunk', times: 2, seconds: 3, short: 1 },
    ]);
  });

  test('count what a hang took, two at once for the time of both, but neither an answer nor a lost connection', () => {
    const { budget } = budgetOf();
    const hang = { ...exchangeOf({ status: null }, 0), took: 4_000 };
    const learn = (exchange: Exchange): void =>
      budget.learn({ operation: 'updateTrunk' } as SuiteRequest, exchange, 4_000);
    learn(hang);
    learn(hang);
    learn({ ...hang, failure: { kind: 'reset', detail: '' } });
    learn({ ...exchangeOf({}, 0), took: 8_000 });
    expect(budget.waited).toEqual([{ reason: 'silence', operation: 'updateTrunk', times: 2, seconds: 4 }]);
    expect([budget.now, budget.left({ isCleanUp: false, operation: null })]).toEqual([8_000, 6_000]);
  });
});

describe('a loop that sends again', () => {
  /** Statuses of what is sent, until the target answers `settled`, or there is no more. */
  async function sent(statuses: readonly number[], waits: number): Promise<readonly number[]> {
    const { budget } = budgetOf();
    let next = 0;
    return budget.untilSettled<number>({
      sent: [503],
      next: (all) => (all.at(-1) === 200 ? null : { reason: 'unavailable', wait: waits }),
      send: async () => statuses[next++] ?? null,
    });
  }

  test.each<readonly [string, readonly number[], number, readonly number[]]>([
    ['ends once it is settled', [503, 200, 503], 1_000, [503, 503, 200]],
    ['ends where the wait is not to be had', [503, 200], 6_000, [503, 503]],
    ['ends where no more can be sent', [503], 1_000, [503, 503]],
  ])('%s', async (_, statuses, waits, all) => {
    expect(await sent(statuses, waits)).toEqual(all);
  });

  test('reads for 65 seconds of an outage, and no more', async () => {
    const { budget } = budgetOf();
    let at = 0;
    const read = (status: number) => async () => {
      at += 21_000;
      return { ...exchangeOf({ status }, 0), at };
    };
    const checks = async (budget: Budget, send: () => Promise<ReturnType<typeof exchangeOf>>) =>
      (await budget.untilSettled({ sent: [], isCleanUp: true, next: nextCheck, send })).length;
    expect(await checks(budget, read(200))).toBe(1);
    expect(await checks(budget, read(500))).toBe(4);
    expect(await checks(budgetOf().budget, async () => exchangeOf({ status: 500 }, 0))).toBe(8);
  });
});
