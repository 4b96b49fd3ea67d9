/** Joins the records of the shards of a run into the record that one run of the same walks would have left. Pure. */

import { NO_TIME } from '../client/clock.ts';
import { type Shard, shardName } from '../contract/shard.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { failedBy } from '../verdict/opinions.ts';
import type { JudgedRecord } from '../verdict/record.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';
import { Exploration, failingCases } from './exploration.ts';
import { walkName } from './sequence.ts';

const WALKS = walkName('');
const isOfWalk = ({ tag }: Exchange): boolean => tag.sequence.startsWith(WALKS);
const pathOf = ({ tag }: Exchange): string => tag.sequence.slice(WALKS.length);
const bySeq = (a: Exchange, b: Exchange): number => a.seq - b.seq;

/** One walk, or one of the smaller walks that followed it: the exchanges that were sent for that path. */
interface Sent {
  readonly path: string;
  readonly exchanges: Exchange[];
}

/** A whole walk, and what was sent to make it smaller. */
interface SentWalk {
  readonly whole: Sent;
  readonly parts: Sent[];
}

function walksIn(exchanges: readonly Exchange[]): readonly SentWalk[] {
  const walks: SentWalk[] = [];
  for (const one of exchanges) {
    const path = pathOf(one);
    const walk = walks.at(-1);
    const last = walk?.parts.at(-1) ?? walk?.whole;
    if (last?.path === path) last.exchanges.push(one);
    else if (path.includes(':')) walk?.parts.push({ path, exchanges: [one] });
    else walks.push({ whole: { path, exchanges: [one] }, parts: [] });
  }
  return walks;
}

/** The record of a shard in the parts that a merge needs. */
class Part {
  readonly shard: Shard;
  readonly record: JudgedRecord;
  /** What it sent before and after its walks: everything systematic, or what its walks build on. */
  readonly before: readonly Exchange[];
  readonly after: readonly Exchange[];
  readonly walks: readonly SentWalk[];
  /** How many requests its walks took, and the number of the first of them. */
  readonly explored: number;
  readonly first: number;

  constructor(record: JudgedRecord) {
    this.record = record;
    this.shard = record.header.shard ?? { index: 1, count: 1 };
    const exchanges = record.exchanges.toSorted(bySeq);
    const walked = exchanges.filter(isOfWalk);
    const others = exchanges.filter((one) => !isOfWalk(one));
    const begin = walked[0]?.seq ?? Number.POSITIVE_INFINITY;
    this.before = others.filter(({ seq }) => seq < begin);
    this.after = others.filter(({ seq }) => seq > begin);
    this.walks = walksIn(walked);
    this.explored = walked.length + (record.forgotten ?? 0);
    this.first = (this.before.at(-1)?.seq ?? 0) + 1;
  }

  /** What it sent beside its walks and that fails a case of no other part: a finding counts, whichever shard comes across it. */
  failing(requirements: readonly JudgedRequirement[], known: ReadonlySet<string>): readonly Exchange[] {
    const { index } = this.shard;
    const own = [...this.before, ...this.after].map((one) => ({ ...one, tag: { ...one.tag, shard: index } }));
    const names = [...new Set(own.map(({ tag }) => tag.sequence))];
    const bySequence = names.map((name) => own.filter(({ tag }) => tag.sequence === name));
    const shows = (some: readonly Exchange[]): boolean =>
      failedBy(some, this.record, requirements).some((id) => !known.has(id));
    return bySequence.filter(shows).flat();
  }
}

/** Numbers exchanges as one run would have numbered them, and decides again which walks it would have kept. */
class Merger {
  readonly exchanges: Exchange[] = [];
  readonly exploration: Exploration;
  #next: number;

  constructor(record: JudgedRecord, requirements: readonly JudgedRequirement[], next: number) {
    this.#next = next;
    this.exploration = new Exploration({
      exchanges: this.exchanges,
      requirements,
      recorded: () => ({ ...record, exchanges: this.exchanges }),
      isOver: () => false,
      ports: { clock: NO_TIME },
      time: Number.POSITIVE_INFINITY,
    });
  }

