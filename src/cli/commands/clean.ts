/** `pcs-conformance clean`: hangs up and restores what a killed run left, using the journal in its report folder. */

import { join } from 'node:path';
import { SUITE } from '../../../suites/index.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { cleanUp, type Restoration, restoreLeft } from '../../run/clean-up.ts';
import { JOURNAL_FILE, type JournalEntry, openJournal } from '../../run/journal.ts';
import { type LeftOver, leftOver, readJournal, writtenSentence } from '../../run/left-open.ts';
import type { RunOptions } from '../../run/options.ts';
import type { Ports } from '../../run/ports.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { OUTPUT, TARGET } from '../../settings/table.ts';
import { inLockedFolder } from '../report-folder.ts';
import { connectionOf, runOptionsOf } from '../run-options.ts';
import { EXIT_CODES, type ExitCode, type Machine, machineOf, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';

const [REPORT_DIR] = OUTPUT;
const [BASE_URL] = TARGET;

/** A run that was killed: its journal, and what it left. */
interface KilledRun {
  readonly folder: string;
  readonly target: string;
  readonly entries: readonly JournalEntry[];
  readonly left: LeftOver;
}

/**
 * Hangs up every call that is open according to the journal, and restores what the run wrote. Exits 0 if nothing is left
 * and 3 if something may be. The address comes from the journal, the credential from the settings. Throws `UsageError`.
 */
export async function clean(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { values } = layer(flags, terminal.environment());
  const { reportDir: folder } = values([REPORT_DIR]);
  const machine = machineOf(terminal);
  demandJournal(folder, machine);
  return inLockedFolder(folder, machine, () => {
    const run = readKilledRun(folder, machine);
    const url = urlOf(run, values([BASE_URL]).baseUrl);
    return cleanRun(run, { ...flags, 'base-url': url }, terminal);
  });
}

/** The address of the run; the credential goes nowhere else. */
function urlOf({ folder, target }: KilledRun, baseUrl: string | undefined): string {
  if (baseUrl !== undefined && shownUrl(baseUrl) !== target) {
    throw new UsageError(
      `The journal in ${folder} is of a run against ${target}, but the settings name ${shownUrl(baseUrl)}`,
      'set PCS_BASE_URL to the former, with its credential',
    );
  }
  if (baseUrl === undefined && target.includes('⟦')) {
    throw new UsageError(`The journal in ${folder} does not hold the token in the base URL`, 'set PCS_BASE_URL');
  }
  return baseUrl ?? target;
}

function demandJournal(folder: string, { disk }: Machine): string {
  const path = join(folder, JOURNAL_FILE);
  const text = disk.read(path);
  if (text !== null) return text;
  throw new UsageError(`No journal at ${path}`, 'name the report folder of the run with --report-dir');
}

function readKilledRun(folder: string, machine: Machine): KilledRun {
  const entries = readJournal(demandJournal(folder, machine));
  const left = leftOver(entries);
  if (left.target !== null) return { folder, target: left.target, entries, left };
  const path = join(folder, JOURNAL_FILE);
  throw new UsageError(`${path} is not the journal of a run`, 'name the report folder of a run');
}

/** Without anything to hang up or to restore, nothing is sent, and no credential is needed. */
async function cleanRun(run: KilledRun, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { open, possiblyOpen, written } = run.left;
  for (const sentence of possiblyOpen) terminal.out(`Possibly open: ${sentence}.`);
  const doubts = open.length + written.length === 0 ? 0 : await seeTo(run, flags, terminal);
  if (open.length + possiblyOpen.length === 0) terminal.out('Every call of that run was hung up.');
  return doubts + possiblyOpen.length === 0 ? EXIT_CODES.conformant : EXIT_CODES.incomplete;
}

/** Resolves with the number of calls that may still be open, and of changes that remain. */
async function seeTo(run: KilledRun, flags: Flags, terminal: Terminal): Promise<number> {
  // Nothing is dialled here.
  const settings = readSettings({ ...flags, 'allow-short-number': true }, terminal.environment());
  const options = runOptionsOf(settings, {});
  const { disk, reach } = machineOf(terminal);
  const live = { version: packageVersion(), connection: connectionOf(settings) };
  const { ports, close, isBetrayed } = reach(options, live);
  const journal = openJournal(disk, run.folder, isBetrayed, 'more');
  try {
    const cleaned = await cleanUp(run.left.open, options, ports);
    for (const { call, doubt } of cleaned) {
      if (doubt === null) journal.write({ kind: 'call', ids: call.ids, open: false });
      terminal.out(doubt === null ? `Hung up: call ${call.ids[0]} (request ${call.seq}).` : `Possibly open: ${doubt}.`);
    }
    const { restored, changed } = await restore(run, options, ports);
    journal.write({ kind: 'cleaned', restored });
    for (const id of restored) terminal.out(`Restored: ${id}.`);
    for (const sentence of changed) terminal.out(`Changed and not restored: ${sentence}.`);
    return cleaned.filter(({ doubt }) => doubt !== null).length + changed.length;
  } finally {
    journal.close();
    await close();
  }
}

/** A journal that does not say how the run was made is not enough to restore anything. */
async function restore({ entries, left }: KilledRun, options: RunOptions, ports: Ports): Promise<Restoration> {
  const { written } = left;
  const planned = entries.find((entry) => entry.kind === 'plan');
  if (written.length === 0) return { restored: [], changed: [] };
  if (planned?.inputs === undefined) return { restored: [], changed: written.map(writtenSentence) };
  const exchanges = entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : []));
  const end = entries.find((entry) => entry.kind === 'end')?.outcome;
  const { skipped = [], endedEarly = 'the run was killed' } = end ?? {};
  const recorded = { header: planned.header, inputs: planned.inputs, exchanges, skipped, endedEarly };
  return restoreLeft(recorded, written, options, SUITE, ports);
}
