/** Whether the target still answers and still knows the credential: lock-out and silence end a run (model, section 5). */

import type { NotedAnswer } from '../client/stimulus.ts';
import type { OperationId } from '../contract/operations.ts';

/** Step of the controls that ask nothing but whether anybody is there. */
export const PULSE = 'pulse';

/** Controls in a row without any answer, with nothing answered in between, after which nobody is there any more. */
const MOST_SILENT = 3;
/** Controls in a row that are refused although the same request was accepted before. */
const MOST_REFUSED = 2;
/** Refusals in a row, of operations that accepted the credential before, after which it is asked for. */
const MOST_SUSPICIOUS = 5;

const REFUSALS: ReadonlySet<number | null> = new Set([401, 403, 429]);

/** Watches the answers of a run that once was accepted. */
export class Vitals {
  #silent = 0;
  #refused = 0;
  #suspicious = 0;
  readonly #accepted = new Set<OperationId | string>();

  /** Whether a control is due that tells a dead credential from a strict target. */
  get isSuspicious(): boolean {
    return this.#suspicious >= MOST_SUSPICIOUS;
  }

  /** Notes an answer; returns the sentence that ends the run, or `null`. */
  note({ status, accepted, exchange }: NotedAnswer): string | null {
    const { tag, request, failure } = exchange;
    if (status !== null) this.#silent = 0;
    if (request.credential !== 'valid') return null;
    const operation = tag.operation ?? '';
    if (accepted) {
      this.#accepted.add(operation);
      this.#refused = 0;
      this.#suspicious = 0;
    }
    if (!this.#accepted.has(operation)) return null;
    const isPulse = tag.step === PULSE;
    if (isPulse && status === null) this.#silent += 1;
    if (REFUSALS.has(status)) {
      this.#suspicious += 1;
      if (isPulse) this.#refused += 1;
    }
    if (this.#silent >= MOST_SILENT) return `the target fell silent in the middle of the run: ${failure?.detail}`;
    return this.#refused >= MOST_REFUSED ? lockedOut(status) : null;
  }
}

function lockedOut(status: number | null): string {
  if (status === 429) {
    return 'the target limits this caller (status 429) and did not let it in again in time: try later, lower --rate, or raise --max-wait';
  }
  return `the target refuses the credential that it accepted before (status ${status}): it expired or was locked out; check PCS_ACCESS_TOKEN`;
}
