/** Reads report folders: a run as results and exchanges, and the shards of one run joined. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { choicesOf, resultsOf } from '../../suites/index.ts';
import type { ResourceKind } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { shardName } from '../contract/shard.ts';
import { UsageError, withUsageError } from '../contract/usage-error.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { type FactSettings, factsOf } from '../run/facts.ts';
import { exchangesIn, JOURNAL_FILE, type JournalEntry, readJournal } from '../run/journal.ts';
import { leftOver } from '../run/left-behind.ts';
import { mergedRecord } from '../run/merge.ts';
import { JOURNAL_LOST } from '../run/suite-run.ts';
import { writtenSentence } from '../run/written.ts';
import type { JudgedRecord, RunHeader } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { durationOf, type RunArtefacts } from './model.ts';

const FORMAT: Results['format'] = 'pcs-conformance/results@1';

function textOf(path: string): string {
  const remedy = 'name the report folder of a finished run';
  return withUsageError(() => readFileSync(path, 'utf8'), `${path} cannot be read`, remedy);
}

/** What results.json holds: the results, and what the gate said of them. */
function resultsIn(path: string): Pick<RunArtefacts, 'results' | 'gate'> {
  const value = parsedJson(textOf(path));
  if (isObject(value) && value['format'] === FORMAT) {
    const { run: _, gate, ...results } = value as unknown as Results & Pick<RunArtefacts, 'gate'> & { run?: object };
    return { results, ...(gate && { gate }) };
  }
  throw new UsageError(
    `${path} does not hold results of this version (${FORMAT})`,
    'name the report folder of a run of this version',
  );
}

/** A killed run leaves its journal next to the results of an earlier run: the two do not belong together. */
function belongs(entries: readonly JournalEntry[], { target, seed, counts, verdict, endedEarly }: Results): boolean {
  const start = entries.find((entry) => entry.kind === 'start');
  const forgotten = entries.find((entry) => entry.kind === 'end')?.outcome?.forgotten ?? 0;
  const sent = entries.filter(({ kind }) => kind === 'exchange').length + forgotten;
  // An exchange in which a secret survived is not in the journal, and the run is void.
  const hasGaps = verdict === 'void' || endedEarly?.startsWith(JOURNAL_LOST) === true;
  const isWhole = hasGaps ? sent <= counts.requests : sent === counts.requests;
  return start?.target === target && start.seed === seed && isWhole;
}

/** The record in a journal; one without a last entry is that of a run that ended early. `null` where it does not hold enough. */
export function recordIn(entries: readonly JournalEntry[]): JudgedRecord | null {
  const exchanges = exchangesIn(entries);
  const planned = entries.find((entry) => entry.kind === 'plan');
  const end = entries.find((entry) => entry.kind === 'end');
  if (planned === undefined || (end !== undefined && end.outcome === undefined)) return null;
  const { header, cases: plan } = planned;
  if (end?.outcome !== undefined) return { header, plan, exchanges, ...end.outcome };
  const { open, possiblyOpen, calls, written } = leftOver(entries);
  const why = 'the journal ends before it was hung up';
  return {
    header,
    plan,
    exchanges,
    skipped: [],
    errors: [],
    endedEarly: 'the run was killed, or its journal could not be written',
    possiblyOpen: [...open.map(({ seq, ids }) => `call ${ids[0]} (request ${seq}): ${why}`), ...possiblyOpen],
    changed: written.map(writtenSentence),
    calls,
  };
}

/** The entries of the journal in a report folder. Throws `UsageError`. */
export const journalIn = (folder: string): readonly JournalEntry[] =>
  readJournal(textOf(join(folder, JOURNAL_FILE))).entries;

/**
 * The run in a report folder; results that are missing are computed from its journal. Throws `UsageError` if a file
 * is missing or the files belong to different runs.
 */
export function recordedRun(folder: string): RunArtefacts {
  const path = join(folder, JOURNAL_FILE);
  const resultsPath = join(folder, 'results.json');
  // Existing results are never replaced by those of half a journal.
  const known = existsSync(resultsPath) || !existsSync(path) ? resultsIn(resultsPath) : null;
  const profile = known?.results.profile ?? 'full';
  if (profile === 'traffic') {
    throw new UsageError(`${folder} holds the reports of recorded traffic`, 'judge the files again');
  }
  const entries = journalIn(folder);
  const exchanges = exchangesIn(entries);
  const record = known === null ? recordIn(entries) : null;
  const judged = record === null ? (known ?? resultsIn(resultsPath)) : { results: resultsOf(record) };
  const { results } = judged;
  if (known !== null && !belongs(entries, results)) {
    throw new UsageError(
      `${path} is not the journal of the run in results.json`,
      'name the report folder of one run, or remove results.json to compute the results from the journal',
    );
  }
  const { startedAt, stated } = entries.find((entry) => entry.kind === 'start') ?? {};
  return {
    ...judged,
    exchanges,
    choices: choicesOf({
      header: { ...results, profile: results.profile === 'traffic' ? profile : results.profile },
      exchanges,
    }),
    folder,
    ...(startedAt === undefined ? {} : { startedAt: stated?.time ?? startedAt }),
    ...(startedAt === undefined || stated === undefined ? {} : { facts: factsOf(stated, startedAt, exchanges) }),
  };
}

type ShardFolder = ReturnType<typeof shardIn>;

