/** A report folder read back: the results, and the exchanges that the journal beside them holds. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import { JOURNAL_FILE, type JournalEntry } from '../run/journal.ts';
import { leftOver, readJournal } from '../run/left-open.ts';
import { choicesOf } from '../verdict/choices.ts';
import { evaluate } from '../verdict/evaluate.ts';
import type { Results } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';

const FORMAT: Results['format'] = 'pcs-conformance/results@1';

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${path} cannot be read: name the report folder of a finished run.`);
  }
}

function resultsIn(path: string): Results {
  const text = textOf(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  if (format !== FORMAT) throw new UsageError(`${path} holds no results that this version wrote (${FORMAT}).`);
  return value as Results;
}

/** A killed run leaves its journal beside the results of the run before it: the two would not belong together. */
function belongs(entries: readonly JournalEntry[], { target, seed, counts, verdict }: Results): boolean {
  const start = entries.find((entry) => entry.kind === 'start');
  const sent = entries.filter(({ kind }) => kind === 'exchange').length;
  // What a secret survived in was held back, and the run is void: its journal is shorter.
  const isWhole = verdict === 'void' ? sent <= counts.requests : sent === counts.requests;
  return start?.target === target && start.seed === seed && isWhole;
}

/** Results of a run that was killed: what its journal holds, judged as a run that ended early; `null` for any other. */
function killedRun(entries: readonly JournalEntry[]): Results | null {
  const planned = entries.find((entry) => entry.kind === 'plan');
  if (planned === undefined || entries.some(({ kind }) => kind === 'end')) return null;
  const { open, possiblyOpen, written } = leftOver(entries);
  const stillOpen = open.map(
    ({ seq, ids }) => `call ${ids[0]} (request ${seq}): the run was killed before it was hung up`,
  );
  return evaluate({
    header: planned.header,
    plan: planned.cases,
    exchanges: entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : [])),
    withheld: [],
    errors: [],
    endedEarly: 'the run was killed',
    possiblyOpen: [...stillOpen, ...possiblyOpen],
    changed: written,
    calls: entries.filter((entry) => entry.kind === 'call' && entry.open).length,
  });
}

/**
 * The run that lies in a report folder; of one that was killed the results are made of its journal. Throws `UsageError`
 * where there is none, or only half of one.
 */
export function recordedRun(folder: string): RunArtefacts {
  const path = join(folder, JOURNAL_FILE);
  const resultsPath = join(folder, 'results.json');
  // Results that are there are never replaced by what half a journal says.
  const known = existsSync(resultsPath) || !existsSync(path) ? resultsIn(resultsPath) : null;
  const entries = readJournal(textOf(path));
  const results = known ?? killedRun(entries) ?? resultsIn(resultsPath);
  if (known !== null && !belongs(entries, results)) {
    throw new UsageError(
      `${path} is not the journal of the run in results.json: name the report folder of one run, or take results.json away to have results made of the journal.`,
    );
  }
  const exchanges = entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : []));
  exchanges.sort((a, b) => a.seq - b.seq);
  const startedAt = entries.find((entry) => entry.kind === 'start')?.startedAt;
  return {
    results,
    exchanges,
    choices: choicesOf({ header: results, exchanges }),
    folder,
    ...(startedAt === undefined ? {} : { startedAt }),
  };
}
