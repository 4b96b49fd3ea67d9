/** Sends the walks of an exploration, shrinks those that find something, and forgets those that do not. */

import type { Exchange } from '../exchange/exchange.ts';
import { WALK_REQUESTS } from '../generate/commands.ts';
import { smallestPart } from '../generate/smallest.ts';
import { evaluate } from '../verdict/evaluate.ts';
import { failedBy } from '../verdict/opinions.ts';
import type { JudgedRecord, RunHeader } from '../verdict/record.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';
import type { Ports } from './ports.ts';
import type { Walk } from './sequence.ts';

/** Walks whose exchanges are kept in any case: a run with no more of them can be run again from its record. */
const KEPT_WALKS = 50;
/** Whether the record of a run holds all of its walks. */
export const keepsEveryWalk = ({ explore, exploreTime }: Pick<RunHeader, 'explore' | 'exploreTime'>): boolean =>
  exploreTime === undefined && explore <= KEPT_WALKS * WALK_REQUESTS;

/** Smaller walks that are tried for one finding, and in one run. */
const TRIALS = 30;
const MOST_TRIALS = 120;

/** What an exploration needs of its run. */
export interface ExploredRun {
  /** The exchanges of the run; those of a forgotten walk are taken from its end. */
  readonly exchanges: Exchange[];
  readonly requirements: readonly JudgedRequirement[];
  /** The run so far. */
  readonly recorded: () => JudgedRecord;
  /** Whether no further walk may begin. */
  readonly isOver: () => boolean;
  readonly ports: Pick<Ports, 'clock' | 'onExchange' | 'onForgotten'>;
  /** Milliseconds from the first walk, after which none begins. */
  readonly time: number;
}

/** The cases that fail by a record. */
function failingCases(record: JudgedRecord, requirements: readonly JudgedRequirement[]): Set<string> {
  const judging = { requirements, remedyOf: () => undefined };
  const cases = evaluate(record, judging).requirements.flatMap((one) => one.cases);
  return new Set(cases.flatMap(({ id, findings }) => (findings.length === 0 ? [] : [id])));
}

/** The exploration of one run. */
export class Exploration {
  readonly #run: ExploredRun;
  /** Exchanges are reported once it is known whether they are kept. */
  #isHeld = false;
  #forgotten = 0;
  #trials = MOST_TRIALS;
  #since: number | null = null;
  /** Cases that are known to fail; `null` until a walk has found something. */
  #failing: Set<string> | null = null;

  constructor(run: ExploredRun) {
    this.#run = run;
  }

  /** How many requests were forgotten. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** How many requests the run has sent. */
  get sent(): number {
    return this.#forgotten + this.#run.exchanges.length;
  }

  /** Notes an exchange of the run, of whatever phase. */
  note(exchange: Exchange): void {
    this.#run.exchanges.push(exchange);
    if (!this.#isHeld) this.#run.ports.onExchange?.(exchange);
  }

  /**
   * Sends a walk. If it fails a case that nothing has failed before, smaller walks follow, down to the smallest that
   * still does. A late walk that shows nothing new is counted and forgotten.
   */
  async walk<Sent>(sequence: Sent, walk: Walk<Sent>, send: (sequence: Sent) => Promise<void>): Promise<void> {
    const { exchanges, isOver, ports, time } = this.#run;
    const { clock } = ports;
    this.#since ??= clock.now();
    if (isOver() || clock.now() - this.#since >= time) return;
    const from = exchanges.length;
    this.#isHeld = walk.number >= KEPT_WALKS;
    const failed = await this.#failedBy(sequence, send);
    const known = failed.length === 0 ? null : this.#known(from);
    const news = failed.filter((id) => known?.has(id) === false);
    for (const id of news) {
      const trials = Math.min(TRIALS, this.#trials);
      await smallestPart(
        walk.commands,
        async (places) => {
          this.#trials -= 1;
          return (await this.#failedBy(walk.part(places), send)).includes(id);
        },
        trials,
      );
      known?.add(id);
    }
    // What a run that ended early sent last may be why.
    if (this.#isHeld && news.length === 0 && !isOver()) {
      const { length } = exchanges.splice(from);
      this.#forgotten += length;
      ports.onForgotten?.(length);
    } else if (this.#isHeld) for (const exchange of exchanges.slice(from)) ports.onExchange?.(exchange);
    this.#isHeld = false;
  }

  /** Sends a walk, and resolves with the cases of the plan that it fails. */
  async #failedBy<Sent>(sequence: Sent, send: (sequence: Sent) => Promise<void>): Promise<readonly string[]> {
    const { exchanges, recorded, requirements } = this.#run;
    const from = exchanges.length;
    await send(sequence);
    return failedBy(exchanges.slice(from), recorded(), requirements);
  }

  /** The cases that fail by what was recorded before the first walk that found something, and those found since. */
  #known(before: number): Set<string> {
    const { exchanges, recorded, requirements } = this.#run;
    if (this.#failing !== null) return this.#failing;
    this.#failing = failingCases({ ...recorded(), exchanges: exchanges.slice(0, before) }, requirements);
    return this.#failing;
  }
}
