/** `pcs-conformance run`: judges a target. */

import { readSettings } from '../../settings/read-settings.ts';
import type { Flags } from '../../settings/sources.ts';
import { type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { listenForSignals } from '../interruption.ts';
import type { Parts } from '../parts.ts';
import type { Terminal } from '../terminal.ts';

/** Reads the settings, has the target judged, and lets a signal outdo the verdict in the exit code. */
export async function run(flags: Flags, parts: Parts, terminal: Terminal): Promise<ExitCode> {
  const { env, envFile } = terminal.environment();
  const settings = readSettings(flags, env, envFile);
  for (const warning of settings.warnings) terminal.err(`Warning: ${warning}`);
  const interruption = listenForSignals(terminal);
  try {
    const code = await parts.conduct(settings, terminal, interruption);
    const signal = interruption.received();
    return signal === undefined ? code : exitCodeOf(signal);
  } finally {
    interruption.release();
  }
}
