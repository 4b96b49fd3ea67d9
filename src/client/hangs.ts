/** What requests may cost on which the target hangs (docs/decisions/0046-what-hanging-may-cost.md). */

import type { CaseOperation } from '../contract/levels.ts';
import { LAST_REPETITION, PATIENT } from '../contract/waiting.ts';
import type { Place, SuiteRequest } from './request.ts';
import { isCreate } from './wire.ts';

/** An operation that left so many requests in a row without a response hangs: so many attempts confirm any symptom. */
export const MOST_IN_A_ROW = LAST_REPETITION + 1;
/** After so many timeouts in a row, of any operations, a target counts as gone. */
const MOST_SILENT = 4;
/** Time lost in total, in timeouts, after which each further timeout is short, and after which the run ends. */
const LOST_BEFORE_HASTE = 3;
const LOST_BEFORE_END = 9;
/** The two create calls of unknown outcome that a run allows take so many timeouts of their own. */
const LOST_TO_CALLS = 1.6;
/** Short timeouts, as a part of a whole one: a call may take half a minute, and what restores matters more than the rest. */
const SHORT = { call: 0.6, cleanUp: 1 / 4, other: 1 / 8 } as const;
/** However short, a timeout lasts so many times as long as the slowest response of the operation took. */
const MARGIN = 3;
/** This part of a timeout is most of it. */
const MOSTLY = 2 / 3;

/** A request that was answered or timed out; times are milliseconds. */
export interface Spent {
  readonly request: SuiteRequest;
  readonly sentAt: number;
  readonly now: number;
  readonly isTimeout: boolean;
}

/** What is known of an operation. */
interface Known {
  /** Timeouts since its last response. */
  readonly inARow: number;
  /** Milliseconds that its slowest response took. */
  readonly slowest: number;
}

/** Time spent waiting for responses that never came; lanes that wait at the same time count once. */
class Lost {
  #until = 0;
  total = 0;

  add(from: number, to: number): void {
    this.total += to - Math.min(to, Math.max(from, this.#until));
    this.#until = to;
  }
}

/** Adds up the time that is lost to timeouts. */
export class Hangs {
  readonly #timeouts: Readonly<Record<'call' | 'other', number>>;
  readonly #lost = new Lost();
  readonly #lostWithCalls = new Lost();
  readonly #known = new Map<CaseOperation, Known>();
  #silent = 0;

  /** Timeouts for one response, in milliseconds: of create call, and of everything else. */
  constructor(timeouts: Readonly<Record<'call' | 'other', number>>) {
    this.#timeouts = timeouts;
  }

  /** Notes a request that is over. */
  note({ request, sentAt, now, isTimeout }: Spent): void {
    this.#silent = isTimeout ? this.#silent + 1 : 0;
    if (isTimeout) this.#lostWithCalls.add(sentAt, now);
    if (isCreate(request)) return;
    if (isTimeout) this.#lost.add(sentAt, now);
    const { inARow, slowest } = this.#of(request) ?? { inARow: 0, slowest: 0 };
    const known = isTimeout ? { inARow: inARow + 1, slowest } : { inARow: 0, slowest: Math.max(slowest, now - sentAt) };
    this.#known.set(request.operation ?? 'undocumented', known);
  }

  /** How long a request may take that would otherwise get `planned` milliseconds. */
  timeoutFor(request: SuiteRequest, { cleanUp = false, attempt }: Place, planned: number): number {
    const known = this.#of(request);
    const isUnknown = known === undefined && !cleanUp;
    const { call, other } = this.#timeouts;
    const isLate = this.#lostWithCalls.total >= LOST_BEFORE_HASTE * other;
    if (isCreate(request)) return isLate ? Math.min(planned, SHORT.call * call) : planned;
    if (request.role === 'health-check' || isUnknown || (attempt >= LAST_REPETITION && !cleanUp)) return planned;
    const isOfCall = cleanUp && request.operation === 'hangUpCall';
    const isShort = (isLate && !isOfCall) || (cleanUp && this.#silent >= MOST_SILENT);
    const wanted = isShort ? other * (cleanUp ? SHORT.cleanUp : SHORT.other) : planned;
    const slowest = known?.slowest ?? 0;
    const usual = Math.min(planned, Math.max(wanted, Math.min(other, MARGIN * slowest)));
    // What was once answered after most of its time gets more from then on.
    return slowest > MOSTLY * other ? Math.max(usual, Math.min(PATIENT, MARGIN * slowest)) : usual;
  }

  /** Whether the operation hangs: it left its last requests without a response. */
  hangs(operation: CaseOperation): boolean {
    return (this.#known.get(operation)?.inARow ?? 0) >= MOST_IN_A_ROW;
  }

  /** The sentence that ends the run, or `null`. */
  get end(): string | null {
    const { call, other } = this.#timeouts;
    const most = Math.max(LOST_TO_CALLS * call, LOST_BEFORE_END * other) + other;
    const [lost, lostWithCalls] = [this.#lost.total, this.#lostWithCalls.total];
    if (lost < LOST_BEFORE_END * other && lostWithCalls < most) return null;
    const seconds = Math.round(Math.max(lost, lostWithCalls) / 1_000);
    return `the target left requests without a response for ${seconds} seconds in total: check it, or raise --timeout`;
  }

  #of({ operation }: SuiteRequest): Known | undefined {
    return this.#known.get(operation ?? 'undocumented');
  }
}
