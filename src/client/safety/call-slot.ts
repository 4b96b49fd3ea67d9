/** The one call slot: how many calls may still be placed (conformance model, section 7). */

import { Skipped } from '../request.ts';
import { CallLedger } from './call-ledger.ts';

/** Lets one create call or hang-up through at a time, and no more calls than the limit, as the ledger counts them. */
export class CallSlot {
  readonly #max: number;
  readonly ledger = new CallLedger();
  #last: Promise<unknown> = Promise.resolve();
  #beside: Promise<unknown> = Promise.resolve();

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs work when no other create call or hang-up is under way. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = Promise.allSettled([this.#last, this.#beside]).then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Runs work beside other such work, when everything exclusive that was handed in earlier is over. */
  beside<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#beside = Promise.allSettled([this.#beside, result]);
    return result;
  }

  /** How many more calls may be placed. */
  get left(): number {
    if (this.ledger.refusal !== null) return 0;
    return Math.max(0, this.#max - this.ledger.placed - this.ledger.unclear);
  }

  /** Throws `Skipped` where no further call may be placed, or none but the last `kept` ones. */
  demand(kept = 0): void {
    const { refusal } = this.ledger;
    if (refusal !== null) throw limit(refusal.reason, refusal.remedy);
    if (this.left > kept) return;
    // What may be open or is kept counts as placed: more calls would be allowed by a higher limit alone.
    const reason =
      this.left === 0 ? `the limit of --max-calls (${this.#max}) is reached` : 'the last calls are kept for controls';
    throw limit(reason, 'raise --max-calls');
  }
}

const limit = (reason: string, remedy?: string): Skipped => new Skipped(reason, remedy, 'calls');
