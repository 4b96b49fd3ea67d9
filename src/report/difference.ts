/** A difference of runs as every report shows it: groups of names with a detail each. */

/** Entries that changed in the same way. */
export interface DifferenceGroup {
  readonly title: string;
  /** Whether the group is a break: something that was not wrong before. */
  readonly grave: boolean;
  readonly entries: readonly { readonly name: string; readonly detail: string }[];
}

/** What changed since a baseline, and the sentence that sums it up. */
export interface Difference {
  readonly summary: string;
  readonly groups: readonly DifferenceGroup[];
}
