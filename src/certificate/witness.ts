/**
 * A witness notes, while a run goes on, what each answer was: a commitment that reveals nothing of it and binds all that
 * the record says. The holder of the signing key cannot alter an answer afterwards, because the log is out of reach. Here
 * are both ends of a testimony: the run that gives it while it goes on, and the log that notes it.
 */

import { type Exchange, endOf } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import { canonicalJson, Disagreement, demand, sha256, shaped } from './bundle-files.ts';

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
const firstHead = (salt: string, draw: string): string => sha256(`${salt} ${draw}`);

/** The commitment to an exchange: to the line that the bundle will hold. */
const commitmentTo = (salt: string, exchange: Exchange): Commitment => ({
  seq: exchange.seq,
  sha256: sha256(`${salt} ${JSON.stringify(exchange)}`),
});

const headAfter = (head: string, answers: readonly Commitment[]): string =>
  answers.reduce((last, one) => sha256(`${last} ${one.seq} ${one.sha256}`), head);

const demandEntry = (value: unknown): LogEntry => shaped('witnessEntry', value, 'a testimony');
const entryIn = (line: string): LogEntry => demandEntry(parsedJson(line));

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
interface WitnessedRun {
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

/** Takes a testimony, and resolves with the line of the log that holds it. */
export type Witness = (testimony: Testimony) => Promise<string>;

/** Answers of one testimony. */
export const ANSWERS_AT_ONCE = 25;

/** The most bytes of a log, and of one testimony. */
export const MOST_OF_LOG = 2 ** 25;
export const MOST_OF_TESTIMONY = 2 ** 16;

/** Commits a run to a witness. A testimony that fails is given again with the next one, and for the last time at the end. */
export class Witnessing {
  readonly run: string;
  readonly #salt: string;
  readonly #witness: Witness;
  readonly #due: Testimony[] = [];
  readonly #lines: string[] = [];
  #head: string;
  #answers: Commitment[] = [];
  #sending: Promise<void> = Promise.resolve();

  constructor(salt: string, draw: string, witness: Witness) {
    this.#salt = salt;
    this.#witness = witness;
    this.run = firstHead(salt, draw);
    this.#head = this.run;
  }

  /** Announces the run; resolves with the entry. Rejects if the witness cannot be reached. */
  async begin(): Promise<LogEntry> {
    this.#tell({});
    await this.#sending;
    return JSON.parse(this.#lines[0] ?? '');
  }

  note(exchange: Exchange): void {
    this.#answers.push(commitmentTo(this.#salt, exchange));
    if (this.#answers.length === ANSWERS_AT_ONCE) this.#tell({});
  }

  /** Ends the testimony; resolves with the lines that the log has of this run. Rejects if the witness lacks any. */
  async end(): Promise<string> {
    this.#tell({ end: true });
    await this.#sending;
    return this.#lines.join('');
  }

  #tell(more: Pick<Testimony, 'end'>): void {
    const answers = this.#answers;
    this.#answers = [];
    this.#head = headAfter(this.#head, answers);
    this.#due.push({ run: this.run, answers, head: this.#head, ...more });
    this.#sending = this.#sending.catch(() => undefined).then(() => this.#send());
    // A failure counts only where the end is awaited.
    this.#sending.catch(() => undefined);
  }

  async #send(): Promise<void> {
    for (let [next] = this.#due; next !== undefined; [next] = this.#due) {
      this.#lines.push(await this.#witness(next));
      this.#due.shift();
    }
  }
}

/** The log of a witness: it only grows, and each testimony continues the one before. */
export class WitnessLog {
  readonly #append: (line: string) => void;
  readonly #now: () => number;
  /** The last line of each run. */
  readonly #last = new Map<string, { readonly entry: LogEntry; readonly line: string }>();
  #bytes: number;

  /** `text`: what the log holds so far. Throws `Disagreement` if it is not a log. */
  constructor(text: string, append: (line: string) => void, now: () => number = Date.now) {
    this.#append = append;
    this.#now = now;
    this.#bytes = Buffer.byteLength(text);
    for (const line of text.split(/(?<=\n)/)) if (line !== '') this.#keep(entryIn(line), line);
  }

  /** Notes a testimony and returns the line; a repeated one is not noted twice. Throws `Disagreement`. */
  note(value: unknown): string {
    const time = new Date(this.#now()).toISOString();
    const entry = demandEntry({ ...(value as object), time });
    const last = this.#last.get(entry.run);
    if (last !== undefined && told(last.entry) === told(entry)) return last.line;
    if (last?.entry.end === true) throw new Disagreement(`the run ${entry.run} has ended`);
    const isNext = entry.head === headAfter(last?.entry.head ?? entry.run, entry.answers);
    if (!isNext || (last === undefined && entry.answers.length > 0))
      throw new Disagreement(`the testimony does not continue that of the run ${entry.run}`);
    const line = `${canonicalJson(entry)}\n`;
    if (this.#bytes + line.length > MOST_OF_LOG)
      throw new Disagreement(`the log has ${this.#bytes} bytes: start a new one with another --log`);
    this.#append(line);
    this.#bytes += line.length;
    this.#keep(entry, line);
    return line;
  }

  #keep(entry: LogEntry, line: string): void {
    this.#last.set(entry.run, { entry, line });
  }
}

const told = ({ time: _, ...testimony }: LogEntry): string => canonicalJson(testimony);
