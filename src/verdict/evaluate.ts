/** Results of a record: cases, requirements, the verdict of the run. Pure. */

import { TRIALS } from '../contract/limits.ts';
import { counted, firstOf, groupBy, listed, withoutUndefined } from '../contract/lists.ts';
import { type CaseOperation, ON_CALLS, SAFE_METHODS } from '../contract/operations.ts';
import { remedyOf, type TargetSettingName } from '../contract/settings.ts';
import { isSuccess, type Waited } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isOurs, isRetryable, lastSendings, operationOf, statusOf, symptomOf } from './answer.ts';
import { Cases } from './case.ts';
import { conditionsOf } from './conditions.ts';
import { Evidence } from './evidence.ts';
import { openCallsIn, stimuliIn } from './folded.ts';
import { RUN_AGAIN } from './opinion.ts';
import { endedInPreflight, isExplored, opinionsByCase } from './opinions.ts';
import { brokenPhrase, countOfOperations, outagePhrase, suspectsPhrase } from './outage.ts';
import { type RunRecord, requirementOf } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';
import {
  type CaseResult,
  fold,
  type Intermittent,
  type RequirementResult,
  type Results,
  type RunVerdict,
  type Told,
  type UnansweredQuestion,
  type Unjudged,
  type Verdict,
} from './results.ts';
import { casesSentence, lessThanAll, mockPhrase, toldOf, toResolve } from './sentence.ts';
import { questionTotals, unjudgedIn } from './unjudged.ts';

/** The operations that one depends on, itself included: calls have to be placed before they can be controlled. */
const relatedOperations = (operation: string): readonly string[] =>
  ON_CALLS.some((id) => id === operation) ? ['createCall', operation] : [operation];

const isOpen = ({ verdict }: CaseResult): boolean => verdict === 'inconclusive';

/** Gives cases that were not asked because an earlier step failed the reason and the remedy of that step. */
function explainedByStep(
  cases: readonly CaseResult[],
  { remedyOf }: Judging,
  evidence: Evidence,
): readonly CaseResult[] {
  return cases.map((testCase) => {
    const { remedy, reason, judged, unanswered = [] } = testCase;
    const isOfStep = isOpen(testCase) && (unanswered.some(({ status }) => status === 'not asked') || judged === 0);
    if (!isOfStep || remedy !== undefined) return testCase;
    const related = relatedOperations(testCase.operation);
    const open = related.flatMap((id) => cases.filter((step) => step.operation === id && isOpen(step)));
    const steps = open.filter((step) => step.unanswered?.some(({ status }) => status === 'open'));
    const found = [
      ...[...steps, ...open].map((step) => step.remedy),
      ...related.map((operation) => remedyOf(operation as CaseOperation, evidence)),
    ].find((said) => said !== undefined);
    const why = steps[0]?.reason;
    const said = why === undefined || why === reason ? {} : { reason: `${reason} (${why})` };
    return { ...testCase, ...said, ...withoutUndefined({ remedy: found }) };
  });
}

/**
 * Cases that are open because the operation was never reached: they name the failure, and propose no setting. (For a
 * trunk answered with 404, `PCS_TRUNK_ID` was blamed, although its path was not served.)
 */
function blockedByFailure(
  cases: readonly CaseResult[],
  requirements: readonly JudgedRequirement[],
  evidence: Evidence,
): readonly CaseResult[] {
  const failing = requirementResults(
    requirements.filter(({ blocks }) => blocks),
    cases.filter(({ operation, verdict }) => verdict === 'fail' && !evidence.hasAcceptedControl(operation)),
  );
  const blocking = failing.flatMap((requirement) => requirement.cases);
  return cases.map((testCase) => {
    const related = relatedOperations(testCase.operation);
    const by = blocking.find(({ operation }) => related.includes(operation));
    if (by === undefined || !isOpen(testCase)) return testCase;
    const remedy = `${requirementOf(by.id)} fails for ${by.operation}: fix that first`;
    const unanswered = testCase.unanswered?.map((question) =>
      question.needs === undefined ? { ...question, remedy } : question,
    );
    return { ...testCase, remedy, blockedBy: by.id, ...withoutUndefined({ unanswered }) };
  });
}

