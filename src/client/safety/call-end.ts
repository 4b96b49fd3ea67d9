/** What closes a call: the next step after each attempt to hang it up, as a pure function (conformance model, section 7). */

import { TIME } from '../../contract/limits.ts';
import { isRetryable, isSuccess } from '../../contract/statuses.ts';
import { WAITING } from '../../contract/waiting.ts';

/** The outcome of one hang-up request: a status, or why there is none. */
export type HangUpAnswer = number | 'timeout' | 'no-answer';

/** Whether an answer says that the call was hung up. */
export const isEnd = (answer: HangUpAnswer): boolean => typeof answer === 'number' && isSuccess(answer);

/** Between the calls of a run, or after the last one, when all calls that are left are tried again together. */
export type HangUpPhase = 'run' | 'end';

/** One attempt: a hang-up for each candidate id and credential, until one succeeds; `at` is when the last answer came. */
export interface HangUpAttempt {
  readonly at: number;
  readonly phase: HangUpPhase;
  readonly answers: readonly HangUpAnswer[];
  /** Milliseconds for which the last rejection asks to wait, if it does. */
  readonly retryAfter?: number;
}

/**
 * Why a call may be open: an answer shows it; an accepted answer shows one that was hung up before; a rejection shows
 * what may be its id; its id is a guess; it has none.
 */
export type Evidence = 'shown' | 'repeated' | 'claimed' | 'guessed' | 'none';

/** Everything that was done to end one call. Times are milliseconds on one clock. */
export interface CallHistory {
  readonly createdAt: number;
  readonly evidence: Evidence;
  readonly attempts: readonly HangUpAttempt[];
}

/** What the run has learned of its target. */
export interface KnownHangUps {
  /** The statuses that it gives for a call that was hung up before; see `answersAfterHangUp`. */
  readonly afterHangUp: ReadonlySet<number>;
  /** The statuses that it gives for a call that does not exist. */
  readonly ofUnknown: ReadonlySet<number>;
  /** A call of the run was hung up with a 2xx, so ids are read from the right place. */
  readonly isIdKnown: boolean;
  /** An earlier call of the run got the same 4xx through all waits for its setup, so one wait is enough from then on. */
  readonly isPatienceSpent: boolean;
}

/** What to do next; `wait` is in milliseconds. */
export type HangUpStep =
  | { readonly kind: 'closed' }
  | { readonly kind: 'try-again'; readonly wait: number }
  | { readonly kind: 'try-at-end' }
  | { readonly kind: 'give-up' };

const GIVE_UP: HangUpStep = { kind: 'give-up' };

/** At the end fewer attempts are made. */
const UNCLEAR_WAITS_AT_END = [500, 1_000] as const;
/** Milliseconds that the target may have one call wait in total before it is hung up again. */
const MOST_ASKED = 2 * TIME.wait;
/** Attempts that may time out, in a run and in total: each takes all the time that a request may take. */
const MAX_TIMEOUTS: Readonly<Record<HangUpPhase, number>> = { run: 2, end: 3 };

/** The next step for a call. In the phase `end` a call is closed or given up, never put off. */
export function nextHangUpStep(history: CallHistory, known: KnownHangUps, now: number, phase: HangUpPhase): HangUpStep {
  const { createdAt, attempts } = history;
  const last = attempts.at(-1);
  if (last !== undefined && isClosed(last, history, known)) return { kind: 'closed' };
  if (phase === 'run') {
    const wait = last === undefined ? 0 : waitInRun(last, history, known);
    return wait === undefined ? { kind: 'try-at-end' } : { kind: 'try-again', wait };
  }
  const untilSettled = Math.max(0, createdAt + TIME.settingUp - now);
  // A target that hangs says nothing of the age of the call.
  if (last?.phase !== 'end') return { kind: 'try-again', wait: last?.answers.includes('timeout') ? 0 : untilSettled };
  if (isUnclear(last)) {
    const wait = unclearWait(attempts, UNCLEAR_WAITS_AT_END, 'end');
    return wait === undefined ? GIVE_UP : { kind: 'try-again', wait };
  }
  const asked = askedWait(last, attempts);
  if (asked !== undefined) return { kind: 'try-again', wait: Math.max(asked, untilSettled) };
  return untilSettled > 0 ? { kind: 'try-again', wait: untilSettled } : GIVE_UP;
}

