/** What the ledger of calls makes of create calls and their hang-ups, what it says of them, and when it refuses more. */

import { expect, test } from 'vitest';
import type { Skipped } from '../../../src/client/request.ts';
import { type Call, CallLedger } from '../../../src/client/safety/call-ledger.ts';
import type { Learned } from '../../../src/exchange/exchange.ts';
import { AS_RECORDED, bodyFacts } from '../../../src/exchange/facts.ts';
import { exchangeOf, type Said } from '../rules/exchanges.ts';

const TO = bodyFacts(Buffer.from('{"from":"+15550100","to":"+15550101"}'), { ...AS_RECORDED, keepText: true });

/** What came of hanging a call up. */
const ENDS: Readonly<Record<string, Partial<Call>>> = {
  ended: { stage: 'closed', hungUpBy: 'a' },
  'unknown-to-it': { stage: 'lost', reason: 'status 404', attempts: [{ at: 0, phase: 'run', answers: [404, 404] }] },
  'rejected-once': { stage: 'lost', reason: 'status 409', attempts: [{ at: 0, phase: 'run', answers: [404, 409] }] },
  'never-found': { stage: 'put off', attempts: [{ at: 0, phase: 'run', answers: [404, 404] }] },
  'put-off': { stage: 'put off' },
  gone: { stage: 'closed' },
  'perhaps-ended': { stage: 'put off', mayHaveEnded: true },
  answered: { isOther: true },
};

/** What an answer to a create call teaches: `201:a` shows the id of a call, `201+a` a second, `201-a` one shown before, `201*a` that alone. */
const LEARNED: Readonly<Record<string, (id: string) => Learned>> = {
  ':': (id) => ({ create: 'placed', callIds: [id] }),
  '+': (id) => ({ create: 'placed', callIds: [id, id.toUpperCase()] }),
  '-': (id) => ({ create: 'unclear', again: [id] }),
  '*': (id) => ({ create: 'repeated', callIds: [id], again: [id] }),
};

/**
 * A ledger after create calls: besides, `422!` answers the same request sent again, `500~` one that names no number, and
 * `1=ended` says what came of hanging up the call of the first request.
 */
function ledgerOf(sent: string, ledger = new CallLedger()): CallLedger {
  let seq = 0;
  for (const [, first, end, answer = '', how = '', id = '', mark] of sent.matchAll(WORD)) {
    if (end !== undefined) {
      ledger.change({ seq: Number(first) }, ENDS[end] ?? {});
      continue;
    }
    const status = answer === 'lost' ? null : Number(answer);
    const isRejected = /^(?:4|503)/.test(answer);
    const said: Said = {
      status,
      tag: { operation: 'createCall', resend: mark === '!' ? 1 : 0 },
      request: { method: 'POST', path: '/v1/calls/', body: mark === '~' ? null : TO },
      learned: LEARNED[how]?.(id) ?? { create: isRejected ? 'rejected' : 'unclear' },
    };
    ledger.learn(exchangeOf(said, seq++));
  }
  return ledger;
}
const WORD = /(\d)=(\S+)|(\d+|lost)([:+*-])?(\w)?([!~])?/g;

const stagesOf = (ledger: CallLedger): string => ledger.calls.map(({ seq, stage }) => `${seq} ${stage}`).join(', ');

