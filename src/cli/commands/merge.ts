/** `pcs-conformance merge`: joins the report folders of the shards of a run. */

import { resolve } from 'node:path';
import { UsageError } from '../../contract/usage-error.ts';
import { mergedRun } from '../../report/recorded-run.ts';
import { openJournal } from '../../run/journal.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { OUTPUT } from '../../settings/table.ts';
import { inReportFolder } from '../report-folder.ts';
import { presentGated, readGateFiles } from '../run-gate.ts';
import { type ExitCode, machineOf, type Terminal } from '../terminal.ts';

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
    const journal = openJournal(machine.disk, reportDir, () => false);
    for (const entry of entries) journal.write(entry);
    journal.close();
    return presentGated(run, files, settings, terminal);
  });
}
