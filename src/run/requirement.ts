/** The types of requirements and suites: everything else in a run is derived from these literals. */

import type { OperationId } from '../contract/operations.ts';
import type { CredentialForm } from '../exchange/exchange.ts';
import type { ValidFeature } from '../generate/covering.ts';
import type { JsonValue } from '../generate/json.ts';
import type { Violation } from '../generate/violations.ts';
import type { Judging } from '../verdict/evaluate.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';
import type { RequestBuilder, Variation } from './builder.ts';
import type { Sequence } from './sequence.ts';

/** A way to break a body, as the generators name it; `invalid`: the bytes are not JSON. */
export interface BrokenBody extends Pick<Violation, 'pointer' | 'tolerated'> {
  readonly kind: string;
  readonly syntax?: 'invalid';
}

/** What is sent for a requirement. */
export interface Send {
  /** No further requests: every valid request with the valid credential asks it. */
  readonly withValid?: true;
  /** The valid request under each form of credential, with its description. */
  readonly credentials?: Readonly<Partial<Record<CredentialForm, string>>>;
  /** Valid create-call bodies: the variation that one of their features asks, or `null`. */
  readonly features?: (feature: ValidFeature) => string | null;
  /** Invalid bodies: those that the predicate accepts. */
  readonly violations?: (violation: BrokenBody, operation: OperationId) => boolean;
  /** Bodies that a lenient reader accepts, by the deviation that they contain. */
  readonly deviations?: Readonly<Record<string, VariationOf>>;
  /** Its own sequences, which judge by themselves; `suites/index.ts` gives them a place. */
  readonly sequences?: (builder: RequestBuilder) => readonly Sequence[];
}

/** How a request differs from the valid one with that body; the members named must stay as they are. */
export type VariationOf = (body: JsonValue, fixed: readonly string[]) => Variation;

/** One requirement: statement, operations, what is sent, what is expected, what explains it. */
export interface Requirement extends JudgedRequirement {
  /** A row read by a sequence of many requirements; absent for invariants, and for checks with their own function. */
  readonly send?: Send;
}

/** Everything that is sent to a target and expected of it. */
export interface Suite extends Judging {
  /** In report order. */
  readonly requirements: readonly Requirement[];
  /** In the order in which they are sent. */
  readonly sequences: (builder: RequestBuilder) => readonly Sequence[];
}
