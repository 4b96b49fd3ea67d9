/** A run made by hand: every verdict, and hostile text wherever a target can put text. */

import type { Exchange } from '../../../src/exchange/exchange.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import type { CaseResult, FoldedFinding, RequirementResult, Results, Verdict } from '../../../src/verdict/results.ts';
import { toldOf } from '../../../src/verdict/sentence.ts';

/** A word that occurs only in `HOSTILE`. */
export const MARK = 'hostile-target-text';

/** Text with which a target may try to forge a result, move a cursor or run a script. */
export const HOSTILE = [
  MARK,
  '</failure></testcase><testcase name="forged" classname="forged"/>',
  ']]>',
  '<![CDATA[',
  '<script>forged()</script><img src=x onerror=forged()>',
  '\u001b[2J\u001b]0;forged\u0007\u009b31m',
  '\r\n::error::forged',
  '\n::set-output name=forged::yes\n',
  '##[add-mask]forged ##vso[task.setvariable variable=forged]x ##teamcity[testFailed]',
  '| forged | cell |\n\n# forged\n\n- forged\n```\n',
  '`forged` **forged** [forged](javascript:forged) ![forged](http://forged.invalid/x.png) @forged http://forged.invalid',
  '&lt;b&gt; %0A::error::forged %3A \\n',
  '\u202eforged\u2066 \ud800 \u0000 \ufffe \u2028 \u00a0',
].join(' ');

/** Every verdict, and the case that has it in the made run. */
export const CASES: readonly (readonly [verdict: Verdict, id: string])[] = [
  ['pass', 'MADE-PASS/listTrunks'],
  ['fail', 'MADE-FAIL/createCall'],
  ['warning', 'MADE-WARNING/getTrunk'],
  ['inconclusive', 'MADE-INCONCLUSIVE/updateTrunk'],
  ['not-exercised', 'MADE-NOT-EXERCISED/answerCall'],
  ['error', 'MADE-ERROR/hangUpCall'],
];

const FINDING: FoldedFinding = {
  expected: `status 400 ${HOSTILE}`,
  actual: `status 200 ${HOSTILE}`,
  where: `the status ${HOSTILE}`,
  stimulus: `to is missing ${HOSTILE}`,
  example: 2,
  exchanges: [2, 3],
};

const DETAILS: Readonly<Record<Verdict, Partial<CaseResult>>> = {
  pass: { judged: 4 },
  fail: { judged: 5, reason: `refused is expected ${HOSTILE}`, findings: [FINDING, { ...FINDING, actual: 'a hang' }] },
  warning: { judged: 1, reason: `a recommendation ${HOSTILE}`, findings: [{ ...FINDING, example: 1, exchanges: [1] }] },
  inconclusive: { judged: 1, reason: `the control was refused ${HOSTILE}`, remedy: 'set PCS_TRUNK_ID' },
  'not-exercised': { reason: 'PCS_RINGING_CALL_ID is not set', remedy: 'set PCS_RINGING_CALL_ID' },
  error: { reason: `the suite broke ${HOSTILE}` },
};

const ASKED = { planned: 2, answered: 2 } as const;

function requirement(verdict: Verdict, caseId: string): RequirementResult {
  const [id = '', operation = ''] = caseId.split('/');
  return {
    id,
    level: verdict === 'warning' ? 'should' : 'must',
    section: '4',
    statement: `The made requirement that ends in ${verdict}.`,
    ...(verdict === 'fail' ? { reading: 'R1' } : {}),
    verdict,
    cases: [{ id: caseId, operation, verdict, findings: [], judged: 0, questions: ASKED, ...DETAILS[verdict] }],
  };
}

const BODY = { digest: 'd', utf8: true, byteOrderMark: false, json: 'valid', members: [], mentions: [] } as const;

