/** The plan, fixed before the first request: which cases are judged and which sequences are sent. */

import { groupBy, listed } from '../contract/lists.ts';
import { type CaseOperation, operationById } from '../contract/operations.ts';
import { lackOf, RUN_DEFAULTS, remedyOf } from '../contract/settings.ts';
import { UsageError, unknownName } from '../contract/usage-error.ts';
import { BOUNDARY, boundaryQuestion } from '../verdict/boundary.ts';
import { caseId, type PlannedCase, type SkippedNote } from '../verdict/record.ts';
import type { RequestBuilder } from './builder.ts';
import { type RunOptions, settingsPresent } from './options.ts';
import type { Requirement, Suite } from './requirement.ts';
import { isWalkBase, type Sequence } from './sequence.ts';

/** Cases to judge and sequences to send. */
export interface Plan {
  readonly cases: readonly PlannedCase[];
  readonly sequences: readonly Sequence[];
  /** The calls that a conformant target gets. */
  readonly calls: number;
  /** Sequences that are planned and not sent, since a setting is missing. */
  readonly lacking: readonly SkippedNote[];
}

/** Requirements that only the full profile can ask need writes or calls. */
function isInProfile(requirement: Requirement, operation: CaseOperation, { profile }: RunOptions): boolean {
  if (profile === 'full' || operation === 'undocumented' || operationById(operation).method === 'GET') return true;
  const { send } = requirement;
  return requirement.invariant === true || send?.credentials?.none !== undefined;
}

const isLeftOut = (operation: CaseOperation, { without }: RunOptions): boolean =>
  (without as readonly CaseOperation[]).includes(operation);

/** Every case of the profile, in report order. */
function casesOf({ requirements }: Pick<Suite, 'requirements'>, options: RunOptions): readonly PlannedCase[] {
  return requirements.flatMap((requirement) =>
    requirement.operations
      .filter((operation) => !isLeftOut(operation, options) && isInProfile(requirement, operation, options))
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
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const asked = groupBy(
    sequences.flatMap(({ operation, asks }) =>
      asks.map(({ id, variation }) => [caseId(id, operation), variation] as const),
    ),
    ([id]) => id,
  );
  const variationsOf = (id: string): readonly string[] => [
    ...new Set(asked.get(id)?.map(([, variation]) => variation)),
  ];
  return cases.map((testCase) => {
    const { invariant, level } = byId.get(testCase.requirement) ?? {};
    const isOfValues = invariant === true && level === 'must';
    const boundaries = isOfValues ? variationsOf(caseId(BOUNDARY, testCase.operation)) : [];
    return { ...testCase, questions: [...variationsOf(testCase.id), ...boundaries.map(boundaryQuestion)] };
  });
}

/** The cases that `--only` names. Throws `UsageError` if a name is unknown or selects nothing, or nothing is left. */
function selectCases(suite: Suite, options: RunOptions): readonly PlannedCase[] {
  const all = casesOf(suite, options);
  const namesIn = (cases: readonly PlannedCase[]) => cases.flatMap(({ id, requirement }) => [id, requirement]);
  const planned = namesIn(all);
  for (const name of options.only) {
    if (planned.includes(name)) continue;
    const known = namesIn(casesOf(suite, { ...options, profile: 'full', without: [] }));
    const problem = `Unknown requirement or case ${JSON.stringify(name)} in --only`;
    if (!known.includes(name)) throw unknownName(problem, name, known, 'the command list shows them');
    throw new UsageError(
      `--only ${name} selects nothing: the profile and --without exclude all of its cases`,
      'omit one of the three',
    );
  }
  const { only } = options;
  const cases =
    only.length === 0 ? all : all.filter(({ id, requirement }) => only.includes(id) || only.includes(requirement));
  if (cases.length === 0)
    throw new UsageError('Nothing is selected: --without and the profile leave no case', 'omit less');
  return cases;
}

/**
 * Whether it judges requests that are sent for other requirements. With a filter for CALL-CREATE-400, which sends no
 * request itself, nothing was sent, and the run passed as conformant.
 */
const isWatching = (requirement?: Requirement): boolean =>
  requirement?.concerns !== undefined && requirement.send === undefined;

/** Whether a case needs a sequence: because the sequence asks it, or because the case watches the same operation. */
function wantedBy(cases: readonly PlannedCase[], { requirements }: Suite): (sequence: Sequence) => boolean {
  const ids = new Set(cases.map(({ id }) => id));
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const watching = cases.filter(({ requirement }) => isWatching(byId.get(requirement)));
  const anywhere = watching.filter(({ requirement }) => byId.get(requirement)?.shownBy === undefined);
  return ({ operation, phase, asks }) =>
    (phase === 'credentials' ? watching : anywhere).some((testCase) => testCase.operation === operation) ||
    asks.some(({ id }) => ids.has(caseId(id, operation)));
}

/** A read that is a control needs no other controls, whichever lane it is in. */
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
  const needing = possible.filter((sequence) => isWanted(sequence) && !isOnlyRead(sequence));
  const lanes = new Set(needing.flatMap(({ lane, dependsOn = lane }) => [lane, dependsOn]));
  const needed = new Set(needing.map(({ needs }) => needs));
  const isOfPath = (sequence: Sequence): boolean =>
    path !== undefined && (sequence.walk !== undefined || isWalkBase(sequence));
  return possible.filter(
    (sequence) =>
      isWanted(sequence) ||
      isOfPath(sequence) ||
      // Writes are always restored, whichever cases are selected.
      sequence.phase === 'restore' ||
      (sequence.isControl === true && (lanes.has(sequence.lane) || (sequence.needs && needed.has(sequence.needs)))),
  );
}