/** What helps the open cases of an operation that needed more waiting than `--max-wait` had left. */
function withMoreWaiting(cases: readonly CaseResult[], waits: readonly Waited[] = []): readonly CaseResult[] {
  const short = new Set(waits.filter((wait) => wait.short !== undefined).map(({ operation }) => operation));
  return cases.map((testCase) => {
    const isLater = (testCase.remedy ?? RUN_AGAIN).startsWith(RUN_AGAIN);
    if (!isOpen(testCase) || !isLater || !short.has(testCase.operation)) return testCase;
    return { ...testCase, remedy: 'raise --max-wait' };
  });
}

/** The verdicts of requirements, each with its cases. */
export function requirementResults(
  requirements: readonly JudgedRequirement[],
  all: readonly CaseResult[],
): readonly RequirementResult[] {
  const byRequirement = groupBy(all, ({ id }) => requirementOf(id));
  return requirements.flatMap(({ id, level, section, statement, reading }) => {
    const cases = byRequirement.get(id);
    if (cases === undefined) return [];
    const verdict = fold(cases.map((testCase) => testCase.verdict));
    return [{ id, level, section, statement, ...withoutUndefined({ reading }), verdict, cases }];
  });
}

/** Symptoms that went away, an outage of several operations as one; lateness alone is not flaky (GAP-LATENESS). */
function intermittentOf(evidence: Evidence): readonly Intermittent[] {
  const { exchanges, settled } = evidence;
  const lastOf = lastSendings(exchanges);
  // Also a 401 to the valid credential that no lock-out explains.
  const toldOf = (exchange: Exchange): string | null => {
    const isUnprovoked = isOurs(exchange) && statusOf(exchange) === 401 && !evidence.isInLockOut(exchange);
    return symptomOf(exchange) ?? (isUnprovoked && statusOf(lastOf(exchange)) !== 401 ? 'status 401' : null);
  };
  const gone = exchanges.filter((exchange) => {
    if (toldOf(exchange) === null || evidence.isConfirmed(exchange)) return false;
    const end = lastOf(exchange);
    const isLate = exchange.failure?.kind === 'timeout' && end.response !== null && end.took > exchange.took;
    return end !== exchange && !evidence.isConfirmed(end) && !isLate;
  });
  const outages = (settled.outages ?? [])
    .map(([from, to]) =>
      exchanges.filter((exchange) => exchange.seq >= from && exchange.seq <= to && symptomOf(exchange) !== null),
    )
    .filter((outage) => countOfOperations(outage) > 1 && !outage.some((exchange) => evidence.isCrash(exchange)));
  const single = gone.filter((exchange) => !outages.some((outage) => outage.includes(exchange)));
  return [
    ...outages.map((outage) => ({ symptom: outagePhrase(outage), exchanges: outage.map(({ seq }) => seq) })),
    ...[...groupBy(single, toldOf)].map(([symptom, equal]) => {
      return { symptom: symptom ?? '', exchanges: equal.map(({ seq }) => seq) };
    }),
  ].sort((a, b) => (a.symptom < b.symptom ? -1 : 1));
}

/** The responses that were not read to their end. */
function cutAnswersOf(exchanges: readonly Exchange[]): Pick<Results, 'cut'> {
  const cut = exchanges.filter(({ response }) => response?.body?.cut === true);
  const operations = [...new Set(cut.map(operationOf))];
  return cut.length === 0 ? {} : { cut: { answers: cut.length, operations } };
}

const MUTED = /\/conferences\/([^/]+)\/participants\/([^/]+)\/mute/;

/**
 * A sentence for the configured participant, if the run muted them or may have: no operation undoes it (model, section
 * 0, rule 17). A path with the ids in capitals names the same participant. `unanswered` holds the paths of mutes after
 * which the run was killed: the journal announces them and has no answer.
 */