/** A shard in its report folder. Times are milliseconds since the epoch. Throws `UsageError`. */
function shardIn(folder: string) {
  const entries = journalIn(folder);
  const record = recordIn(entries);
  const start = entries.find((entry) => entry.kind === 'start');
  const inputs = entries.find((entry) => entry.kind === 'plan')?.inputs;
  if (record === null || inputs === undefined || start?.startedAt === undefined) {
    throw new UsageError(`${folder} does not hold the journal of a shard`, 'name the report folders of all shards');
  }
  const { startedAt } = start;
  const stated: FactSettings = start.stated ?? { host: 'unknown', labels: {} };
  const { shard = { index: 1, count: 1 } } = record.header;
  return { folder, shard, record, inputs, stated, startedAt, endedAt: startedAt + durationOf(record.exchanges) };
}

const contentOf = ({ folder, shard }: ShardFolder): string =>
  `${folder} holds ${shard.count === 1 ? 'a whole run' : shardName(shard)}`;

/** Each shard once and in order. Throws `UsageError`. */
function demandEach(shards: readonly ShardFolder[]): readonly ShardFolder[] {
  const [one] = shards as [ShardFolder];
  const { count } = one.shard;
  const other = shards.find(({ shard }) => shard.count !== count);
  if (other !== undefined) {
    throw new UsageError(`${contentOf(one)}, and ${contentOf(other)}`, 'name the shards of one run');
  }
  for (let index = 1; index <= count; index += 1) {
    const [first, second] = shards.filter(({ shard }) => shard.index === index);
    const name = shardName({ index, count });
    if (first === undefined) {
      throw new UsageError(`No folder holds ${name}`, `run it with --shard ${index}/${count}, and name all of them`);
    }
    if (second !== undefined) {
      throw new UsageError(`Both ${first.folder} and ${second.folder} hold ${name}`, 'name one of them');
    }
  }
  return shards.toSorted((a, b) => a.shard.index - b.shard.index);
}

/** A service that was started on each machine, as the built-in one is, has a port of its own there. */
const placeOf = ({ target }: RunHeader): string =>
  target.replace(/^(https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d+/, '$1');

/** All of them parts of the same run. Throws `UsageError`. */
function demandSame([first, ...others]: readonly ShardFolder[]): void {
  const facts = (one: ShardFolder | undefined): Readonly<Record<string, unknown>> => {
    if (one === undefined) return {};
    const { shard: _, target: __, suite, ...header } = one.record.header;
    const { samples, queries } = one.inputs;
    return { target: placeOf(one.record.header), version: suite.version, ...header, samples, queries };
  };
  const known = facts(first);
  for (const other of others) {
    const own = facts(other);
    const names = Object.keys({ ...known, ...own });
    const name = names.find((one) => JSON.stringify(known[one]) !== JSON.stringify(own[one]));
    if (name === undefined) continue;
    throw new UsageError(
      `The shards in ${first?.folder} and ${other.folder} differ in ${name === 'version' ? 'the version of the suite' : name}`,
      'run all shards with the same settings, of one version, against one target',
    );
  }
}

const WRITTEN: readonly Exclude<ResourceKind, 'call'>[] = ['trunk', 'voiceApplication', 'carrierConnection', 'number'];

/** What one shard writes, another one reads: at the same time they need resources of their own. Throws `UsageError`. */
function demandApart(shards: readonly ShardFolder[]): void {
  const pairs = shards.flatMap((one, at) => shards.slice(at + 1).map((other) => [one, other] as const));
  for (const [one, other] of pairs) {
    const { target, profile } = one.record.header;
    const isApart = one.endedAt <= other.startedAt || other.endedAt <= one.startedAt;
    if (isApart || profile === 'read-only' || target !== other.record.header.target) continue;
    const own = one.inputs.resources;
    const shared = WRITTEN.filter((kind) => own[kind] !== undefined && own[kind] === other.inputs.resources[kind]);
    if (shared.length === 0) continue;
    const names = shared.map((kind) => SETTING_OF[kind]).join(', ');
    throw new UsageError(
      `Shards ${one.shard.index} and ${other.shard.index} ran at the same time on the same resources (${names}), so each may have seen what the other wrote`,
      'run them one after the other, or give each resources of its own',
    );
  }
}

/** With all times counted from the same moment. */
const shifted = ({ record, startedAt }: ShardFolder, from: number): JudgedRecord => ({
  ...record,
  exchanges: record.exchanges.map((one) => ({ ...one, at: one.at + startedAt - from })),
});

/**
 * The run that the shards in these folders make up, and the journal from which its reports can be made again. Throws
 * `UsageError` unless each shard is there once.
 */
export async function mergedRun(
  folders: readonly string[],
): Promise<RunArtefacts & { readonly journal: readonly JournalEntry[] }> {
  const shards = demandEach([...new Set(folders)].map(shardIn));
  demandSame(shards);
  demandApart(shards);
  const [first] = shards as [ShardFolder];
  const startedAt = Math.min(...shards.map((one) => one.startedAt));
  const records = shards.map((one) => shifted(one, startedAt)) as [JudgedRecord, ...JudgedRecord[]];
  const merged = await mergedRecord(records, REQUIREMENTS);
  const stated: FactSettings = { ...first.stated, shards: shards.map(factsOfShard) };
  const { header, plan: cases, exchanges, ...outcome } = merged;
  const results = resultsOf(merged);
  return {
    results,
    exchanges,
    choices: choicesOf(merged),
    startedAt: stated.time ?? startedAt,
    facts: factsOf(stated, startedAt, exchanges),
    journal: [
      { kind: 'start', target: header.target, seed: header.seed, startedAt, stated },
      { kind: 'plan', header, inputs: first.inputs, cases },
      ...exchanges.map((exchange) => ({ kind: 'exchange', exchange }) as const),
      { kind: 'end', outcome },
    ],
  };
}

function factsOfShard({ record, stated, startedAt }: ShardFolder) {
  const { startedAt: from, endedAt, host } = factsOf(stated, startedAt, record.exchanges);
  return { startedAt: from, endedAt, host, requests: record.exchanges.length + (record.forgotten ?? 0) };
}
