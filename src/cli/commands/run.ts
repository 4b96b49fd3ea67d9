/** `pcs-conformance run`: judges a target. */

import { readSettings } from '../../settings/read-settings.ts';
import type { Flags } from '../../settings/sources.ts';
import type { Settings } from '../../settings/table.ts';
import { demandAsWide, demandNumbers, judgeInput, seededAs, suiteInputOf } from '../engine.ts';
import { presentGated, readGateFiles } from '../present.ts';
import { demandLimits } from '../rehearsal.ts';
import { inReportFolder } from '../report-folder.ts';
import { settingsOfRun, withFixtures, withTarget } from '../target.ts';
import {
  EXIT_CODES,
  type ExitCode,
  INTERRUPT_SIGNALS,
  type InterruptSignal,
  machineOf,
  type Terminal,
} from '../terminal.ts';
import { type Watch, watched } from '../watch.ts';

/** Judges the target that the settings name. Throws `UsageError`. */
export async function runTarget(flags: Flags, terminal: Terminal, judgeTarget = judgeAndReport): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  // Wrong usage is reported before anything is started.
  demandNumbers(settings);
  for (const warning of settings.warnings) terminal.err(`Warning: ${warning}`);
  return watched(terminal, settings.quiet || settings.json, (watch) => judgeTarget(settings, terminal, watch));
}

/** Judges the target, writes and prints the reports, and applies the gate. */
function judgeAndReport(settings: Settings, terminal: Terminal, watch: Watch): Promise<ExitCode> {
  return withTarget(settings, async (known) => {
    const [files, machine] = [readGateFiles(known), machineOf(terminal)];
    const given = seededAs(known, files.baseline);
    demandAsWide(given, files.baseline);
    await demandLimits(suiteInputOf(given).options, settingsOfRun(given));
    return inReportFolder(given.reportDir, machine, async (begin) => {
      const judged = await withFixtures(given, terminal.environment().env, (live) => {
        begin();
        return judgeInput({ ...suiteInputOf(live), ...machine }, watch.signal, watch.show).finally(watch.end);
      });
      const { reason } = watch.signal;
      const isSignal = INTERRUPT_SIGNALS.some((signal) => signal === reason);
      const exit = isSignal ? { exit: EXIT_CODES[reason as InterruptSignal] } : {};
      return presentGated({ ...judged, ...exit }, files, given, terminal);
    });
  });
}
