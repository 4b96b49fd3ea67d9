/** What classes of HTTP statuses mean to the suite. */

import { WAITING } from './waiting.ts';

/** The id names nothing, or nothing that this caller may see. */
export const NOT_FOUND = 404;
/** Too many requests: the caller is limited, not the operation. */
export const LIMITED = 429;
/** A dependency is unavailable (section 7 of the specification). */
export const UNAVAILABLE = 503;

/** Statuses with which a target rejects the valid credential of a sender that it has locked out. */
export const OF_LOCK_OUTS: ReadonlySet<number | null> = new Set([401, 403]);

/** Statuses that neither accept nor reject a request, which is then sent again later (conformance model, section 5). */
const RETRYABLE_STATUSES: ReadonlySet<number | null> = new Set([
  ...WAITING.unavailable.statuses,
  ...WAITING.limited.statuses,
]);

/** Whether a status neither accepts nor rejects the request; `null` stands for no complete response. */
export function isRetryableStatus(status: number | null): boolean {
  return RETRYABLE_STATUSES.has(status);
}

/** Whether a status accepts the request; `null` stands for no complete response. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
