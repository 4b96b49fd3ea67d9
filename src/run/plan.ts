/** The plan, fixed before the first request: which cases are judged and which sequences are sent. */

import { OPERATION_IDS, operationById } from '../contract/operations.ts';
import { REQUIREMENTS, type Requirement, requirementById } from '../contract/requirements/index.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { PlannedCase } from '../verdict/record.ts';
import type { Kit } from './kit.ts';
import type { RunOptions } from './options.ts';
import type { Sequence } from './sequence.ts';

/** A suite contributes sequences; what it makes depends on the kit alone. */
export interface Suite {
  readonly name: string;
  readonly sequences: (kit: Kit) => readonly Sequence[];
}

/** Cases to judge and sequences to send. */
export interface Plan {
  readonly cases: readonly PlannedCase[];
  readonly sequences: readonly Sequence[];
}

/** A filter names nothing, or leaves nothing: wrong usage. */
export class PlanError extends UsageError {
  override readonly name: string = 'PlanError';
}

/** Requirements that only the full profile can ask: they need writes or calls. */
function inProfile(requirement: Requirement, operation: string, options: RunOptions): boolean {
  if (options.profile === 'full' || operation === 'undocumented') return true;
  if (operationById(operation as (typeof OPERATION_IDS)[number]).method === 'GET') return true;
  return requirement.kind === 'invariant' || requirement.id === 'AUTH-CREDENTIAL-REQUIRED';
}

function casesOf(options: RunOptions): readonly PlannedCase[] {
  return REQUIREMENTS.flatMap((requirement) =>
    requirement.operations
      .filter((operation) => !(options.without as readonly string[]).includes(operation))
      .filter((operation) => inProfile(requirement, operation, options))
      .map((operation) => ({ id: `${requirement.id}/${operation}`, requirement: requirement.id, operation })),
  );
}

function demandKnown(only: readonly string[], cases: readonly PlannedCase[]): void {
  for (const name of only) {
    if (cases.some(({ id, requirement }) => id === name || requirement === name)) continue;
    throw new PlanError(
      `--only ${name}: no requirement or case of this profile has that name; see pcs-conformance list`,
    );
  }
}

/** Whether a sequence serves a case: by what it asks, or because an invariant looks at the operation. */
function wantedBy(cases: readonly PlannedCase[]): (sequence: Sequence) => boolean {
  const ids = new Set(cases.map(({ id }) => id));
  const watched = cases.filter(isInvariant);
  const isWatched = ({ operation, phase }: Sequence): boolean =>
    watched.some((one) => one.operation === operation && (phase === 'credentials' || !showsInBadCredentials(one)));
  return (sequence) => {
    const { operation, serves, maySettle = [] } = sequence;
    const asks = [...serves, ...maySettle];
    return isWatched(sequence) || asks.some((ask) => ids.has(`${ask.split('#')[0]}/${operation}`));
  };
}

function isInvariant({ requirement }: PlannedCase): boolean {
  return requirementById(requirement)?.kind === 'invariant';
}

function showsInBadCredentials({ requirement }: PlannedCase): boolean {
  return requirementById(requirement)?.shownBy === 'bad credentials';
}

/** Whatever is written is put back, whichever cases are asked. */
function isPutBack({ phase }: Sequence): boolean {
  return phase === 'restore';
}

/** Sequences that serve the cases, with those that others of their lanes lean on. */
function selectionOf(cases: readonly PlannedCase[], possible: readonly Sequence[]): readonly Sequence[] {
  const isWanted = wantedBy(cases);
  const lanes = new Set(possible.filter(isWanted).flatMap(({ lane, leansOn = lane }) => [lane, leansOn]));
  return possible.filter((one) => isWanted(one) || isPutBack(one) || (one.isControl === true && lanes.has(one.lane)));
}

/**
 * Plans a run; throws `PlanError` where a filter names nothing or nothing is left. Where sequences are named, those are
 * sent, whatever they serve, and what puts back.
 */
export function planRun(suites: readonly Suite[], kit: Kit, names?: readonly string[]): Plan {
  const { options } = kit;
  const all = casesOf(options);
  demandKnown(options.only, all);
  const cases =
    options.only.length === 0
      ? all
      : all.filter(({ id, requirement }) => options.only.includes(id) || options.only.includes(requirement));
  if (cases.length === 0) throw new PlanError('nothing is selected: --without and the profile leave no case');
  const possible = suites
    .flatMap((suite) => suite.sequences(kit))
    .filter(({ operation }) => !(options.without as readonly string[]).includes(operation));
  const sequences =
    names === undefined
      ? selectionOf(cases, possible)
      : possible.filter((one) => names.includes(one.name) || isPutBack(one));
  if (new Set(sequences.map(({ name }) => name)).size !== sequences.length) {
    throw new Error('two sequences of the plan have the same name');
  }
  return { cases, sequences };
}

/** Ids of the operations that a run asks, in the order of the specification. */
export function operationsOf(options: RunOptions): readonly string[] {
  return OPERATION_IDS.filter((id) => !options.without.includes(id));
}