export function mutedIn(exchanges: readonly Exchange[], unanswered: readonly string[] = []): readonly string[] {
  const asked = exchanges.filter(({ tag }) => tag.operation === 'muteParticipant' && tag.ids === 'named');
  const paths = [...asked.map(({ request }) => request.path), ...unanswered];
  const [, conference, participant] = paths.flatMap((path) => MUTED.exec(path) ?? []);
  const statuses = asked.map(
    ({ request, response }) => response?.status ?? (request.credential === 'valid' ? 500 : 401),
  );
  const isMuted = statuses.some(isSuccess);
  if (!isMuted && unanswered.length === 0 && !statuses.some((status) => status >= 500)) return [];
  const was = isMuted ? 'was muted' : 'may have been muted';
  return [`participant ${participant} of conference ${conference} ${was}, and no operation of the interface undoes it`];
}

/** Remedies for the open cases, the one that helps most first; all missing settings are one remedy. */
function remediesOf(open: readonly CaseResult[]): readonly string[] {
  const lackingOf = ({ unanswered = [] }: CaseResult): readonly UnansweredQuestion[] =>
    unanswered.filter(({ needs }) => needs !== undefined);
  const lacking = open.flatMap(lackingOf);
  const missing = [...new Set(lacking.flatMap(({ needs = [] }) => needs))].sort();
  const set = missing.length === 1 ? remedyOf(...(missing as readonly TargetSettingName[])) : `set ${listed(missing)}`;
  // A hang-up without a call has the remedy of the create call that lacks the settings.
  const ofSettings = new Set(lacking.map(({ remedy }) => remedy));
  const remedies = open.flatMap((question) =>
    lackingOf(question).length > 0 || (question.remedy !== undefined && ofSettings.has(question.remedy))
      ? [set]
      : (question.remedy ?? []),
  );
  const byCount = [...groupBy(remedies, (remedy) => remedy)].sort(([, a], [, b]) => b.length - a.length);
  return byCount.map(([remedy]) => remedy);
}

/** The sentence for a read-only credential, or `null`: three operations reject every write with 403. */
function ofNoWrite({ exchanges }: RunRecord): string | null {
  const writes = exchanges.filter(
    (exchange) =>
      isOurs(exchange) && exchange.tag.control && !SAFE_METHODS.has(exchange.request.method) && !isRetryable(exchange),
  );
  const isMany = new Set(writes.map(operationOf)).size >= TRIALS.rule;
  if (!isMany || !writes.every((write) => statusOf(write) === 403)) return null;
  return 'every write got status 403; to resolve: allow PCS_ACCESS_TOKEN to write, or run with --profile read-only';
}

const namedCases = (cases: readonly CaseResult[]): string => {
  const ids = cases.map(({ id }) => id);
  return firstOf(ids, 3);
};

/** How many cases fail, and the first of them: `1 case fails: LIST-STATUS/listTrunks`. */
export const failSentence = (failed: readonly CaseResult[]): string =>
  `${counted(failed.length, 'case fails', 'cases fail')}: ${namedCases(failed)}`;

