/** What sending has settled, as the record of a run keeps it: the one place that says whether a symptom is believed. */

/** By the numbers of exchanges; a list that is empty is absent. */
export interface SettledFacts {
  /** Symptoms that every sending showed: the last sending of each. */
  readonly confirmed?: readonly number[];
  /** Requests after which the target stopped responding, each time that they were sent. */
  readonly crashes?: readonly number[];
  /** Outages of the target, each from its first symptom to the read that shows its end. */
  readonly outages?: readonly (readonly [from: number, to: number])[];
  /** Rejections that a locked-out sender got. */
  readonly lockedOut?: readonly number[];
}
