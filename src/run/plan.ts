/** The plan, fixed before the first request: which cases are judged and which sequences are sent. */

import type { CallBudget } from '../client/request.ts';
import type { CaseOperation, Level } from '../contract/levels.ts';
import { listed } from '../contract/lists.ts';
import { operationById } from '../contract/operations.ts';
import { RUN_DEFAULTS, remedyOf } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { caseOf } from '../verdict/opinions.ts';
import { boundaryQuestion } from '../verdict/questions.ts';
import { BOUNDARY, caseId, type PlannedCase, type SkippedNote } from '../verdict/record.ts';
import type { RequestBuilder } from './builder.ts';
import { type RunOptions, settingsPresent } from './options.ts';
import type { Requirement, Suite } from './requirement.ts';
import { isWalkBase, PHASES, type Sequence } from './sequence.ts';

/** Cases to judge and sequences to send. */
export interface Plan {
  readonly cases: readonly PlannedCase[];
  readonly sequences: readonly Sequence[];
  /** By `keptKey` of a sequence: requests of the cap that it leaves to questions about credentials and organizations. */
  readonly kept: ReadonlyMap<string, number>;
  /** By name of a sequence: its calls, and those that it leaves to later ones. */
  readonly calls: ReadonlyMap<string, CallBudget>;
  /** Sequences that are planned and not sent, since a setting is missing. */
  readonly lacking: readonly SkippedNote[];
}

/** Requirements that only the full profile can ask need writes or calls. */
function inProfile(requirement: Requirement, operation: CaseOperation, { profile }: RunOptions): boolean {
  if (profile === 'full' || operation === 'undocumented' || operationById(operation).method === 'GET') return true;
  const { send } = requirement;
  return (
    requirement.invariant === true || (typeof send === 'object' && 'credentials' in send && 'none' in send.credentials)
  );
}

const isLeftOut = (operation: CaseOperation, { without }: RunOptions): boolean =>
  (without as readonly CaseOperation[]).includes(operation);

/** Every case of the profile, in report order. */
function casesOf({ requirements }: Pick<Suite, 'requirements'>, options: RunOptions): readonly PlannedCase[] {
  return requirements.flatMap((requirement) =>
    requirement.operations
      .filter((operation) => !isLeftOut(operation, options) && inProfile(requirement, operation, options))
      .map((operation) => {
        return { id: caseId(requirement.id, operation), requirement: requirement.id, operation, questions: [] };
      }),
  );
}

/** The questions of each case: the variations that these sequences ask, and for an invariant the boundary values. */
function withQuestions(
  cases: readonly PlannedCase[],
  sequences: readonly Sequence[],
  { requirements }: Suite,
): readonly PlannedCase[] {
  const byId = new Map(requirements.map((one) => [one.id, one]));
  const asked = new Map<string, Set<string>>();
  const boundaries = new Map<CaseOperation, Set<string>>();
  const add = <Key>(sets: Map<Key, Set<string>>, key: Key, question: string): void => {
    sets.set(key, (sets.get(key) ?? new Set()).add(question));
  };
  for (const { operation, asks } of sequences) {
    for (const { id, variation } of asks) {
      const requirement = byId.get(id);
      if (requirement !== undefined) add(asked, caseOf(requirement, operation), variation);
      if (id === BOUNDARY) add(boundaries, operation, boundaryQuestion(variation));
    }
  }
  const isWatching = (id: string): boolean => {
    const { invariant, level, shownBy } = byId.get(id) ?? {};
    return invariant === true && level === 'must' && shownBy === undefined;
  };
  return cases.map((one) => {
    const watched = isWatching(one.requirement) ? (boundaries.get(one.operation) ?? []) : [];
    return { ...one, questions: [...(asked.get(one.id) ?? []), ...watched] };
  });
}

/** The cases that `--only` names; throws `UsageError` where a name is unknown or nothing is left. */
function selectCases(all: readonly PlannedCase[], only: readonly string[]): readonly PlannedCase[] {
  for (const name of only) {
    if (all.some(({ id, requirement }) => id === name || requirement === name)) continue;
    throw new UsageError(
      `--only ${name}: unknown requirement or case ${JSON.stringify(name)} in this profile`,
      'see pcs-conformance list',
    );
  }
  const cases =
    only.length === 0 ? all : all.filter(({ id, requirement }) => only.includes(id) || only.includes(requirement));
  if (cases.length === 0)
    throw new UsageError('Nothing is selected: --without and the profile leave no case', 'omit less');
  return cases;
}

