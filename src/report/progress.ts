/** The live line of a run: progress, the current wait and the estimated time left. */

import { SHOWN, TIME } from '../contract/limits.ts';
import { counted } from '../contract/lists.ts';
import { isSuccess, type WaitReason } from '../contract/waiting.ts';
import type { SuiteEvent } from '../run/suite-run.ts';
import { visible } from './text.ts';

type Waiting = Pick<Extract<SuiteEvent, { kind: 'wait' }>, 'reason' | 'status' | 'most'> & { readonly until: number };

/** The progress of a run that has not begun; times are milliseconds on the caller's clock. */
export const NO_PROGRESS = {
  startedAt: 0,
  cases: 0,
  /** How many sequences are planned; the engine adds those of the preflight and the clean-up. */
  planned: 0,
  /** How many of them have sent a request. */
  begun: 0,
  /** The names of the others, in one set for all states of a run: a copy for each of 5,800 took 0.8 s. */
  ahead: new Set<string>() as Pick<Set<string>, 'delete'>,
  requests: 0,
  /** The current wait. */
  waiting: null as Waiting | null,
  /** The sequence of the last exchange. */
  last: '',
  /** When the last event came. */
  heardAt: 0,
  /** How many milliseconds one request may take. */
  longest: 0,
};

/** The progress of a run. */
export type Progress = Readonly<typeof NO_PROGRESS>;

/** The progress after an event at that time. */
export function advance(before: Progress, event: SuiteEvent, at: number): Progress {
  const progress = { ...before, heardAt: at };
  switch (event.kind) {
    case 'plan': {
      const { cases, longest, sequences } = event;
      const ahead = new Set(sequences);
      return { ...progress, cases, longest, startedAt: at, planned: ahead.size, ahead };
    }
    case 'exchange': {
      const { sequence } = event.exchange.tag;
      const begun = before.begun + (before.ahead.delete(sequence) ? 1 : 0);
      return { ...progress, begun, requests: before.requests + 1, waiting: null, last: sequence };
    }
    case 'wait':
      return { ...progress, waiting: { ...event, until: at + event.milliseconds } };
    default:
      return progress;
  }
}

function secondsPhrase(milliseconds: number): string {
  // A difference of two times may exceed the wait by a rounding error, which must not count as another second.
  const whole = Math.max(0, Math.ceil(Math.round(milliseconds) / 1000));
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** What statuses that make a run wait are about. */
const CAUSE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'a lock-out',
  403: 'a lock-out or a deferred request',
  404: 'a call that may still be connecting',
  409: 'a busy resource',
  423: 'a locked resource',
  429: 'a rate limit',
  503: 'a dependency',
};

/** The purpose of waits that no rejection's status caused. */
const AWAITED: Readonly<Partial<Record<WaitReason, string>>> = {
  'late reads': 'the reads, which show a change late',
  'hang-up': 'the call to end',
  'rate limit': 'the reset of the rate limit',
};

/** What the status is about. Retries after a gateway's page with 401, up to four, were reported as a lock-out. */
function causeOfWait(reason: WaitReason, status: number): string | undefined {
  if (reason === 'symptom') return 'to see whether it stays';
  return reason === 'outage' ? undefined : CAUSE_OF_STATUS[status];
}

function waitPhrase({ until, reason, status, most }: Waiting, now: number): string {
  const bound = most === undefined || most <= 0 ? '' : ` (at most ${secondsPhrase(most)})`;
  const isRejected = status !== null && !isSuccess(status);
  const after = isRejected && [`status ${status}`, ...[causeOfWait(reason, status) ?? []].flat()].join(', ');
  const why = after ? `after ${after}` : `for ${AWAITED[reason] ?? 'the target to respond'}`;
  return `waiting ${secondsPhrase(until - now)} ${why}${bound}`;
}

/** Since when an answer is awaited: the last event, or the end of the wait that it announced. */
const quietSince = ({ heardAt, waiting }: Progress): number => Math.max(heardAt, waiting?.until ?? 0);

function nowPhrases(progress: Progress, now: number): readonly string[] {
  const { waiting, longest, startedAt, planned, begun } = progress;
  const [quiet, elapsed] = [now - quietSince(progress), now - startedAt];
  if (longest > 0 && quiet >= TIME.quiet) {
    return [`no response for ${secondsPhrase(quiet)} (a request takes ${secondsPhrase(longest)} at most)`];
  }
  if (waiting !== null) return [waitPhrase(waiting, now)];
  if (begun < SHOWN.beforeEstimate || elapsed <= 0) return [];
  return [`about ${secondsPhrase((elapsed / begun) * (planned - begun))} left`];
}

/** The live line at that time: as many of its parts as fit in `width` columns. */
export function progressLine(progress: Progress, now: number, width: number): string {
  const parts = [
    `${progress.begun}/${progress.planned} sequences`,
    counted(progress.requests, 'request'),
    ...nowPhrases(progress, now),
    ...(progress.last === '' ? [] : [visible(progress.last)]),
  ];
  return parts.reduce((line, part) => (`${line} · ${part}`.length <= width ? `${line} · ${part}` : line));
}

/** The line for a pipe after a while without an event and since the last line at `toldAt`; `null` if none is due. */
export function quietLine(progress: Progress, now: number, toldAt: number): string | null {
  const isQuiet = now - Math.max(quietSince(progress), toldAt) >= TIME.pipeQuiet;
  return progress.longest > 0 && isQuiet ? progressLine(progress, now, Number.POSITIVE_INFINITY) : null;
}

/** The line for a pipe after this event, or `null`: there is one for the plan, each wait, and every 50 requests. */
export function pipeLine(progress: Progress, event: SuiteEvent, at: number): string | null {
  if (event.kind === 'plan') return `${counted(progress.cases, 'case')} in ${progress.planned} sequences`;
  const due = event.kind === 'wait' || (event.kind === 'exchange' && progress.requests % SHOWN.requestsPerLine === 0);
  return due ? progressLine(progress, at, Number.POSITIVE_INFINITY) : null;
}
