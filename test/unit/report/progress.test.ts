import { describe, expect, test } from 'vitest';
import {
  advance,
  NO_PROGRESS,
  type Progress,
  pipeLine,
  progressLine,
  quietLine,
} from '../../../src/report/progress.ts';
import type { SuiteEvent } from '../../../src/run/suite-run.ts';
import { EXCHANGES } from './made-run.ts';

type Moment = readonly [event: SuiteEvent, at: number];

const SEQUENCES = Array.from({ length: 40 }, (_, at) => `call/valid ${at}`);
const PLAN: Moment = [{ kind: 'plan', cases: 257, sequences: SEQUENCES, longest: 30_000 }, 1_000];

function sent(at: number, sequence: string): Moment {
  const [exchange] = EXCHANGES;
  if (exchange === undefined) throw new Error('the made run is empty');
  return [{ kind: 'exchange', exchange: { ...exchange, tag: { ...exchange.tag, sequence } } }, at];
}

const reached = (...moments: readonly Moment[]): Progress =>
  moments.reduce((progress, [event, at]) => advance(progress, event, at), NO_PROGRESS);
const twenty = Array.from({ length: 20 }, (_, at) => sent(1_000 + (at + 1) * 100, `call/valid ${at}`));

describe('progress', () => {
  test('counts sequences once and requests each time', () => {
    const progress = reached(
      PLAN,
      sent(1_100, 'call/valid 0'),
      sent(1_200, 'call/valid 0'),
      sent(1_300, 'call/valid 1'),
    );
    expect(progressLine(progress, 2_000, 200)).toBe('2/40 sequences · 3 requests · call/valid 1');
    const planned = reached(PLAN);
    const begun = advance(planned, ...sent(1_100, 'call/valid 0'));
    expect([planned.begun, begun.begun]).toEqual([0, 1]);
  });

  test('estimates the time left after ten sequences', () => {
    expect(progressLine(reached(PLAN, ...twenty), 3_000, 200)).toContain(
      '20/40 sequences · 20 requests · about 2 s left',
    );
    expect(progressLine(reached(PLAN, ...twenty.slice(0, 9)), 3_000, 200)).not.toContain('left');
    expect(progressLine(reached(PLAN, ...twenty), 1_000, 200)).not.toContain('left');
    expect(progressLine(NO_PROGRESS, 90_000, 200)).not.toContain('no response');
    expect([NO_PROGRESS, reached(PLAN)].map((progress) => quietLine(progress, 90_000, 0) === null)).toEqual([
      true,
      false,
    ]);
  });

  test('names the cause, the time and the longest time of a wait until the next response', () => {
    const wait: Moment = [
      { kind: 'wait', reason: 'rate limit', milliseconds: 125_000, status: 429, most: 300_000 },
      4_000,
    ];
    const waiting = reached(PLAN, ...twenty, wait);
    expect(progressLine(waiting, 5_000, 200)).toContain(
      'waiting 2 min 4 s after status 429, a rate limit (at most 5 min 0 s)',
    );
    expect(progressLine(waiting, 130_000, 200)).toContain('waiting 0 s');
    expect(progressLine(waiting, 200_000, 200)).toContain('no response for 71 s (a request takes 30 s at most)');
    expect(progressLine(advance(waiting, ...sent(129_000, 'clean-up')), 130_000, 200)).not.toContain('waiting');
    // At this time, one second more and less again is a little more than a second.
    const odd = reached(PLAN, ...twenty, [
      { kind: 'wait', reason: 'rate limit', milliseconds: 1_000, status: 429 },
      27.4,
    ]);
    expect(progressLine(odd, 27.4, 200)).toContain('waiting 1 s after status 429');
  });

  test.each([
    ['rate limit', 200, 'for the reset of the rate limit'],
    ['hang-up', 202, 'for the call to end'],
    ['hang-up', 404, 'after status 404, a call that may still be connecting'],
    ['late reads', null, 'for the reads, which show a change late'],
    ['symptom', null, 'for the target to respond'],
    ['lock-out', 401, 'after status 401, a lock-out'],
    ['symptom', 401, 'after status 401, to see whether it stays'],
    ['symptom', 404, 'after status 404, to see whether it stays'],
  ] as const)('says what a wait is for: %s after %s', (reason, status, says) => {
    const waiting = reached(PLAN, [{ kind: 'wait', reason, milliseconds: 1_000, status }, 4_000]);
    expect(progressLine(waiting, 4_000, 200)).toContain(`waiting 1 s ${says}`);
  });

  test('leaves out whole parts where the screen is narrow, and cuts none', () => {
    const progress = reached(PLAN, ...twenty);
    expect(progressLine(progress, 3_000, 40)).toBe('20/40 sequences · 20 requests');
    expect(progressLine(progress, 3_000, 200)).toContain('call/valid 19');
  });
});

describe('progress in a pipe', () => {
  test('is a line for the plan, one for each wait and one for every fifty requests', () => {
    const moments: readonly Moment[] = [
      PLAN,
      ...Array.from({ length: 120 }, (_, at) => sent(1_000 + at, 'clean-up')),
      [{ kind: 'calls', open: ['call 1'] }, 1_999],
      [{ kind: 'wait', reason: 'unavailable', milliseconds: 1_000, status: 503 }, 2_000],
    ];
    let progress = NO_PROGRESS;
    const lines = moments.flatMap(([event, at]) => {
      progress = advance(progress, event, at);
      return pipeLine(progress, event, at) ?? [];
    });
    expect(lines.length).toBe(4);
    expect(lines[0]).toBe('257 cases in 40 sequences');
    expect(lines[1]).toMatch(/^0\/40 sequences · 50 requests/);
    expect(lines[3]).toMatch(/120 requests .* waiting 1 s after status 503/);
  });
});
