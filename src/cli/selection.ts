/** Checks the names given with `--without` and `--only`: an unknown one is wrong usage. */

import { OPERATIONS, type Operation, type OperationId } from '../contract/operations.ts';
import { UsageError } from '../contract/usage-error.ts';
import { suggestion } from '../settings/near-miss.ts';

/** A group is named by the first segment of its paths, or by the last word of it: `voice-applications`, `applications`. */
function groupsOf({ path }: Operation): readonly string[] {
  const group = path.split('/')[2] ?? '';
  return [group, group.replace(/^.*-/, '')];
}

const wordsOf = (operation: Operation): readonly string[] => [operation.alias, operation.id, ...groupsOf(operation)];
const OPERATION_WORDS: readonly string[] = [...new Set(OPERATIONS.flatMap(wordsOf))];
const ALIASES: readonly string[] = OPERATIONS.map(({ alias }) => alias);
const GROUPS: readonly string[] = [...new Set(OPERATIONS.flatMap((operation) => groupsOf(operation).slice(-1)))];

/** The operations that remain, in order; `without` holds ids, short words and groups. Throws `UsageError`. */
export function operationsLeft(without: readonly string[]): readonly OperationId[] {
  const stranger = without.find((word) => !OPERATION_WORDS.includes(word));
  if (stranger !== undefined) {
    const remedy =
      suggestion(stranger, OPERATION_WORDS) ?? `use ${ALIASES.join(', ')}, or the group ${GROUPS.join(', ')}`;
    throw new UsageError(`Unknown operation ${JSON.stringify(stranger)} in --without`, remedy);
  }
  const left = OPERATIONS.filter((operation) => !wordsOf(operation).some((word) => without.includes(word)));
  if (left.length === 0) throw new UsageError('--without excludes every operation', 'keep at least one');
  return left.map(({ id }) => id);
}

/**
 * Checks what `--only` names against the ids of requirements and cases of the plan: `known` is everything that exists,
 * `planned` what the profile and `--without` leave of it. Throws `UsageError`.
 */
export function checkOnly(only: readonly string[], known: readonly string[], planned: readonly string[]): void {
  const stranger = only.find((word) => !known.includes(word));
  if (stranger !== undefined) {
    const remedy = suggestion(stranger, known) ?? 'see pcs-conformance list';
    throw new UsageError(`Unknown requirement or case ${JSON.stringify(stranger)} in --only`, remedy);
  }
  const idle = only.find((word) => !planned.includes(word));
  if (idle !== undefined) {
    throw new UsageError(
      `--only ${idle} selects nothing: the profile and --without exclude all of its cases`,
      'omit one of the three',
    );
  }
}
