/** Time as it is given to everything that waits, and work in its turn. */

/** Time as an argument: milliseconds since the epoch, and a pause that an interruption ends early. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A pause that nothing ends early, for clean-up; like `sleep` if absent. */
  rest?(milliseconds: number): Promise<void>;
}

/** A pause that an interruption does not end early. */
export function restFor(milliseconds: number, clock: Clock): Promise<void> {
  return clock.rest === undefined ? clock.sleep(milliseconds) : clock.rest(milliseconds);
}

/** Makes work wait its turn: none begins before all that was handed in earlier is over. */
export function inTurn(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Spreads requests over time: `rate` requests a second, 0 for no limit. */
export class Pacer {
  readonly #gap: number;
  readonly #clock: Clock;
  #next = 0;

  constructor(rate: number, clock: Clock) {
    this.#gap = rate > 0 ? 1000 / rate : 0;
    this.#clock = clock;
  }

  /** Resolves when the next request may leave. */
  async turn(): Promise<void> {
    if (this.#gap === 0) return;
    const now = this.#clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await this.#clock.sleep(at - now);
  }
}