/**
 * Whether a case needs a sequence: because the sequence asks it, or because it is an invariant on the same operation.
 */
function wantedBy(cases: readonly PlannedCase[], { requirements }: Suite): (sequence: Sequence) => boolean {
  const ids = new Set(cases.map(({ id }) => id));
  const invariants = requirements.filter(({ invariant }) => invariant === true);
  const operationsOf = (watching: readonly Requirement[]): ReadonlySet<CaseOperation> =>
    new Set(
      cases.filter(({ requirement }) => watching.some(({ id }) => id === requirement)).map((one) => one.operation),
    );
  const watched = operationsOf(invariants.filter(({ shownBy }) => shownBy === undefined));
  const watchedWithCredentials = operationsOf(invariants);
  const isWatched = ({ operation, phase }: Sequence): boolean =>
    (phase === 'credentials' ? watchedWithCredentials : watched).has(operation);
  return (sequence) => {
    const { operation, asks, mayAsk = [] } = sequence;
    return isWatched(sequence) || [...asks, ...mayAsk].some(({ id }) => ids.has(caseId(id, operation)));
  };
}

/** Writes are always restored, whichever cases are selected. */
const isRestoring = ({ phase, isControl }: Sequence): boolean => phase === 'restore' && isControl === true;

/** A read that is a control itself needs no others, whichever lane it is in. */
function isOnlyRead({ operation, isControl }: Sequence): boolean {
  return isControl === true && operation !== 'undocumented' && operationById(operation).method === 'GET';
}

/** The sequences that the cases need, with their controls. */
function selectionOf(
  cases: readonly PlannedCase[],
  possible: readonly Sequence[],
  suite: Suite,
  { path }: RunOptions,
): readonly Sequence[] {
  const isWanted = wantedBy(cases, suite);
  const needing = possible.filter((one) => isWanted(one) && !isOnlyRead(one));
  const lanes = new Set(needing.flatMap(({ lane, leansOn = lane }) => [lane, leansOn]));
  const isOfPath = (one: Sequence): boolean => path !== undefined && (one.walk !== undefined || isWalkBase(one));
  return possible.filter(
    (one) => isWanted(one) || isOfPath(one) || isRestoring(one) || (one.isControl === true && lanes.has(one.lane)),
  );
}

/**
 * Plans a run; throws `UsageError` where a filter names nothing or nothing is left. If sequences are named, only those
 * and the restoring ones are sent.
 */
export function planRun(suite: Suite, builder: RequestBuilder, names?: readonly string[]): Plan {
  const cases = selectCases(casesOf(suite, builder.options), builder.options.only);
  const possible = suite.sequences(builder).filter(({ operation }) => !isLeftOut(operation, builder.options));
  const selected =
    names === undefined
      ? selectionOf(cases, possible, suite, builder.options)
      : possible.filter((one) => names.includes(one.name) || isRestoring(one));
  if (new Set(selected.map(({ name }) => name)).size !== selected.length) {
    throw new Error('two sequences of the plan have the same name');
  }
  const present = settingsPresent(builder.options);
  const isLacking = ({ needs }: Sequence): boolean => needs !== undefined && !present.includes(needs);
  const sequences = selected.filter((one) => !isLacking(one));
  const lacking = selected.filter(isLacking);
  if (builder.options.only.length > 0) demandQuestions(cases, sequences, lacking, suite);
  return {
    cases: withQuestions(cases, selected, suite),
    sequences,
    kept: keptFor(sequences),
    calls: callBudgets(sequences, suite),
    lacking: lacking.map(lackOf),
  };
}

