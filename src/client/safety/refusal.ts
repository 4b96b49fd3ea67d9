/** Why a request must not leave: the rule that forbids it and one sentence that quotes nothing of the request. */
export interface Refusal {
  readonly rule: string;
  readonly sentence: string;
  /** The id was made up, but an answer of the target names it as one of its own. */
  readonly isClaimed?: true;
}
