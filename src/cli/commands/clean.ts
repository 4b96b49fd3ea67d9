/** `pcs-conformance clean`: hangs up and restores what a killed run left, using the journal in its report folder. */

import { join } from 'node:path';
import { SUITE } from '../../../suites/index.ts';
import { counted } from '../../contract/lists.ts';
import { operationById, type UpdateId } from '../../contract/operations.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { cleanUp, restoreLeft } from '../../run/clean-up.ts';
import { JOURNAL_FILE, Journal, type JournalEntry, readJournal, startIn } from '../../run/journal.ts';
import { leftOver } from '../../run/left-behind.ts';
import { type RunOptions, recordedOptions } from '../../run/options.ts';
import type { Ports } from '../../run/ports.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { OUTPUT, TARGET } from '../../settings/table.ts';
import { connectionOf } from '../engine.ts';
import { inLockedFolder, WRITABLE_COPY } from '../report-folder.ts';
import { endFixtures, LIVE_FIXTURES } from '../target.ts';
import { EXIT_CODES, type ExitCode, type Machine, machineOf, packageVersion, type Terminal } from '../terminal.ts';

const [REPORT_DIR] = OUTPUT;
const [BASE_URL] = TARGET;

type KilledRun = ReturnType<typeof readKilledRun>;

/**
 * Hangs up every call that is open according to the journal, and restores what the run wrote. Exits 3 if a call may be
 * open or a value is not restored. Address: the journal's; credential: the settings'. Throws `UsageError`.
 */
export async function clean(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { values } = layer(flags, terminal.environment());
  const { reportDir: folder } = values([REPORT_DIR]);
  const machine = machineOf(terminal);
  demandJournal(folder, machine);
  return inLockedFolder(
    folder,
    machine,
    () => {
      const run = readKilledRun(folder, machine);
      const url = runAddress(run, values([BASE_URL]).baseUrl);
      // `clean` dials nothing.
      return cleanRun(run, { ...flags, 'base-url': url, 'allow-short-number': true }, terminal);
    },
    WRITABLE_COPY,
  );
}

/** The address of the run: the credential is sent nowhere else. */
function runAddress({ folder, target }: KilledRun, baseUrl: string | undefined): string {
  if (baseUrl !== undefined && target !== null && shownUrl(baseUrl) !== target) {
    throw new UsageError(
      `The journal in ${folder} is of a run against ${target}, but the settings name ${shownUrl(baseUrl)}`,
      'set PCS_BASE_URL to the former, with its credential',
    );
  }
  if (baseUrl === undefined && (target === null || target.includes('⟦'))) {
    const lost = target === null ? 'the address of its target' : 'the token in the base URL';
    throw new UsageError(`The journal in ${folder} does not hold ${lost}`, 'set PCS_BASE_URL');
  }
  return baseUrl ?? target ?? '';
}

function demandJournal(folder: string, { disk }: Machine): string {
  const path = join(folder, JOURNAL_FILE);
  const text = disk.read(path);
  if (text !== null) return text;
  throw new UsageError(`No journal at ${path}`, 'name the report folder of the run with --report-dir');
}

/** A killed run: its journal, in which `odd` lines cannot be read, and what it left. */
function readKilledRun(folder: string, machine: Machine) {
  const { entries, odd } = readJournal(demandJournal(folder, machine));
  if (entries.length === 0) {
    const path = join(folder, JOURNAL_FILE);
    throw new UsageError(`${path} is not the journal of a run`, 'name the report folder of a run');
  }
  const { open: calls, possiblyOpen, written, kept } = leftOver(entries);
  return { folder, target: startIn(entries).target ?? null, entries, odd, calls, possiblyOpen, written, kept };
}

/** Cleans up after the run. If nothing is left, it sends nothing and needs no credential. */
async function cleanRun(run: KilledRun, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { odd, calls, possiblyOpen, written, folder, kept, entries } = run;
  if (odd > 0) {
    const lines = odd === 1 ? 'A line of the journal' : `${odd} lines of the journal`;
    terminal.out(`${lines} in ${folder} cannot be read: check the target for what they may have said.`);
  }
  for (const sentence of possiblyOpen) terminal.out(`Possibly open: ${sentence}.`);
  const isDue = calls.length + written.length > 0;
  const { doubts, restored, named, unended } = isDue ? await seeTo(run, flags, terminal) : NOTHING;
  const fixtures = endLeftFixtures(entries, flags, terminal);
  // The unreadable lines may have held other calls and writes.
  const [that, it] = odd === 0 ? ['of that run', 'the run wrote'] : ['in the other lines', 'the other lines announce'];
  if (calls.length + possiblyOpen.length === 0) terminal.out(`Every call ${that} was hung up.`);
  for (const sentence of kept.left) terminal.out(`Changed and not restored: ${sentence}.`);
  if (written.length + kept.left.length === 0) terminal.out(`Everything that ${it} was restored.`);
  if (isDue || fixtures.length > 0 || odd + possiblyOpen.length > 0) {
    const journal = new Journal(machineOf(terminal).disk, folder, () => false, 'more');
    journal.write({ kind: 'cleaned', restored, named, calls: unended, fixtures });
    journal.close();
    if (journal.lost !== null) {
      terminal.out(`The journal in ${folder} could not be written (${journal.lost}): make room, and run clean again.`);
      return EXIT_CODES.incomplete;
    }
  }
  return odd + doubts + possiblyOpen.length + (kept.failed?.length ?? 0) === 0
    ? EXIT_CODES.conformant
    : EXIT_CODES.incomplete;
}

