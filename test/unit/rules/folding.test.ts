/** From opinions to the verdict of a case (conformance model, sections 1 and 5). */

import { expect, test } from 'vitest';
import { BOUNDARY } from '../../../src/verdict/boundary.ts';
import type { RunRecord } from '../../../src/verdict/record.ts';
import { broken, evaluated, type Given, OPTIONAL, ruleOf, verdictOf } from './evaluated.ts';

const caseRule = ruleOf(verdictOf);
const ALL = { concerns: () => true } as const;

caseRule('an answer that passes settles its question', {}, 'pass', [
  ['a finding beside it fails', { answers: ['a pass', 'a finding'] }, 'fail'],
  ['so does one sent for something else', { requirement: ALL, answers: ['a pass', ' finding'] }, 'fail'],
  ['a doubt beside it leaves the case open', { answers: ['a pass', 'a doubt'] }, 'inconclusive'],
  ['whichever comes first', { answers: ['a doubt', 'a pass'] }, 'inconclusive'],
  ['an answer that says nothing settles none', { answers: ['a none'] }, 'inconclusive'],
  ['an answer that a lawful target may owe is excused', { answers: ['a excused'] }, 'not-exercised'],
  ['nor does no answer', { answers: [] }, 'inconclusive'],
  ['another question is still open', { questions: ['a', 'b'] }, 'inconclusive'],
  ['another question got no answer', { questions: ['a', 'b'], answers: ['a pass', 'b none'] }, 'inconclusive'],
  ['another question raised a doubt', { questions: ['a', 'b'], answers: ['a pass', 'b doubt'] }, 'inconclusive'],
  ['a question raised by the answers alone is open', { answers: ['a pass', 'b none'] }, 'inconclusive'],
  ['a walk settles nothing', { tag: { origin: { seed: 1, path: '0', commands: 1 } } }, 'inconclusive'],
]);

caseRule('an answer that says nothing is no more than that', { answers: ['a none', 'a pass', 'a none'] }, 'pass', [
  ['it does not pass for another question', { questions: ['a', 'b'] }, 'inconclusive'],
  ['a doubt is more', { answers: ['a none', 'a pass', 'a doubt'] }, 'inconclusive'],
]);

caseRule('a finding fails a must', { answers: ['a finding'] }, 'fail', [
  ['and is a warning of a should', { requirement: { level: 'should' } }, 'warning'],
  ['of another requirement it is nothing', { tag: { asks: [{ id: 'Y', variation: 'a' }] } }, 'inconclusive'],
  ['the suite itself broke', { record: broken([{ id: 'X', variation: 'a' }]) }, 'error'],
]);

caseRule(
  'an id that an answer claims hinders no requirement that waits for an occasion',
  { requirement: { opportunistic: 'none' }, questions: ['a', 'b'], skipped: { b: { why: 'claimed' } } },
  'pass',
  [
    ['another reason does', { skipped: { b: {} } }, 'inconclusive'],
    ['it hinders any other', { requirement: {} }, 'inconclusive'],
  ],
);

caseRule(
  'nothing hides a finding',
  { questions: ['a', 'b'], answers: ['b pass', 'a finding'] },
  'fail',
  [['there is none', { answers: ['b pass', 'a pass'] }, 'pass']],
  [
    ['a doubt', { answers: ['b pass', 'a finding', 'a doubt'] }],
    ['a question that was not asked', { answers: ['a finding'], skipped: { b: {} } }],
    ['an early end', { record: { endedEarly: 'it stopped' } }],
    ['a requirement that waits for an occasion', { requirement: { opportunistic: 'none' } }],
    ['that somebody has edited the record, and it is a part of itself', { tag: { partOf: 1 } }],
    ['that a walk shows it', { tag: { origin: { seed: 1, path: '0', commands: 1 } } }],
  ],
);

