/** The journal: events are written as they happen, so that a crash loses nothing. */

import { join } from 'node:path';
import type { AnnouncedWrite } from '../client/client-options.ts';
import { picked } from '../contract/lists.ts';
import type { UpdateId } from '../contract/operations.ts';
import type { RepeatedFlag } from '../contract/settings.ts';
import { schemaErrors } from '../contract/validators.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { RunHeader, RunInputs } from '../verdict/header.ts';
import type { PlannedCase, RunRecord } from '../verdict/record.ts';
import { causeOf, type Disk, type OpenFile } from './disk.ts';
import type { FactSettings } from './facts.ts';

/** Name of the journal in the report folder: one JSON value a line. */
export const JOURNAL_FILE = 'journal.ndjson';

/** One line of the journal. A create call is announced before it is sent: a crash must not hide it. */
export type JournalEntry =
  /** `startedAt` is when the run began, in milliseconds since the epoch. */
  | {
      readonly kind: 'start';
      readonly target: string;
      readonly seed: number;
      readonly startedAt?: number;
      readonly stated?: FactSettings;
      readonly repeated?: readonly RepeatedFlag[];
    }
  /** What was decided before the first request: with the exchanges, a killed run can still be judged. */
  | {
      readonly kind: 'plan';
      readonly header: RunHeader;
      readonly inputs?: RunInputs;
      readonly cases: readonly PlannedCase[];
    }
  | { readonly kind: 'create'; readonly seq: number }
  /** Announces any other request that may change the target, hang-ups included; `clean` numbers its requests anew. */
  | ({ readonly kind: 'write'; readonly byClean?: true } & AnnouncedWrite)
  /** The outcome of the create call announced last, or of a hang-up; `ids` are candidates, the likeliest first. */
  | { readonly kind: 'call'; readonly ids: readonly string[]; readonly open: boolean }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  /**
   * The run ended; `outcome` and the exchanges give its results again. `restored` is the outcome of the last phase.
   */
  | { readonly kind: 'end'; readonly outcome?: RunOutcome; readonly restored?: readonly RestoredUpdate[] }
  /**
   * `clean` was run: it named calls of unknown id, restored what `restored` lists, and could not restore what `named`
   * lists, although the target answered. `calls` lists ids of calls that may be open, although the target answered.
   */
  | {
      readonly kind: 'cleaned';
      readonly restored: readonly UpdateId[];
      readonly named: readonly UpdateId[];
      readonly calls?: readonly string[];
      /** Kinds of the live fixtures that were ended. */
      readonly fixtures?: readonly string[];
    };

type StartEntry = Extract<JournalEntry, { readonly kind: 'start' }>;

/** The outcome of restoring an update, with sentences about what is left. */
export interface RestoredUpdate {
  readonly id: UpdateId;
  readonly left: readonly string[];
  /** Nothing was restored, so `clean` may restore it; otherwise another editor may have written since. */
  readonly isDue?: boolean;
}

const OUTCOME = [
  ...(['skipped', 'errors', 'endedEarly', 'possiblyOpen', 'changed', 'calls', 'openCalls', 'unplannedCalls'] as const),
  ...(['mayBeOpen', 'unrestored', 'waits', 'settled'] as const),
] as const;

/** The outcome of a run, besides its plan and its exchanges. */
export type RunOutcome = Pick<RunRecord, (typeof OUTCOME)[number]>;

/** The outcome in a record. */
export const outcomeOf = (record: RunRecord): RunOutcome => picked(record, OUTCOME);

/** Appends entries; the system has each before the call returns. Nothing here throws during the run. */
export class Journal {
  /** Whether an entry was held back because it still contained a secret after redaction. */
  heldBack = false;
  /** Why an entry was not written, in a few words, if the disk rejected one. */
  lost: string | null = null;
  /** Characters of the exchanges that were written. */
  recorded = 0;
  readonly #file: OpenFile;
  readonly #holdsSecret: (text: string) => boolean;
  /** A partly written entry must not spoil the next one. */
  #before: string;

  /**
   * The journal in a folder that exists: a new one, which replaces an old one, or the existing one. An entry for which
   * `holdsSecret` holds never reaches the disk. Throws the error of the file system.
   */
  constructor(disk: Disk, folder: string, holdsSecret: (text: string) => boolean, how: 'new' | 'more' = 'new') {
    this.#file = disk.open(join(folder, JOURNAL_FILE), how);
    this.#holdsSecret = holdsSecret;
    this.#before = how === 'more' ? '\n' : '';
  }

  write(entry: JournalEntry): void {
    const line = JSON.stringify(entry);
    if (entry.kind === 'exchange') this.recorded += line.length;
    if (this.#holdsSecret(line)) {
      this.heldBack = true;
      return;
    }
    try {
      this.#file.append(`${this.#before}${line}\n`);
      this.#before = '';
    } catch (error) {
      this.#before = '\n';
      this.lost ??= causeOf(error) ?? 'writing failed';
    }
  }

  /** Some file systems report a full disk only on close, which must not cost the verdict. */
  close(): void {
    try {
      this.#file.close();
    } catch (error) {
      this.lost ??= causeOf(error) ?? 'closing failed';
    }
  }
}

/** What a journal holds. */
export interface ReadJournal {
  readonly entries: readonly JournalEntry[];
  /** Lines that are not entries, except a last line that a crash cut short. */
  readonly odd: number;
}

/** Whether a value is a line of a journal, as far as its readers rely on it. */
const isJournalEntry = (value: unknown): value is JournalEntry =>
  schemaErrors('journal', 'journal-entry', value).length === 0;

/** Reads a journal in whatever state: with a byte order mark, or with missing, odd or truncated lines. */
export function readJournal(text: string): ReadJournal {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const entries: JournalEntry[] = [];
  let odd = 0;
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const value = parsedJson(line);
    const isCutShort = value === undefined && at === lines.length - 1;
    if (isJournalEntry(value)) entries.push(value);
    else if (!isCutShort) odd += 1;
  }
  return { entries, odd };
}

/** How the run began, according to the journal; without `target` where the lines that hold it are lost. */
export function startIn(entries: readonly JournalEntry[]): Partial<StartEntry> {
  const header = entries.find((entry) => entry.kind === 'plan')?.header;
  return entries.find((entry) => entry.kind === 'start') ?? (header === undefined ? {} : { target: header.target });
}

/** The exchanges of a journal, in the order in which they were sent. */
export const exchangesIn = (entries: readonly JournalEntry[]): readonly Exchange[] =>
  entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : [])).sort((a, b) => a.seq - b.seq);
