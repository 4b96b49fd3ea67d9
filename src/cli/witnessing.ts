/** Both ends of a testimony: the run that gives it while it goes on, and the log that notes it. */

import { canonicalJson, Disagreement } from '../certificate/bundle-files.ts';
import {
  type Commitment,
  commitmentTo,
  demandEntry,
  entryIn,
  firstHead,
  headAfter,
  type LogEntry,
  type Testimony,
} from '../certificate/witness.ts';
import type { Exchange } from '../exchange/exchange.ts';

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
  #under: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(salt: string, draw: string, witness: Witness) {
    this.#salt = salt;
    this.#witness = witness;
    this.run = firstHead(salt, draw);
    this.#head = this.run;
  }

  /** Announces the run; resolves with the entry. Rejects if the witness cannot be reached. */
  async begin(): Promise<LogEntry> {
    this.#tell({});
    await this.#settled();
    return JSON.parse(this.#lines[0] ?? '');
  }

  note(exchange: Exchange): void {
    this.#answers.push(commitmentTo(this.#salt, exchange));
    if (this.#answers.length === ANSWERS_AT_ONCE) this.#tell({});
  }

  /** Ends the testimony; resolves with the lines that the log has of this run. Rejects if the witness lacks any. */
  async end(): Promise<string> {
    this.#tell({ end: true });
    await this.#settled();
    return this.#lines.join('');
  }

  #tell(more: Pick<Testimony, 'end'>): void {
    const answers = this.#answers;
    this.#answers = [];
    this.#head = headAfter(this.#head, answers);
    this.#due.push({ run: this.run, answers, head: this.#head, ...more });
    this.#under = this.#under.then(() => this.#send());
  }

  async #send(): Promise<void> {
    this.#failure = null;
    try {
      for (let [next] = this.#due; next !== undefined; [next] = this.#due) {
        this.#lines.push(await this.#witness(next));
        this.#due.shift();
      }
    } catch (error) {
      this.#failure = error;
    }
  }

  async #settled(): Promise<void> {
    await this.#under;
    if (this.#failure !== null) throw this.#failure;
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
