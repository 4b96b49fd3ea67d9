import { describe, expect, test } from 'vitest';
import { type JournalEntry, readJournal, targetIn } from '../../../src/run/journal.ts';
import { leftOver } from '../../../src/run/left-behind.ts';

const START = { kind: 'start', target: 'https://staging.invalid', seed: 1 } as unknown as JournalEntry;
const create = (seq: number) => ({ kind: 'create', seq }) as const;
const call = (open: boolean, ...ids: readonly string[]) => ({ kind: 'call', ids, open }) as const;

/** The exchange of a create call, as far as the reading looks at it. */
function created(seq: number, answer: object): JournalEntry {
  const tag = { operation: 'createCall', step: 'control' };
  const request = { credential: 'other-organization', body: { length: 40 }, path: '/v1/calls/' };
  return { kind: 'exchange', exchange: { seq, tag, request, response: null, failure: null, ...answer } } as never;
}

const of = (...entries: readonly JournalEntry[]) => leftOver([START, ...entries]);

describe('what a journal shows to be left', () => {
  test('is a call that was placed and not ended, with the credential that placed it', () => {
    const left = of(create(3), created(3, { response: { status: 201 } }), call(true, 'a', 'b'));
    expect(left.open).toMatchObject([{ seq: 3, ids: ['a', 'b'], credential: 'other-organization' }]);
    expect(targetIn([START])).toBe('https://staging.invalid');
  });

  test('is a call that only its answer shows, whatever its status, since the run was killed right after it', () => {
    const start = { ...START, startedAt: 1_000 } as JournalEntry;
    const answer = { at: 20, took: 3, response: { status: 303, learned: { create: 'placed', callIds: ['a'] } } };
    expect(leftOver([start, create(3), created(3, answer)])).toMatchObject({
      open: [{ seq: 3, ids: ['a'], createdAt: 1_023 }],
      possiblyOpen: [],
    });
  });

  test('is no call that was ended while the outcome of a later one is unknown', () => {
    const left = of(create(3), call(true, 'a'), create(9), call(false, 'a'));
    expect(left).toMatchObject({ open: [], possiblyOpen: [expect.stringMatching(/^request 9 /)] });
  });

  test('is nothing once the call ended', () => {
    expect(of(create(3), call(true, 'a'), call(false, 'a'))).toMatchObject({ open: [], possiblyOpen: [] });
  });

  test('is no call that clean hung up although the run was killed before it noted the call', () => {
    const placed = created(3, { response: { status: 201, learned: { create: 'placed', callIds: ['a'] } } });
    expect(of(create(3), placed, call(false, 'a'))).toMatchObject({ open: [], possiblyOpen: [] });
  });

  test('is also the earlier call if it could not be hung up', () => {
    expect(of(create(3), call(true, 'a'), create(9), call(true, 'b'), call(false, 'b')).open).toMatchObject([
      { seq: 3, ids: ['a'] },
    ]);
  });

  test.each([
    ['no line after the announcement', [create(3)]],
    ['no complete response', [create(3), created(3, { failure: { kind: 'timeout', detail: '' } }), call(false)]],
    ['a 500', [create(3), created(3, { response: { status: 500 } }), call(false)]],
    [
      'a 400 that is no clean rejection',
      [create(3), created(3, { response: { status: 400, learned: { create: 'unclear' } } })],
    ],
    [
      'a 503 and no later call',
      [create(3), created(3, { response: { status: 503, learned: { create: 'rejected' } } })],
    ],
    ['a 201 without an id', [create(3), created(3, { response: { status: 201 } }), call(false)]],
  ])('may be a call where there is %s', (_, entries) => {
    expect(of(...entries).possiblyOpen).toEqual([expect.stringMatching(/^request 3 \(create call\)/)]);
  });

  test.each([
    ['rejected', { response: { status: 400, learned: { create: 'rejected' } } }],
    ['never sent', { failure: { kind: 'refused', detail: '' } }],
  ])('does not include a call that was %s', (_, answer) => {
    expect(of(create(3), created(3, answer), call(false))).toMatchObject({ open: [], possiblyOpen: [] });
  });

  test('is read from a journal whose last line a crash cut short', () => {
    const text = `${JSON.stringify(START)}\n${JSON.stringify(create(3))}\n{"kind":"ca`;
    expect(readJournal(text)).toEqual({ entries: [START, create(3)], odd: 0 });
  });
});
