/** What `--without` and `--only` name, checked against what there is: a name that names nothing is wrong usage. */

import { OPERATIONS, type OperationId } from '../contract/operations.ts';
import { UsageError } from '../contract/usage-error.ts';
import { nearest } from '../settings/near-miss.ts';

const ALIASES: readonly string[] = OPERATIONS.map(({ alias }) => alias);
const OPERATION_WORDS: readonly string[] = OPERATIONS.flatMap(({ id, alias }) => [alias, id]);

/** The operations that are left of the thirteen, in order; `without` holds ids or short words. Throws `UsageError`. */
export function operationsLeft(without: readonly string[]): readonly OperationId[] {
  const stranger = without.find((word) => !OPERATION_WORDS.includes(word));
  if (stranger !== undefined) {
    const remedy = suggestion(stranger, OPERATION_WORDS) ?? `use ${ALIASES.join(', ')}.`;
    throw new UsageError(`--without names ${JSON.stringify(stranger)}, and there is no such operation: ${remedy}`);
  }
  const left = OPERATIONS.filter(({ id, alias }) => !without.includes(id) && !without.includes(alias));
  if (left.length === 0) throw new UsageError('--without leaves nothing selected: keep at least one operation.');
  return left.map(({ id }) => id);
}

/**
 * Checks what `--only` names against the ids of requirements and cases of the plan: `known` is everything that exists,
 * `planned` what the profile and `--without` have left of it. Throws `UsageError`.
 */
export function checkOnly(only: readonly string[], known: readonly string[], planned: readonly string[]): void {
  const stranger = only.find((word) => !known.includes(word));
  if (stranger !== undefined) {
    const remedy = suggestion(stranger, known) ?? 'pcs-conformance list shows what there is.';
    throw new UsageError(
      `--only names ${JSON.stringify(stranger)}, and there is no such requirement or case: ${remedy}`,
    );
  }
  const idle = only.find((word) => !planned.includes(word));
  if (idle !== undefined) {
    throw new UsageError(`--only ${idle} selects nothing: the profile and --without leave no case of it.`);
  }
}

function suggestion(word: string, known: readonly string[]): string | undefined {
  const meant = nearest(word, known);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}
