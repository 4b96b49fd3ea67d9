/** From cases to the verdict of a run, and what explains both (conformance model, sections 5 and 6). */

import { expect, test } from 'vitest';
import type { OperationId } from '../../../src/contract/operations.ts';
import type { ExchangeTag } from '../../../src/exchange/exchange.ts';
import { UNSAID } from '../../../src/verdict/case.ts';
import { type CaseResult, fold, LADDER } from '../../../src/verdict/results.ts';
import { broken, evaluated, type Given, OPTIONAL, PLANNED, ruleOf, runOf } from './evaluated.ts';
import { exchangeOf, type Said } from './exchanges.ts';

const runRule = ruleOf(runOf);
const OF_X = { ...PLANNED, id: 'X/updateTrunk', requirement: 'X', operation: 'updateTrunk' } as const;

test('a symptom that went away is flaky, unless the answer was only late', () => {
  const flaky = (status: number | null, last: number | null, took: number) => {
    const [symptom, end] = [exchangeOf({ status }, 0), exchangeOf({ status: last, tag: { replaces: 1 } }, 1)];
    return evaluated({ record: { exchanges: [symptom, { ...end, took }] } }).intermittent.length;
  };
  expect(evaluated({ record: { exchanges: [exchangeOf({ status: 502 }, 0)] } }).intermittent).toEqual([]);
  expect([flaky(null, 200, 2), flaky(null, 200, 1), flaky(502, 200, 2), flaky(null, null, 2)]).toEqual([0, 1, 1, 1]);
});

test('a credential that may not write is one reason, whatever else it and others get', () => {
  const write = (operation: OperationId, status = 403, said: Said = {}): Said => ({
    status,
    ...said,
    tag: { operation, ...said.tag },
  });
  const three = (['updateTrunk', 'assignNumber', 'updateVoiceApplication'] as const).map((one) => write(one));
  const isTold = (all: readonly Said[]): boolean =>
    evaluated({ answers: ['a none'], record: { exchanges: all.map(exchangeOf) } }).reason.includes('every write got');
  expect([isTold(three), isTold(three.slice(1)), isTold([...three, write('updateTrunk', 409)])]).toEqual([
    ...[true, false, false],
  ]);
  const others = [
    write('updateTrunk', 400, { tag: { control: false } }),
    write('updateTrunk', 200, { request: { credential: 'other-organization' } }),
    write('getTrunk', 200, { request: { method: 'GET' } }),
    write('createCall', 503),
  ];
  expect(others.filter((other) => !isTold([...three, other]))).toEqual([]);
});

test('a question that only an answer raised is in no sum', () => {
  expect(evaluated({ answers: ['a pass', 'b none'] }).questions).toMatchObject({ planned: 1, answered: 1, open: 0 });
});

test('what is still changed is told, and a participant who may be muted', () => {
  const changed = (status: number | null, tag: Partial<ExchangeTag> = {}, credential: Said['request'] = {}) => {
    const request = { path: '/v1/conferences/c/participants/p/mute', ...credential };
    const muted = exchangeOf({ status, tag: { operation: 'muteParticipant', ...tag }, request }, 0);
    return evaluated({ record: { exchanges: [muted], unrestored: ['a name'] } });
  };
  expect([changed(200).unrestored, evaluated({}).unrestored]).toEqual([['a name'], undefined]);
  const undone = 'and no operation of the interface undoes it';
  const [was, may] = ['was', 'may have been'].map((how) => [`participant p of conference c ${how} muted, ${undone}`]);
  expect([200, 500, null, 404].map((status) => changed(status).changed)).toEqual([was, may, may, []]);
  expect(changed(null, {}, { credential: 'none' }).changed).toEqual([]);
  expect(
    [changed(200, { ids: 'well-formed' }), changed(200, { operation: 'answerCall' })].map((of) => of.changed),
  ).toEqual([[], []]);
});

test('a requirement has the reading that it follows', () => {
  const readingOf = (requirement: object) => evaluated({ requirement }).requirements[0]?.reading;
  expect([readingOf({ reading: 'R1' }), readingOf({})]).toEqual(['R1', undefined]);
});

