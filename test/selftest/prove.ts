/**
 * The proof, one service at a time: a lawful one never fails, and a faulty one always fails, for the right requirement.
 */

import type { Fault } from '../../fixtures/faults/index.ts';
import { MET_BY_NOTHING, type Meeting, type NullService } from '../../fixtures/null/null-service.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { bodilessIn, inconclusiveOf } from '../../fixtures/variants/variant.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { UNKNOWN_ROUTE } from '../../src/run/builder.ts';
import type { Requirement } from '../../src/run/requirement.ts';
import { caseId } from '../../src/verdict/record.ts';
import type { CaseResult, Results } from '../../src/verdict/results.ts';
import { REQUIREMENTS, requirementById } from '../../suites/catalogue.ts';
import { judge, optionsFrom } from './harness.ts';
import { brokenIn, casesOf, isBinding, isBroken, isMust, type Judged, judged, type Manner } from './judged.ts';
import type { Choices, Pair } from './sample.ts';

/** The outcome of a proof: it holds, it has nothing to prove, or sentences say what is wrong. */
export type Proof =
  | { readonly kind: 'holds' }
  | { readonly kind: 'idle'; readonly why: string }
  | { readonly kind: 'broken'; readonly problems: readonly string[] };

/** The outcome for these sentences: without any, the proof holds. */
export function proofOf(problems: readonly string[]): Proof {
  return problems.length === 0 ? { kind: 'holds' } : { kind: 'broken', problems };
}

/** What a lawful service is accused of in binding cases. */
export function accusationsIn(results: Results): readonly string[] {
  const accused = casesOf(results).filter((one) => isMust(one) && isBroken(one));
  return accused.map(({ id, reason }) => `accused of ${id}: ${reason}`);
}

/** Whether it takes an accepted body: to compare valid or broken ones with, or as the place of a boundary value. */
function needsBody({ invariant, shownBy, send }: Requirement): boolean {
  if (invariant === true) return shownBy === undefined;
  return send?.features !== undefined || send?.violations !== undefined;
}

/** The cases of an operation that stay open where no body is accepted. */
const openWithoutBody = (operation: OperationId): readonly string[] =>
  REQUIREMENTS.filter((one) => one.level === 'must' && one.operations.includes(operation) && needsBody(one)).map(
    ({ id }) => caseId(id, operation),
  );

/** The cases that the choices of a variant declare impossible to judge. */
export function declaredOpen(choices: Choices): readonly string[] {
  return [...inconclusiveOf(choices), ...bodilessIn(choices).flatMap(openWithoutBody)];
}

/**
 * A lawful variant is accused of nothing, every `must` case that stays open is one that its choices declare, and it is
 * conformant unless they declare any.
 */
export async function proveVariant(choices: Choices, manner: Manner = {}): Promise<Proof> {
  const { results } = await judged(choices, manner);
  const declared = declaredOpen(choices);
  const open = casesOf(results)
    .filter((one) => isMust(one) && one.verdict === 'inconclusive' && !declared.includes(one.id))
    .map(({ id, reason }) => `undeclared inconclusive ${id}: ${reason}`);
  const due = declared.length === 0 ? ['conformant'] : ['conformant', 'incomplete'];
  const verdict = due.includes(results.verdict) ? [] : [results.summary];
  const problems = [...accusationsIn(results), ...open];
  return proofOf(problems.length > 0 ? problems : verdict);
}

/** A fault is also caught in a lawful variant, unless a lawful choice of the variant hides it. */
export async function provePair(pair: Pair, manner: Manner = {}): Promise<Proof> {
  const { fault, choices } = pair;
  const faulty = await judged(choices, manner, fault);
  const broken = brokenIn(faulty.results);
  const caught = fault.breaks.filter((id) => broken.includes(id));
  if (caught.some(isBinding)) return proofOf([]);
  if (faulty.shown.length === 0)
    return { kind: 'idle', why: 'the fault never showed: the variant has nothing that triggers it' };
  const alone = await judged(choices, manner);
  const own = brokenIn(alone.results);
  // A recommendation that the variant lawfully ignores proves nothing about the fault.
  if (caught.some((id) => !own.includes(id))) return proofOf([]);
  const why = await whyHidden(pair, faulty, alone, manner);
  if (why !== null) return { kind: 'idle', why };
  return proofOf([`not caught: ${faulty.results.verdict}: ${broken.join(', ') || 'nothing'}`]);
}

/** Why the fault cannot be seen in the variant, which may lawfully do what hides it, or `null` if it can. */
async function whyHidden(
  { fault, choices }: Pair,
  faulty: Judged,
  alone: Judged,
  manner: Manner,
): Promise<string | null> {
  const own = brokenIn(alone.results);
  if (fault.breaks.every((id) => own.includes(id))) return 'the variant alone is warned of what the fault breaks';
  const broken = await brokenInReference(fault);
  // Declared open (which the proof of the variant checks), or no response of the variant concerns them.
  const open = caseIdsOf(alone, isOpen);
  if (broken.every((id) => open.includes(id))) return 'the variant leaves open what the fault breaks';
  // The fault gets the very answer that the variant gives for another reason: then the run says that it cannot judge,
  // and is not conformant if the requirement binds.
  const undecided = caseIdsOf(faulty, isOpen);
  const unjudged = caseIdsOf(faulty, ({ verdict }) => verdict === 'inconclusive');
  const isSaid = fault.breaks.some(isBinding)
    ? isHeldBack(faulty.results) && broken.every((id) => undecided.includes(id))
    : broken.every((id) => unjudged.includes(id));
  if (isSaid) return 'the suite says that it cannot judge what the fault breaks';
  const unshown = unansweredIn(faulty, SHOWS_NO_ID);
  if ((await questionsBrokenInReference(fault)).every((question) => unshown.includes(question)))
    return 'no answer shows the id of the call (model, section 2)';
  if (isAlike(faulty, alone)) return 'the variant answers alike without the fault';
  const again = await judged(choices, { ...manner, socket: false, twice: true }, fault);
  return isAsked(fault, again)
    ? null
    : 'the fault shows only in requests for other requirements, or where the variant rejects anyway';
}

