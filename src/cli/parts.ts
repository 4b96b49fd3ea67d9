/** What the commands are made of, loaded when a command needs it: `--help` waits for nothing. */

import type { Trace } from '../report/traceability.ts';
import type { Proved } from '../selftest/crew.ts';
import type { Extent } from '../selftest/workload.ts';
import type { Settings } from '../settings/settings.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Interruption } from './interruption.ts';
import { startReference } from './start-reference.ts';
import type { Terminal } from './terminal.ts';

/** Judges a target and says with which code to exit; an interruption is seen to by the caller. */
export type Conduct = (settings: Settings, terminal: Terminal, interruption: Interruption) => Promise<ExitCode>;

/** The parts, each behind the import that loads it. */
export interface Parts {
  readonly version: string;
  /** Requirements, gaps and readings, with what they rest on and what proves them. */
  readonly trace: () => Promise<Trace>;
  readonly startReference: typeof startReference;
  readonly conduct: Conduct;
  /** Proves the suite itself on so many threads. */
  readonly proveAll: (extent: Extent, threads: number) => Promise<readonly Proved[]>;
}

/** The parts of this package. */
export const PARTS: Omit<Parts, 'version'> = {
  trace: async () => (await import('./trace.ts')).traceOfPackage(),
  startReference,
  conduct: async (...run) => (await import('./conduct.ts')).conduct(...run),
  proveAll: async (...extent) => (await import('../selftest/crew.ts')).proveAll(...extent),
};
