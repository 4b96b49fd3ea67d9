/** What sending has settled, as kept in the record: the only place that says whether a symptom is believed. */

/** Lists of exchange numbers; an empty list is absent. */
export interface SettledFacts {
  /** Symptoms that every attempt showed: the last attempt of each. */
  readonly confirmed?: readonly number[];
  /** Requests after which the target stopped responding, every time they were sent. */
  readonly crashes?: readonly number[];
  /** Outages of the target, each from its first symptom to the read that shows its end. */
  readonly outages?: readonly (readonly [from: number, to: number])[];
  /** Rejections during a lock-out. */
  readonly lockedOut?: readonly number[];
}
