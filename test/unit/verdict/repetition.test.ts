/** What is believed of symptoms that were not repeated often at one place: those of a moment, and those of a create call. */

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { BOUNDARY } from '../../../src/verdict/record.ts';
import { confirmedSymptoms, isTroubleOfService, MOST_REPETITIONS } from '../../../src/verdict/repetition.ts';
import { bodyOf, exchangeOf, type Said } from '../rules/exchanges.ts';

const PAGE = { ...bodyOf({}), json: 'invalid', text: '<h1>Error</h1>' } as const;
const SYMPTOM = 'updateTrunk: error that is not JSON';

/** Two updates at once in each of six attempts; `failing` says which of the two fails in an attempt, and `said` how. */
function moments(failing: (attempt: number) => number, said: Said = { status: 500, body: PAGE }): readonly Exchange[] {
  return Array.from({ length: MOST_REPETITIONS + 1 }, (_, attempt) => attempt).flatMap((attempt) =>
    [0, 1].map((at) => {
      const asks = [{ id: BOUNDARY, variation: '2 at once' }];
      const tag = { sequence: 'updateTrunk/two at once', attempt, asks, about: `update ${at}` };
      return exchangeOf({ ...(failing(attempt) === at ? said : {}), tag }, 2 * attempt + at);
    }),
  );
}

/** A read that failed once, in the way that is given. */
const stray = (said: Said): readonly Exchange[] =>
  [0, 1].map((attempt) => {
    const tag = { operation: 'getTrunk', sequence: 'getTrunk/read', attempt };
    return exchangeOf({ ...(attempt === 0 ? said : {}), tag }, 100 + attempt);
  });

const alternately = (attempt: number): number => attempt % 2;

describe('two updates at once, one of them failing', () => {
  test('confirm a page that one of them gets each time', () => {
    expect([...confirmedSymptoms([moments(alternately)], new Set())]).toEqual([SYMPTOM]);
  });

  test('confirm nothing where one moment passed', () => {
    expect([...confirmedSymptoms([moments((attempt) => (attempt === 3 ? -1 : attempt % 2))], new Set())]).toEqual([]);
  });

  test('confirm nothing where another page of the service went away', () => {
    expect([...confirmedSymptoms([moments(alternately), stray({ status: 500, body: PAGE })], new Set())]).toEqual([]);
  });

  test('confirm it where only a connection was lost elsewhere', () => {
    expect([...confirmedSymptoms([moments(alternately), stray({ status: null })], new Set())]).toEqual([SYMPTOM]);
  });

  test.each([null, 502, 503, 504])('confirm nothing where they get %s, as a gateway may answer', (status) => {
    expect([...confirmedSymptoms([moments(alternately, { status, body: PAGE })], new Set())]).toEqual([]);
  });
});

/** A create call that was sent twice, and answered like this each time. */
const calls = (said: Said): readonly Exchange[] =>
  [0, 1].map((attempt) =>
    exchangeOf({ ...said, tag: { operation: 'createCall', sequence: 'createCall/null', attempt } }, 200 + attempt),
  );
// Calls of other sequences, so that the two are not all calls of the run.
const others = [0, 1].map((at) => [exchangeOf({ tag: { operation: 'createCall', sequence: `call ${at}` } }, 300 + at)]);

describe('a create call that may be sent only twice', () => {
  const page = { status: 500, body: PAGE };
  test.each([
    ['a page each time', page, null, ['createCall: error that is not JSON']],
    [
      'a page each time, where a response was lost elsewhere',
      page,
      { status: null },
      ['createCall: error that is not JSON'],
    ],
    ['502 each time, where a response was lost elsewhere', { status: 502 }, { status: null }, []],
    ['a page each time, where a 502 went away elsewhere', page, { status: 502 }, []],
    ['a page each time, where another page went away', page, page, []],
    ['no response each time', { status: null }, null, ['createCall: timeout']],
    ['no response each time, where another response was lost', { status: null }, { status: null }, []],
  ] as const)('and gets %s', (_, said, elsewhere, confirmed) => {
    const more = elsewhere === null ? [] : [stray(elsewhere)];
    expect([...confirmedSymptoms([calls(said), ...others, ...more], new Set())]).toEqual(confirmed);
  });
});

test('create calls with a value in common that came during an outage confirm nothing', () => {
  const both = calls({ status: 503, body: PAGE });
  expect([...confirmedSymptoms([both, ...others], new Set())]).toEqual(['createCall: error that is not JSON']);
  expect([...confirmedSymptoms([both, ...others], new Set(both))]).toEqual([]);
});

test.each([
  [500, true],
  [404, true],
  [null, false],
  [502, false],
  [503, false],
  [504, false],
])('a page with status %s is repeated at the same moment: %s', (status, isRepeated) => {
  const attempt = moments(() => 0, { status, body: PAGE }).slice(0, 2);
  expect(isTroubleOfService(attempt)).toBe(isRepeated);
});

test('an attempt without a symptom has nothing to repeat', () => {
  expect(isTroubleOfService(moments(() => -1).slice(0, 2))).toBe(false);
});
