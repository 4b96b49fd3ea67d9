/** The journal: events are written as they happen, so that a crash loses nothing. */

import { join } from 'node:path';
import type { OperationId } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { JudgedRecord, PlannedCase, RunHeader, RunInputs } from '../verdict/record.ts';
import { causeOf, type Disk } from './disk.ts';
import type { FactSettings } from './facts.ts';

/** Name of the journal in the report folder: one JSON value a line. */
export const JOURNAL_FILE = 'journal.ndjson';

/** One line of the journal. A create call is announced before it leaves: a crash must not hide it. */
export type JournalEntry =
  /** `startedAt` is the moment at which the run began, in milliseconds since the epoch. */
  | {
      readonly kind: 'start';
      readonly target: string;
      readonly seed: number;
      readonly startedAt?: number;
      readonly stated?: FactSettings;
    }
  /** What was decided before the first request: with the exchanges, results can be made of a run that was killed. */
  | {
      readonly kind: 'plan';
      readonly header: RunHeader;
      readonly inputs?: RunInputs;
      readonly cases: readonly PlannedCase[];
    }
  | { readonly kind: 'create'; readonly seq: number }
  /** Before the first update of an operation. */
  | { readonly kind: 'update'; readonly operation: OperationId }
  /** What came of the create call that was announced last, or a hang-up; `ids` are candidates, the likeliest first. */
  | { readonly kind: 'call'; readonly ids: readonly string[]; readonly open: boolean }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  /** The run ended; with `outcome` and the exchanges, its results can be made again. */
  | { readonly kind: 'end'; readonly outcome?: RunOutcome }
  /** `clean` has seen to what the run left: calls of unknown id were named, and `restored` was written back. */
  | { readonly kind: 'cleaned'; readonly restored: readonly OperationId[] };

/** What a run came to, besides its plan and its exchanges. */
export type RunOutcome = Pick<
  JudgedRecord,
  'skipped' | 'errors' | 'endedEarly' | 'possiblyOpen' | 'changed' | 'calls' | 'unplannedCalls' | 'forgotten'
>;

/** Appends entries; each is with the system before the call returns. Nothing here throws while the run goes on. */
export interface Journal {
  write(entry: JournalEntry): void;
  /** Whether an entry was not written because a secret had survived redaction in it. */
  readonly heldBack: boolean;
  /** Why an entry was not written, in a few words, if the disk rejected one. */
  readonly lost: string | null;
  close(): void;
}

/**
 * The journal in the folder: a new one, which replaces an old one, or the one that is there. An entry for which
 * `isBetrayed` holds never reaches the disk. Throws the error of the file system.
 */
export function openJournal(
  disk: Disk,
  folder: string,
  isBetrayed: (text: string) => boolean,
  how: 'new' | 'more' = 'new',
): Journal {
  disk.makeFolder(folder);
  const file = disk.open(join(folder, JOURNAL_FILE), how);
  let heldBack = false;
  let lost: string | null = null;
  // An entry that the disk took in part, or that a crash cut short, must not spoil the next one.
  let before = how === 'more' ? '\n' : '';
  const append = (line: string): void => {
    try {
      file.append(`${before}${line}\n`);
      before = '';
    } catch (error) {
      before = '\n';
      lost ??= causeOf(error) ?? 'writing failed';
    }
  };
  return {
    write: (entry) => {
      const line = JSON.stringify(entry);
      if (isBetrayed(line)) heldBack = true;
      else append(line);
    },
    get heldBack() {
      return heldBack;
    },
    get lost() {
      return lost;
    },
    // Some file systems report a full disk only here, and the verdict must not be lost for it.
    close: () => {
      try {
        file.close();
      } catch (error) {
        lost ??= causeOf(error) ?? 'closing failed';
      }
    },
  };
}
