/** What requests may cost on which the target hangs (docs/design/waiting.md). */

import type { CaseOperation } from '../contract/levels.ts';
import { TIME } from '../contract/limits.ts';
import { LAST_REPETITION } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Place, SuiteRequest } from './request.ts';
import { isCreate } from './wire.ts';

/** Number of requests in a row without a response after which an operation hangs: that many attempts confirm any symptom. */
const MOST_IN_A_ROW = LAST_REPETITION + 1;
/** Number of requests to an operation in a row without a response after which a long timeout must fit into what may be lost. */
const HUNG_BEFORE_LONG = 2;
/** Number of timeouts in a row, of any operations, after which a target counts as gone. */
const MOST_SILENT = 4;
/** Time lost in total, in timeouts, after which each further timeout is short, and after which the run ends. */
const LOST_BEFORE_HASTE = 3;
const LOST_BEFORE_END = 9;
/** Timeouts of their own that the two create calls of unknown outcome take that a run allows. */
const LOST_TO_CALLS = 1.6;
/** Attempts at a request that hangs get two timeouts, three short ones, and in the end enough for a slow target. */
const AFTER_TIMEOUTS = [1, 0.125] as const;
/** Short timeouts, as a part of a whole one: a call may take half a minute, and what restores matters more than the rest. */
const SHORT = { call: 0.6, cleanUp: 1 / 4, other: 1 / 8 } as const;
/** However short, a timeout lasts this many times as long as the slowest response of the operation took. */
const MARGIN = 3;
/** This part of a timeout is most of it. */
const MOSTLY = 2 / 3;

interface Known {
  /** Timeouts since its last response, and the longest of them in milliseconds. */
  readonly inARow: number;
  readonly longest: number;
  /** Milliseconds that its slowest response took. */
  readonly slowest: number;
}

/** Time spent waiting for responses that never came; requests that wait at the same time count once. */
class Lost {
  #until = 0;
  total = 0;

  add(from: number, to: number): void {
    this.total += to - Math.min(to, Math.max(from, this.#until));
    this.#until = to;
  }
}

const isLast = ({ attempt, cleanUp }: Place): boolean => attempt >= LAST_REPETITION && cleanUp !== true;

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

  /** Takes what came of a request that was given so many milliseconds. */
  learn(
    request: SuiteRequest,
    { at, took, failure }: Pick<Exchange, 'at' | 'took' | 'failure'>,
    timeout: number,
  ): void {
    const isTimeout = failure?.kind === 'timeout';
    this.#silent = isTimeout ? this.#silent + 1 : 0;
    if (isTimeout) this.#lostWithCalls.add(at, at + took);
    if (isTimeout && !isCreate(request)) this.#lost.add(at, at + took);
    const { inARow, longest, slowest } = this.#of(request) ?? { inARow: 0, longest: 0, slowest: 0 };
    this.#known.set(
      request.operation ?? 'undocumented',
      isTimeout
        ? { inARow: inARow + 1, longest: Math.max(longest, timeout), slowest }
        : { inARow: 0, longest: 0, slowest: Math.max(slowest, took) },
    );
  }

  /** Slowness is not a failure, so a repetition may take longer (conformance model, section 5); but each hang costs time. */
  #planned(request: SuiteRequest, { attempt, timeouts = 0, cleanUp }: Place): number {
    const { call, other } = this.#timeouts;
    // A create call gets two attempts, whose default of a minute leaves room for a slow one, and a hang-up three.
    if (isCreate(request)) return timeouts === 0 ? call : call * SHORT.call;
    if (request.role === 'health-check' || (request.operation === 'hangUpCall' && cleanUp === true)) return other;
    if (attempt >= LAST_REPETITION) return Math.max(other, TIME.patient);
    if (timeouts > 0) return other * (AFTER_TIMEOUTS[timeouts - 1] ?? 0.125);
    return attempt > 0 ? other * 3 : other;
  }

  /** How many milliseconds a request may take: less than planned once much was lost. */
  timeoutFor(request: SuiteRequest, place: Place): number {
    const { call, other } = this.#timeouts;
    const planned = this.#planned(request, place);
    if (isCreate(request)) return this.#isLate ? Math.min(planned, SHORT.call * call) : planned;
    const known = this.#of(request);
    const isUnknown = known === undefined && place.cleanUp !== true;
    // Half a minute, as a hang takes to be believed, is waited once since the last response.
    const isPatient = isLast(place) && (known?.longest ?? 0) < planned;
    if (request.role === 'health-check' || isUnknown || isPatient) return planned;
    const part = this.#partOf(request, place);
    const slowest = known?.slowest ?? 0;
    const wanted = part === null ? planned : other * part;
    const usual = Math.min(planned, Math.max(wanted, Math.min(other, MARGIN * slowest)));
    // What was once answered after most of its time gets more from then on.
    return slowest > MOSTLY * other ? Math.max(usual, Math.min(TIME.patient, MARGIN * slowest)) : usual;
  }

  /** The part of a timeout that a request gets, or `null` where it gets what was planned. */
  #partOf({ operation }: SuiteRequest, place: Place): number | null {
    if (place.cleanUp !== true) return this.#isLate || isLast(place) ? SHORT.other : null;
    const isAgain = place.attempt > 0 || (place.timeouts ?? 0) > 0;
    const isOfCall = operation === 'hangUpCall';
    // However much was lost, the first hang-up of a call gets a whole timeout, unless nothing responds any more.
    if (isOfCall && isAgain && (this.hangs(operation) || this.endBefore() !== null)) return SHORT.other;
    return (this.#isLate && !isOfCall) || this.#silent >= MOST_SILENT ? SHORT.cleanUp : null;
  }

  get #isLate(): boolean {
    return this.#lostWithCalls.total >= LOST_BEFORE_HASTE * this.#timeouts.other;
  }

  /** Whether the operation hangs: it left its last requests without a response. */
  hangs(operation: CaseOperation): boolean {
    return (this.#known.get(operation)?.inARow ?? 0) >= MOST_IN_A_ROW;
  }

  /**
   * The sentence that ends the run, or `null`. Where half of what may be lost is lost, no request is begun that may take more
   * than the rest: a last repetition, or a create call after two that hung.
   */
  endBefore(request?: SuiteRequest, timeout = 0): string | null {
    const { call, other } = this.#timeouts;
    const most = Math.max(LOST_TO_CALLS * call, LOST_BEFORE_END * other) + other;
    const [lost, lostWithCalls] = [this.#lost.total, this.#lostWithCalls.total];
    const hung = request === undefined ? 0 : (this.#of(request)?.inARow ?? 0);
    const isLong = timeout >= TIME.patient && hung >= HUNG_BEFORE_LONG;
    const isOver = (sum: number, bound: number): boolean =>
      sum >= bound || (isLong && sum >= bound / 2 && sum + timeout > bound);
    if (!isOver(lost, LOST_BEFORE_END * other) && !isOver(lostWithCalls, most)) return null;
    const seconds = Math.round(Math.max(lost, lostWithCalls) / 1_000);
    return `the target left requests without a response for ${seconds} seconds in total: check it, or raise --timeout`;
  }

  #of({ operation }: SuiteRequest): Known | undefined {
    return this.#known.get(operation ?? 'undocumented');
  }
}
