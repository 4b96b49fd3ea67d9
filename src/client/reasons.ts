/**
 * Why a request is sent again: an ordered list of reasons. Each is a pure function of what the request got so far and
 * of what the run knows; it says how long to wait, or that waiting did not help. The reasons are in
 * docs/design/waiting.md.
 */

import { TIME, TRIALS } from '../contract/limits.ts';
import { isRetryableStatus, LIMITED, UNAVAILABLE, WAITING, type WaitReason } from '../contract/waiting.ts';
import { type Exchange, endOf, isPage } from '../exchange/exchange.ts';
import { type Header, headerValue } from '../exchange/message.ts';
import type { Again, GivenUp } from './budget.ts';
import { fieldOf, resetIn, retryAfter } from './rate.ts';
import { isCreate, isInvalid, type PlacedRequest, type SuiteRequest } from './request.ts';
import { dialsNothing } from './safety/guard.ts';

/** One sending of a request. */
export interface Sent {
  readonly exchange: Exchange;
  /** The target may have answered so because it has locked out the caller. */
  readonly isLockedOut: boolean;
  /** A symptom that a network or a gateway may have caused (`symptomOf`), or `null`. */
  readonly symptom: string | null;
  /** A read after it showed that the target had gone down. */
  readonly fell?: true;
}

/** All sendings of a request so far, the oldest first. */
export type Sendings = readonly [...Sent[], Sent];

/** What a run knows of its target when it decides on a wait. Times are milliseconds. */
export interface Known {
  /** Now, since the run began; and the beginning of the run, since the epoch. */
  readonly now: number;
  readonly startedAt: number;
  readonly left: number;
  /** A read that the target accepts is known, and this request is not that read. */
  readonly isCheckable: boolean;
  /** The keys for which waiting did not help, by `GivenUp`. */
  readonly gaveUp: ReadonlySet<string>;
  /** Calls were placed, so that the line may be busy. */
  readonly isLineUsed: boolean;
  /** Whether the symptom is known for its operation, or for what was sent. */
  readonly isBelieved: (sent: Sent) => boolean;
  readonly isOver: boolean;
}

/** `null` if it does not concern the last answer, `'settled'` if no further reason may be asked. */
type Reason = (sent: Sendings, delivered: PlacedRequest, known: Known) => Again | GivenUp | 'settled' | null;

const statusIn = ({ exchange }: Sent): number | null => exchange.response?.status ?? null;
const lastOf = (sent: Sendings): Sent => sent.at(-1) as Sent;
const routeKey = ({ method, operation, path }: SuiteRequest): string => `${method} ${operation ?? path}`;

/** The key of a target that puts off all requests; it holds until the target answers a request in another way. */
export const EXHAUSTED = 'retries exhausted';
/**
 * The key of an operation that is unavailable for good, until it answers otherwise. Invalid credentials may be rejected
 * earlier: a search without inventory had 503 for the valid one, and another 503 for an invalid one ended the key.
 */
export const unavailableKey = (request: SuiteRequest): string =>
  `unavailable ${routeKey(request)}${isInvalid(request.credential) ? ' invalid' : ''}`;

const ASKED: ReadonlySet<number> = new Set(WAITING.asked.statuses);

/** Whether an answer asks for its request to be sent again. For hang-ups, the ledger of calls decides that. */
export function isPutOff({ exchange: { response, request, tag } }: Pick<Sent, 'exchange'>): boolean {
  if (response === null) return false;
  const { status, headers } = response;
  const mayBeAsked = request.credential === 'valid' && tag.operation !== 'hangUpCall' && ASKED.has(status);
  return isRetryableStatus(status) || (mayBeAsked && retryAfter(headers, 0) !== undefined);
}

/** Whether an answer settles its request by itself, as most do; a create call may find the line busy. */
export const isFinal = (sent: Sent): boolean =>
  !sent.isLockedOut && sent.symptom === null && !isPutOff(sent) && sent.exchange.tag.operation !== 'createCall';

/** Sent again after any other answer, a create call might place a second call. */
const mayPlaceASecond = ({ request }: PlacedRequest, { exchange }: Sent): boolean =>
  isCreate(request) && exchange.response?.learned?.create !== 'rejected';

