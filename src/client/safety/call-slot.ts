/** The one call slot: how many calls were placed, which is open, which may be (conformance model, section 7). */

import type { CredentialForm } from '../../exchange/exchange.ts';
import { isNoAnswer } from '../pacing.ts';
import { Skipped } from '../request.ts';

/** A call that was accepted and not hung up yet. `ids` are candidates, the likeliest first. */
export interface OpenCall {
  readonly ids: readonly string[];
  readonly credential: CredentialForm;
  readonly seq: number;
}

/** What came of a create-call request. */
export interface CreateOutcome {
  readonly seq: number;
  /** `null` where there was no complete response. */
  readonly status: number | null;
  readonly ids: readonly string[];
  readonly credential: CredentialForm;
  /** `true` where nothing reached the target at all (connection refused, name not resolved). */
  readonly unsent: boolean;
}

/** After so many creates of unknown outcome no more calls are placed. */
const MOST_UNKNOWN = 2;

/** Counts calls and holds the open one. Creates take turns through `exclusive`. */
export class CallSlot {
  readonly #most: number;
  #queue: Promise<unknown> = Promise.resolve();
  #accepted = 0;
  #unknown = 0;
  #doubts = 0;
  #open: OpenCall | null = null;
  readonly #possiblyOpen: string[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get open(): OpenCall | null {
    return this.#open;
  }

  get accepted(): number {
    return this.#accepted;
  }

  /** Sentences, one for each call that may still be open. */
  get possiblyOpen(): readonly string[] {
    return this.#possiblyOpen;
  }

  /** How many more calls may be placed. */
  get left(): number {
    return this.#unknown >= MOST_UNKNOWN || this.#doubts > 0
      ? 0
      : Math.max(0, this.#most - this.#accepted - this.#unknown);
  }

  /** Runs `work` when no other create or hang-up is under way. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Throws `Skipped` where no further call may be placed. */
  demand(): void {
    if (this.#unknown >= MOST_UNKNOWN) {
      throw limit(`the outcome of ${MOST_UNKNOWN} create-call requests is unknown, so no more calls are placed`);
    }
    if (this.#doubts > 0) throw limit('a call could not be hung up, so no more calls are placed');
    if (this.left === 0) throw limit(`${this.#most} calls were placed`, 'raise --max-calls');
  }

  /** Notes the outcome; a refusal and "not now" leave the slot free. */
  settle(outcome: CreateOutcome): void {
    const { status, ids, credential, seq } = outcome;
    if (outcome.unsent || (status !== null && (isNoAnswer(status) || (status >= 300 && status < 500)))) return;
    if (status !== null && status < 300 && ids.length > 0) {
      this.#accepted += 1;
      this.#open = { ids, credential, seq };
      return;
    }
    this.#unknown += 1;
    const what = status === null ? 'no complete response' : `status ${status} and no call id`;
    this.#possiblyOpen.push(`request ${seq} (create call) got ${what}: a call may be open`);
  }

  /** Frees the slot; `doubt` names the call as possibly open, and it is the last one then. */
  free(doubt?: string): void {
    this.#open = null;
    if (doubt === undefined) return;
    this.#possiblyOpen.push(doubt);
    this.#doubts += 1;
  }
}

const limit = (reason: string, remedy?: string): Skipped => new Skipped(reason, remedy, 'calls');
