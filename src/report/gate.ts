/** What the regression gate says of a run: what is new, known and gone. */

/** A failure that the baseline or the list of known failures has: it does not fail the gate. */
export interface KnownFailure {
  readonly case: string;
  readonly reason: string;
  /** Who will fix it, the address of the issue, and the last day; absent if only the baseline has it. */
  readonly owner?: string;
  readonly issue?: string;
  readonly expires?: string;
}

/** What is new: a failure, or a case that was judged and no longer is. */
export interface GateEntry {
  readonly kind: 'failure' | 'not judged';
  /** Id of the case; a symptom for a flaky failure. */
  readonly case: string;
  readonly detail: string;
}

/** A known failure that is gone, and what takes it off the list. */
export interface GoneFailure {
  readonly case: string;
  readonly detail: string;
  /** `expect prune` for an entry of the list, `baseline` for a failure that only the baseline has. */
  readonly remove: 'expect prune' | 'baseline';
  /** The list of known failures that has the entry, unless it is `expectations.json`. */
  readonly file?: string;
}

/** What the regression gate says of a run: the exit code, sentences that explain it, and what is new, known and gone. */
export interface GateOutcome {
  readonly code: 0 | 1 | 3 | 4;
  readonly sentences: readonly string[];
  readonly new: readonly GateEntry[];
  readonly known: readonly KnownFailure[];
  readonly gone: readonly GoneFailure[];
}

/** Why a failure is known, who will fix it and where: `being rebuilt (voice, https://issues.example/1, until 2026-12-31)`. */
export function knownPhrase({ reason, owner, issue, expires }: KnownFailure): string {
  const more = [owner, issue, expires && `until ${expires}`].filter((one) => one !== undefined);
  return more.length === 0 ? reason : `${reason} (${more.join(', ')})`;
}
