/** The ledger of calls, and what follows from it: no call is placed while another may be open. */

import { describe, expect, test } from 'vitest';
import type { HangUpAnswer } from '../../../src/client/safety/call-end.ts';
import { type Call, CallLedger, callOf } from '../../../src/client/safety/call-ledger.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';

const PLACED = { kind: 'placed', ids: ['a'] } as const;
const UNCLEAR = { kind: 'unclear', status: 201, detail: 'status 201 and no call id', ids: [] } as const;
const request = (seq: number) => ({ seq, credential: 'valid', createdAt: 0 }) as const;

function entryOf(ledger: CallLedger, seq: number): Call {
  const call = ledger.of({ seq });
  if (call === undefined) throw new Error(`no call of request ${seq}`);
  return call;
}

function tried(ledger: CallLedger, seq: number, answer: HangUpAnswer): void {
  ledger.tried(entryOf(ledger, seq), { at: 0, phase: 'run', answers: [answer] });
}

const DIALS = { text: '{"from":"+1500","to":"+1600"}' };

/** A create call as it is recorded. */
function created(seq: number, status: number | null, more: { resend?: number; create?: string; body?: object | null }) {
  const { resend = 0, create = 'rejected', body = DIALS } = more;
  const response = status === null ? null : { status, body: null, learned: { create } };
  const failure = status === null ? { kind: 'timeout', detail: 'no response came in time' } : null;
  const tag = { operation: 'createCall', resend };
  return { seq, tag, at: 0, took: 0, request: { credential: 'valid', body }, response, failure } as unknown as Exchange;
}

test('a call that was hung up makes room for the next', () => {
  const ledger = new CallLedger(12);
  ledger.settle(PLACED, request(1));
  expect(ledger.open).toMatchObject([{ seq: 1, stage: 'open', ids: ['a'] }]);
  ledger.close(request(1));
  expect(() => ledger.demand()).not.toThrow();
  expect([ledger.left, ledger.open, ledger.possiblyOpen]).toEqual([11, [], []]);
});

test('a call that could not be hung up is the last, and is named', () => {
  const ledger = new CallLedger(12);
  ledger.settle(PLACED, request(1));
  ledger.lose(entryOf(ledger, 1), 'status 500');
  expect(() => ledger.demand()).toThrow('a call could not be hung up, so no more calls are placed');
  expect([ledger.left, ledger.possiblyOpen]).toEqual([
    0,
    ['call a (request 1): hanging up got status 500: the call may still be open'],
  ]);
});

test('a call that was put off stops the calls unless its answers can mean that it has ended', () => {
  const ledger = new CallLedger(12);
  ledger.settle(PLACED, request(1));
  ledger.putOff(entryOf(ledger, 1), true);
  expect(ledger.left).toBe(11);
  ledger.putOff(entryOf(ledger, 1), false);
  expect(ledger.left).toBe(0);
});

test('no more calls are placed after two of unknown outcome, or as many as are allowed', () => {
  const ledger = new CallLedger(3);
  for (const seq of [1, 2]) ledger.settle(UNCLEAR, request(seq));
  expect(() => ledger.demand()).toThrow('the outcome of 2 create-call requests is unknown');
  expect(ledger.refusal?.remedy).toMatch(/^set PCS_CALL_ID_POINTER/);
  expect(ledger.possiblyOpen[1]).toMatch(
    /^request 2 \(create call\) got status 201 and no call id: a call may be open; .* PCS_CALL_ID_POINTER/,
  );
  const spent = new CallLedger(1);
  spent.settle(PLACED, request(1));
  spent.close(request(1));
  expect(() => spent.demand()).toThrow('the limit of --max-calls (1) is reached');
});

test('every create call that was not cleanly rejected counts', () => {
  const ledger = new CallLedger(12);
  ledger.settle({ kind: 'rejected' }, request(1));
  ledger.settle({ kind: 'unsent' }, request(2));
  expect([ledger.left, ledger.placed]).toEqual([12, 0]);
  ledger.settle(UNCLEAR, request(3));
  ledger.settle(PLACED, request(4));
  expect([ledger.left, ledger.placed]).toEqual([10, 1]);
});

