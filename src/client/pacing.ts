/** When to wait, how long, and when to give up: 408, 425, 429 and 503 are no answer (conformance model, section 5). */

import type { Header } from '../exchange/message.ts';

/** Time as an argument: milliseconds since the epoch, and a pause that an interruption ends early. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A pause that nothing ends early, for clean-up; like `sleep` if absent. */
  rest?(milliseconds: number): Promise<void>;
}

/** Statuses that say "not now" and so neither accept nor refuse. */
const NO_ANSWER: ReadonlySet<number> = new Set([408, 425, 429, 503]);

/** One wait is never longer than this; a target that asks for more is not waited for. */
export const LONGEST_WAIT = 65_000;

/** A wait below this, in milliseconds, is believed once. */
const SHORTEST_TWICE = 1_000;

/** How often one request is sent again. */
export const MOST_RESENDS = 6;

/** Whether a status is no answer. */
export function isNoAnswer(status: number | null): boolean {
  return status !== null && NO_ANSWER.has(status);
}

function fieldOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([field]) => field.toLowerCase() === name)?.[1].trim();
}

/** The three forms of RFC 9110, section 5.6.7; `Date.parse` takes much more for a date. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*\d\d:\d\d:\d\d/;

function retryAfter(headers: readonly Header[], now: number): number | undefined {
  const value = fieldOf(headers, 'retry-after');
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // A clock of its own says what the target means by its dates.
  const theirs = Date.parse(fieldOf(headers, 'date') ?? '');
  return Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}

/** `X-RateLimit-Reset` is an epoch in seconds or a delta: whichever gives a wait that is short enough. */
function rateLimitReset(headers: readonly Header[], now: number): number | undefined {
  const value = fieldOf(headers, 'x-ratelimit-reset');
  if (value === undefined || !/^\d+(\.\d+)?$/.test(value)) return undefined;
  const seconds = Number(value);
  const waits = [seconds * 1000, seconds * 1000 - now];
  return waits.find((wait) => wait >= 0 && wait <= LONGEST_WAIT);
}

/**
 * Milliseconds to wait before the request is sent again for the `resend`th time (from 1), or `null` where the target
 * asks for a longer wait than one may take.
 */
export function waitFor(headers: readonly Header[], resend: number, now: number): number | null {
  const patience = 1000 * 2 ** (resend - 1);
  const asked = retryAfter(headers, now) ?? rateLimitReset(headers, now) ?? patience;
  if (asked > LONGEST_WAIT) return null;
  // Whoever is sent away again after "at once" was told wrongly.
  return resend > 1 && asked < SHORTEST_TWICE ? patience : asked;
}

/** Spreads requests over time: `rate` requests a second, 0 for no limit. */
export class Pacer {
  readonly #gap: number;
  readonly #clock: Clock;
  #next = 0;

  constructor(rate: number, clock: Clock) {
    this.#gap = rate > 0 ? 1000 / rate : 0;
    this.#clock = clock;
  }

  /** Resolves when the next request may leave. */
  async turn(): Promise<void> {
    if (this.#gap === 0) return;
    const now = this.#clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await this.#clock.sleep(at - now);
  }
}
