/** From opinions to the verdict of a case, and from cases to that of a run (conformance model, sections 1, 5 and 6). */

import { expect, test } from 'vitest';
import type { Skip } from '../../../src/contract/skipped.ts';
import type { ExchangeTag } from '../../../src/exchange/exchange.ts';
import { DEFAULTS, inputsOf } from '../../../src/run/options.ts';
import { evaluate } from '../../../src/verdict/evaluate.ts';
import {
  found,
  foundLeak,
  inconclusive,
  lawfullyNone,
  none,
  type Opinion,
  PASS,
} from '../../../src/verdict/opinion.ts';
import { UNSAID } from '../../../src/verdict/questions.ts';
import { BOUNDARY, type JudgedRecord } from '../../../src/verdict/record.ts';
import type { JudgedRequirement } from '../../../src/verdict/requirement.ts';
import { fold, LADDER } from '../../../src/verdict/verdict.ts';
import { demand, exchangeOf, type Said } from './exchanges.ts';

const OPINIONS: Readonly<Record<string, Opinion>> = {
  pass: PASS,
  finding: found('the body', 'this', 'that'),
  status: { kind: 'finding', basis: 'status', finding: { where: 'the status', expected: 'this', actual: 'that' } },
  leak: foundLeak('the body', 'no secret', 'a secret'),
  none: none('nothing'),
  excused: lawfullyNone('nothing', 'nothing helps'),
  doubt: inconclusive('a doubt'),
};

/** What is known of a case; without more, a `must` with one question that one exchange passes. */
interface Given {
  readonly requirement?: Partial<JudgedRequirement>;
  readonly operation?: 'getTrunk' | 'updateTrunk';
  readonly questions?: readonly string[];
  /** What each exchange asks, and the opinion on it: `a pass`. Without a question: ` pass`. */
  readonly answers?: readonly string[];
  readonly tag?: Partial<ExchangeTag>;
  /** Whether the second exchange is the first one, sent again. */
  readonly isSentAgain?: true;
  readonly status?: number | null;
  /** Questions that were not asked, and why: of the requirement, or of a boundary value. */
  readonly skipped?: Readonly<Record<string, Partial<Skip>>>;
  readonly record?: Partial<JudgedRecord>;
  readonly header?: Partial<JudgedRecord['header']>;
}

const OF = { id: 'X', level: 'must', section: '1', statement: 'It is so.' } as const;

function evaluated(given: Given) {
  const { requirement, operation = 'updateTrunk', questions = ['a'], answers = ['a pass'], tag, status = 200 } = given;
  const judged: JudgedRequirement = {
    ...OF,
    operations: [operation],
    expect: (exchange) => OPINIONS[exchange.tag.about] ?? PASS,
    ...requirement,
  };
  const exchanges = answers.map((answer, at) => {
    const [question = '', about = ''] = answer.split(' ');
    const asked = questions.includes(`${BOUNDARY}: ${question}`) ? BOUNDARY : 'X';
    const asks = question === '' ? [] : [{ id: asked, variation: question }];
    const again = given.isSentAgain && at === 1 ? { replaces: 1 } : {};
    const said: Said = { status, tag: { operation, asks, about, sequence: `${at}`, control: false, ...again, ...tag } };
    return exchangeOf(said, at);
  });
  const notes = Object.entries(given.skipped ?? {}).map(([variation, note]) => {
    const asks = [{ id: questions.includes(`${BOUNDARY}: ${variation}`) ? BOUNDARY : 'X', variation }];
    return { sequence: 's', operation, asks, why: 'limit', reason: 'a reason', ...note } as const;
  });
  const header = {
    suite: { name: 's', version: '1' },
    ...{ target: 't', profile: 'full', without: [], only: [], strict: false, seed: 1, explore: 0, settings: [] },
    ...given.header,
  } as JudgedRecord['header'];
  const plan = [{ id: `X/${operation}`, requirement: 'X', operation, questions }];
  const record: JudgedRecord = {
    inputs: inputsOf({ ...DEFAULTS, baseUrl: 'http://t.invalid', credentials: { access: 'a_org_b' } }, (text) => text),
    ...{ header, plan, exchanges, skipped: notes as JudgedRecord['skipped'], errors: [], endedEarly: null },
    ...{ possiblyOpen: [], changed: [], calls: 0 },
    ...given.record,
  };
  return evaluate(record, { requirements: [judged], remedyOf: () => undefined });
}

const verdictOf = (given: Given): string => evaluated(given).requirements[0]?.cases[0]?.verdict ?? 'no verdict';
const runOf = (given: Given): string => evaluated(given).verdict;

