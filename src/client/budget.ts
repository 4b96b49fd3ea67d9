/** The one budget of waiting: everything that a run waits for draws on `--max-wait` (conformance model, section 0, rule 8). */

import { TIME } from '../contract/limits.ts';
import type { Waited, WaitReason } from '../contract/waiting.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import type { ClientOptions } from './client-options.ts';

/** Milliseconds that restoring may wait however little is left, and hang-ups as well: a caller that is rate-limited is told to wait a minute. */
const LEAST_FOR_CLEAN_UP = TIME.wait;

/** A wait that is due. */
export interface Wait {
  readonly reason: WaitReason;
  readonly operation: string | null;
  readonly milliseconds: number;
  readonly isCleanUp: boolean;
  /** The status that caused it, `null` for no response. */
  readonly status?: number | null;
}

/** What a budget is made of. */
export type BudgetOptions = Pick<ClientOptions, 'clock' | 'maxWait' | 'onWait'>;

const kindOf = (operation: string | null) => (operation === 'hangUpCall' ? 'hang-ups' : 'restoring');

type Line = Omit<Waited, 'seconds' | 'short'> & { readonly milliseconds: number; readonly short: number };

/** Adds up what a run waits for. Its time is that of the record, so that a rerun decides alike. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #isStopped: () => boolean;
  readonly #lines = new Map<string, Line>();
  /** It counts once an answer has come after it: an interruption ends a wait early. */
  #due: Wait | null = null;
  #spent = 0;
  readonly #spentOnCleanUp = { 'hang-ups': 0, restoring: 0 };
  #now = 0;

  constructor(options: BudgetOptions, isStopped: () => boolean) {
    this.#options = options;
    this.#isStopped = isStopped;
  }

  /** Milliseconds since the run began: when the last answer came, and what was waited since. */
  get now(): number {
    return this.#now + (this.#due?.milliseconds ?? 0);
  }

  /** Milliseconds that are left. */
  left({ isCleanUp, operation }: Pick<Wait, 'isCleanUp' | 'operation'>): number {
    const left = Math.max(0, this.#options.maxWait - this.#spent - (this.#due?.milliseconds ?? 0));
    return isCleanUp ? Math.max(left, LEAST_FOR_CLEAN_UP - this.#spentOnCleanUp[kindOf(operation)]) : left;
  }

  /** Waits. `false`: the budget has less left, or the run was stopped meanwhile. */
  async wait(wait: Wait): Promise<boolean> {
    const { milliseconds, isCleanUp, status = null } = wait;
    const { clock, onWait, maxWait } = this.#options;
    if (milliseconds <= 0) return true;
    if (milliseconds > this.left(wait)) {
      const { reason, operation } = wait;
      this.#add({ reason, operation: operation ?? 'undocumented', times: 0, milliseconds: 0, short: 1 });
      return false;
    }
    this.#count();
    this.#due = wait;
    onWait?.(milliseconds, status, maxWait);
    await (isCleanUp ? clock.rest(milliseconds) : clock.sleep(milliseconds));
    return isCleanUp || !this.#isStopped();
  }

  /** Moves the time on to an answer; what a hanging target costs counts as well. */
  learn(exchange: Exchange): void {
    this.#count();
    this.#now = Math.max(this.#now, endOf(exchange));
    if (exchange.failure?.kind !== 'timeout') return;
    const { took, tag } = exchange;
    this.#spent += took;
    this.#add({
      reason: 'silence',
      operation: tag.operation ?? 'undocumented',
      times: 1,
      milliseconds: took,
      short: 0,
    });
  }

  #count(): void {
    const due = this.#due;
    this.#due = null;
    if (due === null || (this.#isStopped() && !due.isCleanUp)) return;
    const { reason, operation, milliseconds, isCleanUp } = due;
    this.#now += milliseconds;
    this.#spent += milliseconds;
    if (isCleanUp) this.#spentOnCleanUp[kindOf(operation)] += milliseconds;
    this.#add({ reason, operation: operation ?? 'undocumented', times: 1, milliseconds, short: 0 });
  }

  #add(line: Line): void {
    const key = `${line.reason} ${line.operation}`;
    const { times = 0, milliseconds = 0, short = 0 } = this.#lines.get(key) ?? {};
    this.#lines.set(key, {
      ...line,
      times: line.times + times,
      milliseconds: line.milliseconds + milliseconds,
      short: line.short + short,
    });
  }

  /** What the run waited for, the longest first. */
  get waited(): readonly Waited[] {
    const lines = [...this.#lines.values()].sort((a, b) => b.milliseconds - a.milliseconds);
    return lines.map(({ milliseconds, short, ...line }) => ({
      ...line,
      seconds: Math.round(milliseconds / 100) / 10,
      ...(short === 0 ? {} : { short }),
    }));
  }
}