/** Ends the fixtures that a killed run started. Returns the kinds of those that ended. */
function endLeftFixtures(entries: readonly JournalEntry[], flags: Flags, terminal: Terminal): readonly string[] {
  const planned = entries.find((entry) => entry.kind === 'plan');
  const isOver = entries.some((entry) => entry.kind === 'end');
  const { header, inputs } = planned ?? {};
  if (isOver || header === undefined || inputs?.reach?.includes(LIVE_FIXTURES) !== true) return [];
  const settings = readSettings(flags, terminal.environment());
  const over = entries.flatMap((entry) => (entry.kind === 'cleaned' ? (entry.fixtures ?? []) : []));
  const fixtures = endFixtures(settings, { ...inputs, without: header.without }, terminal.environment().env, over);
  const why = settings.fixtureCleanup === undefined ? 'does not say how to end it' : 'failed';
  for (const { kind, isEnded } of fixtures) {
    const said = isEnded ? 'Ended' : `Perhaps left, since --fixture-cleanup ${why}`;
    terminal.out(`${said}: the live fixture ${kind}.`);
  }
  return fixtures.flatMap(({ kind, isEnded }) => (isEnded ? [kind] : []));
}

/** The outcome of a clean-up. */
interface SeenTo {
  /** How many calls may still be open, and changes whose restoring write was rejected or not sent. */
  readonly doubts: number;
  readonly restored: readonly UpdateId[];
  readonly named: readonly UpdateId[];
  /** Ids of the calls that may still be open, although the target answered. */
  readonly unended: readonly string[];
}

const NOTHING: SeenTo = { doubts: 0, restored: [], named: [], unended: [] };

async function seeTo(
  { folder, entries, calls, written }: KilledRun,
  flags: Flags,
  terminal: Terminal,
): Promise<SeenTo> {
  const options = readSettings(flags, terminal.environment());
  const { disk, reach } = machineOf(terminal);
  const live = { version: packageVersion(), connection: connectionOf(options) };
  const { ports: reached, close, holdsSecret } = reach(options, live);
  const journal = new Journal(disk, folder, holdsSecret, 'more');
  const work = [
    ...(calls.length > 0 ? [`hangs up ${counted(calls.length, 'call')}`] : []),
    ...(written.length > 0 ? [`restores what ${counted(written.length, 'operation')} wrote`] : []),
  ];
  terminal.err(`This ${work.join(' and ')}, and may take some minutes if the target makes it wait.`);
  const ports: Ports = {
    ...reached,
    beforeWrite: (announced) => journal.write({ kind: 'write', byClean: true, ...announced }),
  };
  try {
    const cleaned = await cleanUp(calls, options, ports);
    for (const { call, doubt } of cleaned) {
      if (doubt === null) journal.write({ kind: 'call', ids: call.ids, open: false });
      terminal.out(doubt === null ? `Hung up: call ${call.ids[0]} (request ${call.seq}).` : `Possibly open: ${doubt}.`);
    }
    const outcomes =
      written.length === 0 ? [] : await restoreLeft(entries, written, optionsOf(entries, options), SUITE, ports);
    for (const { id, restored: what, left } of outcomes) {
      if (what !== null) terminal.out(`Restored: ${what}.`);
      else if (left.length === 0) terminal.out(`Unchanged: ${operationById(id).title}, nothing to restore.`);
    }
    for (const sentence of outcomes.flatMap(({ left }) => left)) terminal.out(`Changed and not restored: ${sentence}.`);
    const seen = outcomes.filter(({ isSeen }) => isSeen);
    return {
      doubts:
        cleaned.filter(({ doubt }) => doubt !== null).length + outcomes.flatMap(({ failed }) => failed ?? []).length,
      restored: seen.flatMap(({ id, left }) => (left.length === 0 ? [id] : [])),
      named: seen.flatMap(({ id, left }) => (left.length > 0 ? [id] : [])),
      unended: cleaned.flatMap(({ call, doubt, isSeen }) => (doubt !== null && isSeen ? call.ids.slice(0, 1) : [])),
    };
  } finally {
    journal.close();
    await close();
  }
}

/** The resources of the killed run, whatever the settings name now; only the secrets come from the settings. */
function optionsOf(entries: readonly JournalEntry[], options: RunOptions): RunOptions {
  const planned = entries.find((entry) => entry.kind === 'plan');
  if (planned?.inputs === undefined) return { ...options, profile: 'full' };
  const { credentials, baseUrl, inbound, queries } = options;
  const recorded = recordedOptions({ header: planned.header, inputs: planned.inputs });
  const { secret: _, ...known } = recorded.inbound;
  const secret = inbound.secret === undefined ? {} : { secret: inbound.secret };
  return {
    ...recorded,
    only: [],
    credentials,
    baseUrl,
    queries: { ...recorded.queries, ...queries },
    inbound: { ...known, ...secret },
  };
}
