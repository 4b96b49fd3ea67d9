/** How long to wait before a request is sent again, and when to give up (conformance model, section 5). */

import { type Header, headerValue } from '../exchange/message.ts';

/** Time as an argument: milliseconds since the epoch, and a pause that an interruption ends early. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A pause that nothing ends early, for clean-up; like `sleep` if absent. */
  rest?(milliseconds: number): Promise<void>;
}

/** How often one request is sent again. */
export const MOST_RESENDS = 6;
/** The longest single wait, in milliseconds; if a target asks for more, the request is not sent again. */
export const LONGEST_WAIT = 65_000;
/** A shorter wait, in milliseconds, is believed only once. */
const SHORTEST_REPEATED = 1_000;

function fieldOf(headers: readonly Header[], name: string): string {
  return headerValue(headers, name)?.trim() ?? '';
}

/** The three forms of RFC 9110, section 5.6.7; `Date.parse` alone accepts much more. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*\d\d:\d\d:\d\d/;

function retryAfter(headers: readonly Header[], now: number): number | undefined {
  const value = fieldOf(headers, 'retry-after');
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // The target means its dates by its own clock.
  const theirs = Date.parse(fieldOf(headers, 'date'));
  return Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}

/** `X-RateLimit-Reset` is an epoch in seconds or a delta: whichever gives a wait that is short enough. */
function rateLimitReset(headers: readonly Header[], now: number): number | undefined {
  const value = fieldOf(headers, 'x-ratelimit-reset');
  if (!/^\d+(\.\d+)?$/.test(value)) return undefined;
  const wait = Number(value) * 1000;
  return [wait, wait - now].find((each) => each >= 0 && each <= LONGEST_WAIT);
}

/**
 * Milliseconds to wait before the request is sent again for the `resend`th time (from 1), or `null` if the target asks
 * for too long a wait.
 */
export function waitFor(headers: readonly Header[], resend: number, now: number): number | null {
  const backoff = 1000 * 2 ** (resend - 1);
  const asked = retryAfter(headers, now) ?? rateLimitReset(headers, now) ?? backoff;
  if (asked > LONGEST_WAIT) return null;
  // A target that asks for no wait and then rejects the next request is not believed again.
  return resend > 1 && asked < SHORTEST_REPEATED ? backoff : asked;
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