test('an id that a rejection shows counts as a call once hanging it up is accepted', () => {
  const ledger = new CallLedger(12);
  for (const seq of [1, 2]) ledger.settle({ kind: 'claimed', ids: [`id-${seq}`] }, request(seq));
  tried(ledger, 1, 200);
  tried(ledger, 2, 404);
  expect([ledger.placed, ledger.unclear]).toEqual([1, 0]);
});

test('a call of guessed id that was not hung up has an unknown outcome', () => {
  const ledger = new CallLedger(12);
  ledger.settle({ ...UNCLEAR, ids: ['PA-7'] }, request(1));
  ledger.lose(entryOf(ledger, 1), 'status 404');
  expect([ledger.unclear, ledger.possiblyOpen]).toEqual([1, [expect.stringMatching(/^request 1 \(create call\)/)]]);
});

test('an announced create call without an answer may be open', () => {
  const ledger = new CallLedger(12);
  ledger.adopt(callOf({ seq: 7 }));
  expect(ledger.possiblyOpen).toEqual(['request 7 (create call) has no recorded answer: a call may be open']);
  ledger.note(created(7, 400, {}));
  expect(ledger.possiblyOpen).toEqual([]);
});

test.each([
  ['no body', null],
  ['no called number', { text: '{"from":"+1500"}' }],
  ['the called number null', { text: '{"from":"+1500","to":null}' }],
])('without a response, nothing rings where the request names %s', (_, body) => {
  const ledger = new CallLedger(12);
  ledger.note(created(1, null, { body }));
  expect(ledger.possiblyOpen).toEqual([]);
  ledger.note(created(2, null, {}));
  expect(ledger.possiblyOpen).toHaveLength(1);
});

describe('create calls that are put off', () => {
  const putOff = (ledger: CallLedger, from: number, times: number, status = 503): void => {
    for (let at = 0; at < times; at += 1) ledger.note(created(from + at, status, { resend: at }));
  };

  test('are sent again three times, and six of them in a row are the last', () => {
    const ledger = new CallLedger(12);
    expect(ledger.resends).toBe(3);
    putOff(ledger, 1, 4);
    expect([ledger.left, ledger.resends]).toEqual([12, 1]);
    putOff(ledger, 5, 2);
    expect(() => ledger.demand()).toThrow(/6 create calls were put off and none was accepted in between/);
    expect(ledger.possiblyOpen).toHaveLength(6);
  });

  test('are excused by a call that is accepted', () => {
    const ledger = new CallLedger(12);
    putOff(ledger, 1, 4);
    ledger.note({ ...created(5, 201, { create: 'unclear' }) });
    expect([ledger.refusal, ledger.resends]).toEqual([null, 3]);
  });

  test('are excused by a rejection of the same request, unless it is a conflict', () => {
    const [rejected, conflict] = [new CallLedger(12), new CallLedger(12)];
    putOff(rejected, 1, 3);
    rejected.note(created(4, 400, { resend: 3 }));
    putOff(conflict, 1, 3);
    conflict.note(created(4, 409, { resend: 3 }));
    expect([rejected.possiblyOpen.length, conflict.possiblyOpen.length]).toEqual([0, 3]);
  });

  test.each([408, 425, 429])('place nothing with %i, which is a rejection', (status) => {
    const ledger = new CallLedger(12);
    putOff(ledger, 1, 8, status);
    expect([ledger.refusal, ledger.possiblyOpen]).toEqual([null, []]);
  });

  test('place nothing where the request names no number', () => {
    const ledger = new CallLedger(12);
    for (let seq = 1; seq < 9; seq += 1) ledger.note(created(seq, 503, { body: null }));
    expect([ledger.refusal, ledger.possiblyOpen]).toEqual([null, []]);
  });
});