/** The wait that the last answer asks for, less the time since: others of its batch may have waited meanwhile. */
function askedWait(sent: Sendings, { now, startedAt, left }: Known): number | null {
  const last = lastOf(sent);
  const { response, tag } = last.exchange;
  const most = mayTakeAll(sent) ? Math.max(left, TIME.wait) : TIME.wait;
  const asked = waitFor(response?.headers ?? [], tag.resend + 1, startedAt + now, most);
  return asked === null ? null : Math.max(0, asked - (now - endOf(last.exchange)));
}

/**
 * A rejection that may be a lock-out. A read tells: it waits for the end of the lock-out itself, and the request is
 * sent again. Without it, one error route that rejects the credential by itself cost 301 seconds.
 */
const lockOut: Reason = (sent, delivered, known) => {
  const last = lastOf(sent);
  if (!last.isLockedOut) return null;
  if (mayPlaceASecond(delivered, last)) return 'settled';
  const status = statusIn(last);
  if (known.isCheckable) return { reason: 'lock-out', wait: 0, status, check: 'accepted' };
  // A 403 may be permanent.
  const most = status === 403 ? TIME.wait - (endOf(last.exchange) - endOf(sent[0].exchange)) : known.left;
  const wait = Math.min(askedWait(sent, known) ?? TIME.wait, known.left, most);
  // A lock-out that the run has no time to wait for is still one: the 401s behind it became five findings.
  if (wait <= 0) return known.left > 0 ? { gaveUp: [LOCKED_OUT] } : 'settled';
  return { reason: 'lock-out', wait, status };
};

/** The key of lock-outs: once waiting did not help, no rejection counts as a lock-out any more. */
export const LOCKED_OUT = 'locked out';

/** Three equal 503s that name no time to retry: a read shows whether the operation is unavailable for good. */
const unavailableForGood: Reason = (sent, { request }, known) => {
  const equal = sent.slice(-TRIALS.rule);
  const isFinal = statusIn(lastOf(sent)) === UNAVAILABLE && known.gaveUp.has(unavailableKey(request));
  if (isFinal) return 'settled';
  if (equal.length < TRIALS.rule || !equal.every(isUnavailable) || new Set(equal.map(errorText)).size > 1) return null;
  if (isCreate(request) || !known.isCheckable) return null;
  return { reason: 'unavailable', wait: 0, status: UNAVAILABLE, check: 'late' };
};

const isUnavailable = (sent: Sent): boolean =>
  statusIn(sent) === UNAVAILABLE && fieldOf(sent.exchange.response?.headers ?? [], 'retry-after') === '';
/** Numbers in a text, such as times and ids, may differ. */
const errorText = ({ exchange }: Sent): string => exchange.response?.body?.text?.replace(/\d+/g, '') ?? '';

/** A rate limit, an operation that is temporarily unavailable, and any answer that asks to retry later. */
const putOff: Reason = (sent, delivered, known) => {
  const last = lastOf(sent);
  const { request, place } = delivered;
  if (!isPutOff(last) || mayPlaceASecond(delivered, last) || isPageToCall(last)) return null;
  const status = statusIn(last);
  const reason: WaitReason =
    status === LIMITED ? 'rate limit' : isRetryableStatus(status) ? 'unavailable' : 'asked to wait';
  // A lock-out and a 429 to another credential are about the caller, so they do not count towards the create calls that
  // a run may have put off.
  const isOfCall = (sending: Sent): boolean =>
    !sending.isLockedOut && (request.credential === 'valid' || statusIn(sending) !== LIMITED);
  // Retries for a busy line do not count: a rejection in between shows that the target serves the request.
  const putOffs = sent.filter(isPutOff);
  if (putOffs.filter(isOfCall).length > (place.resends ?? Infinity)) return 'settled';
  const asked = askedWait(sent, known);
  if (place.cleanUp === true) return toCleanUp(sent, asked, reason, known);
  // A caller with invalid credentials is rate-limited on every operation, and separately.
  const isOfInvalid = isInvalid(request.credential) && status === LIMITED;
  const key = isOfInvalid ? 'invalid' : `${routeKey(request)} ${request.credential} ${status}`;
  if (known.gaveUp.has(key) || (!isRateLimit(last) && known.gaveUp.has(EXHAUSTED))) return 'settled';
  // Each sending may place a call after all.
  if (isCreate(request) && putOffs.length > WAITING.createCall.waits.length) return 'settled';
  const isLong = !mayTakeAll(sent) && waitedFor(sent, isRateLimit) + (asked ?? 0) > TIME.wait;
  if (asked !== null && !isLong) return { reason, wait: asked, status };
  return { gaveUp: isLong && !isOfInvalid ? [key, EXHAUSTED] : [key] };
};