  add(exchanges: readonly Exchange[]): void {
    const numbers = new Map<number | undefined, number>();
    for (const one of exchanges) {
      const replaces = numbers.get(one.tag.replaces);
      const tag = replaces === undefined ? one.tag : { ...one.tag, replaces };
      numbers.set(one.seq, this.#next);
      this.exploration.note({ ...one, tag, seq: this.#next });
      this.#next += 1;
    }
  }

  /** Goes through the walks as the exploration of one run does; what that would not have sent is left out. */
  async walks({ walks, first, explored }: Part): Promise<void> {
    let known = first;
    for (const { whole, parts } of walks) {
      this.#next += (whole.exchanges[0]?.seq ?? known) - known;
      await this.#walk(whole, parts);
      known = ([whole, ...parts].at(-1)?.exchanges.at(-1)?.seq ?? known) + 1;
    }
    this.#next += first + explored - known;
  }

  async #walk(whole: Sent, parts: readonly Sent[]): Promise<void> {
    const unused = [...parts];
    const send = async (path: string): Promise<void> => {
      const at = unused.findIndex((one) => one.path === path);
      this.add(path === whole.path ? whole.exchanges : (unused.splice(at, at < 0 ? 0 : 1)[0]?.exchanges ?? []));
    };
    const commands = whole.exchanges.find(({ tag }) => tag.origin)?.tag.origin?.commands ?? 0;
    const part = (places: readonly number[]): string => [whole.path, ...places].join(':');
    await this.exploration.walk(whole.path, { number: Number(whole.path), commands, part }, send);
  }
}

const unique = (sentences: readonly string[]): readonly string[] => [...new Set(sentences)].sort();

/** `null`, or why a shard ended early, with its name. */
function endOf(parts: readonly Part[]): string | null {
  const [early] = parts.filter(({ record }) => record.endedEarly !== null);
  if (early === undefined) return null;
  return `${shardName(early.shard)} ended early: ${early.record.endedEarly}; run it again, and merge the shards again`;
}

/**
 * The record of the run that the shards make up. What shards other than the first sent beside their walks is left out
 * unless it fails a case; the first has sent the same. `records` are in the order of the shards, each once.
 */
export async function mergedRecord<Record extends JudgedRecord>(
  records: readonly [Record, ...Record[]],
  requirements: readonly JudgedRequirement[],
): Promise<Record> {
  const [{ header }] = records;
  const { shard: _, ...whole } = header;
  const base: Record = { ...records[0], header: whole, endedEarly: null };
  const parts = records.map((record) => new Part(record));
  const merger = new Merger(base, requirements, 1);
  merger.add(parts[0]?.before ?? []);
  for (const part of parts) await merger.walks(part);
  merger.add(parts[0]?.after ?? []);
  const known = failingCases({ ...base, exchanges: merger.exchanges }, requirements);
  for (const part of parts.slice(1)) merger.add(part.failing(requirements, known));
  const forgotten = records.reduce((sum, record) => sum + (record.forgotten ?? 0), merger.exploration.forgotten);
  const { forgotten: __, ...rest } = base;
  return {
    ...(rest as Record),
    exchanges: merger.exchanges,
    skipped: records.flatMap(({ skipped }, at) => skipped.filter((one) => at === 0 || one.sequence.startsWith(WALKS))),
    errors: records.flatMap(({ errors }) => errors),
    endedEarly: endOf(parts),
    possiblyOpen: unique(records.flatMap(({ possiblyOpen }) => possiblyOpen)),
    changed: unique(records.flatMap(({ changed }) => changed)),
    calls: records.reduce((sum, { calls }) => sum + calls, 0),
    ...(forgotten === 0 ? {} : { forgotten }),
  };
}