function exchange(seq: number, more: Partial<Exchange>): Exchange {
  return {
    seq,
    tag: {
      operation: 'createCall',
      documented: true,
      ids: 'none',
      sequence: `call/made ${seq}`,
      attempt: 0,
      role: 'probe',
      resend: 0,
      asks: [{ id: 'MADE-FAIL', variation: 'to' }],
      control: false,
      about: HOSTILE,
    },
    request: {
      method: 'POST',
      path: `/v1/calls/?q=${seq}${HOSTILE}`,
      credential: 'truncated',
      headers: [['Content-Type', `application/json ${HOSTILE.replace(/[\0\r\n]/g, '')}`]],
      body: { ...BODY, length: 9, text: `{"to":1}${HOSTILE}` },
    },
    response: {
      status: 400,
      headers: [
        ['Content-Type', `text/html ${HOSTILE}`],
        [`X-${HOSTILE}`, HOSTILE],
        ['Location', HOSTILE],
      ],
      body: { ...BODY, length: 20, json: 'invalid', reason: 'markup', text: HOSTILE },
      leaks: [{ secret: 'inbound-secret', encoding: 'base64', where: 'body' }],
    },
    failure: null,
    at: seq * 10,
    took: 5,
    ...more,
  };
}

const SHOWN = { pointer: `/${HOSTILE}`, type: 'string' } as const;

/** The exchanges of the made run: a success, a rejection, and no complete response. */
export const EXCHANGES: readonly Exchange[] = [
  exchange(1, { response: { status: 200, headers: [], body: { ...BODY, length: 2, members: [SHOWN] }, leaks: [] } }),
  exchange(2, {}),
  exchange(3, { response: null, failure: { kind: 'short', detail: `cut ${HOSTILE}`, status: 201 } }),
];

/** The results of the made run. */
export const RESULTS: Results = {
  format: 'pcs-conformance/results@2',
  suite: { name: 'pcs-conformance', version: '0.0.0' },
  target: 'http://service.invalid/base',
  profile: 'full',
  without: ['muteParticipant'],
  only: [],
  strict: false,
  seed: 7,
  explore: 200,
  settings: ['PCS_ACCESS_TOKEN'],
  ...toldOf('void', `the suite itself broke: ${HOSTILE}`, { profile: 'full', without: ['muteParticipant'], only: [] }),
  conditions: ['pcs-conformance 0.0.0, profile full, seed 7'],
  partial: false,
  counts: {
    requests: 3,
    calls: 1,
    unplannedCalls: 0,
    mayBeOpen: 1,
    cases: { pass: 1, 'not-exercised': 1, inconclusive: 1, warning: 1, fail: 1, error: 1 },
  },
  questions: {
    planned: 12,
    answered: 9,
    open: 1,
    notAsked: 2,
    lacking: { questions: 2, settings: ['PCS_RINGING_CALL_ID', 'PCS_TRUNK_ID'] },
  },
  requirements: CASES.map(([verdict, id]) => requirement(verdict, id)),
  sent: [{ operation: 'createCall', stimuli: ['a made request'] }],
  intermittent: [{ symptom: `createCall 502 ${HOSTILE}`, exchanges: [1, 3] }],
  possiblyOpen: [`call ${HOSTILE} (request 1): a call may be open`],
  changed: [`the trunk is called ${HOSTILE}`],
  endedEarly: null,
};

/** The made run. */
export const MADE: RunArtefacts = { results: RESULTS, exchanges: EXCHANGES, choices: [] };

/** The same with the facts of the run. */
export const MADE_WITH_FACTS: RunArtefacts = {
  ...MADE,
  facts: {
    startedAt: '2026-01-31T12:00:00.000Z',
    endedAt: '2026-01-31T12:00:01.500Z',
    host: HOSTILE,
  },
};

/** The made run with other results: another verdict, other cases. */
export function madeWith(changes: Partial<Results>): RunArtefacts {
  const results = { ...RESULTS, ...changes };
  return { ...MADE, results: { ...results, ...toldOf(results.verdict, results.reason, results) } };
}

/** The made run with these verdicts alone. */
export function madeOf(
  verdict: Results['verdict'],
  kept: readonly Verdict[],
  changes: Partial<Results> = {},
): RunArtefacts {
  return madeWith({
    verdict,
    requirements: RESULTS.requirements.filter((one) => kept.includes(one.verdict)),
    ...changes,
  });
}

/** Freezes a value deeply, so that changing it throws. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
