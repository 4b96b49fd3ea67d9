/** Work in a report folder: one run at a time, never over open calls, and without losing an earlier run's files. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEPT } from '../contract/limits.ts';
import { UsageError } from '../contract/usage-error.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { cleanCommand } from '../report/command-line.ts';
import { REPORTERS } from '../report/write-reports.ts';
import { causeOf, type Disk } from '../run/disk.ts';
import { JOURNAL_FILE, readJournal, startIn } from '../run/journal.ts';
import { leftOver } from '../run/left-behind.ts';
import { isLocked, lockFolder } from '../run/lock.ts';
import { writtenSentence } from '../run/written.ts';
import type { JudgedTarget } from './engine.ts';
import { COMPARISON_FILES } from './present.ts';
import type { Machine } from './terminal.ts';

const FILES: ReadonlySet<string> = new Set([JOURNAL_FILE, ...REPORTERS.map(({ file }) => file), ...COMPARISON_FILES]);

/** Works in the folder; an error of the file system becomes a `UsageError` that names it. */
function using<T>(folder: string, work: () => T, remedy = 'choose another --report-dir'): T {
  try {
    return work();
  } catch (error) {
    const cause = causeOf(error);
    if (cause === null) throw error;
    throw new UsageError(`The reports cannot be written to ${folder}: ${cause}`, remedy, { cause: error });
  }
}

/** The remedy if an earlier run's folder is not writable; another folder would not hold that run. */
export const WRITABLE_COPY = 'make it writable, or name a copy of it that is';

/** Locks the folder during the work. Throws `UsageError` if another run works in it. */
export async function inLockedFolder<T>(
  folder: string,
  { disk, processes }: Machine,
  work: () => T | Promise<T>,
  remedy?: string,
): Promise<T> {
  const lock = (): (() => void) => {
    disk.makeFolder(folder);
    return lockFolder(folder, disk, processes);
  };
  const unlock = using(folder, lock, remedy);
  try {
    return await work();
  } finally {
    // A leftover lock is recognized as that of a process that has ended.
    try {
      unlock();
    } catch {}
  }
}

/**
 * Runs in the folder. `begin` moves what an earlier run left there to `previous-<n>` in it: a fixture command that
 * fails leaves the last report where it is. Throws `UsageError` where another run works in the folder, or an earlier
 * one left calls open or the target changed.
 */
export function inReportFolder<T>(
  folder: string,
  machine: Machine,
  work: (begin: () => void) => Promise<T>,
): Promise<T> {
  return inLockedFolder(folder, machine, () => {
    demandNothingLeft(folder, machine.disk);
    return work(() => using(folder, () => keepPrevious(folder, machine.disk)));
  });
}

const OWN_FOLDER = 'pcs-conformance-run-';

/** `clean` cannot undo what no operation undoes, such as a mute. */
export const canBeCleaned = ({ record: { possiblyOpen, changed } }: JudgedTarget): boolean =>
  possiblyOpen.length + changed.length > 0;

/**
 * Runs in a temporary folder. It is named in the outcome, and kept, only if the run left something for `clean`. Throws
 * `UsageError` if an earlier such run was killed and may have left something on the same target.
 */
export async function inOwnFolder(
  baseUrl: string,
  machine: Machine,
  work: (folder: string) => Promise<JudgedTarget>,
): Promise<JudgedTarget & { readonly folder?: string }> {
  demandNoneKilled(shownUrl(baseUrl), machine);
  const folder = mkdtempSync(join(tmpdir(), OWN_FOLDER));
  const remove = (): void => rmSync(folder, { recursive: true });
  const judged = await inLockedFolder(folder, machine, () => work(folder)).catch((error) => {
    // Usage errors come before any request. After any other error the journal may be needed.
    if (error instanceof UsageError) remove();
    throw error;
  });
  if (canBeCleaned(judged)) return { ...judged, folder };
  remove();
  return judged;
}

function demandNoneKilled(target: string, { disk, processes }: Machine): void {
  for (const name of disk.list(tmpdir()).filter((entry) => entry.startsWith(OWN_FOLDER))) {
    const folder = join(tmpdir(), name);
    const [start] = readJournal(disk.read(join(folder, JOURNAL_FILE)) ?? '').entries;
    const isOfTarget = start?.kind === 'start' && start.target === target;
    if (isOfTarget && !isLocked(folder, disk, processes)) demandNothingLeft(folder, disk);
  }
}

/**
 * A new run would hide what an earlier run left open or changed: the values that the killed run wrote
 * would be taken for the original ones. A call whose id is unknown does not stop the next run once it was reported, nor
 * does anything that a run named when it ended in order, or that `clean` named after the target answered.
 */
function demandNothingLeft(folder: string, disk: Disk): void {
  const left = leftIn(folder, disk);
  if (left !== null) throw left;
}

/** What the run in the folder left that `clean` can end or restore, with its command; `null` for nothing. */
export function leftIn(folder: string, disk: Disk): UsageError | null {
  const text = disk.read(join(folder, JOURNAL_FILE));
  if (text === null) return null;
  const { entries, odd } = readJournal(text);
  const { unnamed, possiblyOpen, isReported } = leftOver(entries);
  const [call] = [
    ...unnamed.calls.map(({ ids, seq }) => `call ${ids.join(' or ')} (request ${seq})`),
    ...(isReported ? [] : possiblyOpen),
  ];
  const [update] = unnamed.written;
  const left = [
    ...(call === undefined ? [] : [`may have left a call open: ${call}`]),
    ...(update === undefined ? [] : [`may have left the target changed: ${writtenSentence(update)}`]),
    // `clean` could say nothing about an empty journal.
    ...(odd === 0 || isReported || entries.length === 0 ? [] : ['left a journal with lines that cannot be read']),
  ];
  if (left.length === 0) return null;
  return new UsageError(
    `An earlier run in ${folder} ${left[0]}`,
    `run ${cleanCommand({ reportDir: folder, ...startIn(entries) })} first`,
  );
}

/** Moves the files of an earlier run to the next free folder `previous-<n>`, and removes those of the oldest runs. */
function keepPrevious(folder: string, disk: Disk): void {
  const names = disk.list(folder);
  const old = names.filter((name) => FILES.has(name));
  if (old.length === 0) return;
  const numbers = names.flatMap((name) => Number(/^previous-(\d+)$/.exec(name)?.[1] ?? [])).sort((a, b) => a - b);
  const kept = join(folder, `previous-${(numbers.at(-1) ?? 0) + 1}`);
  disk.makeFolder(kept);
  for (const name of old) disk.move(join(folder, name), join(kept, name));
  for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - KEPT.runs))) {
    const stale = join(folder, `previous-${number}`);
    for (const name of disk.list(stale).filter((entry) => FILES.has(entry))) disk.remove(join(stale, name));
    disk.removeFolder(stale);
  }
}