caseRule(
  'a question that was not asked leaves a must open',
  { questions: ['a', 'b'], skipped: { b: {} } },
  'inconclusive',
  [
    ['unless an optional setting is missing', { skipped: { b: OPTIONAL } }, 'pass'],
    ['unless there was no occasion', { skipped: { b: { why: 'occasion' } } }, 'pass'],
    ['unless it was asked all the same', { answers: ['a pass', 'b pass'] }, 'pass'],
    ['unless another answer settled it', { skipped: { b: { why: 'answered' } } }, 'pass'],
    ['unless it is a read-only profile, to which it is a write', { header: { profile: 'read-only' } }, 'pass'],
  ],
);

caseRule(
  'what an optional setting left out is not exercised',
  { answers: [], skipped: { a: OPTIONAL } },
  'not-exercised',
  [
    ['a setting of the target did', { skipped: { a: { ...OPTIONAL, needs: ['PCS_TRUNK_ID'] } } }, 'inconclusive'],
    ['both did', { skipped: { a: { ...OPTIONAL, needs: [...OPTIONAL.needs, 'PCS_TRUNK_ID'] } } }, 'inconclusive'],
    ['another question passed', { questions: ['a', 'b'], answers: ['b pass'] }, 'pass'],
  ],
);

caseRule(
  'nor is what needs one',
  { requirement: { needs: 'PCS_REVOKED_ACCESS_TOKEN' }, answers: [] },
  'not-exercised',
  [
    ['the setting is there', { header: { settings: ['PCS_REVOKED_ACCESS_TOKEN'] } }, 'inconclusive'],
    ['something was found all the same', { answers: ['a finding'] }, 'fail'],
  ],
);

caseRule(
  'nor is what waits for an occasion',
  { requirement: { opportunistic: 'no such response' }, answers: ['a none'] },
  'not-exercised',
  [
    ['it passed', { answers: ['a pass'] }, 'pass'],
    ['a doubt came', { answers: ['a doubt'] }, 'inconclusive'],
    ['the question was not asked for want of budget', { answers: [], skipped: { a: {} } }, 'inconclusive'],
    ['the run ended early', { record: { endedEarly: 'it stopped' } }, 'inconclusive'],
  ],
);

caseRule(
  'an early end leaves open what was not settled',
  { questions: ['a', 'b'], record: { endedEarly: 'it stopped' } },
  'inconclusive',
  [
    ['all was settled', { answers: ['a pass', 'b pass'] }, 'pass'],
    ['something was found', { answers: ['a finding'] }, 'fail'],
  ],
);

const WALK = { origin: { seed: 1, path: '0', commands: 1 } };

caseRule('a walk shows what it meets', { answers: ['a finding'], tag: WALK }, 'fail', [
  ['the requirement reads what came before', { requirement: { readsHistory: true } }, 'inconclusive'],
  ['invalid credentials alone show it', { requirement: { shownBy: 'invalid credentials' } }, 'inconclusive'],
]);

const endedBefore = (operation: 'getTrunk' | 'updateTrunk'): Given => {
  const note = { sequence: 's', operation, asks: [], why: 'stopped', reason: 'it stopped' } as const;
  return { record: { endedEarly: 'it stopped', skipped: [note] } };
};
const ALWAYS = { invariant: true, concerns: () => true } as const;

caseRule(
  'an invariant passes on any exchange',
  { requirement: ALWAYS, questions: [], answers: [' pass'] },
  'pass',
  [
    ['none came', { answers: [] }, 'inconclusive'],
    ['the run ended before all was sent', { record: { endedEarly: 'it stopped' } }, 'inconclusive'],
    ['one of many is a finding', { answers: [' pass', ' finding', ' pass'] }, 'fail'],
    ['it ended before all was sent to the operation', endedBefore('updateTrunk'), 'inconclusive'],
    ['a boundary value was not sent', { questions: [`${BOUNDARY}: long`], skipped: { long: {} } }, 'inconclusive'],
  ],
  [['the run ended before all was sent to another', endedBefore('getTrunk')]],
);

caseRule('the last sending of a request answers', { answers: ['a finding', 'a pass'], isSentAgain: true }, 'pass', [
  ['it is another request', { isSentAgain: undefined as never }, 'fail'],
  ['the last one shows it', { answers: ['a pass', 'a finding'] }, 'fail'],
]);

const REPLACES_ITSELF: Given = { answers: [' finding'], tag: { replaces: 1 } };

