/** The one call slot: how many calls may still be placed (conformance model, section 7). */

import { type CallBudget, Skipped } from '../request.ts';
import { CallLedger } from './call-ledger.ts';

const UNLIMITED: CallBudget = { planned: 0, kept: 0 };

/** Lets one create call or hang-up through at a time, and no more calls than the limit, as the ledger counts them. */
export class CallSlot {
  readonly #max: number;
  readonly ledger = new CallLedger();
  /** Numbers of the create calls on which the plan does not count. */
  readonly #unplanned = new Set<number>();
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

  /** A create call was sent on which the plan does not count. */
  noteUnplanned(seq: number): void {
    this.#unplanned.add(seq);
  }

  /** Calls that were accepted against expectation. */
  get unplanned(): number {
    return this.ledger.placedBy(this.#unplanned);
  }

  /**
   * Throws `Skipped` where no further call may be placed, or only those that the budget leaves to later sequences.
   * A request that should be rejected may take one of these, as long as no call was placed against expectation.
   * `isControl`: the request should be accepted.
   */
  demand({ planned, kept }: CallBudget = UNLIMITED, isControl = true): void {
    const { refusal } = this.ledger;
    if (refusal !== null) throw new Skipped(refusal.reason, { ...refusal, why: 'calls' });
    const { left } = this;
    const isRisk = !isControl && planned === 0 && this.unplanned === 0;
    const due = isRisk ? Math.max(0, kept - 1) : kept;
    if (left > due) return;
    const reason =
      left === 0 ? `the limit of --max-calls (${this.#max}) is reached` : 'the last calls are kept for later requests';
    const calls = { cap: this.#max + due + 1 - left, planned };
    throw new Skipped(reason, { why: 'calls', remedy: 'raise --max-calls', calls });
  }
}
