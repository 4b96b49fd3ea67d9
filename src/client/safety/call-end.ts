/**
 * What closes a call: the next step after each attempt to hang it up, as a pure function of the attempts and of what
 * the run has learned about its target (conformance model, section 7, "Closing"). The table is in docs/design/calls.md.
 */

import { TIME, TRIALS } from '../../contract/limits.ts';
import { isRetryableStatus, isSuccess, NOT_FOUND, WAITING } from '../../contract/waiting.ts';

/** The outcome of one hang-up request: a status, or why there is none. */
export type HangUpAnswer = number | 'timeout' | 'no-answer';

/** Whether an answer says that the call was hung up. */
export const isEnd = (answer: HangUpAnswer): boolean => typeof answer === 'number' && isSuccess(answer);

/** Between the calls of a run, or after the last one, when all calls that are left are tried again together. */
export type HangUpPhase = 'run' | 'end';

/** One attempt: a hang-up per candidate id and credential, until one succeeds; `at` is the time of the last answer. */
export interface HangUpAttempt {
  readonly at: number;
  readonly phase: HangUpPhase;
  readonly answers: readonly HangUpAnswer[];
  /** Milliseconds for which the last rejection asks to wait, if it does. */
  readonly retryAfter?: number;
}

/** Everything that was done to end one call. Times are milliseconds on one clock. */
export interface CallHistory {
  readonly createdAt: number;
  readonly attempts: readonly HangUpAttempt[];
  /** A hang-up of its id was accepted before: another caller's, or ours for an earlier create call. */
  readonly wasHungUp: boolean;
}

type Tried = Pick<CallHistory, 'attempts'>;

/** What the run has learned of its target. */
export interface KnownHangUps {
  /** The 4xx that it answers for a call that was hung up before; see `wordsForEnded`. */
  readonly words: ReadonlySet<number>;
  /** An earlier call of the run got the same 4xx through all waits for its setup, so one wait is enough now. */
  readonly isPatienceSpent: boolean;
}

/** The next step: hang up again after so many milliseconds, or nothing: the call is closed, or left for this phase. */
export type HangUpStep = number | 'closed' | 'left';

/** Statuses that may mean a call that is being set up as well as one that has ended. */
const OF_SETUP: ReadonlySet<HangUpAnswer> = new Set(WAITING.settingUp.statuses);
/** These are about the credential or the method, so a later attempt gets the same. */
const FINAL: ReadonlySet<HangUpAnswer> = new Set([401, 405]);
/** At the end fewer attempts are made. */
const UNCLEAR_WAITS = { run: WAITING.hangUpUnclear.waits, end: [500, 1_000] } as const;
/** Attempts that may time out, in a run and in total: each takes the full timeout. */
const MAX_TIMEOUTS: Readonly<Record<HangUpPhase, number>> = { run: 2, end: 3 };

const isClientError = (answer: HangUpAnswer): answer is number =>
  typeof answer === 'number' && answer >= 400 && answer < 500 && !isRetryableStatus(answer);

/** The next step for a call. A call left in the run is put off to the end, and a call left there is given up. */
export function nextHangUpStep(history: CallHistory, known: KnownHangUps, now: number, phase: HangUpPhase): HangUpStep {
  const { createdAt, attempts } = history;
  const last = attempts.at(-1);
  if (last !== undefined && isClosed(last, history, known)) return 'closed';
  if (phase === 'run') return last === undefined ? 0 : (waitInRun(last, history, known) ?? 'left');
  const untilSettled = Math.max(0, createdAt + TIME.settingUp - now);
  // A target that hangs says nothing about the age of the call.
  if (last?.phase !== 'end') return last?.answers.includes('timeout') ? 0 : untilSettled;
  if (isUnclear(last)) return unclearWait(attempts, 'end') ?? 'left';
  const wait = Math.max(hangUpWait(last, attempts) ?? 0, untilSettled);
  return wait > 0 ? wait : 'left';
}

function isClosed(last: HangUpAttempt, { createdAt, wasHungUp }: CallHistory, { words }: KnownHangUps): boolean {
  if (last.answers.some(isEnd)) return true;
  // A younger call may still be connecting, and a target that asks for a wait says that the call exists.
  const isOld = last.at >= createdAt + TIME.settingUp;
  if (last.retryAfter !== undefined) return false;
  if (saysEnded(last, words)) return isOld || wasHungUp;
  // 404 means ended only if it is the target's only answer for an ended call, since an unknown id gets 404, too.
  const isOneWord = words.has(NOT_FOUND) && words.size === 1;
  return isOld && last.phase === 'end' && isOneWord && last.answers.every((answer) => answer === NOT_FOUND);
}

/** Another caller's credential may get 404, so one such answer is enough. */
const saysEnded = ({ answers }: HangUpAttempt, words: ReadonlySet<number>): boolean =>
  answers.some((answer) => answer !== NOT_FOUND && words.has(Number(answer)));

/** How many attempts got an answer that says something about the call. */
const clearIn = (attempts: readonly HangUpAttempt[]): number =>
  attempts.filter((attempt) => !isUnclear(attempt)).length;

