/** Why a planned request is not sent: the same reason in the client, the record and the verdict. */

/**
 * Most causes arise during the run: `step`, an earlier request that it builds on failed; `calls`, no further call may
 * be placed; `limit`, the cap on requests; `hang`, an operation that hangs; `stopped`, the run ended early; `claimed`,
 * a made-up id that the target claims as its own. `setting`: a setting is missing. `occasion`: a lawful target need not
 * offer what it builds on. `rate`: more requests are simultaneous than `--rate` allows in a second. `answered`: the
 * response to another request settles the question.
 */
export type SkipCause =
  | 'step'
  | 'calls'
  | 'limit'
  | 'hang'
  | 'stopped'
  | 'claimed'
  | 'setting'
  | 'occasion'
  | 'rate'
  | 'answered';

/** Why it is not sent, and what would help. */
export interface Skip {
  readonly why: SkipCause;
  readonly reason: string;
  /** One phrase. */
  readonly remedy?: string;
  /** The settings that are missing. */
  readonly needs?: readonly string[];
}