/**
 * Whether the wait may take all that `--max-wait` has left: for a limit of the whole run, and up to six times for any
 * other put-off. A 503 with `Retry-After: 100` used to be given up after a minute, a 429 with 147 after 7 s.
 */
function mayTakeAll(sent: Sendings): boolean {
  const last = lastOf(sent);
  const isAgain = isRetryableStatus(statusIn(last)) && sent.filter(isPutOff).length <= WAITING.unavailable.waits.length;
  return isRateLimit(last) || isAgain;
}

/** Whether the whole run is limited, so that only `--max-wait` bounds the wait; not so for an invalid credential. */
const isRateLimit = (sent: Sent): boolean => statusIn(sent) === LIMITED && !isInvalid(sent.exchange.request.credential);

/** Milliseconds that a request has waited since it was put off, except for answers that `isNotCounted` selects. */
const waitedFor = (sent: readonly Sent[], isNotCounted: (sending: Sent) => boolean = () => false): number =>
  sent.slice(1).reduce((sum, { exchange }, at) => {
    const before = sent[at] as Sent;
    const isOther = before.isLockedOut || !isPutOff(before) || isNotCounted(before);
    return isOther ? sum : sum + exchange.at - endOf(before.exchange);
  }, 0);

/** Clean-up is put off no longer than other requests; an open call is hung up once more at the end of that time. */
function toCleanUp(sent: Sendings, asked: number | null, reason: WaitReason, known: Known): Again | 'settled' {
  const status = statusIn(lastOf(sent));
  const left = mayTakeAll(sent) ? known.left : Math.min(known.left, TIME.wait - waitedFor(sent));
  if (asked !== null && asked <= left) return { reason, wait: asked, status };
  const isHangUp = asked !== null && lastOf(sent).exchange.tag.operation === 'hangUpCall';
  return isHangUp && left >= TIME.shortWait ? { reason, wait: left, status } : 'settled';
}

/** What create calls have in common that get the same answer however long the line is waited for. */
const lineKey = ({ credential, control }: SuiteRequest): string =>
  `line ${isInvalid(credential) ? 'invalid' : `${credential} ${control}`}`;

/**
 * The line of a call that was just hung up may be busy for a moment. The rejection of the next call then says nothing
 * about its body or credential, so that call is sent again: after a 409, and after any rejection that names a time to
 * wait. A target that always answers so is waited for once.
 */
const busyLine: Reason = (sent, { request }, known) => {
  if (!isCreate(request) || !known.isLineUsed || known.gaveUp.has(lineKey(request))) return null;
  const asked = busyFor(lastOf(sent));
  if (lastOf(sent).exchange.response?.learned?.create !== 'rejected' || asked === null) return null;
  const { waits } = WAITING.busyLine;
  const times = sent.filter((sending) => busyFor(sending) !== null).length;
  const wait = waits[times - 1];
  if (wait === undefined) return { gaveUp: [lineKey(request)] };
  return { reason: 'busy line', wait: Math.max(wait, asked), status: statusIn(lastOf(sent)) };
};

/** Milliseconds for which a rejection asks to wait for the line, or `null` if it does not speak of the line. */
function busyFor(sent: Sent): number | null {
  const status = statusIn(sent);
  if (status !== 409 && status !== 403) return null;
  const asked = askedTime(sent.exchange);
  // A wait that an answer to the valid credential asked for is over already.
  if (asked !== null && sent.exchange.request.credential === 'valid') return null;
  return status === 403 && asked === null ? null : (asked ?? 0);
}

/** Milliseconds for which an error asks to wait, if it does and the wait is not too long. */
export function askedTime({ response }: Pick<Exchange, 'response'>): number | null {
  if (response === null || headerValue(response.headers, 'retry-after') === undefined) return null;
  return response.status < 300 ? null : waitFor(response.headers, 1, 0);
}