caseRule(
  'of a sending that was no answer, what it holds counts, and not its status',
  { requirement: ALWAYS, questions: [], answers: [' status', ' pass'], isSentAgain: true },
  'pass',
  [
    ['what it holds', { answers: [' finding', ' pass'] }, 'fail'],
    ['what it holds, where an edited record says that it replaces itself', REPLACES_ITSELF, 'fail'],
    ['and neither where it is a symptom of such a record', { ...REPLACES_ITSELF, status: 500 }, 'inconclusive'],
    ['it is another request', { isSentAgain: undefined as never }, 'fail'],
  ],
  [['nor what leaves a doubt', { answers: [' doubt', ' pass'] }]],
);

caseRule(
  'what holds of some answers counts of each sending that did not ask it',
  { requirement: ALL, answers: [' finding', 'a pass'], isSentAgain: true },
  'fail',
  [['it was asked', { answers: ['a finding', 'a pass'] }, 'pass']],
);

const settled = (settled: RunRecord['settled']): Given => ({ record: { settled } as Partial<RunRecord> });

caseRule(
  'a locked-out sender is told nothing by a status',
  { ...settled({ lockedOut: [1] }) },
  'inconclusive',
  [
    ['it was not locked out', settled({ lockedOut: [2] }), 'pass'],
    ['something else was found', { answers: ['a finding'] }, 'fail'],
  ],
  [['that is wrong', { answers: ['a status'] }]],
);

caseRule(
  'a symptom counts where sending confirmed it',
  { answers: ['a finding'], status: 500, ...settled({ confirmed: [1] }) },
  'fail',
  [['it did not', settled({ confirmed: [2] }), 'inconclusive']],
  [['unless it is a leak, which counts at once', { answers: ['a leak'], ...settled({}) }]],
);

caseRule(
  'a symptom of an invariant leaves it open',
  { requirement: ALWAYS, questions: [], answers: [' pass', ' finding'], status: 500 },
  'inconclusive',
  [
    ['it came in an outage', settled({ outages: [[2, 2]] }), 'pass'],
    ['the run itself asked', { tag: { role: 'health-check' } }, 'pass'],
    ['it hung up', { tag: { role: 'hang-up' } }, 'pass'],
    ['it is confirmed', settled({ confirmed: [2] }), 'fail'],
  ],
  [['it came before an outage', settled({ outages: [[3, 3]] })]],
);

const OF_VALUE: Given = { requirement: ALWAYS, questions: [`${BOUNDARY}: long`], answers: ['long pass'] };

caseRule(
  'a boundary value counts as asked where it was answered',
  OF_VALUE,
  'pass',
  [
    ['it was put off', { status: 503 }, 'inconclusive'],
    ['it got no answer', { status: null }, 'inconclusive'],
    ['it was not sent', { answers: [' pass'] }, 'inconclusive'],
  ],
  [['or got no answer each time, which is what is found', { status: null, ...settled({ confirmed: [1] }) }]],
);

const SEVERAL = {
  asks: [
    { id: BOUNDARY, variation: 'long' },
    { id: BOUNDARY, variation: 'empty' },
  ],
};

caseRule('and with others in the same request only where that was accepted', { ...OF_VALUE, tag: SEVERAL }, 'pass', [
  ['it was rejected', { status: 422 }, 'inconclusive'],
]);

const AT_ONCE = { asks: [{ id: BOUNDARY, variation: '2 at once' }], sequence: 's' };
const TWO: Given = { ...OF_VALUE, questions: [`${BOUNDARY}: 2 at once`], answers: ['x pass', 'x pass'], tag: AT_ONCE };

test('two at once are two answers: one alone, or one that was sent again, leaves the question open, which is in the way of nothing', () => {
  const others: readonly Given[] = [{ answers: ['x pass'] }, { tag: { ...AT_ONCE, resend: 1 } }];
  const answered = [{}, ...others].map((given) => evaluated({ ...TWO, ...given }).questions.answered);
  expect(answered).toEqual([1, 0, 0]);
  expect(verdictOf({ ...TWO, answers: ['x pass'] })).toBe('pass');
});
