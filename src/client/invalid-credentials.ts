/** Requests with an invalid credential: their number, and the lock-out that may follow on them. */

import { LEARNED, TRIALS } from '../contract/limits.ts';
import { isRetryable, isSuccess, UNAVAILABLE } from '../contract/statuses.ts';
import { plainDigest } from '../exchange/digest.ts';
import { type CredentialForm, type Exchange, endOf } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import type { SuiteRequest } from './request.ts';

/** Whether a target may count the form as an invalid credential. */
export const isInvalid = (form: CredentialForm): boolean => form !== 'valid' && form !== 'other-organization';

/**
 * What a request has in common with others that a lock-out rejects as well. With 403 a target may also mean what the request
 * says, so only the same body with the same fields tells. With 401 it means the credential, and the hang-up of a new call
 * was answered if that of another one was: a call that met a lock-out of 20 seconds had stayed open.
 */
function keysOf(request: SuiteRequest): Readonly<Record<401 | 403, string>> {
  const { method, operation, path, body, contentType, headers = [], role, control } = request;
  const said = JSON.stringify([contentType, headers, body === null ? null : plainDigest(body)]);
  const isOwn = (control || role === 'hang-up') && operation !== null;
  return { 401: `${method} ${isOwn ? operation : path}`, 403: `${method} ${path} ${said}` };
}

/** What a client remembers of them. */
export class InvalidCredentials {
  #sent = 0;
  /** Requests that got another answer with the valid credential. */
  readonly #answered = new Set<string>();
  /** Requests that the valid credential was rejected for before any invalid one was sent. */
  readonly #rejected = new Set<string>();
  /** Requests that were rejected right after the target had accepted the credential: no lock-out was the reason. */
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
      if (isValid) this.#clear(request, exchange, status);
      return false;
    }
    // What is rejected before any invalid credential was sent is rejected for another reason.
    if (this.#sent === 0 && isValid) this.#rejected.add(keysOf(request)[401]);
    const isLockOut = isValid && this.#isLockOut(request, exchange, status);
    if (isLockOut) {
      this.#lockOuts.add(exchange.seq);
      if (request.role === 'health-check') this.#lockedRead = exchange.seq;
      this.#current = [...this.#current, exchange];
    } else if (this.#sent > 0) this.#doubtful = [...this.#doubtful, exchange];
    return isLockOut;
  }

  /** An answer to the valid credential that no lock-out gives ends what was doubtful before. */
  #clear(request: SuiteRequest, exchange: Exchange, status: number): void {
    if (isSuccess(status)) this.#accepted = exchange.seq;
    const isRoom = this.#answered.size < LEARNED.texts;
    const keys = isRoom ? keysOf(request) : { 401: '', 403: '' };
    if (!isRetryable(status)) for (const key of Object.values(keys)) this.#answered.add(key);
    // Whatever is missing behind the operation, the credential was not.
    else if (status === UNAVAILABLE) this.#answered.add(keys[401]);
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

  #isLockOut(request: SuiteRequest, { seq, tag, response }: Exchange, status: 401 | 403): boolean {
    if (this.#hasGivenUp || this.#sent < TRIALS.rule) return false;
    // A business rule may answer 403 to the same call at another time.
    if (status === 403 && request.operation === 'createCall') return false;
    const keys = keysOf(request);
    if (status === 401 && this.#rejected.has(keys[401])) return false;
    const key = `${status} ${keys[status]}`;
    const before = tag.replaces ?? seq;
    if (before < this.#accepted) {
      // The credential was accepted between two rejections of the request, and at once: the read met no lock-out either.
      if (this.#lockedRead < before) this.#disprove(key, before);
      return false;
    }
    // A credential without the scope for the numbers gets 403 from the list at any time, and `Retry-After` in a lock-out alone.
    const isAsked = headerValue(response?.headers ?? [], 'retry-after') !== undefined;
    return (isAsked || this.#answered.has(keys[status])) && !this.#disproved.has(key);
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