/** Whether a request may be repeated for a symptom. Hang-ups of this run's calls are retried by the ledger. */
function mayRepeat({ request, place }: PlacedRequest, { exchange }: Sent, isOver: boolean): boolean {
  if (request.role === 'health-check' || request.role === 'preflight' || request.once === true) return false;
  if (place.isOfLedger === true || (place.cleanUp === true && isOver)) return false;
  // An accepted call is never repeated, whatever symptom it shows, nor is a call that only serves another request.
  return request.role !== 'occasion' && exchange.response?.learned?.create !== 'placed';
}

const isHang = ({ exchange }: Sent): boolean => exchange.failure?.kind === 'timeout';

/** The waits before each further sending of a request that shows a symptom. */
function symptomWaits({ request }: PlacedRequest, last: Sent): readonly number[] {
  const { waits } = WAITING.symptom;
  if (isCreate(request) && !dialsNothing(request.body)) return WAITING.symptomOfCall.waits;
  if (isHang(last)) return waits.slice(0, 1);
  return isPage(last.exchange) && (statusIn(last) ?? 0) < 500 ? waits.slice(0, TRIALS.pages - 1) : waits;
}

/** A gateway that answers calls over a trunk with 503 and a page of its own: that is a symptom, not a put-off. */
export const isPageToCall = (sent: Pick<Sent, 'exchange'>): boolean =>
  sent.exchange.tag.operation === 'createCall' &&
  sent.exchange.response?.status === UNAVAILABLE &&
  isPage(sent.exchange);

/** How often a request showed a symptom, or hung as it did the last time; `null` if the symptom went away. */
function timesShown(sent: Sendings, delivered: PlacedRequest): number | null {
  // Sendings that were put off, met a lock-out or took the target down do not count.
  const counted = sent.filter((sending) => {
    const isAsked = isPutOff(sending) && !mayPlaceASecond(delivered, sending) && !isPageToCall(sending);
    return sending.fell !== true && !sending.isLockedOut && !isAsked;
  });
  if (!counted.every((sending) => sending.symptom !== null)) return null;
  return isHang(lastOf(sent)) ? counted.filter(isHang).length : counted.length;
}

/**
 * A symptom that a network or a gateway may have caused is repeated once a read is answered: alone, on a new
 * connection. After the target went down, the request is repeated at once, but not after it took the target down twice.
 */
const symptom: Reason = (sent, delivered, known) => {
  const last = lastOf(sent);
  if (last.symptom === null || known.isBelieved(last) || !mayRepeat(delivered, last, known.isOver)) return null;
  const times = timesShown(sent, delivered);
  if (times === null) return null;
  const then = symptomWaits(delivered, last)[Math.max(0, times - 1)];
  return then === undefined ? null : { reason: 'symptom', wait: 0, status: statusIn(last), check: 'present', then };
};

/** Whether every sending that counts showed a symptom, and the request was sent as often as it may be. */
export function isConfirmed(sent: Sendings, delivered: PlacedRequest): boolean {
  return (timesShown(sent, delivered) ?? 0) > symptomWaits(delivered, lastOf(sent)).length;
}

const REASONS: readonly Reason[] = [lockOut, unavailableForGood, putOff, busyLine, symptom];

/** The step of the first reason that concerns the last answer; `null` if the request is settled. */
export function nextStep(sent: Sendings, delivered: PlacedRequest, known: Known): Again | GivenUp | null {
  for (const reason of REASONS) {
    const said = reason(sent, delivered, known);
    if (said !== null) return said === 'settled' ? null : said;
  }
  return null;
}

/** Milliseconds before the `nth` (from 1) repetition, `null` past `most`; `now` is since the epoch. */
export function waitFor(headers: readonly Header[], nth: number, now: number, most: number = TIME.wait): number | null {
  const { waits } = WAITING.unavailable;
  const backoff = waits[Math.min(nth, waits.length) - 1] ?? 0;
  // A later reset belongs to a longer window than the one that was exceeded.
  const reset = [resetIn(headers, now) ?? -1].find((wait) => wait >= 0 && wait <= most);
  const asked = retryAfter(headers, now) ?? reset ?? backoff;
  if (asked > most) return null;
  // If a target asked for no wait and then rejected the next request, its zero is not believed again.
  return nth > 1 && asked < TIME.shortWait ? backoff : asked;
}