/** Throws where no request asks anything about the selected cases: `--only AUTH-REVOKED` without a revoked credential. */
function demandQuestions(
  cases: readonly PlannedCase[],
  sequences: readonly Sequence[],
  lacking: readonly Sequence[],
  { requirements }: Suite,
): void {
  const ids = new Set(cases.map(({ id }) => id));
  const isAsking = ({ operation, asks }: Sequence): boolean => asks.some((one) => ids.has(caseId(one.id, operation)));
  const watching = new Set(requirements.filter(({ invariant }) => invariant === true).map(({ id }) => id));
  if (sequences.some(isAsking) || cases.some(({ requirement }) => watching.has(requirement))) return;
  const needs = [...new Set(lacking.filter(isAsking).flatMap((one) => one.needs ?? []))];
  if (needs.length === 0) return;
  throw new UsageError(`--only selects nothing that can be asked: ${listed(needs)} is not set`, remedyOf(...needs));
}

/** Why a sequence is not sent that needs a setting. */
function lackOf({ name, operation, asks, needs }: Sequence): SkippedNote {
  const settings = needs === undefined ? [] : [needs];
  const reason = `${needs} is not set`;
  return { sequence: name, operation, asks, why: 'setting', reason, remedy: remedyOf(...settings), needs: settings };
}

/** Calls of the default cap that are for probes which a lenient target accepts: nothing that is only observed takes them. */
const SPARE_CALLS = RUN_DEFAULTS.maxCalls / 2;

/**
 * What the cap on calls leaves to later sequences. Questions about what must not be allowed leave calls to controls alone;
 * other `must` requirements leave them to both, recommendations to all of these, and observations the spare ones besides.
 */
function callBudgets(sequences: readonly Sequence[], { requirements }: Suite): ReadonlyMap<string, CallBudget> {
  const levels = new Map<string, Level>([
    [BOUNDARY, 'must'],
    ...requirements.map(({ id, level }) => [id, level] as const),
  ]);
  const budgets = new Map<string, CallBudget>();
  let [controls, first, must] = [0, 0, 0];
  for (const one of inPhases(sequences).toReversed()) {
    const { name, calls = 0, isControl = false, asks, mayAsk = [] } = one;
    const asked = [...asks, ...mayAsk].map(({ id }) => levels.get(id));
    const isFirst = isControl || reserveOf(one) > 0;
    const isMust = isFirst || asked.includes('must');
    const ofOthers = must + (asked.includes('should') ? 0 : SPARE_CALLS);
    budgets.set(name, { planned: calls, kept: isMust ? (isFirst && !isControl ? controls : first) : ofOthers });
    if (isControl) controls += calls;
    if (isFirst) first += calls;
    if (isMust) must += calls;
  }
  return budgets;
}

/** In the order of sending. */
const inPhases = (sequences: readonly Sequence[]): readonly Sequence[] =>
  PHASES.flatMap((phase) => sequences.filter((one) => one.phase === phase));

/** What the requests that a sequence leaves to others are noted under: of walks there are many, and all leave the same. */
export const keptKey = ({ name, walk, phase }: Sequence): string => (walk === undefined ? name : phase);

/** Requests kept for a sequence: controls and invalid credentials take one each. */
const reserveOf = ({ phase, isControl, reserve }: Sequence): number =>
  reserve ?? (isControl === true || phase === 'credentials' ? 1 : 0);

/**
 * What can do harm is asked whatever the cap, and what it leaves is for the details of bodies (model, section 5, Order).
 * Details leave requests to all such questions of their phase and later ones, and invalid credentials, with the controls
 * among them, to the phases behind theirs. Other controls leave nothing.
 */
function keptFor(sequences: readonly Sequence[]): ReadonlyMap<string, number> {
  const phaseOf = ({ phase }: Sequence): number => PHASES.indexOf(phase);
  const sums = (amountOf: (one: Sequence) => number): readonly number[] =>
    [...PHASES, null].map((_, at) => sequences.reduce((sum, one) => sum + (phaseOf(one) < at ? 0 : amountOf(one)), 0));
  const all = sums(reserveOf);
  const ofQuestions = sums(({ reserve = 0 }) => reserve);
  const keptBy = (one: Sequence): number => {
    if (reserveOf(one) === 0) return all[phaseOf(one)] ?? 0;
    if (one.isControl === true && one.phase !== 'credentials') return 0;
    return ofQuestions[phaseOf(one) + 1] ?? 0;
  };
  return new Map(sequences.map((one) => [keptKey(one), keptBy(one)]));
}
