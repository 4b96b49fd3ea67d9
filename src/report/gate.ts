/** What the regression gate says of a run: what is new, known and gone. */

import { groupBy } from '../contract/lists.ts';
import { stimuliPhrase } from '../verdict/folded.ts';
import { changeKey } from '../verdict/identity.ts';

/** The gate's words for a finding whose stimulus the baseline never sent. */
export const FIRST = 'asked for the first time';

/** A finding that is new, known or gone, or a case whose standing has changed. */
export interface Change {
  readonly case: string;
  /** The stimulus; absent for a case as a whole. */
  readonly stimulus?: string;
  /** The place among the findings of the case in the current run. */
  readonly at?: number;
  /** The finding or the reason, or the case's former standing. */
  readonly detail: string;
  /** The baseline never sent it. */
  readonly first?: true;
  /** Nothing that was sent meets the requirement. */
  readonly everywhere?: true;
}

/** A finding that is in the baseline or the list of known failures: it does not fail the gate. */
export interface KnownFailure extends Omit<Change, 'detail'> {
  readonly reason: string;
  /** Who will fix it, the address of the issue, and the last day; absent if only the baseline has it. */
  readonly owner?: string;
  readonly issue?: string;
  readonly expires?: string;
}

/** What is new: a finding, one of the run itself, or a case that was judged and no longer is. */
export interface GateEntry extends Change {
  readonly kind: 'finding' | 'run' | 'not judged';
}

/** A known finding that is gone, and how to take it off the list. */
export interface GoneFailure extends Change {
  /** `expect prune` for an entry of the list, `baseline` for a finding that only the baseline has. */
  readonly remove: 'expect prune' | 'baseline';
  /** The list of known failures with the entry, unless it is `expectations.json`. */
  readonly file?: string;
}

/** What the regression gate says: the exit code, sentences that explain it, and what is new, known and gone. */
export interface GateOutcome {
  readonly code: 0 | 1 | 3 | 4;
  readonly sentences: readonly string[];
  readonly new: readonly GateEntry[];
  readonly known: readonly KnownFailure[];
  readonly gone: readonly GoneFailure[];
}

/** Changes reported on one line: the first one, their cases, and a phrase with every stimulus and those asked first. */
export const foldedChanges = <Entry extends Change>(entries: readonly Entry[]) =>
  [...groupBy(entries, changeKey).values()].map((equal) => {
    const stimuli = [...new Set(equal.flatMap(({ stimulus }) => stimulus ?? []))];
    const [entry] = equal;
    const sent = stimuliPhrase(
      stimuli,
      equal.every(({ everywhere }) => everywhere),
    );
    const phrase = `${entry.detail}${sent === '' ? '' : ` (${sent})`}${entry.first ? `, ${FIRST}` : ''}`;
    return { entry, phrase, cases: [...new Set(equal.map((each) => each.case))] };
  });

/** Why a failure is known, by whom and where it is fixed: `being rebuilt (voice, https://…/1, until 2026-12-31)`. */
export function knownPhrase({ reason, owner, issue, expires }: KnownFailure): string {
  const more = [owner, issue, expires && `until ${expires}`].filter((part) => part !== undefined);
  return more.length === 0 ? reason : `${reason} (${more.join(', ')})`;
}
