/** The types of requirements and suites: everything else in a run is derived from these literals. */

import type { CaseOperation } from '../contract/levels.ts';
import type { OperationId } from '../contract/operations.ts';
import type { CredentialForm } from '../exchange/exchange.ts';
import type { ValidFeature } from '../generate/covering.ts';
import type { JsonValue } from '../generate/json.ts';
import type { Evidence } from '../verdict/evidence.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';
import type { RequestBuilder, Variation } from './builder.ts';
import type { Sequence } from './sequence.ts';

/** A way to break a body, as the generators name it. */
export interface BrokenBody {
  /** The broken place: `/to`, `/variables/*`, the empty pointer for the body. */
  readonly pointer: string;
  readonly kind: string;
  /** `invalid`: the bytes are not JSON. */
  readonly syntax?: 'invalid';
  /** Set where a lawful target may read null as absent or empty. */
  readonly tolerated?: 'null';
}

/** What is sent for a requirement. */
export interface Send {
  /** Nothing of its own: every valid request with the valid credential asks it. */
  readonly withValid?: true;
  /** The valid request under each form of credential, with its description. */
  readonly credentials?: Readonly<Partial<Record<CredentialForm, string>>>;
  /** Valid create-call bodies: the variation that a feature of theirs asks, or `null`. */
  readonly features?: (feature: ValidFeature) => string | null;
  /** Invalid bodies: those that the predicate accepts. */
  readonly violations?: (violation: BrokenBody, operation: OperationId) => boolean;
  /** Bodies that a lenient reader accepts, by the deviation that they contain. */
  readonly deviations?: Readonly<Record<string, Deviation>>;
  /** Sequences of its own, which say their opinions; `suites/index.ts` gives them a place. */
  readonly sequences?: (builder: RequestBuilder) => readonly Sequence[];
}

/** How a request differs from the valid one with that body; the members named must stay as they are. */
export type Deviation = (body: JsonValue, fixed: readonly string[]) => Variation;

/** One requirement: statement, operations, what is sent, what is expected, what explains it. */
export interface Requirement extends JudgedRequirement {
  /** A row that a sequence of many requirements reads; absent for an invariant, and for a check whose function `suites/index.ts` places. */
  readonly send?: Send;
}

/** Everything that is sent to a target and expected of it. */
export interface Suite {
  /** In report order. */
  readonly requirements: readonly Requirement[];
  /** In the order in which they are sent. */
  readonly sequences: (builder: RequestBuilder) => readonly Sequence[];
  /** What the last rejected valid request of an operation needed. */
  readonly remedyOf: (operation: CaseOperation, evidence: Evidence) => string | undefined;
}
