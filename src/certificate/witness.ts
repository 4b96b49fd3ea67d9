/**
 * A witness notes, while a run goes on, what each answer was: a commitment that reveals nothing of it and binds all that
 * the record says. The holder of the signing key cannot alter an answer afterwards, because the log is out of reach.
 */

import { type Exchange, endOf } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import { demand, sha256, shaped } from './bundle-files.ts';

/** The commitment to an answer, by the position of its request in the run. */
export interface Commitment {
  readonly seq: number;
  readonly sha256: string;
}

/** What a witness is told: at the beginning of a run, now and then, and at its end. */
export interface Testimony {
  /** The first head, which stands for the run. */
  readonly run: string;
  /** The answers since the last testimony, in the order in which they came. */
  readonly answers: readonly Commitment[];
  /** The chain after these answers. */
  readonly head: string;
  readonly end?: true;
}

/** A line of the log of a witness: what it was told, and when, by its own clock. */
export interface LogEntry extends Testimony {
  readonly time: string;
}

/** The first head binds the salt and everything that was settled before the run. */
export const firstHead = (salt: string, draw: string): string => sha256(`${salt} ${draw}`);

/** The commitment to an exchange: to the line that the bundle will hold. */
export const commitmentTo = (salt: string, exchange: Exchange): Commitment => ({
  seq: exchange.seq,
  sha256: sha256(`${salt} ${JSON.stringify(exchange)}`),
});

/** The chain after further answers. */
export const headAfter = (head: string, answers: readonly Commitment[]): string =>
  answers.reduce((last, one) => sha256(`${last} ${one.seq} ${one.sha256}`), head);

/** A value that is an entry. Throws `Disagreement`. */
export const demandEntry = (value: unknown): LogEntry => shaped('witnessEntry', value, 'a testimony');

/** The entry of a line. Throws `Disagreement`. */
export const entryIn = (line: string): LogEntry => demandEntry(parsedJson(line));

/** When a witness saw the beginning and the end of a run. */
export interface Witnessed {
  readonly run: string;
  readonly from: string;
  readonly to: string;
}

/** Milliseconds by which a testimony may be late, and the clocks of signer and witness may differ. */
export const LATE = 600_000;
/** Times are rounded, and clocks drift. */
const EARLY = 2_000;

/** The run as its bundle has it. `startedAt`: milliseconds since the epoch. */
export interface WitnessedRun {
  readonly salt: string;
  readonly draw: string;
  readonly exchanges: readonly Exchange[];
  readonly startedAt: number;
}

/** Compares a run with the log of a witness. Throws `Disagreement` with the first answer that is not as it came. */
export function demandWitnessed(log: string, { salt, draw, exchanges, startedAt }: WitnessedRun): Witnessed {
  const run = firstHead(salt, draw);
  // Nothing else of it is parsed.
  const entries = (log.match(new RegExp(`^.*${run}.*$`, 'gm')) ?? []).map(entryIn);
  const [first, last] = [entries[0], entries.at(-1)];
  demand(first !== undefined && last !== undefined, `the log of the witness has no run ${run}`);
  const began = Date.parse(first.time);
  demand(
    !(Math.abs(began - startedAt) > LATE),
    `the run began at ${new Date(startedAt).toJSON()}, it says, and at ${first.time} by the log of the witness`,
  );
  const known = new Map(exchanges.map((one) => [one.seq, one]));
  const seen = new Map<number, string>();
  let head = run;
  for (const [at, entry] of entries.entries()) {
    head = headAfter(head, entry.answers);
    const isFirst = at === 0 && entry.answers.length === 0;
    const continues = entry.run === run && entry.head === head && (at === 0) === isFirst;
    const isWhole = continues && (entry.end === true) === (entry === last);
    demand(isWhole, `the log of the witness has gaps: line ${at + 1} of the run ${run} does not continue it`);
    for (const { seq, sha256: digest } of entry.answers) {
      demand(!seen.has(seq), `the witness saw two answers to request ${seq}`);
      seen.set(seq, digest);
      const exchange = known.get(seq);
      const lag = exchange === undefined ? 0 : Date.parse(entry.time) - began - endOf(exchange);
      const isTimely = lag >= -EARLY && lag <= LATE;
      demand(isTimely, `request ${seq} was witnessed at ${entry.time}, which is not when it was answered`);
    }
  }
  const most = Math.max(...seen.keys(), ...known.keys());
  for (let seq = 1; seq <= most; seq += 1) {
    const [exchange, digest] = [known.get(seq), seen.get(seq)];
    demand(exchange !== undefined, `the witness saw an answer to request ${seq}, and the record has none`);
    demand(digest !== undefined, `the witness saw no answer to request ${seq}`);
    const isSame = digest === commitmentTo(salt, exchange).sha256;
    demand(isSame, `request ${seq} and its answer are not those that the witness saw`);
  }
  return { run, from: first.time, to: last.time };
}
