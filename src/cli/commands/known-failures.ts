/** `pcs-conformance compare` shows what changed between report folders; `expect` maintains known failures. */

import { writeFileSync } from 'node:fs';
import { TIME } from '../../contract/limits.ts';
import { UsageError, withUsageError } from '../../contract/usage-error.ts';
import { type Comparison, compareRuns, comparisonDocument, differenceOf } from '../../regression/comparison.ts';
import {
  addFailures,
  type Details,
  dayOf,
  type Expectation,
  isDay,
  NO_ADDRESS,
  parseExpectations,
  renderExpectations,
  withoutStale,
} from '../../regression/expectations.ts';
import { historyDocument, historyOf, inOrder, type NamedRun } from '../../regression/history.ts';
import { fileText, readRunFolder, readText } from '../../regression/own-files.ts';
import { terminalText } from '../../report/console.ts';
import { markdownText } from '../../report/markdown.ts';
import { jsonText } from '../../report/text.ts';
import type { COMPARISON_FORMATS } from '../flag-options.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';

/** What `expect add` writes into each entry; missing members stay blank, and runs reject the file until filled in. */
interface AddOptions extends Partial<Details> {
  readonly file: string;
}

/** What is wrong with a value, and what to do, or `undefined`. */
const PROBLEMS: Readonly<
  Record<keyof Details, (text: string, today: string) => readonly [problem: string, remedy: string] | undefined>
> = {
  reason: (text) => (text.trim() === '' ? ['is blank', 'say why the failures are accepted'] : undefined),
  owner: (text) => (text.trim() === '' ? ['is blank', 'say who will fix the failures'] : undefined),
  issue: (text) =>
    /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? undefined : ['is not an address', NO_ADDRESS],
  expires: (text, today) => {
    if (!isDay(text)) return ['is not a date', 'write one such as 2026-12-31'];
    return text < today ? ['is in the past', `write ${today} (today in UTC) or a later day`] : undefined;
  },
};

/** The members that were given, all valid. Throws `UsageError` naming the flag. */
function givenMembers(flags: AddOptions, today: string): Partial<Details> {
  const names = ['reason', 'owner', 'issue', 'expires'] as const;
  const given = names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]] as const]));
  for (const [name, text] of given) {
    const wrong = PROBLEMS[name](text, today);
    if (wrong !== undefined) throw new UsageError(`--${name} (${JSON.stringify(text)}) ${wrong[0]}`, wrong[1]);
  }
  return Object.fromEntries(given);
}

function save(path: string, entries: readonly Expectation[]): void {
  const text = renderExpectations(entries);
  // Never write a file that cannot be read back.
  parseExpectations(text, path, true);
  withUsageError(() => writeFileSync(path, text), `${path} cannot be written`, 'choose another --file');
}

/** Adds every failure of a run to the list; `now` is milliseconds since the epoch. Throws `UsageError`. */
export function expectAdd(folder: string, options: AddOptions, terminal: Terminal, now = Date.now()): ExitCode {
  const given = givenMembers(options, dayOf(now));
  const text = fileText(options.file);
  const before = text === undefined ? [] : parseExpectations(text, options.file, true);
  const details = { reason: '', owner: '', issue: '', expires: dayOf(now + TIME.knownFailure), ...given };
  const after = addFailures(before, readRunFolder(folder).results, details, given);
  save(options.file, after);
  const changed = before.filter((entry, at) => entry !== after[at]).length;
  const renewed = changed === 0 ? '' : `${changed} changed, `;
  terminal.out(`${options.file}: ${after.length - before.length} added, ${renewed}${after.length} in all.`);
  const isBlank = after.some((entry) => entry.reason === '' || entry.owner === '' || entry.issue === '');
  if (isBlank) terminal.out('Fill in the reason, owner and issue of each entry: a run rejects the file until then.');
  return EXIT_CODES.conformant;
}

/** Removes entries that have expired, whose failure is gone, or that name an unknown case. Throws `UsageError`. */
export function expectPrune(
  folder: string,
  { file }: Pick<AddOptions, 'file'>,
  terminal: Terminal,
  now = Date.now(),
): ExitCode {
  const before = parseExpectations(readText(file, 'name an expectations file'), file, true);
  const after = withoutStale(before, readRunFolder(folder).results, dayOf(now));
  save(file, after);
  terminal.out(`${file}: ${before.length - after.length} removed, ${after.length} left.`);
  return EXIT_CODES.conformant;
}

interface CompareOptions {
  readonly format: (typeof COMPARISON_FORMATS)[number];
}

const WRITERS = { text: terminalText, markdown: markdownText } as const;

/** The difference between two runs, or the history of more. */
function writtenDifference(runs: readonly NamedRun[], comparison: Comparison, { format }: CompareOptions): string {
  if (runs.length > 2) {
    const history = historyOf(runs);
    return format === 'json' ? jsonText(history) : WRITERS[format](historyDocument(history));
  }
  if (format === 'json') return jsonText(comparison);
  return WRITERS[format](comparisonDocument(differenceOf(comparison)));
}

/**
 * Prints the difference between two runs, or the history of more; exits 1 if the last run has a failure that the run
 * before it does not have. Throws `UsageError`.
 */
export function compareFolders(folders: readonly string[], options: CompareOptions, terminal: Terminal): ExitCode {
  const given = folders.map((name) => ({ name, ...readRunFolder(name) }));
  const runs = folders.length === 2 ? given : inOrder(given);
  const [before, now] = runs.slice(-2);
  if (before === undefined || now === undefined) {
    throw new UsageError('compare needs at least two report folders', 'name the earlier one first');
  }
  const comparison = compareRuns(before, now);
  terminal.out(writtenDifference(runs, comparison, options).trimEnd());
  return comparison.worse ? EXIT_CODES.nonConformant : EXIT_CODES.conformant;
}
