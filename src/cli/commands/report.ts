/** `pcs-conformance report DIR`: prints and writes the reports of a recorded run again. */

import { folderOf } from '../../regression/own-files.ts';
import { recordedRun } from '../../regression/recorded-run.ts';
import { present } from '../present.ts';
import { inLockedFolder, leftIn, WRITABLE_COPY } from '../report-folder.ts';
import { EXIT_CODES, type ExitCode, machineOf, type Terminal } from '../terminal.ts';

/**
 * Prints the run and writes every file of the folder again. Exits 0 whatever the verdict of the run was, and 3 where a
 * file could not be written. Throws `UsageError`.
 */
export async function report(given: string, _options: object, terminal: Terminal): Promise<ExitCode> {
  const folder = folderOf(given);
  const run = await recordedRun(folder);
  const settings = { reportDir: folder, quiet: false, json: false };
  const machine = machineOf(terminal);
  return inLockedFolder(
    folder,
    machine,
    () => {
      const code = present(run, settings, terminal, EXIT_CODES.conformant);
      const left = leftIn(folder, machine.disk);
      if (left !== null) terminal.err(left.message);
      return code;
    },
    WRITABLE_COPY,
  );
}
