/** The one call slot: how many calls were placed, which is open, which may be (conformance model, section 7). */

import type { Skip } from '../../contract/skipped.ts';
import type { CredentialForm } from '../../exchange/exchange.ts';
import { inTurn } from '../pacing.ts';
import { Skipped } from '../request.ts';
import type { CreateOutcome } from './create-outcome.ts';

/** A create-call request that was sent; `createdAt` is when its answer came, in milliseconds since the run began. */
export interface CreateRequest {
  readonly seq: number;
  readonly credential: CredentialForm;
  readonly createdAt: number;
  /** The plan counts on it. */
  readonly isPlanned?: boolean;
}

/** The calls of one sequence, and how many it leaves to later ones. */
export interface CallBudget {
  /** On a target that keeps the interface. */
  readonly planned: number;
  /** Left to later sequences. */
  readonly kept: number;
}

const UNLIMITED: CallBudget = { planned: 0, kept: 0 };

/** A call that is not known to have ended. `ids` are candidates, the likeliest first; `number` counts from 1. */
export interface OpenCall extends CreateRequest {
  readonly ids: readonly string[];
  readonly number: number;
}

/** After so many create-call requests of unknown outcome no more calls are placed. */
const MAX_UNCLEAR = 2;

/** Counts calls and holds the open one. Create calls and hang-ups take turns through `exclusive`. */
export class CallSlot {
  readonly #max: number;
  #placed = 0;
  #unplanned = 0;
  #unclear = 0;
  #open: OpenCall | null = null;
  /** No more calls are placed while one may be open that is not known to have ended. */
  #isBlocked = false;
  readonly #possiblyOpen: string[] = [];
  /** Runs work when no other create call or hang-up is under way. */
  readonly exclusive = inTurn();

  constructor(max: number) {
    this.#max = max;
  }

  get open(): OpenCall | null {
    return this.#open;
  }

  get placed(): number {
    return this.#placed;
  }

  /** Calls that were accepted against expectation. */
  get unplanned(): number {
    return this.#unplanned;
  }

  /** Sentences, one for each call that may still be open. */
  get possiblyOpen(): readonly string[] {
    return this.#possiblyOpen;
  }

  /** How many more calls may be placed. */
  get left(): number {
    if (this.#unclear >= MAX_UNCLEAR || this.#isBlocked) return 0;
    return Math.max(0, this.#max - this.#placed - this.#unclear);
  }

  /**
   * Throws `Skipped` where no further call may be placed, or only those that the budget leaves to later sequences.
   * A request that should be rejected may take one of these, as long as no call was placed against expectation.
   * `isControl`: the request should be accepted.
   */
  demand({ planned, kept }: CallBudget = UNLIMITED, isControl = true): void {
    if (this.#unclear >= MAX_UNCLEAR) {
      throw skipped(`the outcome of ${MAX_UNCLEAR} create-call requests is unknown, so no more calls are placed`);
    }
    if (this.#isBlocked) throw skipped('a call could not be hung up, so no more calls are placed');
    const { left } = this;
    const isRisk = !isControl && planned === 0 && this.#unplanned === 0;
    const due = isRisk ? Math.max(0, kept - 1) : kept;
    if (left > due) return;
    const reason =
      left === 0 ? `the limit of --max-calls (${this.#max}) is reached` : 'the last calls are kept for later requests';
    throw skipped(reason, { cap: this.#max + due + 1 - left, planned });
  }

  /** Notes what a create call came to; only one that placed no call leaves everything as it was. */
  settle(outcome: CreateOutcome, request: CreateRequest): void {
    if (outcome.kind === 'placed') {
      this.#placed += 1;
      if (request.isPlanned === false) this.#unplanned += 1;
      this.#open = { ...request, ids: outcome.ids, number: this.#placed };
    } else if (outcome.kind === 'unclear') {
      this.#unclear += 1;
      this.#possiblyOpen.push(`request ${request.seq} (create call) got ${outcome.detail}: a call may be open`);
    }
  }

  /** Frees the slot. */
  free(): void {
    this.#open = null;
  }

  /** From now on no more calls are placed. */
  block(): void {
    this.#isBlocked = true;
  }

  /** Names a call that could not be hung up; it is the last one then. */
  name({ ids, seq }: OpenCall, reason: string): void {
    this.block();
    this.#possiblyOpen.push(`call ${ids[0]} (request ${seq}): hanging up got ${reason}: the call may still be open`);
  }
}

const skipped = (reason: string, calls?: Skip['calls']): Skipped =>
  new Skipped(reason, calls === undefined ? { why: 'calls' } : { why: 'calls', remedy: 'raise --max-calls', calls });
