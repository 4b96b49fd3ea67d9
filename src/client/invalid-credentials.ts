/** Requests with an invalid credential: their number, and the lock-out that may follow on them. */

import { LEARNED, TRIALS } from '../contract/limits.ts';
import { isRetryable, isSuccess, OF_LOCK_OUTS, UNAVAILABLE } from '../contract/statuses.ts';
import { plainDigest } from '../exchange/digest.ts';
import type { CredentialForm, Exchange } from '../exchange/exchange.ts';
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
  #hasGivenUp = false;

  /** Counts a request with that credential. */
  count(credential: CredentialForm): void {
    if (isInvalid(credential)) this.#sent += 1;
  }

  /** Takes an answer; returns whether the target has locked this caller out, as far as it can be known. */
  learn(request: SuiteRequest, { seq, tag, response }: Pick<Exchange, 'seq' | 'tag' | 'response'>): boolean {
    const { credential, operation } = request;
    const status = response?.status ?? null;
    if (status === null || this.#hasGivenUp || credential !== 'valid') return false;
    if (isSuccess(status)) this.#accepted = seq;
    // What is rejected before any invalid credential was sent is rejected for another reason.
    if (OF_LOCK_OUTS.has(status) && this.#sent === 0) this.#rejected.add(keysOf(request)[401]);
    if (!OF_LOCK_OUTS.has(status)) {
      const isRoom = this.#answered.size < LEARNED.texts;
      const keys = keysOf(request);
      if (isRoom && !isRetryable(status)) for (const key of Object.values(keys)) this.#answered.add(key);
      // Whatever is missing behind the operation, the credential was not.
      else if (isRoom && status === UNAVAILABLE) this.#answered.add(keys[401]);
      return false;
    }
    if (this.#sent < TRIALS.rule) return false;
    // A business rule may answer 403 to the same call at another time.
    if (status === 403 && operation === 'createCall') return false;
    if (status === 401 && this.#rejected.has(keysOf(request)[401])) return false;
    const key = keysOf(request)[status === 401 ? 401 : 403];
    // The credential was accepted between two rejections of the request.
    if ((tag.replaces ?? seq) < this.#accepted) this.#disproved.add(`${status} ${key}`);
    return this.#answered.has(key) && !this.#disproved.has(`${status} ${key}`);
  }

  /** From now on no rejection is taken for a lock-out: waiting did not help. */
  giveUp(): void {
    this.#hasGivenUp = true;
  }
}
