/**
 * The only loop that sends a request again (any request, a hang-up, a read during an outage, a batch), and the only
 * waiting budget it draws on, `--max-wait` (conformance model, section 5). Responses that never come count as waiting.
 */

import { HANGS, TIME, TRIALS } from '../contract/limits.ts';
import { groupBy } from '../contract/lists.ts';
import type { CaseOperation } from '../contract/operations.ts';
import type { Waited } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { AnnouncedWait, ClientOptions } from './client-options.ts';
import { isCreate, type Place, type SuiteRequest } from './request.ts';

/** The next step after the sendings so far. */
export interface Again extends Pick<Wait, 'reason' | 'status'> {
  /** Milliseconds to wait first. */
  readonly wait: number;
  /**
   * Sends a read first. The request follows if that read is accepted, only if it was accepted late, or once it shows no
   * symptom.
   */
  readonly check?: 'accepted' | 'late' | 'present';
  /** Milliseconds to wait after that read. */
  readonly then?: number;
}

/** The request is not sent again, since waiting did not help, and requests with these keys are not waited for. */
export interface GivenUp {
  readonly gaveUp: readonly string[];
}

interface Repeated<Sent> extends Partial<Pick<Wait, 'operation' | 'isCleanUp'>> {
  /** The sendings so far; the loop adds to them. */
  readonly sent: Sent[];
  /** `null` once the request is settled. */
  readonly next: (sent: readonly Sent[]) => Again | null;
  /** `null` where the request may no longer be sent. */
  readonly send: (again: Again) => Promise<Sent | null>;
}

/** A wait that is due. */
export interface Wait extends Pick<AnnouncedWait, 'reason' | 'milliseconds'>, Partial<Pick<AnnouncedWait, 'status'>> {
  readonly operation: string | null;
  readonly isCleanUp: boolean;
}

/** Short timeouts, as a fraction of the full one: a call may take half a minute. */
const SHORT_TIMEOUTS = { call: 0.6, rest: 1 / 8 } as const;

interface Responses {
  /** Timeouts since the last response of the operation, and the longest of them. */
  readonly hangs: number;
  readonly longest: number;
  readonly slowest: number;
}
const NO_RESPONSE: Responses = { hangs: 0, longest: 0, slowest: 0 };

type BudgetOptions = Pick<ClientOptions, 'clock' | 'maxWait' | 'onWait' | 'timeout' | 'callTimeout'>;

const lengthOf = (waits: readonly Wait[]): number => waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0);

const cleanUpKind = (operation: string | null) => (operation === 'hangUpCall' ? 'hang-ups' : 'restoring');