/** Whether the run says that the service breaks something, or that something could not be judged. */
const isHeldBack = ({ verdict }: Results): boolean => verdict === 'non-conformant' || verdict === 'incomplete';

/** Where the answer to a call shows no id, that it was accepted proves nothing: the service may not look at the id then. */
const SHOWS_NO_ID = /^the response shows no (trunk_id|application_id)/;

/**
 * Whether each request of the run is answered as it is without the fault, header fields included but for the time, and for the rest of
 * a rate limit: that counts the requests before.
 */
function isAlike(faulty: Judged, alone: Judged): boolean {
  const answerOf = ({ tag, response }: Exchange): string => {
    const headers = response?.headers.filter(([name]) => !/^date$|ratelimit/i.test(name));
    return JSON.stringify([tag.sequence, tag.about, tag.attempt, response?.status, response?.body?.digest, headers]);
  };
  const answers = new Set(alone.record.exchanges.map(answerOf));
  return faulty.record.exchanges.every((one) => answers.has(answerOf(one)));
}

const KNOWN = new Map<Fault, Promise<Judged>>();

/** A run of the reference service with the fault; judged once. */
function inReference(fault: Fault): Promise<Judged> {
  const known = KNOWN.get(fault) ?? judged({}, {}, fault);
  KNOWN.set(fault, known);
  return known;
}

/** The ids of the cases that a fault breaks in the reference service. */
export async function brokenInReference(fault: Fault): Promise<readonly string[]> {
  return caseIdsOf(await inReference(fault), isBroken);
}

/** The questions of these cases that the exchanges of a finding ask: `ORG-CALL/createCall trunk_id`. */
async function questionsBrokenInReference(fault: Fault): Promise<readonly string[]> {
  const { record, results } = await inReference(fault);
  return casesOf(results).flatMap(({ id, findings }) =>
    findings
      .flatMap(({ exchanges }) => exchanges.flatMap((seq) => record.exchanges[seq - 1]?.tag.asks ?? []))
      .flatMap((ask) => (id.startsWith(`${ask.id}/`) ? [`${id} ${ask.variation}`] : [])),
  );
}

/** The questions that nothing answered for such a reason. */
const unansweredIn = ({ results }: Judged, why: RegExp): readonly string[] =>
  casesOf(results).flatMap(({ id, unanswered = [] }) =>
    unanswered.flatMap(({ question, reason }) => (why.test(reason) ? [`${id} ${question}`] : [])),
  );

const isOpen = ({ verdict }: CaseResult): boolean => verdict === 'inconclusive' || verdict === 'not-exercised';

const caseIdsOf = ({ results }: Judged, isMeant: (one: CaseResult) => boolean): readonly string[] =>
  casesOf(results).flatMap((one) => (isMeant(one) ? [one.id] : []));

/** Whether the fault shows in requests for what it breaks; every request tests an invariant. */
function isAsked({ breaks: [first] }: Fault, { record, shown }: Judged): boolean {
  if (requirementById(first)?.invariant === true) return shown.length > 0;
  // In this process requests reach the service in the order in which they are numbered.
  const seen = record.exchanges.filter(({ seq }) => shown.includes(seq));
  const saidOf = (exchange: Exchange) => record.judgements?.of(exchange) ?? [];
  return seen.some((exchange) => [...exchange.tag.asks, ...saidOf(exchange)].some(({ id }) => id === first));
}

/** A service that serves every path alike is ruled out at once; here the preflight lets it pass. */
function unsuspected(service: Service): Service {
  const unknown = createReference().service;
  let isFirst = true;
  return (request) => {
    if (!isFirst || request.target !== UNKNOWN_ROUTE) return service(request);
    isFirst = false;
    return unknown(request);
  };
}

/** What a null service lawfully meets, with the reasons. */
export function metByNothing({ does, but = [], also = {} }: Meeting): Readonly<Record<string, string>> {
  const reasons = does.flatMap((trait) => MET_BY_NOTHING[trait].map((id) => [id, `It ${trait}.`] as const));
  return { ...Object.fromEntries(reasons.filter(([id]) => !but.includes(id))), ...also };
}

/**
 * A null service is never conformant, does not break the suite, and keeps a requirement, on whatever operation, exactly
 * where a written reason says so: a pass without a reason is a hole in a check, and a reason without a pass is out of
 * date.
 */
export async function proveNull(service: NullService): Promise<Proof> {
  const { make } = service;
  const passes = metByNothing(service);
  const { settings } = createReference();
  const { results } = await judge(unsuspected(make(settings)), optionsFrom(settings));
  const kept = results.requirements.filter(({ cases }) => cases.some(({ verdict }) => verdict === 'pass'));
  const unexplained = kept.filter(({ id }) => !(id in passes));
  const outOfDate = Object.keys(passes).filter((id) => !kept.some((requirement) => requirement.id === id));
  return proofOf([
    ...(isHeldBack(results) ? [] : [results.summary]),
    ...unexplained.map(({ id, cases }) => `unexplained pass of ${id}: ${passingOperations(cases)}`),
    ...outOfDate.map((id) => `${id} is explained and does not pass`),
  ]);
}

function passingOperations(cases: readonly CaseResult[]): string {
  return cases.flatMap(({ operation, verdict }) => (verdict === 'pass' ? [operation] : [])).join(', ');
}
