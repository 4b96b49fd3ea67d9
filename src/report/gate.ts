/** What the regression gate says of a run: what is new, known and gone. */

import { groupBy } from '../contract/lists.ts';
import { stimuliPhrase } from '../verdict/folded.ts';
import { changeKey } from '../verdict/identity.ts';

/** What the gate calls a finding to a stimulus that the baseline never sent. */
export const FIRST = 'asked for the first time';

/** A finding that is new, known or gone, or a case that is judged otherwise than before. */
export interface Change {
  readonly case: string;
  /** What was sent; a case as a whole has none. */
  readonly stimulus?: string;
  /** The place among the findings of the case in the current run. */
  readonly at?: number;
  /** The finding or the reason, or what the case was before. */
  readonly detail: string;
  /** The baseline never sent it. */
  readonly first?: true;
  /** Nothing that was sent meets the requirement. */
  readonly everywhere?: true;
}

/** A finding that the baseline or the list of known failures has: it does not fail the gate. */
export interface KnownFailure extends Omit<Change, 'detail'> {
  readonly reason: string;
  /** Who will fix it, the address of the issue, and the last day; absent if only the baseline has it. */
  readonly owner?: string;
  readonly issue?: string;
  readonly expires?: string;
}

/** What is new: a finding, what the run itself came to, or a case that was judged and no longer is. */
export interface GateEntry extends Change {
  readonly kind: 'finding' | 'run' | 'not judged';
}

/** A known finding that is gone, and what takes it off the list. */
export interface GoneFailure extends Change {
  /** `expect prune` for an entry of the list, `baseline` for a finding that only the baseline has. */
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

/** Changes that a line folds: the first of them, their cases, and a phrase that names every stimulus and says what is asked first. */
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

/** Why a failure is known, who will fix it and where: `being rebuilt (voice, https://issues.example/1, until 2026-12-31)`. */
export function knownPhrase({ reason, owner, issue, expires }: KnownFailure): string {
  const more = [owner, issue, expires && `until ${expires}`].filter((part) => part !== undefined);
  return more.length === 0 ? reason : `${reason} (${more.join(', ')})`;
}
