/** Checks the names given with `--without` and `--only`: an unknown one is wrong usage. */

import { OPERATIONS, type OperationId } from '../contract/operations.ts';
import { UsageError } from '../contract/usage-error.ts';
import { nearest } from '../settings/near-miss.ts';

const ALIASES: readonly string[] = OPERATIONS.map(({ alias }) => alias);
const OPERATION_WORDS: readonly string[] = OPERATIONS.flatMap(({ id, alias }) => [alias, id]);

/** The operations that remain, in order; `without` holds ids or short words. Throws `UsageError`. */
export function operationsLeft(without: readonly string[]): readonly OperationId[] {
  const stranger = without.find((word) => !OPERATION_WORDS.includes(word));
  if (stranger !== undefined) {
    const remedy = suggestion(stranger, OPERATION_WORDS) ?? `use ${ALIASES.join(', ')}.`;
    throw new UsageError(`Unknown operation ${JSON.stringify(stranger)} in --without: ${remedy}`);
  }
  const left = OPERATIONS.filter(({ id, alias }) => !without.includes(id) && !without.includes(alias));
  if (left.length === 0) throw new UsageError('--without excludes every operation: keep at least one.');
  return left.map(({ id }) => id);
}

/**
 * Checks what `--only` names against the ids of requirements and cases of the plan: `known` is everything that exists,
 * `planned` what the profile and `--without` leave of it. Throws `UsageError`.
 */
export function checkOnly(only: readonly string[], known: readonly string[], planned: readonly string[]): void {
  const stranger = only.find((word) => !known.includes(word));
  if (stranger !== undefined) {
    const remedy = suggestion(stranger, known) ?? 'see pcs-conformance list.';
    throw new UsageError(`Unknown requirement or case ${JSON.stringify(stranger)} in --only: ${remedy}`);
  }
  const idle = only.find((word) => !planned.includes(word));
  if (idle !== undefined) {
    throw new UsageError(`--only ${idle} selects nothing: the profile and --without exclude all of its cases.`);
  }
}

function suggestion(word: string, known: readonly string[]): string | undefined {
  const meant = nearest(word, known);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}
