/** A requirement as the verdict needs it: a statement, where it is judged, and how. */

import type { CaseOperation, Level } from '../contract/operations.ts';
import type { TargetSettingName } from '../contract/settings.ts';
import type { Exchange, RecordedLeak } from '../exchange/exchange.ts';
import type { Evidence } from './evidence.ts';
import type { Opinion } from './opinion.ts';
import type { Compared } from './sibling.ts';

/** A pure opinion about one recorded exchange and what it is compared with; it sends nothing and reads no clock. */
export type Expects = (exchange: Exchange, evidence: Evidence, compared: Compared) => Opinion;

/** A header field that a requirement demands of an answer. */
export type TrafficField = 'content-type' | 'www-authenticate' | 'allow';

/** One statement about a target, multiplied over its operations into cases. */
export interface JudgedRequirement {
  /** Stable, in words, never reused. */
  readonly id: string;
  readonly level: Level;
  /** Section of the interface specification, or the standard, on which it rests. */
  readonly section: string;
  /** Present tense; true of a target or not. */
  readonly statement: string;
  readonly operations: readonly CaseOperation[];
  /** The exchanges that it judges, whatever they were sent for; absent if only its own requests can show it. */
  readonly concerns?: (exchange: Exchange) => boolean;
  /** What it expects of these answers and those to its own requests; absent for a check, which judges by itself. */
  readonly expect?: Expects;
  /** `true`: it is judged without requests of its own. */
  readonly invariant?: true;
  /**
   * The part of an answer that shows it in recorded traffic, or `pair` if two exchanges do; absent if recordings cannot
   * show it. `answer`: any part can break it, and only a whole answer meets it.
   */
  readonly traffic?: 'status' | 'answer' | 'body' | 'pair' | TrafficField;
  /** The kind of secret that it looks for: if none is known, an answer shows nothing. */
  readonly seeks?: RecordedLeak['secret'];
  /** The only exchanges that can show the invariant; all exchanges of the operation if absent. */
  readonly shownBy?: 'invalid credentials';
  /** It compares an exchange with everything before it, so it does not judge walks. */
  readonly readsHistory?: true;
  /** A case with nothing to judge is not exercised, for this reason, instead of inconclusive. */
  readonly opportunistic?: string;
  /** The optional setting without which the case is not exercised. */
  readonly needs?: TargetSettingName;
  /** Requirements whose failure on the same operation explains this one's: reports group by it, verdicts do not. */
  readonly explainedBy?: readonly string[];
  /** If it fails and no valid request of the operation is accepted, that is why other cases are open. */
  readonly blocks?: true;
  /** Entry of the ambiguity register that names the chosen reading. */
  readonly reading?: string;
  /** More entries of that register on which a part of the requirement rests. */
  readonly furtherReadings?: readonly string[];
}

/** Whether an exchange asks about that requirement. `Id` has to be named, so that a wrong id is a compile error. */
export const asksFor =
  <Id extends string = never>(id: NoInfer<Id>) =>
  ({ tag }: Exchange): boolean =>
    tag.asks.some((ask) => ask.id === id);
