/** What a requirement is: data, true of a target or not. */

import type { OperationId } from '../operations.ts';

/** How binding a requirement is (conformance model, section 1). */
export type Level = 'must' | 'should';

/** What a case is about: a documented operation, or requests outside the thirteen (other methods, unknown routes). */
export type CaseOperation = OperationId | 'undocumented';

/** One statement about a target, multiplied over its operations by the engine. */
export interface Requirement {
  /** Stable, in words, never reused. */
  readonly id: string;
  readonly level: Level;
  /** Section of the interface specification, or the standard, on which it rests. */
  readonly section: string;
  /** Present tense; true of a target or not. */
  readonly statement: string;
  readonly operations: readonly CaseOperation[];
  /** An invariant is judged on every exchange it concerns; a probe on the answers to its own requests. */
  readonly kind: 'invariant' | 'probe';
  /** The only exchanges in which an invariant can show; all of the operation's, unless said. */
  readonly shownBy?: 'bad credentials';
  /** Nothing to judge makes the case not-exercised, for this reason, instead of inconclusive. */
  readonly opportunistic?: string;
  /** The optional setting without which the case is not exercised. */
  readonly needs?: string;
  /** Requirements whose failure on the same operation explains a failure of this one: one fault, one finding. */
  readonly explainedBy?: readonly string[];
  /** Entry of the ambiguity register that was taken as read. */
  readonly reading?: string;
  /** More entries of that register on which a part of the requirement rests. */
  readonly furtherReadings?: readonly string[];
}
