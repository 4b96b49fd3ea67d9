/** What a command has of the world: two places to write to, the environment, and signals. */

import type { Environment } from '../settings/environment.ts';

/** The signals that end a run early. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM';

/** Where signals come from; a process is one. */
export interface SignalSource {
  readonly on: (signal: InterruptSignal, listener: () => void) => unknown;
  readonly off: (signal: InterruptSignal, listener: () => void) => unknown;
}

/** Everything outside the program that a command touches. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error. */
  readonly err: (line: string) => void;
  readonly environment: () => Environment;
  readonly signals: SignalSource;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
  /** Whether standard output shows colour: a terminal, and NO_COLOR is not set. */
  readonly color?: boolean;
  /** Draws the line at the cursor of standard error anew; there only if that is a terminal. */
  readonly redraw?: (line: string) => void;
  /** Columns of standard output. */
  readonly width?: number;
}
