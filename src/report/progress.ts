/** The live line of a run: how far it is, how fast, what it waits for and how long it may still take. Pure. */

import { counted } from './console/paint.ts';
import { cut, visible } from './visible.ts';

/** What a run reports while it goes on; `at` is milliseconds since the run began. */
export type ProgressEvent =
  | { readonly kind: 'plan'; readonly at: number; readonly cases: number; readonly sequences: readonly string[] }
  | { readonly kind: 'exchange'; readonly at: number; readonly sequence: string }
  | { readonly kind: 'wait'; readonly at: number; readonly milliseconds: number; readonly status: number };

/** How far a run is. */
export interface Progress {
  readonly startedAt: number;
  readonly cases: number;
  readonly planned: number;
  /** Planned sequences that no request of has been seen yet. */
  readonly ahead: ReadonlySet<string>;
  readonly requests: number;
  /** The wait that goes on, until the next exchange. */
  readonly waiting: { readonly until: number; readonly status: number } | null;
  /** The sequence that was heard of last. */
  readonly last: string;
}

/** A run of which nothing is known yet. */
export const NO_PROGRESS: Progress = {
  startedAt: 0,
  cases: 0,
  planned: 0,
  ahead: new Set(),
  requests: 0,
  waiting: null,
  last: '',
};

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  if (!names.has(name)) return names;
  const rest = new Set(names);
  rest.delete(name);
  return rest;
}

/** The progress after an event. */
export function advance(progress: Progress, event: ProgressEvent): Progress {
  switch (event.kind) {
    case 'plan': {
      const ahead = new Set(event.sequences);
      return { ...progress, startedAt: event.at, cases: event.cases, planned: ahead.size, ahead };
    }
    case 'exchange': {
      const ahead = without(progress.ahead, event.sequence);
      return { ...progress, ahead, requests: progress.requests + 1, waiting: null, last: event.sequence };
    }
    case 'wait':
      return { ...progress, waiting: { until: event.at + event.milliseconds, status: event.status } };
  }
}

function seconds(milliseconds: number): string {
  const whole = Math.max(0, Math.ceil(milliseconds / 1000));
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Too little has been seen before this to say how long the rest takes. */
const FEWEST_FOR_ESTIMATE = 10;

function estimate(progress: Progress, now: number): readonly string[] {
  const begun = progress.planned - progress.ahead.size;
  const elapsed = now - progress.startedAt;
  if (begun < FEWEST_FOR_ESTIMATE || elapsed <= 0) return [];
  return [`about ${seconds((elapsed / begun) * progress.ahead.size)} left`];
}

function rate(progress: Progress, now: number): readonly string[] {
  const elapsed = (now - progress.startedAt) / 1000;
  return progress.requests === 0 || elapsed <= 0 ? [] : [`${Math.round(progress.requests / elapsed)}/s`];
}

/** The live line at a moment, at most `width` columns wide. */
export function progressLine(progress: Progress, now: number, width: number): string {
  const begun = progress.planned - progress.ahead.size;
  const { waiting } = progress;
  const parts = [
    `${begun}/${progress.planned} sequences`,
    counted(progress.requests, 'request'),
    ...rate(progress, now),
    ...(waiting === null
      ? estimate(progress, now)
      : [`waiting ${seconds(waiting.until - now)}, the target answered ${waiting.status}`]),
    ...(progress.last === '' ? [] : [visible(progress.last)]),
  ];
  const line = parts.join(' · ');
  return line.length <= width ? line : `${cut(line, Math.max(0, width - 1)).split('… (')[0]}…`;
}

/** In a pipe a line is written after so many requests. */
const PIPE_EVERY = 50;

/** The plain line for a pipe after this event, or `null` where it is not yet due: every 50 requests, and each wait. */
export function pipeLine(progress: Progress, event: ProgressEvent): string | null {
  if (event.kind === 'plan') return `${counted(progress.cases, 'case')} in ${progress.planned} sequences`;
  const due = event.kind === 'wait' || progress.requests % PIPE_EVERY === 0;
  return due ? progressLine(progress, event.at, Number.POSITIVE_INFINITY) : null;
}
