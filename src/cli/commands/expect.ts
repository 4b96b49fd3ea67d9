/** `pcs-conformance expect`: maintains the list of known failures. */

import { writeFileSync } from 'node:fs';
import { UsageError } from '../../contract/usage-error.ts';
import {
  addFailures,
  type Expectation,
  parseExpectations,
  renderExpectations,
  withoutStale,
} from '../../regression/expectations.ts';
import { textAt } from '../../regression/own-files.ts';
import { readRunFolder } from '../../regression/run-folder.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { givenPledge } from '../pledge-flags.ts';
import type { Terminal } from '../terminal.ts';

const DAY = 86_400_000;
const DAYS_TO_FIX = 90;

/** What `expect add` writes into each entry; members that are not given stay blank, and a run rejects the file. */
export interface AddOptions {
  readonly file: string;
  readonly reason?: string;
  readonly owner?: string;
  readonly issue?: string;
  readonly expires?: string;
}

function listIn(path: string): readonly Expectation[] {
  const text = textAt(path);
  return text === undefined ? [] : parseExpectations(text, path, true);
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function save(path: string, entries: readonly Expectation[]): void {
  const text = renderExpectations(entries);
  // A file that cannot be read back must not be written.
  parseExpectations(text, path, true);
  try {
    writeFileSync(path, text);
  } catch {
    throw new UsageError(`${path} cannot be written: choose another --file.`);
  }
}

/** Adds every failure of a run to the list; `now` is milliseconds since the epoch. Throws `UsageError`. */
export function expectAdd(folder: string, options: AddOptions, now: number, terminal: Terminal): ExitCode {
  const given = givenPledge(options, dayOf(now));
  const before = listIn(options.file);
  const pledge = { reason: '', owner: '', issue: '', expires: dayOf(now + DAYS_TO_FIX * DAY), ...given };
  const after = addFailures(before, readRunFolder(folder).results, pledge, given);
  save(options.file, after);
  const changed = before.filter((entry, at) => entry !== after[at]).length;
  const renewed = changed === 0 ? '' : `${changed} changed, `;
  terminal.out(`${options.file}: ${after.length - before.length} added, ${renewed}${after.length} in all.`);
  const isBlank = after.some((entry) => entry.reason === '' || entry.owner === '' || entry.issue === '');
  if (isBlank) terminal.out('Fill in the reason, owner and issue of each entry: a run rejects the file until then.');
  return EXIT_CODES.conformant;
}

/** Removes the entries that are stale in a run or name an unknown case. Throws `UsageError`. */
export function expectPrune(folder: string, file: string, now: number, terminal: Terminal): ExitCode {
  if (textAt(file) === undefined) throw new UsageError(`${file} cannot be read: name an expectations file.`);
  const before = listIn(file);
  const after = withoutStale(before, readRunFolder(folder).results, dayOf(now));
  save(file, after);
  terminal.out(`${file}: ${before.length - after.length} removed, ${after.length} left.`);
  return EXIT_CODES.conformant;
}