function isClosed(last: HangUpAttempt, { createdAt, evidence }: CallHistory, known: KnownHangUps): boolean {
  if (last.answers.some(isEnd)) return true;
  const isRejected = last.answers.every(isPlainRejection);
  // It was hung up with a 2xx before, so its id is right.
  if (evidence === 'repeated') return isRejected && !last.answers.includes(FORBIDDEN);
  // A younger call may still be being set up, whatever the same status means after a hang-up.
  const isSettled = last.at >= createdAt + TIME.settingUp;
  // The target rejected the create call as well, and many error bodies show an id of something else.
  const mayHide = last.answers.some((answer) => HIDING.includes(answer) && !known.ofUnknown.has(Number(answer)));
  if (evidence === 'claimed') return isRejected && isSettled && !mayHide;
  if (isKnownEnd(last, known)) return isSettled;
  // An id that was read from the wrong place gets 404, too.
  const isOurs = known.isIdKnown && evidence !== 'guessed';
  return isOurs && isSettled && last.phase === 'end' && last.answers.every((answer) => answer === 404);
}

const FORBIDDEN = 403;
/** Statuses that leave a claimed call open, unless the target gives them for a call that does not exist as well. */
const HIDING: readonly HangUpAnswer[] = [400, FORBIDDEN, 422];
/** A 4xx that speaks of the call or of its id: neither of the credential nor of the moment. */
const isPlainRejection = (answer: HangUpAnswer): boolean =>
  typeof answer === 'number' && answer >= 400 && answer < 500 && ![401, 423].includes(answer) && !isRetryable(answer);

/** Whether a call was tried again after every wait for its setup. */
export function isPatienceSpentOn({ attempts }: CallHistory): boolean {
  return attempts.filter((attempt) => !isUnclear(attempt)).length > WAITING.settingUp.waits.length;
}

/** Whether all answers can mean that the call has ended: others can be placed before it is tried again at the end. */
export function mayHaveEnded({ attempts, evidence }: CallHistory): boolean {
  const last = attempts.at(-1);
  // A target that asks for a wait says that the call is there.
  if (last === undefined || (last.retryAfter !== undefined && evidence !== 'claimed')) return false;
  const may = (answer: HangUpAnswer): boolean => typeof answer === 'number' && [404, 409, 410, 423].includes(answer);
  return last.answers.every((answer) => may(answer) || (evidence === 'claimed' && isPlainRejection(answer)));
}

function waitInRun(last: HangUpAttempt, history: CallHistory, known: KnownHangUps): number | undefined {
  const { attempts, evidence } = history;
  if (isUnclear(last)) return unclearWait(attempts, WAITING.hangUpUnclear.waits, 'run');
  const asked = askedWait(last, attempts);
  if (asked !== undefined) return asked;
  // It is tried once more at the end; a target may show such an id in each of its rejections.
  if (evidence === 'claimed') return undefined;
  // Where others can be placed meanwhile, the rest of the 30 s is waited for at the end.
  if (isKnownEnd(last, known) || mayHaveEnded(history)) return setupWait(attempts, known);
  return last.answers.some(isOfState) ? waitsLeft(attempts, WAITING.wrongState.waits) : undefined;
}

/** Any 4xx that may speak of the state of the call, such as 422 while it rings. */
const isOfState = (answer: HangUpAnswer): boolean =>
  typeof answer === 'number' && answer >= 400 && answer < 500 && answer !== 401 && answer !== 405;

