/**
 * The one loop that sends again (a request, the hang-up of a call, a read during an outage, a batch) and the one budget of
 * waiting that it draws on, `--max-wait` (conformance model, section 5): responses that never come count as well.
 */

import type { CaseOperation } from '../contract/levels.ts';
import { HANGS, TIME, TRIALS } from '../contract/limits.ts';
import { groupBy } from '../contract/lists.ts';
import type { Waited } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { AnnouncedWait, ClientOptions } from './client-options.ts';
import { isCreate, type Place, type SuiteRequest } from './request.ts';

/** What comes after what was sent so far. */
export interface Again extends Pick<Wait, 'reason' | 'status'> {
  /** Milliseconds to wait before. */
  readonly wait: number;
  /**
   * A read is sent first: the request follows if the read is accepted, only if it was accepted late, or once it shows no
   * symptom.
   */
  readonly check?: 'accepted' | 'late' | 'present';
  /** Milliseconds to wait after that read. */
  readonly then?: number;
}

/** It is not sent again, since waiting did not help; nor is another with one of these keys waited for. */
export interface GivenUp {
  readonly gaveUp: readonly string[];
}

interface Repeated<Sent> extends Partial<Pick<Wait, 'operation' | 'isCleanUp'>> {
  /** What was sent before; the loop adds to it. */
  readonly sent: Sent[];
  /** `null` once it is settled. */
  readonly next: (sent: readonly Sent[]) => Again | null;
  /** `null` where it may not be sent any more. */
  readonly send: (again: Again) => Promise<Sent | null>;
}

/** A wait that is due. */
export interface Wait extends Pick<AnnouncedWait, 'reason' | 'milliseconds'>, Partial<Pick<AnnouncedWait, 'status'>> {
  readonly operation: string | null;
  readonly isCleanUp: boolean;
}

/** Short timeouts, as a part of a whole one: a call may take half a minute. */
const SHORT_TIMEOUTS = { call: 0.6, rest: 1 / 8 } as const;

interface Responses {
  /** Timeouts since its last response, and the longest of them. */
  readonly hangs: number;
  readonly longest: number;
  readonly slowest: number;
}
const NO_RESPONSE: Responses = { hangs: 0, longest: 0, slowest: 0 };

type BudgetOptions = Pick<ClientOptions, 'clock' | 'maxWait' | 'onWait' | 'timeout' | 'callTimeout'>;

const lengthOf = (waits: readonly Wait[]): number => waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0);

const cleanUpKind = (operation: string | null) => (operation === 'hangUpCall' ? 'hang-ups' : 'restoring');

/** Adds up what a run waits for. Its time is that of the record, so that a rerun decides alike. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #isStopped: () => boolean;
  /** What was waited for, and in `isShort` what the budget did not have. */
  readonly #waits: (Wait & { readonly isShort?: true })[] = [];
  readonly #responses = new Map<CaseOperation, Responses>();
  /** Milliseconds spent on responses that never came, at most, and until when. */
  #silence = 0;
  readonly #mostSilence: number;
  #silentUntil = 0;
  /** Milliseconds since the run began: when the last answer came, and what was waited since. */
  now = 0;
  /** The sentence that ends a run whose target left requests without a response for too long. */
  tooSilent: string | null = null;

  constructor(options: BudgetOptions, isStopped: () => boolean) {
    this.#options = options;
    this.#isStopped = isStopped;
    this.#mostSilence = options.callTimeout + HANGS.lost * options.timeout;
  }

  /** Milliseconds that are left. */
  left({ isCleanUp, operation }: Pick<Wait, 'isCleanUp' | 'operation'>): number {
    const left = Math.max(0, this.#options.maxWait - lengthOf(this.#waits));
    const alike = this.#waits.filter(
      (wait) => wait.isCleanUp && cleanUpKind(wait.operation) === cleanUpKind(operation),
    );
    // Restoring and hang-ups may each wait so long in any case: a rate-limited caller is told to wait a minute.
    return isCleanUp ? Math.max(left, TIME.wait - lengthOf(alike)) : left;
  }

  /** Waits. `false`: the budget has less left, or the run was stopped meanwhile. */
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

  /** Sends until nothing asks for more, or a wait is not to be had; resolves with all that was sent, the oldest first. */
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

  /** Moves the time on to an answer to a request that was given so many milliseconds. What hangs at the same time counts once. */
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

  /** How many milliseconds a request may take. Slowness is not a failure, so the last repetition is patient. */
  timeoutFor(request: SuiteRequest, { attempt, after, cleanUp = false }: Place): number {
    const { callTimeout, timeout } = this.#options;
    const known = this.#responses.get(request.operation ?? 'undocumented');
    const { hangs, longest, slowest } = known ?? NO_RESPONSE;
    const isLate = this.#silence >= HANGS.lost * timeout;
    if (isCreate(request)) return isLate || hangs > 0 ? callTimeout * SHORT_TIMEOUTS.call : callTimeout;
    // Half a minute, as a hang takes to be believed, is waited once since the last response.
    if (after === 'hang' && !cleanUp && longest < TIME.patient)
      return Math.max(timeout, Math.min(TIME.patient, this.#mostSilence - this.#silence));
    // However much was lost, the first hang-up of a call gets all of it.
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

  /** What the run waited for, the longest first. */
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