/** Adds up the waits of a run. Its clock is the time of the record, so that a rerun decides the same. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #isStopped: () => boolean;
  /** Past waits; `isShort` marks the milliseconds that the budget could not cover. */
  readonly #waits: (Wait & { readonly isShort?: true })[] = [];
  readonly #responses = new Map<CaseOperation, Responses>();
  /** Milliseconds spent on responses that never came, their maximum, and the time up to which they are counted. */
  #silence = 0;
  readonly #mostSilence: number;
  #silentUntil = 0;
  /** Milliseconds since the run began: the time of the last answer plus the waits since. */
  now = 0;
  /** The sentence that ends a run whose target left requests without a response for too long. */
  tooSilent: string | null = null;

  constructor(options: BudgetOptions, isStopped: () => boolean) {
    this.#options = options;
    this.#isStopped = isStopped;
    this.#mostSilence = options.callTimeout + HANGS.lost * options.timeout;
  }

  /** Milliseconds that the budget has left. */
  left({ isCleanUp, operation }: Pick<Wait, 'isCleanUp' | 'operation'>): number {
    const left = Math.max(0, this.#options.maxWait - lengthOf(this.#waits));
    const alike = this.#waits.filter(
      (wait) => wait.isCleanUp && cleanUpKind(wait.operation) === cleanUpKind(operation),
    );
    // Restoring and hang-ups may each wait that long in any case: a rate-limited caller is told to wait a minute.
    return isCleanUp ? Math.max(left, TIME.wait - lengthOf(alike)) : left;
  }

  /** Waits; `false` if the budget has less left, or if the run was stopped in the meantime. */
  async wait(wait: Wait): Promise<boolean> {
    const { reason, milliseconds, isCleanUp, status = null } = wait;
    const { clock, onWait, maxWait } = this.#options;
    if (milliseconds <= 0) return true;
    if (this.#isStopped() && !isCleanUp) return false;
    if (milliseconds > this.left(wait)) {
      this.#waits.push({ ...wait, milliseconds: 0, isShort: true });
      return false;
    }
    onWait?.({ reason, milliseconds, status, most: maxWait });
    await (isCleanUp ? clock.rest(milliseconds) : clock.sleep(milliseconds));
    // An interruption ends a wait early.
    if (this.#isStopped() && !isCleanUp) return false;
    this.now += milliseconds;
    this.#waits.push(wait);
    return true;
  }

  /** Sends until no reason asks for more or the budget cannot cover a wait; resolves with all sendings in order. */
  async untilSettled<Sent>(sending: Repeated<Sent>): Promise<readonly Sent[]> {
    const { sent, next, send, operation = null, isCleanUp = false } = sending;
    for (;;) {
      const again = next(sent);
      if (again === null) return sent;
      const { reason, wait: milliseconds, status = null } = again;
      if (!(await this.wait({ reason, operation, milliseconds, isCleanUp, status }))) return sent;
      const more = await send(again);
      if (more === null) return sent;
      sent.push(more);
    }
  }

  /** Advances the time to an answer whose request had that timeout. Requests that hang at the same time count once. */
  learn({ operation }: SuiteRequest, { at, took, failure, tag }: Exchange, timeout: number): void {
    const [end, key] = [at + took, operation ?? 'undocumented'] as const;
    this.now = Math.max(this.now, end);
    const { hangs, longest, slowest } = this.#responses.get(key) ?? NO_RESPONSE;
    if (failure?.kind !== 'timeout') {
      this.#responses.set(key, { ...NO_RESPONSE, slowest: Math.max(slowest, took) });
      return;
    }
    this.#responses.set(key, { hangs: hangs + 1, longest: Math.max(longest, timeout), slowest });
    const milliseconds = Math.max(0, end - Math.max(at, this.#silentUntil));
    this.#silentUntil = end;
    this.#silence += milliseconds;
    const seconds = Math.round(this.#silence / 1_000);
    if (this.#silence >= this.#mostSilence)
      this.tooSilent = `the target left requests without a response for ${seconds} seconds in total: check it, or raise --timeout`;
    this.#waits.push({ reason: 'silence', operation: tag.operation, milliseconds, isCleanUp: false });
  }

  /** The timeout of a request in milliseconds. Slowness is not a failure, so the last repetition gets the full time. */
  timeoutFor(request: SuiteRequest, { attempt, after, cleanUp = false }: Place): number {
    const { callTimeout, timeout } = this.#options;
    const known = this.#responses.get(request.operation ?? 'undocumented');
    const { hangs, longest, slowest } = known ?? NO_RESPONSE;
    const isLate = this.#silence >= HANGS.lost * timeout;
    if (isCreate(request)) return isLate || hangs > 0 ? callTimeout * SHORT_TIMEOUTS.call : callTimeout;
    // The half minute that confirms a hang is waited only once since the last response.
    if (after === 'hang' && !cleanUp && longest < TIME.patient)
      return Math.max(timeout, Math.min(TIME.patient, this.#mostSilence - this.#silence));
    // However many responses were lost, the first hang-up of a call gets the full timeout.
    const isFirstHangUp = cleanUp && request.operation === 'hangUpCall' && attempt === 0 && after === undefined;
    const isUnknown = known === undefined && !cleanUp;
    const isShort = isLate || (!cleanUp && hangs >= HANGS.beforeShort);
    const isWhole = !isShort || isUnknown || isFirstHangUp || request.role === 'health-check';
    return Math.max(isWhole ? timeout : timeout * SHORT_TIMEOUTS.rest, Math.min(TIME.patient, HANGS.margin * slowest));
  }

  /** Whether the operation hangs: it left its last requests without a response. */
  hangs(operation: CaseOperation): boolean {
    return (this.#responses.get(operation)?.hangs ?? 0) >= TRIALS.rule;
  }

  /** The waits of the run, longest first. */
  get waited(): readonly Waited[] {
    const lines = groupBy(this.#waits, ({ reason, operation }) => `${reason} ${operation}`);
    const sorted = [...lines.values()].sort((a, b) => lengthOf(b) - lengthOf(a));
    return sorted.map((waits) => {
      const [{ reason, operation }] = waits;
      const short = waits.filter(({ isShort }) => isShort).length;
      const line = { reason, operation: operation ?? 'undocumented', times: waits.length - short };
      return { ...line, seconds: Math.round(lengthOf(waits) / 100) / 10, ...(short > 0 && { short }) };
    });
  }
}