/** A rule: what follows of what is given, and of the same with one thing changed. */
const ruleOf =
  (follows: (given: Given) => string) =>
  (
    title: string,
    base: Given,
    says: string,
    but: readonly (readonly [title: string, change: Given, says: string])[],
    still: readonly (readonly [title: string, change: Given])[] = [],
  ): void => {
    demand<Given>(title, (change) => follows({ ...base, ...change }), says, but, still);
  };
const OPTIONAL = { why: 'setting', needs: ['PCS_REVOKED_ACCESS_TOKEN'] } as const;
const caseRule = ruleOf(verdictOf);
const ALL = { concerns: () => true } as const;
const PLANNED = { id: 'Y/getTrunk', requirement: 'Y', operation: 'getTrunk', questions: [] } as const;
const broken = (asks: Exclude<ExchangeTag['asks'], undefined>) => ({
  errors: [{ sequence: 's', operation: 'updateTrunk', asks, message: 'm' } as const],
});
const runRule = ruleOf(runOf);

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
  'nothing hides a finding',
  { questions: ['a', 'b'], answers: ['b pass', 'a finding'] },
  'fail',
  [['there is none', { answers: ['b pass', 'a pass'] }, 'pass']],
  [
    ['a doubt', { answers: ['b pass', 'a finding', 'a doubt'] }],
    ['a question that was not asked', { answers: ['a finding'], skipped: { b: {} } }],
    ['an early end', { record: { endedEarly: 'it stopped' } }],
    ['a requirement that waits for an occasion', { requirement: { opportunistic: 'none' } }],
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

const ALWAYS = { invariant: true, concerns: () => true } as const;

caseRule('an invariant passes on any exchange', { requirement: ALWAYS, questions: [], answers: [' pass'] }, 'pass', [
  ['none came', { answers: [] }, 'inconclusive'],
  ['the run ended before all was sent', { record: { endedEarly: 'it stopped' } }, 'inconclusive'],
  ['one of many is a finding', { answers: [' pass', ' finding', ' pass'] }, 'fail'],
  ['a boundary value was not sent', { questions: [`${BOUNDARY}: long`], skipped: { long: {} } }, 'inconclusive'],
]);

caseRule('the last sending of a request answers', { answers: ['a finding', 'a pass'], isSentAgain: true }, 'pass', [
  ['it is another request', { isSentAgain: undefined as never }, 'fail'],
  ['the last one shows it', { answers: ['a pass', 'a finding'] }, 'fail'],
]);

caseRule(
  'of a sending that was no answer, what it holds counts, and not its status',
  { requirement: ALWAYS, questions: [], answers: [' status', ' pass'], isSentAgain: true },
  'pass',
  [
    ['what it holds', { answers: [' finding', ' pass'] }, 'fail'],
    ['it is another request', { isSentAgain: undefined as never }, 'fail'],
  ],
  [['nor what leaves a doubt', { answers: [' doubt', ' pass'] }]],
);

const settled = (settled: JudgedRecord['settled']): Given => ({ record: { settled } as Partial<JudgedRecord> });

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

caseRule('a boundary value counts as asked where it was answered', OF_VALUE, 'pass', [
  ['it was put off', { status: 503 }, 'inconclusive'],
  ['it got no answer', { status: null }, 'inconclusive'],
  ['it was not sent', { answers: [' pass'] }, 'inconclusive'],
]);

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

test('two at once are two answers: one alone leaves the question open, which is in the way of nothing', () => {
  const answered = [TWO, { ...TWO, answers: ['x pass'] }].map((given) => evaluated(given).questions.answered);
  expect(answered).toEqual([1, 0]);
  expect(verdictOf({ ...TWO, answers: ['x pass'] })).toBe('pass');
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

runRule('a run is conformant where every must passed or was not exercised', {}, 'conformant', [
  ['one failed', { answers: ['a finding'] }, 'non-conformant'],
  ['one is open', { answers: ['a none'] }, 'incomplete'],
  ['it ended early', { record: { endedEarly: 'it stopped' } }, 'incomplete'],
  ['a call may be open', { record: { possiblyOpen: ['a call'] } }, 'incomplete'],
  ['something was not restored', { record: { unrestored: ['a name'] } }, 'incomplete'],
  ['the suite broke', { record: broken([]) }, 'void'],
  ['a planned case got no verdict', { record: { plan: [PLANNED] } }, 'void'],
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
  {
    requirement: { needs: 'PCS_REVOKED_ACCESS_TOKEN' },
    answers: [],
    skipped: { a: OPTIONAL },
    header: { requireComplete: true },
  },
  'incomplete',
  [['else it is not', { header: {} }, 'conformant']],
);

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