test.each<readonly [sent: string, stages: string, refusal: RegExp | null]>([
  ['201:a', '1 open', null],
  ['201', '1 lost', /^a create call was accepted without an id/],
  ['422', '', null],
  ['lost', '1 lost', null],
  ['500', '1 lost', null],
  ['500~', '', null],
  ['201~', '1 lost', /without an id/],
  ['500 lost', '1 lost, 2 lost', /^the outcome of 2 create-call requests is unknown/],
  ['500 201:a lost', '1 lost, 2 open, 3 lost', null],
  ['500 lost 201:a', '1 lost, 2 lost, 3 open', null],
  ['500 201:a 500 201:b 500 201:c 500', '1 lost, 2 open, 3 lost, 4 open, 5 lost, 6 open, 7 lost', /of 4 create-call/],
  ['503', '1 excusable', null],
  ['503 422', '1 excusable', null],
  ['503 422!', '', null],
  ['503 422! 503', '3 excused', null],
  ['503 409!', '1 excusable', null],
  ['503 201:a', '2 open', null],
  ['201:a 503', '1 open, 2 excusable', null],
  ['503 201:a 503 429', '2 open, 3 excused, 4 excusable', null],
  [
    `503 201:a 2=ended ${Array(6).fill('503').join(' ')}`,
    `2 closed, ${[3, 4, 5, 6, 7, 8].map((seq) => `${seq} excused`).join(', ')}`,
    /^6 create calls/,
  ],
  [Array(5).fill('503').join(' '), [1, 2, 3, 4, 5].map((seq) => `${seq} excusable`).join(', '), null],
  [Array(6).fill('503').join(' '), [1, 2, 3, 4, 5, 6].map((seq) => `${seq} excusable`).join(', '), /^6 create calls/],
  ['201:a 1=ended', '1 closed', null],
  ['201:a 1=rejected-once', '1 lost', /^a call could not be hung up/],
  ['201:a 1=put-off', '1 put off', /^a call could not be hung up/],
  ['201:a 1=perhaps-ended', '1 put off', null],
  ['201:a 1=ended 201-a', '1 lost, 2 lost', /without an id/],
  ['201:a 1=gone 201-a', '1 lost, 2 lost', /without an id/],
  ['201+a 1=ended 201-A', '1 closed, 2 lost', /without an id/],
  ['201+a 201*a', '1 open, 2 open', null],
  ['201+a 201*A', '1 open, 2 lost', /without an id/],
])('%s: %s', (sent, stages, refusal) => {
  const ledger = ledgerOf(sent);
  expect(stagesOf(ledger)).toBe(stages);
  expect(ledger.refusal?.reason ?? null).toEqual(refusal === null ? null : expect.stringMatching(refusal));
});

test.each([
  ['unknown-route', 'GET', 200, ''],
  ['unknown-route', 'HEAD', 200, '1 lost'],
  ['unknown-route', 'GET', 404, '1 lost'],
  ['probe', 'GET', 200, '1 lost'],
] as const)(
  'a 200 to the other slash form may be a call, unless an unknown route gets it too: %s, %s, %i',
  (...row) => {
    const [role, method, status, stages] = row;
    const ledger = new CallLedger();
    const create = { operation: 'createCall', documented: false } as const;
    const learned: Learned = { create: 'unclear' };
    ledger.learn(exchangeOf({ tag: create, request: { method: 'POST', path: '/v1/calls', body: TO }, learned }, 0));
    ledger.learn(exchangeOf({ status, tag: { operation: null, role }, request: { method }, body: null }, 1));
    expect(stagesOf(ledger)).toBe(stages);
  },
);

test.each<readonly [sent: string, isPointerSet: boolean, remedy: RegExp]>([
  ['201:a 1=unknown-to-it', false, /^set PCS_CALL_ID_POINTER/],
  ['201:a 1=unknown-to-it', true, /^check PCS_CALL_TO: .*, or run again once the target hangs up each call/],
  ['201:a 1=ended 201:b 2=unknown-to-it', false, /once the target hangs up each call/],
  ['201:a 1=rejected-once', false, /^check PCS_CALL_TO: a call to it must last/],
  ['201:a 1=rejected-once 201:b 2=unknown-to-it', false, /once the target hangs up each call/],
  ['201', true, /^check PCS_CALL_ID_POINTER/],
])('after %s (pointer set: %s) what helps is to %s', (sent, isPointerSet, remedy) => {
  expect(ledgerOf(sent, new CallLedger(12, isPointerSet)).refusal?.remedy).toMatch(remedy);
});

test('a call that may be open is named, with advice once', () => {
  const ledger = ledgerOf('201:a 1=unknown-to-it 201:b 2=unknown-to-it 500 201:c 4=ended 503');
  ledger.change({ seq: 4 }, { hungUpBy: null });
  expect(ledger.possiblyOpen.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(
      /^call a \(request 1\): hanging up got status 404: the call may still be open; if another id/,
    ),
    'call b (request 2): hanging up got status 404: the call may still be open',
    'request 3 (create call) got status 500 and no call id: a call may be open',
    'request 5 (create call) got status 503, and no later call was accepted: a call may be open',
  ]);
  expect(ledger.possiblyOpen.map(({ seq, known }) => `${seq} ${known}`)).toEqual([
    '1 hanging up got status 404',
    '2 hanging up got status 404',
    '3 got status 500 and no call id',
    '5 got status 503, and no later call was accepted',
  ]);
  expect([1, 4, 9].map((seq) => ledger.doubtOf({ seq })?.slice(0, 6) ?? null)).toEqual(['call a', null, null]);
  expect([ledger.placed, ledger.dialled, ledger.mayBeOpen, ledger.numberOf({ seq: 4 })]).toEqual([3, 5, 4, 3]);
});

