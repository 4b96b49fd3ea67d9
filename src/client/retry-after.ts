/** How long an answer asks to wait (RFC 9110, section 10.2.3, and the fields that rate limits add). */

import { TIME } from '../contract/limits.ts';
import { WAITING } from '../contract/waiting.ts';
import { type Header, headerValue } from '../exchange/message.ts';

/** A shorter wait, in milliseconds, is believed only once. */
const SHORTEST_REPEATED = 1_000;

/** The trimmed value of a field, `''` without one. */
export const fieldOf = (headers: readonly Header[], name: string): string => headerValue(headers, name)?.trim() ?? '';

/** The three forms of RFC 9110, section 5.6.7; `Date.parse` alone accepts much more. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*\d\d:\d\d:\d\d/;

/** Milliseconds that `Retry-After` asks for, as seconds or as a date; `undefined` without a valid one. */
export function retryAfter(headers: readonly Header[], now: number): number | undefined {
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
  return [wait, wait - now].find((each) => each >= 0 && each <= TIME.wait);
}

/**
 * Milliseconds to wait before the request is sent again for the `resend`th time (from 1), or `null` if the target asks
 * for too long a wait. `now` is in milliseconds since the epoch.
 */
export function waitFor(headers: readonly Header[], resend: number, now: number): number | null {
  const { waits } = WAITING.unavailable;
  const backoff = waits[Math.min(resend, waits.length) - 1] ?? 0;
  const asked = retryAfter(headers, now) ?? rateLimitReset(headers, now) ?? backoff;
  if (asked > TIME.wait) return null;
  // A target that asks for no wait and then rejects the next request is not believed again.
  return resend > 1 && asked < SHORTEST_REPEATED ? backoff : asked;
}
