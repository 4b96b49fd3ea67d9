/** Reads report folders: a run as results and exchanges. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { choicesOf, resultsOf, SUITE } from '../../suites/index.ts';
import { withoutUndefined } from '../contract/lists.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { RunArtefacts } from '../report/model.ts';
import { factsOf } from '../run/facts.ts';
import { exchangesIn, JOURNAL_FILE, type JournalEntry, readJournal, startIn } from '../run/journal.ts';
import { endedByClean, leftOver } from '../run/left-behind.ts';
import { judgedAsFar, RecordMismatch, rerun } from '../run/rerun.ts';
import { JOURNAL_LOST } from '../run/suite-run.ts';
import { writtenSentence } from '../run/written.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { toldOf } from '../verdict/sentence.ts';
import { FINISHED, readResults, readText } from './own-files.ts';

function resultsIn(folder: string): Pick<RunArtefacts, 'results' | 'gate'> {
  const { run: _, gate, ...results } = readResults(folder);
  return { results, ...(gate && { gate }) };
}

/** A killed run leaves its journal next to the results of an earlier run, and the two do not belong together. */
function belongs(entries: readonly JournalEntry[], { target, seed, counts, verdict, endedEarly }: Results): boolean {
  const start = entries.find((entry) => entry.kind === 'start');
  const sent = entries.filter(({ kind }) => kind === 'exchange').length;
  // An exchange that still contains a secret is not journaled, and the run is void.
  const hasGaps = verdict === 'void' || endedEarly?.startsWith(JOURNAL_LOST) === true;
  const isWhole = hasGaps ? sent <= counts.requests : sent === counts.requests;
  return start?.target === target && start.seed === seed && isWhole;
}

/** The record in a journal; without a last entry the run ended early. `null` if the journal does not hold enough. */
async function recordIn(entries: readonly JournalEntry[]): Promise<RunRecord | null> {
  const exchanges = exchangesIn(entries);
  const planned = entries.find((entry) => entry.kind === 'plan');
  const end = entries.find((entry) => entry.kind === 'end');
  if (planned?.inputs === undefined || (end !== undefined && end.outcome === undefined)) return null;
  const { header, inputs, cases: plan } = planned;
  const startedAt = entries.find((entry) => entry.kind === 'start')?.startedAt;
  const known = { header, inputs, plan, exchanges, ...withoutUndefined({ startedAt }) };
  if (end?.outcome !== undefined) return rerun({ ...known, ...end.outcome }, SUITE);
  const { open, possiblyOpen, calls, mayBeOpen, written, kept } = leftOver(entries);
  const why = 'the journal ends before it was hung up';
  const killed: RunRecord = {
    ...known,
    skipped: [],
    errors: [],
    endedEarly: 'the run was killed, or its journal could not be written',
    possiblyOpen: [...open.map(({ seq, ids }) => `call ${ids.join(' or ')} (request ${seq}): ${why}`), ...possiblyOpen],
    changed: [...written.map(writtenSentence), ...kept.left],
    calls,
    ...(mayBeOpen === 0 ? {} : { mayBeOpen }),
  };
  return judgedAsFar(killed, SUITE);
}

/** The results without what `clean` has hung up or restored since; the run's verdict stays. */
function sinceClean(results: Results, entries: readonly JournalEntry[]): Results {
  const ended = endedByClean(entries);
  if (ended.length === 0) return results;
  const isLeft = (sentence: string): boolean => !ended.includes(sentence);
  const { possiblyOpen, changed, counts, openCalls, unrestored, reason, ...rest } = results;
  const calls = possiblyOpen.filter(isLeft);
  const open = openCalls?.filter((_, at) => isLeft(possiblyOpen[at] ?? '')) ?? [];
  const still = unrestored?.filter(isLeft) ?? [];
  const { mayBeOpen = 0, ...certain } = counts;
  const isOver = ended.some((sentence) => reason.includes(sentence));
  return {
    ...rest,
    ...toldOf(results.verdict, isOver ? `${reason}; clean has hung up or restored that since` : reason, results),
    counts: { ...certain, ...(calls.length === 0 ? {} : { mayBeOpen: Math.min(mayBeOpen, calls.length) }) },
    possiblyOpen: calls,
    ...(open.length === 0 ? {} : { openCalls: open }),
    changed: changed.filter(isLeft),
    ...(still.length === 0 ? {} : { unrestored: still }),
  };
}

/** A journal is judged by a rerun against its answers, which only the version of the suite that wrote it can do. */
const notJudged =
  (path: string) =>
  (error: unknown): never => {
    if (!(error instanceof RecordMismatch)) throw error;
    throw new UsageError(`${path} cannot be judged: ${error.message}`, 'use the version of the suite that wrote it');
  };

/**
 * The run in a report folder; results that are missing are computed from its journal. Throws `UsageError` if a file
 * is missing or the files belong to different runs.
 */
export async function recordedRun(folder: string): Promise<RunArtefacts> {
  const path = join(folder, JOURNAL_FILE);
  const resultsPath = join(folder, 'results.json');
  // Existing results are never replaced by those of an incomplete journal.
  const written = existsSync(resultsPath) || !existsSync(path) ? resultsIn(folder) : null;
  const profile = written?.results.profile ?? 'full';
  if (profile === 'traffic') {
    throw new UsageError(`${folder} holds the reports of recorded traffic`, 'judge the files again');
  }
  const { entries } = readJournal(readText(path, FINISHED));
  // The journal of a killed run says more than its results once `clean` has written to it.
  const isCleaned = entries.some(({ kind }) => kind === 'cleaned') && !entries.some(({ kind }) => kind === 'end');
  const known = isCleaned ? null : written;
  const exchanges = exchangesIn(entries);
  const record = known === null ? await recordIn(entries).catch(notJudged(path)) : null;
  const judged = record === null ? (known ?? resultsIn(folder)) : { results: resultsOf(record) };
  const results = sinceClean(judged.results, entries);
  if (known !== null && !belongs(entries, results)) {
    throw new UsageError(
      `${path} is not the journal of the run in results.json`,
      'name the report folder of one run, or remove results.json to compute the results from the journal',
    );
  }
  const { startedAt, stated, repeated } = startIn(entries);
  return {
    ...judged,
    results,
    exchanges,
    choices: choicesOf({
      header: { ...results, profile: results.profile === 'traffic' ? profile : results.profile },
      exchanges,
    }),
    folder,
    repeated,
    ...(startedAt !== undefined && { startedAt, facts: stated && factsOf(stated, startedAt, exchanges) }),
  };
}