/** The words for a run; a certification tolerates no flaky symptom and no open case of a recommendation. */
function verdictOf(
  record: RunRecord,
  requirements: readonly RequirementResult[],
  intermittent: readonly Intermittent[],
  unjudged: readonly Unjudged[],
): Told {
  const { header, inputs, errors, plan, endedEarly, possiblyOpen, unrestored = [] } = record;
  const { strict, requireComplete } = header;
  const told = (verdict: RunVerdict, why: string): Told => toldOf(verdict, why, { ...header, unjudged });
  const isCertified = inputs.drawnOrder !== undefined;
  const all = requirements.flatMap(({ cases }) => cases);
  const of = (cases: readonly CaseResult[], verdict: Verdict) =>
    cases.filter((testCase) => testCase.verdict === verdict);
  const [error] = errors;
  if (error !== undefined) return told('void', `the suite itself broke: ${error.message}`);
  if (new Set(all.map(({ id }) => id)).size !== all.length || all.length !== plan.length)
    return told('void', 'a planned case did not get exactly one verdict');
  const failed = [...of(all, 'fail'), ...(strict ? of(all, 'warning') : [])];
  if (failed.length > 0) {
    const end = endedEarly === null ? '' : `; the run ended early: ${endedEarly}`;
    return told(
      'non-conformant',
      `${failSentence(failed)}${end}${brokenPhrase(record.exchanges)}${mockPhrase(record.exchanges)}`,
    );
  }
  if ((strict || isCertified) && intermittent.length > 0)
    return told('non-conformant', `flaky: ${intermittent.map(({ symptom }) => symptom).join(', ')}`);
  if (endedEarly !== null) return told('incomplete', endedEarly);
  const binding = requirements.filter(({ level }) => isCertified || level === 'must').flatMap(({ cases }) => cases);
  // A run of one case whose precondition was missing was CONFORMANT, with 0 passed.
  const isNothing = all.every(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive');
  const open = isNothing ? all : of(binding, 'inconclusive');
  if (open.length > 0) {
    const why = ofNoWrite(record) ?? `${namedCases(open)}${toResolve(remediesOf(open))}`;
    return told('incomplete', `${counted(open.length, 'case')} could not be judged: ${why}`);
  }
  const [call] = possiblyOpen;
  if (call !== undefined) return told('incomplete', call);
  const [changed] = unrestored;
  if (changed !== undefined) return told('incomplete', `the target is still changed: ${changed}`);
  const cases = casesSentence(countVerdicts(all), strict);
  const less = requireComplete === true ? lessThanAll({ ...header, unjudged }) : null;
  return less === null
    ? told('conformant', cases)
    : told('incomplete', `${less.what}: ${cases}${toResolve(less.remedies)}`);
}

/** How many cases have each verdict. */
export function countVerdicts(cases: readonly CaseResult[]): Readonly<Record<Verdict, number>> {
  const counts = { pass: 0, 'not-exercised': 0, inconclusive: 0, warning: 0, fail: 0, error: 0 };
  for (const { verdict } of cases) counts[verdict] += 1;
  return counts;
}

/** What a record is judged by: the requirements, and the remedy for an operation whose valid requests were rejected. */
export interface Judging {
  readonly requirements: readonly JudgedRequirement[];
  readonly remedyOf: (operation: CaseOperation, evidence: Evidence) => string | undefined;
}

/** Judges a record. Equal records give equal results. */
export function evaluate(recorded: RunRecord, judging: Judging): Results {
  const { requirements: catalogue } = judging;
  const exchanges = [...recorded.exchanges].sort((a, b) => a.seq - b.seq);
  const evidence = new Evidence(
    recorded.header,
    exchanges.filter((exchange) => !isExplored(exchange)),
    recorded.settled,
  );
  const { endedEarly: end } = recorded;
  const record = { ...recorded, endedEarly: end === null ? null : `${end}${suspectsPhrase(exchanges)}` };
  const opinions = opinionsByCase(record, evidence, catalogue);
  const cases = new Cases(record, opinions, evidence);
  const byId = new Map(catalogue.map((requirement) => [requirement.id, requirement]));
  const judged = record.plan.flatMap((planned) => {
    const requirement = byId.get(planned.requirement);
    return requirement === undefined ? [] : cases.judge(planned, requirement);
  });
  const steps = explainedByStep(withMoreWaiting(judged, recorded.waits), judging, evidence);
  const all = blockedByFailure(steps, catalogue, evidence);
  const requirements = requirementResults(catalogue, all);
  const intermittent = endedInPreflight(record) ? [] : intermittentOf(evidence);
  const [totals, unjudged] = [questionTotals(all), unjudgedIn(all, record)];
  return {
    format: 'pcs-conformance/results@2',
    ...record.header,
    ...verdictOf(record, requirements, intermittent, unjudged),
    partial: record.header.only.length > 0,
    conditions: conditionsOf(record, all),
    counts: {
      requests: exchanges.length,
      calls: record.calls,
      unplannedCalls: record.unplannedCalls ?? 0,
      ...(record.mayBeOpen === undefined ? {} : { mayBeOpen: record.mayBeOpen }),
      cases: countVerdicts(all),
    },
    questions: totals,
    ...(unjudged.length === 0 ? {} : { unjudged }),
    requirements,
    sent: stimuliIn(exchanges),
    intermittent,
    possiblyOpen: record.possiblyOpen,
    ...openCallsIn(record),
    changed: [...new Set([...record.changed, ...mutedIn(exchanges)])],
    ...(record.unrestored === undefined ? {} : { unrestored: record.unrestored }),
    ...cutAnswersOf(exchanges),
    ...(recorded.waits === undefined ? {} : { waits: recorded.waits }),
    endedEarly: record.endedEarly,
  };
}
