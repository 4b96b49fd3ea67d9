/** Requests with an invalid credential: their pace, their number, and the lock-out that may follow on them. */

import { isRetryable } from '../contract/statuses.ts';
import { plainDigest } from '../exchange/digest.ts';
import type { CredentialForm } from '../exchange/exchange.ts';
import type { ClientOptions } from './client-options.ts';
import { Skipped, type SuiteRequest } from './request.ts';

/** With fewer invalid credentials before it, a rejection is not taken for a lock-out. */
export const MANY_INVALID = 3;
/** Statuses with which a target answers the valid credential of a sender that it has locked out. */
const LOCKED_OUT: ReadonlySet<number> = new Set([401, 403]);
const UNAVAILABLE = 503;

/** Number of requests that tell a lock-out; an exploration sends many more. */
const MOST_ANSWERED = 10_000;

/** Whether a target may count the form as an invalid credential. */
export const isInvalid = (form: CredentialForm): boolean => form !== 'valid' && form !== 'other-organization';

/** Whether a request with that credential, sent after that many with an invalid one, may have met a lock-out. */
export function mayBeLockedOut(credential: CredentialForm, status: number | null, invalidBefore: number): boolean {
  return credential === 'valid' && invalidBefore >= MANY_INVALID && LOCKED_OUT.has(status ?? 0);
}

/** With 403 a target may also mean what the request says, so only the same body with the same fields tells. */
function keysOf({ method, path, body, contentType, headers = [] }: SuiteRequest): Readonly<Record<401 | 403, string>> {
  const target = `${method} ${path}`;
  const said = JSON.stringify([contentType, headers, body === null ? null : plainDigest(body)]);
  return { 401: target, 403: `${target} ${said}` };
}

/** What a client remembers of them. */
export class InvalidCredentials {
  readonly #options: Pick<ClientOptions, 'maxInvalidCredentials' | 'credentialPause' | 'clock'>;
  #sent = 0;
  #next = 0;
  /** Requests that got another answer with the valid credential. */
  readonly #answered = new Set<string>();
  /** Requests that the valid credential was rejected for before any invalid one was sent. */
  readonly #rejected = new Set<string>();
  /** Requests that were rejected right after the target had accepted the credential: no lock-out was the reason. */
  readonly #disproved = new Set<string>();
  #hasGivenUp = false;

  constructor(options: Pick<ClientOptions, 'maxInvalidCredentials' | 'credentialPause' | 'clock'>) {
    this.#options = options;
  }

  /** Milliseconds until a request with that credential may leave; throws `Skipped` where there were enough of them. */
  turn(credential: CredentialForm): number {
    if (!isInvalid(credential)) return 0;
    const { maxInvalidCredentials = Number.POSITIVE_INFINITY, credentialPause, clock } = this.#options;
    if (this.#sent >= maxInvalidCredentials) {
      const reason = `${maxInvalidCredentials} requests with an invalid credential were sent`;
      throw new Skipped(reason, { why: 'limit', remedy: 'raise --max-invalid-credentials' });
    }
    this.#sent += 1;
    const now = clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + credentialPause;
    return at - now;
  }

  /** Notes an answer; returns whether the target has locked this caller out, as far as it can be known. */
  noteAnswer(request: SuiteRequest, status: number | null): boolean {
    const { credential, operation } = request;
    if (status === null || this.#hasGivenUp) return false;
    if (credential !== 'valid') return false;
    // What is rejected before any invalid credential was sent is rejected for another reason.
    if (LOCKED_OUT.has(status) && this.#sent === 0) this.#rejected.add(keysOf(request)[401]);
    if (!LOCKED_OUT.has(status)) {
      const isRoom = this.#answered.size < MOST_ANSWERED;
      const keys = keysOf(request);
      if (isRoom && !isRetryable(status)) for (const key of Object.values(keys)) this.#answered.add(key);
      // Whatever is missing behind the operation, the credential was not.
      else if (isRoom && status === UNAVAILABLE) this.#answered.add(keys[401]);
      return false;
    }
    if (!mayBeLockedOut(credential, status, this.#sent)) return false;
    // A business rule may answer 403 to the same call at another time.
    if (status === 403 && operation === 'createCall') return false;
    if (status === 401 && this.#rejected.has(keysOf(request)[401])) return false;
    const key = keysOf(request)[status === 401 ? 401 : 403];
    return this.#answered.has(key) && !this.#disproved.has(`${status} ${key}`);
  }

  /** The credential was accepted between two such rejections of the request, so that no lock-out explains them. */
  disprove(request: SuiteRequest, status: number): void {
    this.#disproved.add(`${status} ${keysOf(request)[status === 401 ? 401 : 403]}`);
  }

  /** From now on no rejection is taken for a lock-out: waiting did not help. */
  giveUp(): void {
    this.#hasGivenUp = true;
  }
}
