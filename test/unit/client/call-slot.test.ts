/** How many calls are left for a sequence, and one call at a time where that is asked for. */

import { describe, expect, test } from 'vitest';
import { Turns } from '../../../src/client/clock.ts';
import type { Skipped } from '../../../src/client/request.ts';
import { CallLedger } from '../../../src/client/safety/call-ledger.ts';

const UNCLEAR = { kind: 'unclear', status: 201, detail: 'status 201 and no call id', ids: [] } as const;

/** A ledger after so many calls that were placed and hung up. */
function spent(calls: number, max: number): CallLedger {
  const ledger = new CallLedger(max);
  for (let seq = 1; seq <= calls; seq += 1) {
    const request = { seq, credential: 'valid', createdAt: 0 } as const;
    ledger.settle({ kind: 'placed', ids: [`id-${seq}`] }, request);
    ledger.close(request);
  }
  return ledger;
}

/** Why no further call may be placed, or `null`. */
function refusal(demand: () => void): Skipped | null {
  try {
    demand();
    return null;
  } catch (error) {
    return error as Skipped;
  }
}

describe('calls that are left', () => {
  test('are those of the limit without what was placed or is unknown, and never less than none', () => {
    const ledger = spent(3, 5);
    expect(ledger.left).toBe(2);
    ledger.settle(UNCLEAR, { seq: 9, credential: 'valid', createdAt: 0 });
    expect(ledger.left).toBe(1);
    expect(spent(3, 2).left).toBe(0);
  });

  test('are none where calls have to end', () => {
    const ledger = new CallLedger(5);
    for (const seq of [1, 2]) ledger.settle(UNCLEAR, { seq, credential: 'valid', createdAt: 0 });
    expect(ledger.left).toBe(0);
    expect(refusal(() => ledger.demand())).toMatchObject({
      skip: { why: 'calls', remedy: ledger.refusal?.remedy },
    });
  });
});

describe('a sequence', () => {
  test('gets a call as long as more are left than later ones place', () => {
    const ledger = spent(3, 5);
    expect(refusal(() => ledger.demand())).toBe(null);
    expect(refusal(() => ledger.demand(1))).toBe(null);
    expect(refusal(() => ledger.demand(2))).toMatchObject({
      message: 'the last calls are kept for later requests',
      skip: { why: 'calls', remedy: 'raise --max-calls to 10' },
    });
    expect(refusal(() => spent(5, 5).demand())?.message).toBe('the limit of --max-calls (5) is reached');
  });

  test('may risk one of the later calls for a request that should be rejected, until the target accepted one', () => {
    const ledger = spent(3, 5);
    expect(refusal(() => ledger.demand(2, false))).toBe(null);
    expect(refusal(() => ledger.demand(2, true))).not.toBe(null);
    expect(refusal(() => ledger.demand(3, false))).not.toBe(null);
    ledger.countUnplanned(3);
    expect(ledger.unplanned).toBe(1);
    expect(refusal(() => ledger.demand(2, false))).not.toBe(null);
  });

  test('gets none of a spent limit for a request that should be rejected', () => {
    expect(refusal(() => spent(5, 5).demand(0, false))).not.toBe(null);
  });
});

describe('work', () => {
  test('comes in its turn', async () => {
    const passed: string[] = [];
    const turns = new Turns();
    const work = (name: string) => async (): Promise<string> => {
      passed.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      passed.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([turns.exclusive(work('a')), turns.exclusive(work('b'))])).toEqual(['a', 'b']);
    expect(passed).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('that fails stops no other', async () => {
    const turns = new Turns();
    const fails = turns.exclusive(() => Promise.reject(new Error('made')));
    const next = turns.exclusive(async () => 'goes on');
    await expect(fails).rejects.toThrow('made');
    expect(await next).toBe('goes on');
  });
});
