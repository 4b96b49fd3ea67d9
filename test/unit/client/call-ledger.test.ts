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

interface More {
  readonly resend?: number;
  readonly create?: string;
  readonly body?: object | null;
  readonly callIds?: readonly string[];
  readonly again?: readonly string[];
}

/** A create call as it is recorded. */
function created(seq: number, status: number | null, more: More) {
  const { resend = 0, create = 'rejected', body = DIALS, callIds, again } = more;
  const response = status === null ? null : { status, body: null, learned: { create, callIds, again } };
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

describe('an id that a later answer shows again', () => {
  const X = 'of-others';
  const bodyOf = (to: string) => ({ text: `{"from":"+1500","to":"${to}"}` });

  /** A call that was placed with these ids and hung up by the first. */
  function closedBy(ids: readonly string[]): CallLedger {
    const ledger = new CallLedger(12);
    ledger.learn(created(1, 201, { create: 'placed', callIds: ids, body: bodyOf('1') }));
    ledger.hungUp(request(1), X);
    ledger.close(request(1));
    return ledger;
  }

  test('was not that of the call: it is open again, has its other ids, and the other call is named', () => {
    const ledger = closedBy([X, 'a']);
    ledger.learn(created(2, 201, { create: 'placed', callIds: ['b'], again: [X], body: bodyOf('2') }));
    expect(ledger.open).toMatchObject([
      { seq: 1, ids: ['a'], attempts: [], hungUpBy: null },
      { seq: 2, ids: ['b'] },
    ]);
    expect(ledger.possiblyOpen).toEqual([
      `call ${X} was hung up for the call of request 1, and request 2 shows it again: a call of somebody else may have been hung up`,
    ]);
    expect(ledger.isIdKnown).toBe(false);
  });

  test('leaves a call without another id, which is named', () => {
    const ledger = closedBy([X]);
    ledger.learn(created(2, 201, { create: 'unclear', again: [X], body: bodyOf('2') }));
    expect(ledger.possiblyOpen).toEqual([
      expect.stringMatching(
        /^request 1 \(create call\) got status 201 and only ids that are shown again: .*may be open/,
      ),
      expect.stringMatching(/^request 2 \(create call\)/),
      expect.stringMatching(/^call of-others was hung up/),
    ]);
  });

  test('says nothing where the request is the same: the target may have given the same call', () => {
    const ledger = closedBy([X, 'a']);
    ledger.learn(created(2, 201, { create: 'placed', callIds: ['b'], again: [X], body: bodyOf('1') }));
    expect([ledger.open, ledger.possiblyOpen]).toMatchObject([[{ seq: 2, ids: [X, 'b'] }], []]);
  });

  test('is taken from a call that it did not close', () => {
    const ledger = new CallLedger(12);
    ledger.learn(created(1, 201, { create: 'placed', callIds: ['a', X], body: bodyOf('1') }));
    ledger.learn(created(2, 201, { create: 'placed', callIds: ['b'], again: [X], body: bodyOf('2') }));
    expect(ledger.calls.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
    expect(ledger.possiblyOpen).toEqual([]);
  });
});

test('where every hang-up gets 404, the remedy is the pointer, unless it is set', () => {
  const [unset, set] = [new CallLedger(12), new CallLedger(12, true)];
  for (const ledger of [unset, set]) {
    ledger.settle(PLACED, request(1));
    tried(ledger, 1, 404);
    ledger.lose(entryOf(ledger, 1), 'status 404');
  }
  expect([unset.refusal?.remedy, set.refusal?.remedy]).toEqual([
    expect.stringMatching(/^set PCS_CALL_ID_POINTER/),
    expect.stringMatching(/^check PCS_CALL_TO/),
  ]);
  expect(unset.possiblyOpen[0]).toContain('PCS_CALL_ID_POINTER');
  expect(set.possiblyOpen[0]).not.toContain('PCS_CALL_ID_POINTER');
});

test('an accepted create call without a body is said to be that, and no setting is asked for', () => {
  const ledger = new CallLedger(12);
  for (const seq of [1, 2]) ledger.learn(created(seq, 201, { create: 'unclear' }));
  expect(ledger.possiblyOpen[0]).toBe('request 1 (create call) got status 201 and no body: a call may be open');
  expect(ledger.refusal?.remedy).toContain('--without createCall');
});

test('after calls without an id, what can dial nothing still goes out', () => {
  const ledger = new CallLedger(12);
  for (const seq of [1, 2]) ledger.settle(UNCLEAR, request(seq));
  expect(() => ledger.demand(undefined, false, true)).not.toThrow();
  expect(() => ledger.demand(undefined, false)).toThrow('the outcome of 2 create-call requests is unknown');
});

test('an announced create call without an answer may be open', () => {
  const ledger = new CallLedger(12);
  ledger.adopt(callOf({ seq: 7 }));
  expect(ledger.possiblyOpen).toEqual(['request 7 (create call) has no recorded answer: a call may be open']);
  ledger.learn(created(7, 400, {}));
  expect(ledger.possiblyOpen).toEqual([]);
});

test.each([
  ['no body', null],
  ['no called number', { text: '{"from":"+1500"}' }],
  ['the called number null', { text: '{"from":"+1500","to":null}' }],
])('without a response, nothing rings where the request names %s', (_, body) => {
  const ledger = new CallLedger(12);
  ledger.learn(created(1, null, { body }));
  expect(ledger.possiblyOpen).toEqual([]);
  ledger.learn(created(2, null, {}));
  expect(ledger.possiblyOpen).toHaveLength(1);
});

describe('create calls that are put off', () => {
  const putOff = (ledger: CallLedger, from: number, times: number, status = 503): void => {
    for (let at = 0; at < times; at += 1) ledger.learn(created(from + at, status, { resend: at }));
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

  test('are excused by a rejection of the same request, unless it is a conflict', () => {
    const [rejected, conflict] = [new CallLedger(12), new CallLedger(12)];
    putOff(rejected, 1, 3);
    rejected.learn(created(4, 400, { resend: 3 }));
    putOff(conflict, 1, 3);
    conflict.learn(created(4, 409, { resend: 3 }));
    expect([rejected.possiblyOpen.length, conflict.possiblyOpen.length]).toEqual([0, 3]);
  });

  test('place nothing where a caller without the valid credential is limited', () => {
    const ledger = new CallLedger(12);
    const asOther = ({ request, ...exchange }: Exchange, credential: 'other-organization' | 'wrong-secret') =>
      ({ ...exchange, request: { ...request, credential } }) as Exchange;
    for (let seq = 1; seq < 9; seq += 1) ledger.learn(asOther(created(seq, 429, {}), 'wrong-secret'));
    expect([ledger.refusal, ledger.possiblyOpen]).toEqual([null, []]);
    for (let seq = 11; seq < 19; seq += 1) ledger.learn(asOther(created(seq, 503, {}), 'other-organization'));
    expect(ledger.possiblyOpen).toHaveLength(8);
  });

  test('place nothing where the request names no number', () => {
    const ledger = new CallLedger(12);
    for (let seq = 1; seq < 9; seq += 1) ledger.learn(created(seq, 503, { body: null }));
    expect([ledger.refusal, ledger.possiblyOpen]).toEqual([null, []]);
  });
});
