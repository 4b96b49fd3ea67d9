/** Time as it is given to everything that waits. */

/** Time as an argument: milliseconds since the epoch, and a pause that an interruption ends early. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A pause that nothing ends early, for clean-up. */
  rest(milliseconds: number): Promise<void>;
}

/** A clock on which no time passes, for what was recorded. */
export const NO_TIME: Clock = { now: () => 0, sleep: async () => undefined, rest: async () => undefined };
