/**
 * The only table of waiting: after which responses a request is sent again, when, how often, and within which total
 * (conformance model, sections 5 and 7). Times are milliseconds. docs/data-protection.md prints it.
 * Below it stand the classes of statuses that follow.
 * The reasons are in docs/design/waiting.md.
 */

/** One way of waiting. */
export interface WaitRule {
  /** The request that is sent again. */
  readonly request: string;
  /** The responses after which it is, in words. */
  readonly after: string;
  /** The statuses among them. */
  readonly statuses: readonly number[];
  /** The wait before each further attempt; there are as many attempts as waits. */
  readonly waits: readonly number[];
  /** Whether the last wait is repeated until the bound is reached. */
  readonly isEndless?: true;
  /** Whether a time named in the response (`Retry-After`, `X-RateLimit-Reset`) counts instead. */
  readonly isAsked: boolean;
  /** The bound on the total, in words. */
  readonly within: string;
}

/** What a run waits for, as its results say it. */
export type WaitReason =
  | 'rate limit'
  | 'unavailable'
  | 'asked to wait'
  | 'lock-out'
  | 'busy line'
  | 'hang-up'
  | 'symptom'
  | 'outage'
  | 'silence'
  | 'late reads';

/** What a run waited for on an operation; `silence` is the time of requests that got no response in time. */
export interface Waited {
  readonly reason: WaitReason;
  /** An operation, or `undocumented`. */
  readonly operation: string;
  readonly times: number;
  readonly seconds: number;
  /** How often a wait exceeded what `--max-wait` had left; absent for never. */
  readonly short?: number;
}

const DOUBLING = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;
const BUSY = [500, 1_500, 3_000] as const;

/** Every way of waiting. */
export const WAITING = {
  unavailable: {
    request: 'any request but a create call',
    after: '408, 425 or 503',
    statuses: [408, 425, 503],
    waits: DOUBLING,
    isAsked: true,
    within:
      'six times within `--max-wait`, more often within 65 s; then no other request is waited for until the target answers one in another way; not after three equal 503 without `Retry-After`, if a read is answered at once',
  },
  limited: {
    request: 'the same; then requests go out more slowly',
    after: '429',
    statuses: [429],
    waits: DOUBLING,
    isAsked: true,
    isEndless: true,
    within: '`--max-wait`; with an invalid credential as above',
  },
  createCall: {
    request: 'a create call, if the answer shows that no call was placed',
    after: '408, 425, 429 or 503',
    statuses: [408, 425, 429, 503],
    waits: [1_000, 2_000, 4_000],
    isAsked: true,
    within: '`--max-wait`',
  },
  asked: {
    request: 'the same, with the valid credential',
    after: '403, 409 or 423 with `Retry-After`',
    statuses: [403, 409, 423],
    waits: DOUBLING,
    isAsked: true,
    within: '65 s',
  },
  lockedOut: {
    request: 'any request with the valid credential',
    after: '401 or 403 after three invalid credentials, while a read gets the same',
    statuses: [401, 403],
    waits: DOUBLING,
    isAsked: true,
    isEndless: true,
    within: '65 s for 403',
  },
  busyLine: {
    request: 'a create call after another call of the run',
    after: '409',
    statuses: [409],
    waits: BUSY,
    isAsked: false,
    within: 'once for each kind of create call',
  },
  settingUp: {
    request: 'a hang-up',
    after: '404, 409, 410 or 423: the call may still be connecting',
    statuses: [404, 409, 410, 423],
    waits: [500, 1_000, 2_000, 4_000],
    isAsked: true,
    within: 'at the end of the run once more, 30 s after the call was placed',
  },
  wrongState: {
    request: 'a hang-up',
    after: 'any other 4xx but 401 and 405: the state of the call may not allow it yet',
    statuses: [400, 403, 412, 422],
    waits: [500, 1_000, 2_000, 4_000, 8_000, 15_000],
    isAsked: true,
    within: '30 s; no other call is placed meanwhile',
  },
  ending: {
    request: 'a hang-up, before the next call is placed',
    after: '202: the call may end a while later',
    statuses: [202],
    waits: [0, 500, 1_000, 2_000, 3_000, 3_500],
    isAsked: false,
    within: '10 s, until it gets what an ended call gets',
  },
  hangUpUnclear: {
    request: 'a hang-up',
    after: 'no response, 408, 425, 429 or 5xx',
    statuses: [408, 425, 429, 500, 502, 503, 504],
    waits: [0, 500, 1_000, 2_000, 4_000],
    isAsked: true,
    within: 'at the end of the run twice more',
  },
  symptom: {
    request:
      'a request, alone and on a connection of its own, once a read is answered; a batch that has to be simultaneous as a batch',
    after: 'what a network or a gateway can cause: no response, a 5xx other than 503, an error that is not JSON',
    statuses: [500, 502, 504],
    waits: [0, 1_000, 4_000, 16_000],
    isAsked: false,
    within:
      'three times for an error that is not JSON, once for a response that does not come, which is then waited for 30 s',
  },
  symptomOfCall: {
    request: 'a create call that can dial; a call that was accepted is never repeated',
    after: 'the same',
    statuses: [500, 502, 504],
    waits: [4_000],
    isAsked: false,
    within: 'once',
  },
  outage: {
    request: 'a read, until it is answered; meanwhile nothing else is sent',
    after: 'the same, while it shows that the target is away',
    statuses: [500, 502, 504],
    waits: [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000],
    isAsked: false,
    within: '65 s',
  },
} as const satisfies Readonly<Record<string, WaitRule>>;

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