/** Plans a run; throws `UsageError` where a filter names nothing or nothing is left. */
export function planRun(suite: Suite, builder: RequestBuilder): Plan {
  const cases = selectCases(suite, builder.options);
  const possible = suite.sequences(builder).filter(({ operation }) => !isLeftOut(operation, builder.options));
  const selected = selectionOf(cases, possible, suite, builder.options);
  if (new Set(selected.map(({ name }) => name)).size !== selected.length) {
    throw new Error('two sequences of the plan have the same name');
  }
  const present = settingsPresent(builder.options);
  const isLacking = (sequence: Sequence): sequence is LackingSequence =>
    sequence.needs !== undefined && !present.includes(sequence.needs);
  const sequences = selected.filter((sequence) => !isLacking(sequence));
  const lacking = selected.filter(isLacking);
  if (builder.options.only.length > 0) demandQuestions(cases, sequences, lacking, suite);
  return {
    cases: withQuestions(cases, selected, suite),
    sequences,
    calls: sequences.reduce((sum, { calls = 0 }) => sum + calls, 0),
    lacking: lacking.map(({ name, operation, asks, needs }): SkippedNote => {
      return { sequence: name, operation, asks, why: 'setting', ...lackOf(needs) };
    }),
  };
}

type LackingSequence = Sequence & Required<Pick<Sequence, 'needs'>>;

/** Throws if no request asks anything about the selected cases: `--only AUTH-REVOKED` without a revoked credential. */
function demandQuestions(
  cases: readonly PlannedCase[],
  sequences: readonly Sequence[],
  lacking: readonly LackingSequence[],
  { requirements }: Suite,
): void {
  const ids = new Set(cases.map(({ id }) => id));
  const isAsking = ({ operation, asks }: Sequence): boolean => asks.some((ask) => ids.has(caseId(ask.id, operation)));
  const watching = new Set(requirements.filter(isWatching).map(({ id }) => id));
  if (sequences.some(isAsking) || cases.some(({ requirement }) => watching.has(requirement))) return;
  const needs = [...new Set(lacking.filter(isAsking).map((sequence) => sequence.needs))];
  if (needs.length === 0) return;
  throw new UsageError(`--only selects nothing that can be asked: ${listed(needs)} is not set`, remedyOf(...needs));
}

/** Throws `UsageError` where `--max-calls` is below the calls of the plan (model, section 0, rule 24). */
export function demandCalls({ calls }: Plan, { maxCalls }: RunOptions): void {
  if (maxCalls >= calls) return;
  throw new UsageError(
    `--max-calls ${maxCalls}: this run places ${calls} calls`,
    `set it to ${calls} or more (a target that accepts boundary values needs more; the default is ${RUN_DEFAULTS.maxCalls}), or ask for less with --only or --without calls`,
  );
}
