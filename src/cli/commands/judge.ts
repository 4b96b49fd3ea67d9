/** `pcs-conformance judge`: judges recorded traffic, and sends nothing. */

import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { withoutUndefined } from '../../contract/lists.ts';
import { UsageError, withUsageError } from '../../contract/usage-error.ts';
import { COMMAND } from '../../report/command-line.ts';
import { isInFolder, streamText } from '../../run/disk.ts';
import { JOURNAL_FILE } from '../../run/journal.ts';
import { repeatedFlags } from '../../settings/read-settings.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { OUTPUT, SCOPE, TARGET } from '../../settings/table.ts';
import { Traffic } from '../../traffic/judge.ts';
import { piecesOf } from '../../traffic/reader.ts';
import { presentGated, readGateFiles } from '../present.ts';
import { inReportFolder } from '../report-folder.ts';
import { type ExitCode, machineOf, packageVersion, type Terminal } from '../terminal.ts';

const STDIN = '-';

/** Finds missing files before reading the first. */
function demandReadable(file: string): void {
  if (file === STDIN) return;
  const remedy = 'name a HAR or NDJSON file, or - for standard input';
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new UsageError(`${file} is a folder`, remedy);
  // Opening a named pipe and closing it again would end its writer.
  withUsageError(() => accessSync(file, constants.R_OK), `${file} does not exist, or may not be read`, remedy);
}

/** The files of an earlier run are moved away before new reports are written, so an input must not be among them. */
function demandOutside(file: string, folder: string): void {
  if (file === STDIN || !isInFolder(folder, file)) return;
  throw new UsageError(`${file} is in ${folder}, the folder for the reports`, 'give another --report-dir');
}

/** The text of a file. Throws `UsageError` if it is compressed. */
async function* fileChunks(file: string, input: NodeJS.ReadableStream): AsyncGenerator<string> {
  const stream = file === STDIN ? input : createReadStream(file);
  yield* streamText(unpacked(file, stream as AsyncIterable<Uint8Array>));
}

async function* unpacked(file: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isBegun = false;
  for await (const chunk of stream) {
    if (!isBegun && chunk[0] === 0x1f && chunk[1] === 0x8b) {
      const remedy = `unpack it: gunzip -c FILE | ${COMMAND} judge -`;
      throw new UsageError(`${file === STDIN ? 'Standard input' : file} is packed with gzip`, remedy);
    }
    isBegun = true;
    yield chunk;
  }
}

/** Judges the files, writes the reports and applies the gate. Throws `UsageError`. */
export async function judgeFiles(
  files: readonly string[],
  flags: Flags,
  terminal: Terminal,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<ExitCode> {
  const sources = layer(flags, terminal.environment());
  const [baseUrl] = TARGET;
  const settings = { ...sources.values([...OUTPUT, baseUrl]), ...sources.values(SCOPE) };
  files.forEach(demandReadable);
  for (const file of files) demandOutside(file, settings.reportDir);
  const gateFiles = readGateFiles(settings);
  const traffic = new Traffic({
    ...withoutUndefined({
      baseUrl: settings.baseUrl,
      baseUrlFrom: sources.given(baseUrl)?.from,
    }),
    strict: settings.strict,
    suite: { name: 'pcs-conformance', version: packageVersion() },
  });
  const [machine, { reportDir }] = [machineOf(terminal), settings];
  if (machine.disk.read(join(reportDir, JOURNAL_FILE)) !== null)
    throw new UsageError(`${reportDir} holds the reports of a run`, 'give another --report-dir');
  return inReportFolder(reportDir, machine, async (begin) => {
    for (const file of files) await traffic.read(file, piecesOf(fileChunks(file, input)));
    const { results, exchanges, startedAt } = traffic.results(files);
    begin();
    const repeated = repeatedFlags(sources, 'judge');
    return presentGated({ results, exchanges, startedAt }, gateFiles, { ...settings, repeated }, terminal);
  });
}