/** Whether a call was tried again after every wait for its setup. */
export const isPatienceSpentOn = ({ attempts }: Tried): boolean => clearIn(attempts) > WAITING.settingUp.waits.length;

/** Whether all answers can mean that the call has ended: others can be placed before it is retried at the end. */
export function mayHaveEnded({ attempts }: Tried, { words }: Pick<KnownHangUps, 'words'>): boolean {
  const last = attempts.at(-1);
  if (last === undefined || last.retryAfter !== undefined) return false;
  const isOpenIfUnknown = words.size > 0 && !words.has(NOT_FOUND);
  const may = (answer: HangUpAnswer): boolean => OF_SETUP.has(answer) && (answer !== NOT_FOUND || !isOpenIfUnknown);
  return saysEnded(last, words) || last.answers.every(may);
}

function waitInRun(last: HangUpAttempt, history: CallHistory, known: KnownHangUps): number | undefined {
  const { attempts } = history;
  if (isUnclear(last)) return unclearWait(attempts, 'run');
  const asked = hangUpWait(last, attempts);
  if (asked !== undefined) return asked;
  const { settingUp, wrongState } = WAITING;
  // If other calls can be placed meanwhile, the rest of the 30 s is waited at the end.
  if (mayHaveEnded(history, known))
    return waitsLeft(attempts, known.isPatienceSpent ? settingUp.waits.slice(0, 1) : settingUp.waits);
  return last.answers.some(isOfState) ? waitsLeft(attempts, wrongState.waits) : undefined;
}

/** Whether an answer is about the state of the call: a hang-up may come too early or too late. */
export const isOfState = (answer: HangUpAnswer): boolean => isClientError(answer) && !FINAL.has(answer);

/**
 * Whether every candidate id is tried now. During the run the likeliest is tried alone for the time of a setup: a call
 * that is not known yet gets 404, and the next id of the answer may belong to another client's call.
 */
export function triesAllIds({ attempts }: Tried, { isPatienceSpent }: KnownHangUps, phase: HangUpPhase): boolean {
  return phase === 'end' || clearIn(attempts) >= (isPatienceSpent ? 1 : WAITING.settingUp.waits.length);
}

/** The wait that the target asks for, while it has not asked for too much. */
function hangUpWait({ retryAfter }: HangUpAttempt, attempts: readonly HangUpAttempt[]): number | undefined {
  if (retryAfter === undefined) return undefined;
  const asked = attempts.flatMap((attempt) => attempt.retryAfter ?? []);
  const total = asked.reduce((sum, wait) => sum + wait, 0);
  const isTooMuch = total > 2 * TIME.wait || asked.length > WAITING.settingUp.waits.length;
  return isTooMuch ? undefined : Math.max(retryAfter, WAITING.settingUp.waits[0]);
}

const waitsLeft = (attempts: readonly HangUpAttempt[], waits: readonly number[]): number | undefined =>
  waits[clearIn(attempts) - 1];

function unclearWait(attempts: readonly HangUpAttempt[], phase: HangUpPhase): number | undefined {
  const timeouts = attempts.filter(({ answers }) => answers.includes('timeout')).length;
  const unclear = attempts.filter((attempt) => attempt.phase === phase && isUnclear(attempt)).length;
  return timeouts >= MAX_TIMEOUTS[phase] ? undefined : UNCLEAR_WAITS[phase][unclear - 1];
}

const isLostHangUp = (answer: HangUpAnswer): boolean => typeof answer === 'string' || answer >= 500;

/** Whether the answers leave open whether the call has ended. */
export function isUnclear({ answers }: Pick<HangUpAttempt, 'answers'>): boolean {
  return answers.some((answer) => isLostHangUp(answer) || isRetryableStatus(Number(answer)));
}

/** The answers to the last attempt to hang up a call, in a phrase. */
export function answersPhrase(attempts: readonly HangUpAttempt[]): string {
  const answers = attempts.at(-1)?.answers ?? [];
  const phrases = answers.map((answer) => (typeof answer === 'number' ? `status ${answer}` : 'no complete response'));
  return [...new Set(phrases)].join(', ') || 'no answer';
}

/**
 * The 4xx that a target answers for a call that was hung up before, from its answers to the hang-ups of each id, in
 * order. 401 and 403 are not among them: they are about the credential. Where every effective hang-up loses its answer
 * (a reset, 502), the answers after a lost one count, once this holds for every call and for at least two.
 */
export function wordsForEnded(calls: readonly (readonly HangUpAnswer[])[]): ReadonlySet<number> {
  const isAllLost = calls.every(([first]) => first !== undefined && isLostHangUp(first)) && !calls.flat().some(isEnd);
  const counted = isAllLost && calls.length < TRIALS.calls ? [] : calls;
  const from = isAllLost ? isLostHangUp : isEnd;
  return new Set(
    counted.flatMap((answers) => {
      const first = answers.findIndex(from);
      const after = first === -1 ? [] : answers.slice(first + 1);
      return after.filter(isClientError).filter((status) => status !== 401 && status !== 403);
    }),
  );
}