test('a 503 behind the last call is told only where none was excused before', () => {
  const told = (sent: string) => {
    const { possiblyOpen, mayBeOpen, dialled } = ledgerOf(sent);
    return [possiblyOpen.length, mayBeOpen, dialled];
  };
  expect(told('201:a 1=ended 503')).toEqual([1, 1, 2]);
  expect(told('503 201:a 2=ended 503')).toEqual([0, 0, 1]);
});

test('a call that only a later answer shows to be of somebody else is told', () => {
  const ledger = ledgerOf('201:a 1=ended 201-a');
  expect(ledger.possiblyOpen.at(-1)).toEqual({
    seq: 1,
    known: "another user's call may have been hung up",
    sentence: expect.stringMatching(/^call a was hung up for the call of request 1, .* another user/),
  });
});

test('the limit names what used it up, and no figure that may be too small again', () => {
  const ledger = ledgerOf('201:a 1=ended 201:b 2=ended', new CallLedger(2));
  const remedy = () => {
    try {
      ledger.demand();
    } catch (error) {
      return (error as Skipped).skip.remedy;
    }
    return undefined;
  };
  expect(remedy()).toBe('raise --max-calls above 2');
  ledger.change({ seq: 1 }, { isUnplanned: true });
  expect(remedy()).toBe(
    'raise --max-calls above 2, since each value that the target accepts and may reject takes a call',
  );
});

test.each([
  ['201:a 1=never-found 201:b 2=never-found', true],
  ['201:a 1=never-found', false],
  ['201:a 1=never-found 201:b 2=put-off', false],
  ['201:a 1=ended 201:b 2=never-found 201:c 3=never-found', false],
])('after %s ids may have been read from the wrong place: %s', (sent, isDoubtful) => {
  expect(ledgerOf(sent).isIdDoubtful).toBe(isDoubtful);
});

test('a call that rang is none of those that the run placed', () => {
  const ledger = ledgerOf('201:a 1=answered');
  expect([ledger.placed, ledger.dialled, ledger.mayBeOpen, ledger.open.length]).toEqual([0, 0, 0, 1]);
});

test.each<readonly [max: number, ahead: number, isControl: boolean, unplanned: number, says: RegExp | null]>([
  [2, 0, true, 0, null],
  [1, 0, true, 0, /^the limit of --max-calls \(1\) is reached/],
  [2, 1, true, 0, /^the last calls are kept/],
  [2, 1, false, 0, null],
  [2, 1, false, 1, /^the last calls are kept/],
  [3, 1, false, 1, null],
])(
  'with at most %i calls, one placed and %i ahead (control: %s, unplanned: %i): %s',
  (max, ahead, isControl, unplanned, says) => {
    const ledger = ledgerOf('201:a 1=ended', new CallLedger(max));
    if (unplanned > 0) ledger.change({ seq: 1 }, { isUnplanned: true });
    const demand = () => ledger.demand(ahead, isControl);
    if (says === null) expect(demand).not.toThrow();
    else expect(demand).toThrow(says);
  },
);

test('what can dial nothing is sent although a call is open', () => {
  const ledger = ledgerOf('201', new CallLedger(12));
  expect(() => ledger.demand(0, false, true)).not.toThrow();
  expect(() => ledger.demand(0, false)).toThrow('without an id');
});

test.each([
  ['500', false, 3],
  ['500 lost', true, 3],
  ['201:a 1=rejected-once 500', false, 3],
  ['500 lost 500 lost', false, 3],
  ['503 503 503 503', false, 1],
  ['503 503 503 503 503', false, 0],
])('after %s a valid call is due: %s, and the next may be sent again %i times', (sent, isDue, resends) => {
  const ledger = ledgerOf(sent);
  expect([ledger.isValidCallDue, ledger.resends]).toEqual([isDue, resends]);
});

test('the candidates of a call begin with the place that held the last id, until an answer shows that id again', () => {
  const ledger = ledgerOf('201+a');
  ledger.change({ seq: 1 }, { stage: 'closed', hungUpBy: 'A' });
  const idsOf = (seq: number, learned: Learned) => {
    const request = { method: 'POST', path: '/v1/calls/', body: TO };
    ledger.learn(exchangeOf({ status: 201, tag: { operation: 'createCall' }, request, learned }, seq - 1));
    return ledger.of({ seq })?.ids;
  };
  expect(idsOf(2, { create: 'placed', callIds: ['b', 'B', 'x'] })).toEqual(['B', 'b', 'x']);
  expect(idsOf(3, { create: 'placed', callIds: ['c'] })).toEqual(['c']);
  expect(idsOf(4, { create: 'placed', callIds: ['d', 'D'], again: ['A'] })).toEqual(['d', 'D']);
});
