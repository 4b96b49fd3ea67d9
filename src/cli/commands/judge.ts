/** `pcs-conformance judge`: judges recorded traffic, and sends nothing. */

import { closeSync, createReadStream, openSync } from 'node:fs';
import { relative } from 'node:path';
import { createGunzip } from 'node:zlib';
import { READ } from '../../contract/limits.ts';
import { withoutUndefined } from '../../contract/lists.ts';
import { UsageError, withUsageError } from '../../contract/usage-error.ts';
import { textOf } from '../../run/disk.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { OUTPUT, SCOPE, TARGET } from '../../settings/table.ts';
import { Traffic } from '../../traffic/judge.ts';
import { piecesOf } from '../../traffic/reader.ts';
import { presentGated, readGateFiles } from '../present.ts';
import { inReportFolder } from '../report-folder.ts';
import { type ExitCode, machineOf, packageVersion, type Terminal } from '../terminal.ts';

const STDIN = '-';

/** Files that are not there are found before any is read. */
function demandReadable(file: string): void {
  if (file === STDIN) return;
  const remedy = 'name a HAR or NDJSON file, or - for standard input';
  withUsageError(() => closeSync(openSync(file, 'r')), `${file} does not exist, or may not be read`, remedy);
}

/** What an earlier run left in the report folder is moved away before this one writes there. */
function demandOutside(file: string, folder: string): void {
  if (file === STDIN || relative(folder, file).startsWith('..')) return;
  throw new UsageError(`${file} lies in ${folder}, the folder for the reports`, 'give another --report-dir');
}

/** The text of a file, unpacked where it is gzip; a broken one ends where it breaks, as if it were cut. */
async function* chunksOf(file: string, input: NodeJS.ReadableStream): AsyncGenerator<string> {
  const stream = file === STDIN ? input : createReadStream(file);
  yield* textOf(unpacked(stream as AsyncIterable<Uint8Array>));
}

async function* unpacked(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  const { value: first, done } = await chunks.next();
  if (done) return;
  const all = (async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* all;
  yield* gunzipped(all);
}

/** What a broken file holds before its break is read as well. */
async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const plain: Uint8Array[] = [];
  let isBroken = false;
  gunzip.on('data', (bytes: Uint8Array) => plain.push(bytes));
  gunzip.on('error', () => {
    isBroken = true;
  });
  const closed = new Promise((resolve) => gunzip.on('close', resolve));
  for await (const chunk of packed) {
    for (let at = 0; at < chunk.length && !isBroken; at += READ.packed) {
      const written = new Promise((resolve) => gunzip.write(chunk.subarray(at, at + READ.packed), resolve));
      await Promise.race([written, closed]);
      yield* plain.splice(0);
    }
    if (isBroken) break;
  }
  if (!isBroken) gunzip.end();
  await closed;
  yield* plain.splice(0);
  if (isBroken) yield Buffer.from('\n(the gzip data is broken)\n');
}

/** Judges the files, writes the reports and applies the gate. Throws `UsageError`. */
export async function judge(
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
  return inReportFolder(settings.reportDir, machineOf(terminal), async () => {
    for (const file of files) await traffic.read(file, piecesOf(chunksOf(file, input)));
    const { results, exchanges, startedAt } = traffic.results(files);
    return presentGated({ results, exchanges, startedAt }, gateFiles, settings, terminal);
  });
}