/**
 * Whether every candidate id is tried now. In the run the likeliest has the time of a setup to itself: a call that is not
 * known yet gets 404, and the next id of the answer may be that of somebody else's call.
 */
export function triesAllIds(
  { attempts, evidence }: CallHistory,
  { isPatienceSpent }: Pick<KnownHangUps, 'isPatienceSpent'>,
  phase: HangUpPhase,
): boolean {
  const { waits } = WAITING.settingUp;
  const tried = attempts.filter((attempt) => !isUnclear(attempt)).length;
  return phase === 'end' || evidence === 'claimed' || tried >= (isPatienceSpent ? 1 : waits.length);
}

/** What the target asks for, while it has not asked for too much. */
function askedWait({ retryAfter }: HangUpAttempt, attempts: readonly HangUpAttempt[]): number | undefined {
  if (retryAfter === undefined) return undefined;
  const total = attempts.reduce((sum, attempt) => sum + (attempt.retryAfter ?? 0), 0);
  const isRepeated =
    attempts.filter((attempt) => attempt.retryAfter !== undefined).length > WAITING.settingUp.waits.length;
  return total > MOST_ASKED || isRepeated ? undefined : Math.max(retryAfter, WAITING.settingUp.waits[0]);
}

function setupWait(attempts: readonly HangUpAttempt[], { isPatienceSpent }: KnownHangUps): number | undefined {
  const { waits } = WAITING.settingUp;
  return waitsLeft(attempts, isPatienceSpent ? waits.slice(0, 1) : waits);
}

const waitsLeft = (attempts: readonly HangUpAttempt[], waits: readonly number[]): number | undefined =>
  waits[attempts.filter((attempt) => !isUnclear(attempt)).length - 1];

function unclearWait(
  attempts: readonly HangUpAttempt[],
  waits: readonly number[],
  phase: HangUpPhase,
): number | undefined {
  const timeouts = attempts.filter(({ answers }) => answers.includes('timeout')).length;
  const unclear = attempts.filter((attempt) => attempt.phase === phase && isUnclear(attempt)).length;
  return timeouts >= MAX_TIMEOUTS[phase] ? undefined : waits[unclear - 1];
}

/** Whether the answers say nothing about the call: it may have ended or not. */
export function isUnclear({ answers }: Pick<HangUpAttempt, 'answers'>): boolean {
  return answers.some((answer) => typeof answer === 'string' || answer >= 500 || isRetryable(answer));
}

/** Statuses that say that a call has ended, if the target gives them for one that was hung up. */
const OF_ENDED: readonly HangUpAnswer[] = [409, 410];

/** Any other status may say as well that the call can't be hung up yet, such as 422 while it rings. */
const isKnownEnd = ({ answers }: HangUpAttempt, { afterHangUp }: KnownHangUps): boolean =>
  answers.some((answer) => OF_ENDED.includes(answer) && afterHangUp.has(Number(answer)));

/** What the last attempt to hang up a call got, in a phrase. */
export function answersPhrase(attempts: readonly HangUpAttempt[]): string {
  const answers = attempts.at(-1)?.answers ?? [];
  const phrases = answers.map((answer) => (typeof answer === 'number' ? `status ${answer}` : 'no complete response'));
  return [...new Set(phrases)].join(', ') || 'no answer';
}

/**
 * The statuses that a target gives for a call that was hung up before, from its answers to valid hang-ups of one id in
 * order. 404 is not among them, as it may also mean an unknown call, nor are 401 and 403, which speak of the credential.
 */
export function answersAfterHangUp(answers: readonly HangUpAnswer[]): readonly number[] {
  const first = answers.findIndex(isEnd);
  if (first === -1) return [];
  return answers
    .slice(first + 1)
    .filter((answer): answer is number => typeof answer === 'number' && answer >= 400 && answer < 500)
    .filter((status) => ![401, 403, 404].includes(status) && !isRetryable(status));
}
