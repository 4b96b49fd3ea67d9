/** Requests with an invalid credential: their number, and the lock-out that may follow on them. */

import { TRIALS } from '../contract/limits.ts';
import { isRetryable, isSuccess } from '../contract/statuses.ts';
import { type CredentialForm, type Exchange, endOf } from '../exchange/exchange.ts';
import type { SuiteRequest } from './request.ts';

/** Whether a target may count the form as an invalid credential. */
export const isInvalid = (form: CredentialForm): boolean => form !== 'valid' && form !== 'other-organization';

/** What a client remembers of them. */
export class InvalidCredentials {
  #sent = 0;
  /** Operations that were rejected right after the target had accepted the credential: no lock-out was the reason. */
  readonly #disproved = new Set<string>();
  /** The number of the last answer that accepted the credential. */
  #accepted = 0;
  /** The number of the last health check that a lock-out rejected. */
  #lockedRead = 0;
  #hasGivenUp = false;
  /** Rejections of the valid credential by a lock-out, by number: each is sent again. */
  readonly #lockOuts = new Set<number>();
  /** Those since the last clear answer to the valid credential. */
  #current: readonly Exchange[] = [];
  /** Other rejections since then, and those that a lock-out explains, with the number of its rejection. */
  #doubtful: readonly Exchange[] = [];
  readonly #explained = new Map<number, number>();

  /** Takes what came of a request; returns whether the target has locked this caller out, as far as it can be known. */
  learn(request: SuiteRequest, exchange: Exchange): boolean {
    const status = exchange.response?.status ?? null;
    const isValid = request.credential === 'valid';
    if (isInvalid(request.credential)) this.#sent += 1;
    if (status === null) return false;
    if (status !== 401 && status !== 403) {
      if (isValid) this.#clear(exchange, status);
      return false;
    }
    const isLockOut = isValid && this.#isLockOut(request, exchange, status);
    if (isLockOut) {
      this.#lockOuts.add(exchange.seq);
      if (request.role === 'health-check') this.#lockedRead = exchange.seq;
      this.#current = [...this.#current, exchange];
    } else if (this.#sent > 0) this.#doubtful = [...this.#doubtful, exchange];
    return isLockOut;
  }

  /** An answer to the valid credential that no lock-out gives ends what was doubtful before. */
  #clear(exchange: Exchange, status: number): void {
    if (isSuccess(status)) this.#accepted = exchange.seq;
    if (isRetryable(status) || status >= 500 || this.#doubtful.length + this.#current.length === 0) return;
    const isPast = (one: Exchange): boolean => exchange.at >= endOf(one);
    if (this.#current.length > 0)
      for (const [seq, by] of this.#explainedAmong(this.#doubtful.filter(isPast))) this.#explained.set(seq, by);
    this.#doubtful = this.#doubtful.filter((one) => !isPast(one));
    this.#current = this.#current.filter((one) => !isPast(one));
  }

  /** Those of the rejections that have the status of a current lock-out. */
  #explainedAmong(doubtful: readonly Exchange[]): readonly (readonly [seq: number, by: number])[] {
    return doubtful.flatMap(({ seq, response }) => {
      const by = this.#current.find((one) => one.response?.status === response?.status);
      return by === undefined ? [] : [[seq, by.seq] as const];
    });
  }

  #isLockOut({ operation, method, path }: SuiteRequest, { seq, tag }: Exchange, status: 401 | 403): boolean {
    if (this.#hasGivenUp || this.#sent < TRIALS.rule) return false;
    // A business rule may answer 403 to the same call at another time.
    if (status === 403 && operation === 'createCall') return false;
    const key = `${status} ${method} ${operation ?? path}`;
    const before = tag.replaces ?? seq;
    if (before > this.#accepted) return !this.#disproved.has(key);
    // The credential was accepted between two rejections of the request, and at once: the read met no lock-out either.
    if (this.#lockedRead < before) this.#disprove(key, before);
    return false;
  }

  #disprove(key: string, seq: number): void {
    this.#disproved.add(key);
    this.#lockOuts.delete(seq);
    this.#current = this.#current.filter((one) => one.seq !== seq);
    for (const [explained, by] of this.#explained) if (by === seq) this.#explained.delete(explained);
  }

  /** Numbers of the rejections of a lock-out that were not sent again: what they ask is open. */
  get explained(): readonly number[] {
    return [...this.#explained.keys(), ...this.#explainedAmong(this.#doubtful).map(([seq]) => seq)];
  }

  /** Numbers of all rejections of lock-outs. */
  get lockedOut(): readonly number[] {
    return [...this.#lockOuts, ...this.explained];
  }

  /** From now on no rejection is taken for a lock-out: waiting did not help. */
  giveUp(): void {
    this.#hasGivenUp = true;
  }
}
