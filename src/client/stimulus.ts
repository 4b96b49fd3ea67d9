/** What a suite asks the client to send, and what it learns of the answer. */

import type { OperationId } from '../contract/operations.ts';
import type { CredentialForm, Exchange } from '../exchange/exchange.ts';
import type { Header } from '../exchange/message.ts';

/** One request to send. `path` is below the base URL and goes out exactly as it stands. */
export interface Stimulus {
  /** The operation whose cases the answer bears on; `null` for requests outside the thirteen. */
  readonly operation: OperationId | null;
  readonly method: string;
  readonly path: string;
  readonly credential: CredentialForm;
  readonly body: Uint8Array | null;
  /** `null`: no Content-Type at all. */
  readonly contentType: string | null;
  readonly headers?: readonly Header[];
  /** What the request is within its sequence. */
  readonly step: string;
  /** Requirements on which the answer bears. */
  readonly asks: readonly string[];
  /** `true` for a valid request with the good credential. */
  readonly control: boolean;
  /** For people: what is particular about it. */
  readonly about: string;
}

/** Where in the plan a request belongs. */
export interface Place {
  readonly sequence: string;
  readonly attempt: number;
  /** `true` for what puts the target back as it was: exempt from every cap, and sent after the end of a run, too. */
  readonly cleanUp?: boolean;
}

/** What is known of an answer for as long as the run goes on. */
export interface NotedAnswer {
  readonly exchange: Exchange;
  /** `null` where there was no complete answer. */
  readonly status: number | null;
  readonly accepted: boolean;
}

/**
 * The recorded exchange, and what only the next step may use: the live JSON value of an accepted answer is never judged.
 * It needs the whole body, so an answer is not kept for longer than a step.
 */
export interface Answer extends NotedAnswer {
  readonly json: unknown;
}

/** The client did not send a request, for this reason (a cap, a guard, a credential that is not configured). */
export class Withheld extends Error {
  /** What would help, in one phrase, or `undefined`. */
  readonly remedy: string | undefined;

  constructor(reason: string, remedy?: string) {
    super(reason);
    this.name = 'Withheld';
    this.remedy = remedy;
  }
}

/** The safety kernel found a request of the suite's own that it never lets out: a defect of the suite. */
export class GuardRefusal extends Error {
  constructor(rule: string, sentence: string) {
    super(`the safety kernel kept a request back (${rule}): ${sentence}`);
    this.name = 'GuardRefusal';
  }
}
