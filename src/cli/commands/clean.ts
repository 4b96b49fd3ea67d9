/** `pcs-conformance clean`: hangs up the calls that a killed run left open, using the journal in its report folder. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../contract/usage-error.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { cleanUp } from '../../run/clean-up.ts';
import { JOURNAL_FILE, resumeJournal } from '../../run/journal.ts';
import { type LeftOver, leftOver, readJournal } from '../../run/left-open.ts';
import { livePorts } from '../../run/live.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { OUTPUT, TARGET } from '../../settings/table.ts';
import { connectionOf } from '../connection.ts';
import { runOptionsOf } from '../run-options.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';

const [REPORT_DIR] = OUTPUT;
const [BASE_URL] = TARGET;

/**
 * Hangs up every call that is open according to the journal. Exits 0 if none is left and 3 if one may be. The address
 * comes from the journal, the credential from the settings. Throws `UsageError`.
 */
export async function clean(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { values } = layer(flags, terminal.environment());
  const { reportDir: folder } = values([REPORT_DIR]);
  const left = readLeftOver(folder);
  const { baseUrl } = values([BASE_URL]);
  if (baseUrl !== undefined && shownUrl(baseUrl) !== left.target) {
    throw new UsageError(
      `The journal in ${folder} is of a run against ${left.target}, but the settings name ${shownUrl(baseUrl)}: set PCS_BASE_URL to the former, with its credential.`,
    );
  }
  if (baseUrl === undefined && left.target.includes('⟦')) {
    throw new UsageError(`The journal in ${folder} does not hold the token in the base URL: set PCS_BASE_URL.`);
  }
  for (const sentence of left.written) terminal.out(`Changed and not restored: ${sentence}.`);
  for (const sentence of left.possiblyOpen) terminal.out(`Possibly open: ${sentence}.`);
  const url = baseUrl ?? left.target;
  const doubts = left.open.length === 0 ? 0 : await hangUp(left, { ...flags, 'base-url': url }, terminal);
  if (left.open.length + left.possiblyOpen.length === 0) terminal.out('Every call of that run was hung up.');
  return doubts + left.possiblyOpen.length === 0 ? EXIT_CODES.conformant : EXIT_CODES.incomplete;
}

function readLeftOver(folder: string): LeftOver & { readonly target: string } {
  const path = join(folder, JOURNAL_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`There is no journal ${path}: name the report folder of the run with --report-dir.`);
  }
  const left = leftOver(readJournal(text));
  if (left.target === null)
    throw new UsageError(`${path} is not the journal of a run: name the report folder of a run.`);
  return { ...left, target: left.target };
}

/** Hangs up the calls; resolves with the number of those that may still be open. */
async function hangUp(left: LeftOver, flags: Flags, terminal: Terminal): Promise<number> {
  const settings = readSettings(flags, terminal.environment());
  const options = runOptionsOf(settings, {});
  const live = { version: packageVersion(), connection: connectionOf(settings) };
  const { ports, close, isBetrayed } = livePorts(options, live);
  const journal = resumeJournal(settings.reportDir, isBetrayed);
  try {
    const cleaned = await cleanUp(left.open, options, ports);
    for (const { call, doubt } of cleaned) {
      if (doubt === null) journal.write({ kind: 'call', ids: call.ids, open: false });
      terminal.out(doubt === null ? `Hung up: call ${call.ids[0]} (request ${call.seq}).` : `Possibly open: ${doubt}.`);
    }
    return cleaned.filter(({ doubt }) => doubt !== null).length;
  } finally {
    await close();
  }
}
