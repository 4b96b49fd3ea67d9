/** What the command's exit code says. */

import type { InterruptSignal } from './terminal.ts';

/** Exit codes by what they mean (conformance model, section 5). */
export const EXIT_CODES = {
  /** Every binding case of the profile passed; also: the command did what it was asked. */
  conformant: 0,
  /** A binding requirement failed, or a recommendation under `--strict`. */
  nonConformant: 1,
  /** Wrong usage or settings, a name that names nothing, no target. */
  usage: 2,
  /** Nothing binding failed, and something binding could not be judged. */
  incomplete: 3,
  /** The suite itself broke, or a secret survived redaction. */
  void: 4,
  /** Ended by SIGINT. */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** The exit code of a command that a signal ended. */
export function exitCodeOf(signal: InterruptSignal): ExitCode {
  return signal === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated;
}