test('the request during which a target went down is named with the beginning of its path', () => {
  const downAt = (path: string) => {
    const lost = exchangeOf({ status: null, request: { path } }, 0);
    const check = exchangeOf({ status: null, tag: { role: 'health-check' } }, 1);
    const later = exchangeOf({ status: null }, 2);
    return evaluated({ record: { exchanges: [lost, check, later], endedEarly: 'it stopped' } }).endedEarly;
  };
  expect(downAt('/v1/short')).toContain('it went down during PATCH /v1/short (');
  expect(downAt(`/v1/${'x'.repeat(100)}`)).toContain(`PATCH /v1/${'x'.repeat(76)}… (`);
});

test('the request is named from which on several operations got a 5xx to every valid request', () => {
  const of = (operation: OperationId, status: number, more: Said = {}): Said => ({
    ...more,
    status,
    tag: { operation, ...more.tag },
  });
  const isTold = (all: readonly Said[]) =>
    /; from PATCH \/v1\/broke \(request 3: .*on, 2 operations/.test(
      evaluated({ answers: ['a finding'], record: { exchanges: all.map(exchangeOf) } }).reason,
    );
  const before = [of('updateTrunk', 200), of('getTrunk', 200)];
  const broke = of('updateTrunk', 500, { tag: { control: false }, request: { path: '/v1/broke' } });
  const after = [of('updateTrunk', 500), of('getTrunk', 502, { tag: { control: false, role: 'health-check' } })];
  const invalid = of('getTrunk', 404, { tag: { control: false } });
  const revoked = of('getTrunk', 200, { tag: { control: false }, request: { credential: 'revoked' } });
  const all = [...before, broke, ...after];
  const told = [all, [...all, invalid], [...all, revoked]];
  const untold = [
    [...all, of('getTrunk', 200)],
    [...all, of('getTrunk', 409)],
    [...before, broke, of('updateTrunk', 500), of('getTrunk', 503)],
    [of('updateTrunk', 200), of('getTrunk', 404), broke, ...after],
    [...before, broke, of('updateTrunk', 500), of('getTrunk', 500, { tag: { control: false } })],
  ];
  expect([told, untold].map((some) => some.map(isTold))).toEqual([told.map(() => true), untold.map(() => false)]);
});

runRule('a run is conformant where no must failed or is open', {}, 'conformant', [
  ['one failed', { answers: ['a finding'] }, 'non-conformant'],
  ['one is open', { answers: ['a none'] }, 'incomplete'],
  ['it ended early', { record: { endedEarly: 'it stopped' } }, 'incomplete'],
  ['a call may be open', { record: { possiblyOpen: ['a call'] } }, 'incomplete'],
  ['something was not restored', { record: { unrestored: ['a name'] } }, 'incomplete'],
  ['the suite broke', { record: broken([]) }, 'void'],
  ['a planned case got no verdict', { record: { plan: [PLANNED] } }, 'void'],
  ['a planned case got two', { record: { plan: [OF_X, OF_X] } }, 'void'],
]);

runRule(
  'what fails outweighs what is open',
  { answers: ['a finding'], record: { possiblyOpen: ['a call'] } },
  'non-conformant',
  [
    ['what broke outweighs both', { record: broken([]) }, 'void'],
    ['nothing failed', { answers: ['a pass'] }, 'incomplete'],
  ],
);

runRule('a should is never in the way', { requirement: { level: 'should' }, answers: ['a finding'] }, 'conformant', [
  ['unless under --strict', { header: { strict: true } }, 'non-conformant'],
  ['unless a must fails', { requirement: { level: 'must' } }, 'non-conformant'],
]);

runRule(
  'a setting that is missing is in the way under --require-complete',
  { questions: ['a', 'b'], answers: ['b pass'], skipped: { a: OPTIONAL }, header: { requireComplete: true } },
  'incomplete',
  [['else it is not', { header: {} }, 'conformant']],
);

runRule('a run in which no case was judged shows nothing', { answers: [], skipped: { a: OPTIONAL } }, 'incomplete', [
  ['one was', { questions: ['a', 'b'], answers: ['b pass'] }, 'conformant'],
  ['one was, as a warning', { requirement: { level: 'should' }, answers: ['a finding'] }, 'conformant'],
]);

test.each<readonly [Given, string | RegExp]>([
  [{ answers: ['a finding'] }, '1 case fails: X/updateTrunk'],
  [
    { answers: ['a finding'], record: { endedEarly: 'it stopped' } },
    '1 case fails: X/updateTrunk; the run ended early: it stopped',
  ],
  [{ record: { endedEarly: 'it stopped' } }, 'it stopped'],
  [{ record: broken([]) }, 'the suite itself broke: m'],
  [{ record: { plan: [PLANNED] } }, 'a planned case did not get exactly one verdict'],
  [{ answers: ['a none'] }, '1 case could not be judged: X/updateTrunk'],
  [{ answers: ['a remedy'] }, '1 case could not be judged: X/updateTrunk; to resolve: do this'],
  [{ questions: ['a', 'b'], answers: ['a pass', 'b remedy'], skipped: { a: OPTIONAL } }, /; to resolve: do this$/],
  [{ answers: [], skipped: { a: { ...OPTIONAL, needs: ['PCS_TRUNK_ID'] } } }, /; to resolve: set PCS_TRUNK_ID to/],
  [{ record: { possiblyOpen: ['call a'] } }, 'call a'],
  [{ record: { unrestored: ['name'] } }, 'the target is still changed: name'],
])('the verdict of %j is explained', (given, reason) => {
  expect(evaluated(given).reason).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
});

/** The case of a requirement on another operation, which was not asked, where the one on create call came out like this. */
function afterCreateCall(operation: OperationId, given: Given): CaseResult | undefined {
  const plan = (['createCall', operation] as const).map((of) => ({
    ...PLANNED,
    id: `X/${of}`,
    requirement: 'X',
    operation: of,
  }));
  const operations = plan.map((planned) => planned.operation);
  const requirement = { ...given.requirement, operations };
  const record = { plan: plan.map((planned) => ({ ...planned, questions: ['a'] })) };
  return evaluated({ operation: 'createCall', ...given, requirement, record }).requirements[0]?.cases[1];
}

test('what was not asked has the reason and the remedy of the step before it', () => {
  const after = { answers: ['a remedy'] };
  expect(afterCreateCall('hangUpCall', after)).toMatchObject({ remedy: 'do this', reason: `${UNSAID} (nothing)` });
  expect(afterCreateCall('getTrunk', after)).toMatchObject({ reason: UNSAID });
  expect(afterCreateCall('getTrunk', after)?.remedy).toBe(undefined);
});

test('what a failure blocks names it, unless a valid request was accepted', () => {
  const failing: Given = { answers: ['a finding'], requirement: { blocks: true } };
  const blocked = { blockedBy: 'X/createCall', remedy: 'X fails for createCall: fix that first' };
  expect(afterCreateCall('hangUpCall', failing)).toMatchObject({
    ...blocked,
    unanswered: [{ remedy: blocked.remedy }],
  });
  expect(evaluated({ operation: 'createCall', ...failing }).requirements[0]?.cases[0]).not.toHaveProperty('blockedBy');
  const not: readonly (readonly [OperationId, Given])[] = [
    ['getTrunk', failing],
    ['hangUpCall', { ...failing, requirement: {} }],
    ['hangUpCall', { ...failing, tag: { control: true } }],
    ['hangUpCall', { ...failing, answers: ['a none'] }],
  ];
  expect(not.map(([operation, given]) => afterCreateCall(operation, given)?.blockedBy)).toEqual(
    not.map(() => undefined),
  );
});

test('more waiting helps an operation for which too little was left, unless something else does', () => {
  const helps = (operation: string, answer: string) =>
    evaluated({ answers: [answer], record: { waits: [{ operation, short: 1 }] as never } }).requirements[0]?.cases[0]
      ?.remedy;
  expect(helps('updateTrunk', 'a none')).toBe('raise --max-wait');
  expect([helps('getTrunk', 'a none'), helps('updateTrunk', 'a remedy')]).toEqual([undefined, 'do this']);
});

test('the worst verdict wins, and no verdict is an error', () => {
  expect(LADDER.map((one, at) => fold([...LADDER.slice(0, at), one].reverse()))).toEqual(LADDER);
  expect(fold([])).toBe('error');
});

test('a question that was not asked says why', () => {
  const reasonOf = (given: Given) => evaluated({ questions: ['a', 'b'], ...given }).requirements[0]?.cases[0]?.reason;
  expect(reasonOf({ skipped: { b: {} } })).toBe('a reason');
  expect(reasonOf({ record: { endedEarly: 'it stopped' } })).toBe('the run ended early: it stopped');
  expect(reasonOf({ skipped: { b: { why: 'stopped' } }, record: { endedEarly: 'it stopped' } })).toBe(
    'the run ended early: it stopped',
  );
  expect(reasonOf({})).toBe(UNSAID);
});
