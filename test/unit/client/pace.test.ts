/** The pace of a run: what the user allows, and what the target's rate limit taught. */

import { describe, expect, test } from 'vitest';
import { Pace } from '../../../src/client/rate.ts';
import { PACE } from '../../../src/contract/limits.ts';
import { exchangeOf, type Said } from '../rules/exchanges.ts';

/** A pace at a moment that the test moves on. */
function paced(rate = 0, credentialPause = 0) {
  let now = 1_000;
  const clock = { now: () => now, sleep: async () => undefined, rest: async () => undefined };
  const pace = new Pace({ rate, clock, credentialPause });
  /** Sends requests that far apart, and takes their answers. */
  const send = (answers: readonly Said[], apart: number, isAlone = true): void => {
    for (const said of answers) {
      now += apart;
      pace.learn(exchangeOf(said, 0), isAlone);
    }
  };
  /** Milliseconds between two requests, if each leaves as soon as it may. */
  const gap = (): number => {
    now += pace.turn(1, 0);
    return Math.round(pace.turn(1, 0));
  };
  return { pace, send, gap };
}

const LIMITED: Said = { status: 429 };
const answers = (count: number, said: Said = {}): readonly Said[] => Array(count).fill(said);

test('a rate spaces requests out, and those of a moment take as much time as one after the other', () => {
  const { pace, gap } = paced(10);
  expect([gap(), pace.turn(3, 0)]).toEqual([100, 400]);
  expect(paced(0).gap()).toBe(0);
});

test('invalid credentials leave a pause apart, and valid ones do not wait for it', () => {
  const { pace } = paced(0, 500);
  expect([pace.turn(1, 1), pace.turn(1, 1), pace.turn(1, 0), pace.turn(3, 2)]).toEqual([0, 500, 0, 1_500]);
});

describe('a second 429', () => {
  /** The gap after these answers came between two 429 of a target that took a request each 50 ms. */
  const learned = (between: readonly Said[], second: Said = LIMITED, isAlone = true): number => {
    const { send, gap } = paced();
    send([LIMITED, ...between], 50);
    send([second], 0, isAlone);
    return gap();
  };

  test.each<readonly [string, readonly Said[], Said, boolean, number]>([
    ['teaches the pace at which the target accepted requests', answers(4), LIMITED, true, 50],
    ['teaches nothing where nothing was accepted in between', [], LIMITED, true, 0],
    ['teaches nothing if it is of a request beside others', answers(4), LIMITED, false, 0],
    ['teaches nothing if its request was sent again', answers(4), { ...LIMITED, tag: { resend: 1 } }, true, 0],
    [
      'teaches nothing if its credential is invalid',
      answers(4),
      { ...LIMITED, request: { credential: 'none' } },
      true,
      0,
    ],
    ['does not count a request without a response', answers(4, { status: null }), LIMITED, true, 0],
  ])('%s', (_, between, second, isAlone, gap) => {
    expect(learned(between, second, isAlone)).toBe(gap);
  });

  test('slows a run down to the longest gap at most', () => {
    const { send, gap } = paced();
    send([LIMITED], 50);
    send([{}, LIMITED], 1_000_000);
    expect(gap()).toBe(PACE.longestGap);
  });
});

test('a pace that prevents no 429 is given up', () => {
  const { send, gap } = paced();
  const gaps = Array.from({ length: 4 }, () => {
    send([...answers(19), LIMITED], 50);
    return gap();
  });
  expect(gaps).toEqual([0, expect.any(Number), gaps[1], 0]);
  expect(gaps[1]).toBeGreaterThan(49);
});

test('a pace is kept that lets more and more through before a 429', () => {
  const { send, gap } = paced();
  for (const count of [PACE.calm, ...Array(6).fill(PACE.calm + 1)]) send([...answers(count), LIMITED], 50);
  expect(gap()).toBeGreaterThan(0);
});

test('what was learned is eased while answers come, but not beyond the rate of the user', () => {
  const eased = (rate: number, count: number): number => {
    const { send, gap } = paced(rate);
    send([LIMITED, ...answers(4), LIMITED], 500);
    send(answers(count), 0);
    return gap();
  };
  expect(eased(0, PACE.calm - 1)).toBe(eased(0, 0));
  expect(eased(0, PACE.calm)).toBe(Math.round(eased(0, 0) * 0.8));
  expect([eased(4, PACE.calm * 20), eased(0, PACE.calm * 25)]).toEqual([250, 0]);
});
