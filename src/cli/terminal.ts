/** The environment of a command: terminal, machine, signals, port, package; and its exit codes. */

import { readFileSync } from 'node:fs';
import { UsageError } from '../contract/usage-error.ts';
import { codeOf, type Disk, REAL_DISK } from '../run/disk.ts';
import { livePorts } from '../run/live.ts';
import { type Processes, REAL_PROCESSES } from '../run/lock.ts';
import type { Environment } from '../settings/environment.ts';

/** The signals that end a run early: Ctrl-C, the end of a job, and a terminal or connection that is closed. */
export const INTERRUPT_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One of these signals. */
export type InterruptSignal = (typeof INTERRUPT_SIGNALS)[number];

/** The events that end a run: signals, and errors that nothing catches. */
export type ProcessEvent = InterruptSignal | 'uncaughtException' | 'unhandledRejection';

/** The machine that a run works on: its disk, its processes, and the way to the target. */
export interface Machine {
  readonly disk: Disk;
  readonly processes: Processes;
  readonly reach: typeof livePorts;
  /** The most characters that the record of a run may have, if not the default. */
  readonly mostRecorded?: number;
}

const REAL_MACHINE: Machine = { disk: REAL_DISK, processes: REAL_PROCESSES, reach: livePorts };

/** The machine of a terminal. */
export const machineOf = ({ machine = REAL_MACHINE }: Pick<Terminal, 'machine'>): Machine => machine;

/** Everything outside the program that a command uses. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error. */
  readonly err: (line: string) => void;
  readonly environment: () => Environment;
  /** The source of signals: the process, unless a test replaces it. */
  readonly signals: {
    readonly on: (event: ProcessEvent, listener: (cause: unknown) => void) => unknown;
    readonly off: (event: ProcessEvent, listener: (cause: unknown) => void) => unknown;
  };
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
  /** Whether standard output shows colour: a terminal, and NO_COLOR is not set. */
  readonly color?: boolean;
  /** Redraws the current line of standard error; absent unless it is a terminal. */
  readonly redraw?: (line: string) => void;
  /** Columns of standard error, where the live line is drawn: standard output may be a file. */
  readonly liveWidth?: number | undefined;
  /** This process, unless given. */
  readonly machine?: Machine;
}

/** Exit codes by what they mean (conformance model, section 5). */
export const EXIT_CODES = {
  /** No failure and nothing inconclusive among the binding cases; also: the command did what it was asked. */
  conformant: 0,
  /** A requirement failed, or a recommendation under `--strict`. */
  nonConformant: 1,
  /** Wrong usage or settings, an unknown name, no target. */
  usage: 2,
  /** No requirement failed, but one could not be judged. */
  incomplete: 3,
  /** The suite itself broke, or a secret survived redaction. */
  void: 4,
  // A signal ended the command: 128 and its number.
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Version as in package.json. */
export function packageVersion(): string {
  const manifest: { readonly version?: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return manifest.version ?? 'unknown';
}

/** Address of a file that the package ships beside its code, such as a page of `docs`. */
export function packageFile(path: string): URL {
  // Compiled, this module is one folder deeper than as source.
  return new URL(`${import.meta.url.endsWith('.ts') ? '../..' : '../../..'}/${path}`, import.meta.url);
}

/** Listens where the flags say. Throws `UsageError`. */
export async function listenAt<Listening>(
  { host, port }: { readonly host: string; readonly port: string },
  start: (address: { readonly host: string; readonly port: number }) => Promise<Listening>,
): Promise<Listening> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`--port (${JSON.stringify(port)}) is not a port`, 'write a whole number from 0 to 65535');
  }
  try {
    return await start({ host, port: Number(port) });
  } catch (error) {
    const code = codeOf(error);
    // Only codes of the socket call: any other error is a bug of ours.
    if (!/^(EADDR|EACCES|EINVAL|ENOTFOUND|EAI_)/.test(code)) throw error;
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} of ${host} is taken`, 'give another --port');
    throw new UsageError(`Cannot listen on ${host} port ${port} (${code})`, 'give another --host or --port');
  }
}

/** Resolves once a signal asks the command to end. */
export function nextSignal({ signals }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (): void => {
      for (const name of INTERRUPT_SIGNALS) signals.off(name, onSignal);
      resolve();
    };
    for (const name of INTERRUPT_SIGNALS) signals.on(name, onSignal);
  });
}
