/** `pcs-conformance run` judges a target; `merge` joins the report folders of the shards of a run. */

import { resolve } from 'node:path';
import { UsageError } from '../../contract/usage-error.ts';
import { mergedRun } from '../../report/recorded-run.ts';
import { Journal } from '../../run/journal.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { OUTPUT, type Settings } from '../../settings/table.ts';
import { demandNumbers, judge, shardOf, suiteInputOf } from '../engine.ts';
import { presentGated, readGateFiles } from '../present.ts';
import { inReportFolder } from '../report-folder.ts';
import { withTarget } from '../target.ts';
import { type ExitCode, machineOf, type Terminal } from '../terminal.ts';
import { type Watch, watched } from '../watch.ts';

/** Judges the target that the settings name. Throws `UsageError`. */
export async function run(flags: Flags, terminal: Terminal, judgeTarget = judgeAndReport): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  // Wrong usage is reported before anything is started.
  shardOf(settings);
  demandNumbers(settings);
  for (const warning of settings.warnings) terminal.err(`Warning: ${warning}`);
  return watched(terminal, settings.quiet || settings.json, (watch) => judgeTarget(settings, terminal, watch));
}

/** Judges the target, writes and prints the reports, and applies the gate. */
function judgeAndReport(settings: Settings, terminal: Terminal, watch: Watch): Promise<ExitCode> {
  return withTarget(settings, terminal.environment().env, async (known) => {
    const input = suiteInputOf(known, shardOf(known));
    const files = readGateFiles(known);
    const machine = machineOf(terminal);
    return inReportFolder(known.reportDir, machine, async () => {
      const judged = await judge({ ...input, ...machine }, watch.signal, watch.show).finally(watch.end);
      // A shard that only explored has nothing to say of each requirement.
      const quiet = known.quiet || (known.shard?.index ?? 1) > 1;
      return presentGated(judged, files, { ...known, quiet }, terminal);
    });
  });
}

/** Writes the reports of the run that the shards make up, and applies the gate. Throws `UsageError`. */
export async function merge(folders: readonly string[], flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const settings = layer(flags, terminal.environment()).values(OUTPUT);
  const { reportDir } = settings;
  // The new reports would take the place of those that are merged.
  if (folders.some((folder) => resolve(folder) === resolve(reportDir))) {
    throw new UsageError(`${reportDir} is the folder of a shard`, 'choose another --report-dir for the merged reports');
  }
  const files = readGateFiles(settings);
  const { journal: entries, ...run } = await mergedRun(folders);
  const machine = machineOf(terminal);
  return inReportFolder(reportDir, machine, async () => {
    // What the shards recorded has been redacted.
    const journal = new Journal(machine.disk, reportDir, () => false);
    for (const entry of entries) journal.write(entry);
    journal.close();
    return presentGated(run, files, settings, terminal);
  });
}
