/** The journal: events are written as they happen, so that a crash loses nothing. */

import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../exchange/exchange.ts';
import type { PlannedCase, RunHeader } from '../verdict/record.ts';
import { makeFolder } from './folder.ts';

/** Name of the journal in the report folder: one JSON value a line. */
export const JOURNAL_FILE = 'journal.ndjson';

/** One line of the journal. A create call is announced before it leaves: a crash must not hide it. */
export type JournalEntry =
  /** `startedAt` is the moment at which the run began, in milliseconds since the epoch. */
  | { readonly kind: 'start'; readonly target: string; readonly seed: number; readonly startedAt?: number }
  /** What was decided before the first request: with the exchanges, results can be made of a run that was killed. */
  | { readonly kind: 'plan'; readonly header: RunHeader; readonly cases: readonly PlannedCase[] }
  | { readonly kind: 'create'; readonly seq: number }
  /** What came of the create call that was announced last, or a hang-up; `ids` are candidates, the likeliest first. */
  | { readonly kind: 'call'; readonly ids: readonly string[]; readonly open: boolean }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'end' };

/** Appends entries; each is on its way to the disk before the call returns. */
export interface Journal {
  readonly path: string;
  write(entry: JournalEntry): void;
  /** Whether an entry was not written because a secret had survived redaction in it. */
  readonly heldBack: boolean;
}

/**
 * A new journal in the folder, which is made where it is missing; an old one of the same name is replaced. An entry for
 * which `isBetrayed` holds never reaches the disk.
 */
export function openJournal(folder: string, isBetrayed: (text: string) => boolean): Journal {
  makeFolder(folder);
  const path = join(folder, JOURNAL_FILE);
  writeFileSync(path, '');
  return appending(path, isBetrayed);
}

/** The journal that lies in the folder, to be continued. */
export function resumeJournal(folder: string, isBetrayed: (text: string) => boolean): Journal {
  return appending(join(folder, JOURNAL_FILE), isBetrayed);
}

function appending(path: string, isBetrayed: (text: string) => boolean): Journal {
  let heldBack = false;
  return {
    path,
    write: (entry) => {
      const line = JSON.stringify(entry);
      if (isBetrayed(line)) heldBack = true;
      else appendFileSync(path, `${line}\n`);
    },
    get heldBack() {
      return heldBack;
    },
  };
}
