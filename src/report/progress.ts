/** The live line of a run: how far it is, how fast, what it waits for and how long it may still take. Pure. */

import type { SuiteEvent } from '../run/suite-run.ts';
import { counted } from './console/paint.ts';
import { visible } from './visible.ts';

/** How far a run is; times are milliseconds on the caller's clock. */
export interface Progress {
  readonly startedAt: number;
  readonly cases: number;
  readonly planned: number;
  /** Planned sequences of which a request has been seen. */
  readonly begun: ReadonlySet<string>;
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
  begun: new Set(),
  requests: 0,
  waiting: null,
  last: '',
};

/** Sequences that the engine adds to those of the plan. */
const UNPLANNED = /^(clean-up$|preflight\/)| \(control\)$/;

function withBegun(begun: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return begun.has(name) || UNPLANNED.test(name) ? begun : new Set([...begun, name]);
}

/** The progress after an event that came at that moment. */
export function advance(progress: Progress, event: SuiteEvent, at: number): Progress {
  switch (event.kind) {
    case 'plan':
      return { ...progress, startedAt: at, cases: event.cases, planned: event.sequences };
    case 'exchange': {
      const { sequence } = event.exchange.tag;
      const begun = withBegun(progress.begun, sequence);
      return { ...progress, begun, requests: progress.requests + 1, waiting: null, last: sequence };
    }
    case 'wait':
      return { ...progress, waiting: { until: at + event.milliseconds, status: event.status } };
    default:
      return progress;
  }
}

function seconds(milliseconds: number): string {
  const whole = Math.max(0, Math.ceil(milliseconds / 1000));
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Too little has been seen before this to say how long the rest takes. */
const FEWEST_FOR_ESTIMATE = 10;

function estimate(progress: Progress, now: number): readonly string[] {
  const begun = progress.begun.size;
  const elapsed = now - progress.startedAt;
  if (begun < FEWEST_FOR_ESTIMATE || elapsed <= 0) return [];
  return [`about ${seconds((elapsed / begun) * (progress.planned - begun))} left`];
}

function rate(progress: Progress, now: number): readonly string[] {
  const elapsed = (now - progress.startedAt) / 1000;
  return progress.requests === 0 || elapsed <= 0 ? [] : [`${Math.round(progress.requests / elapsed)}/s`];
}

/** The live line at a moment, at most `width` columns wide. */
export function progressLine(progress: Progress, now: number, width: number): string {
  const { waiting } = progress;
  const parts = [
    `${progress.begun.size}/${progress.planned} sequences`,
    counted(progress.requests, 'request'),
    ...rate(progress, now),
    ...(waiting === null
      ? estimate(progress, now)
      : [`waiting ${seconds(waiting.until - now)}, the target answered ${waiting.status}`]),
    ...(progress.last === '' ? [] : [visible(progress.last)]),
  ];
  const line = parts.join(' · ');
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

/** In a pipe a line is written after so many requests. */
const PIPE_EVERY = 50;

/** The plain line for a pipe after this event, or `null` where none is due: for the plan, each wait, every 50 requests. */
export function pipeLine(progress: Progress, event: SuiteEvent, at: number): string | null {
  if (event.kind === 'plan') return `${counted(progress.cases, 'case')} in ${progress.planned} sequences`;
  const due = event.kind === 'wait' || (event.kind === 'exchange' && progress.requests % PIPE_EVERY === 0);
  return due ? progressLine(progress, at, Number.POSITIVE_INFINITY) : null;
}
