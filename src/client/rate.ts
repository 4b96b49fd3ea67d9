/**
 * How fast a run may go: what the target announces (`Retry-After`, the IETF drafts' `RateLimit`, and `X-RateLimit-*`;
 * conformance model, section 5), and the resulting pace. Times are milliseconds; `now` is since the epoch.
 */

import { PACE } from '../contract/limits.ts';
import { LIMITED } from '../contract/waiting.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import { type Header, headerValue } from '../exchange/message.ts';
import type { ClientOptions, Clock } from './client-options.ts';
import { isInvalid } from './request.ts';

/** The first number under one of the names, as a parameter: `remaining=99`, `r=99`. */
function firstParameter(value: string, ...names: readonly string[]): number | undefined {
  const found = new RegExp(`(?:^|[\\s,;])(?:${names.join('|')})=(\\d{1,15})`).exec(value)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The trimmed value of a field, `''` without one. */
export const fieldOf = (headers: readonly Header[], name: string): string =>
  headerValue(headers, name)?.slice(0, 200).trim() ?? '';

/** The number in a field, or in that of the same name with `X-`. */
function numberIn(headers: readonly Header[], name: string): number | undefined {
  const text = fieldOf(headers, name) || fieldOf(headers, `x-${name}`);
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** The three forms of RFC 9110, section 5.6.7; `Date.parse` alone accepts much more. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*\d\d:\d\d:\d\d/;

/** The time of such a date, or NaN. An asctime date ends with the year and was once read in the local time zone. */
const dateIn = (text: string): number =>
  HTTP_DATE.test(text) ? Date.parse(text.replace(/ \d{4}$/, '$& GMT')) : Number.NaN;

/** A target's dates and epochs are by its own clock. */
function theirNow(headers: readonly Header[], now: number): number {
  const date = dateIn(fieldOf(headers, 'date'));
  return Number.isNaN(date) ? now : date;
}

/** The wait that `Retry-After` asks for, as seconds or as a date; `undefined` without a valid one. */
export function retryAfter(headers: readonly Header[], now: number): number | undefined {
  const value = fieldOf(headers, 'retry-after');
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = dateIn(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - theirNow(headers, now));
}

const ANNOUNCING = /^(?:x-)?ratelimit/i;

/** A reset is an epoch in seconds or milliseconds, or a delta in seconds. */
const [EPOCH, EPOCH_IN_MILLISECONDS] = [1e9, 1e12];

/** The time until the limit is reset, if an answer says so. */
export function resetIn(headers: readonly Header[], now: number): number | undefined {
  const at = firstParameter(fieldOf(headers, 'ratelimit'), 'reset', 't') ?? numberIn(headers, 'ratelimit-reset');
  if (at === undefined || at < EPOCH) return at === undefined ? undefined : at * 1_000;
  return (at < EPOCH_IN_MILLISECONDS ? at * 1_000 : at) - theirNow(headers, now);
}

/** The limit of the caller, as the answers to the valid credential announce it. It follows from the record alone. */
export class AnnouncedLimit {
  #rest = Number.POSITIVE_INFINITY;
  #until = 0;
  #limit = 0;
  #window = 0;
  /** Since the last 429: answers, and when the first of them came. */
  #passed = 0;
  #since = 0;
  /** The requests left when the reset was waited for: an answer that still has no more left disproves the reset. */
  #awaited: number | null = null;

  /** Takes an answer; `startedAt` is when the run began, in milliseconds since the epoch. */
  learn(exchange: Exchange, startedAt: number): void {
    const { response, request } = exchange;
    if (response === null || request.credential !== 'valid') return;
    const at = endOf(exchange);
    if (this.#passed === 0) this.#since = exchange.at;
    const isLimited = response.status === LIMITED;
    const asked = isLimited ? (retryAfter(response.headers, startedAt + at) ?? 0) : 0;
    if (this.#limit === 0 && asked > 0) {
      this.#window = at - this.#since + asked;
      this.#limit = this.#passed;
    }
    this.#passed = isLimited ? 0 : this.#passed + 1;
    const { headers } = response;
    if (!headers.some(([name]) => ANNOUNCING.test(name))) return;
    const [said, policy] = [fieldOf(headers, 'ratelimit'), fieldOf(headers, 'ratelimit-policy')];
    const limit =
      firstParameter(said, 'limit') ?? firstParameter(policy, 'q') ?? numberIn(headers, 'ratelimit-limit') ?? 0;
    const reset = resetIn(headers, startedAt + at);
    if (limit > 0) {
      // The first answers of a window are the furthest from its end.
      const window = Math.max(limit === this.#limit ? this.#window : 0, reset ?? 0);
      const seconds = firstParameter(policy, 'w');
      this.#window = seconds === undefined ? window : seconds * 1_000;
      this.#limit = limit;
    }
    const rest = firstParameter(said, 'remaining', 'r') ?? numberIn(headers, 'ratelimit-remaining');
    if (rest === undefined || reset === undefined) return;
    this.#rest = rest;
    this.#until = at + reset;
    if (this.#awaited !== null && rest > this.#awaited) this.#awaited = null;
  }

  /** Milliseconds until the reset if the remaining requests do not cover these and the end of the run; 0 if they do. */
  due(now: number, requests: number): number {
    const isSmall = this.#limit > 0 && this.#limit <= 2 * PACE.reserve;
    if (this.#rest >= PACE.reserve + requests || isSmall || this.#awaited !== null) return 0;
    return Math.max(0, this.#until - now);
  }

  waited(): void {
    this.#awaited = this.#rest;
    this.#rest = Number.POSITIVE_INFINITY;
  }

  /** The limit in words, ` of 100 requests in 900 s`; empty where no answer shows it. */
  get phrase(): string {
    return this.rate === null ? '' : ` of ${this.#limit} requests in ${Math.ceil(this.#window / 1_000)} s`;
  }

  /** Requests a second that the limit allows, with two digits; `null` where no answer shows it. */
  get rate(): number | null {
    if (this.#limit === 0 || this.#window <= 0) return null;
    const rate = (1_000 * this.#limit) / this.#window;
    const digit = 10 ** (Math.floor(Math.log10(rate)) - 1);
    return Number((Math.floor(rate / digit) * digit).toPrecision(2));
  }
}

/** The remedy, with the rate if it is known. */
export const lowerTo = (rate: number | null): string => (rate === null ? 'lower --rate' : `lower --rate to ${rate}`);

/** Spaces requests out: by `--rate`, by `--credential-pause`, and by what the target's 429 responses teach. */
export class Pace {
  readonly #clock: Clock;
  readonly #shortest: number;
  #gap: number;
  #next = 0;
  /** The learned gap, and how often a 429 came in spite of it. */
  #known = 0;
  #failures = 0;
  /** When the last 429 came, if any, and how many other answers have come since. */
  #limitedAt: number | null = null;
  #passed = 0;
  #calm = PACE.calm;
  readonly #credentialPause: number;
  /** When the next invalid credential may leave. */
  #nextInvalid = 0;

  /** `rate` requests a second, 0 for no limit. */
  constructor({ rate, clock, credentialPause }: Pick<ClientOptions, 'rate' | 'clock' | 'credentialPause'>) {
    this.#clock = clock;
    this.#credentialPause = credentialPause;
    this.#shortest = rate > 0 ? 1000 / rate : 0;
    this.#gap = this.#shortest;
  }

  /**
   * Milliseconds until `count` requests may leave together, `invalid` of them with an invalid credential: such a batch
   * leaves as much time before itself as after.
   */
  turn(count: number, invalid: number): number {
    const now = this.#clock.now();
    const at = Math.max(now, this.#next + (count - 1) * this.#gap);
    this.#next = at + count * this.#gap;
    if (invalid === 0) return at - now;
    const atInvalid = Math.max(now, this.#nextInvalid + (invalid - 1) * this.#credentialPause);
    this.#nextInvalid = atInvalid + invalid * this.#credentialPause;
    return Math.max(at, atInvalid) - now;
  }

  /** Learns from an answer; `isAlone`: its request did not leave with others. */
  learn({ request, response, tag }: Pick<Exchange, 'request' | 'response' | 'tag'>, isAlone: boolean): void {
    if (response?.status === LIMITED) this.#slowDown(tag.resend === 0 && isAlone && !isInvalid(request.credential));
    if (response === null || response.status === LIMITED) return;
    this.#passed += 1;
    if (this.#passed % this.#calm !== 0) return;
    const gap = this.#gap * 0.8;
    this.#gap = Math.max(this.#shortest, gap < PACE.shortestGap ? 0 : gap);
  }

  /**
   * After a second 429, requests leave at the rate that the target accepted in between, if this 429 `isTelling`: its
   * request left alone, was not sent before, and has a credential that counts. A 429 to too many invalid credentials,
   * or to several requests at once, does not slow down the others.
   */
  #slowDown(isTelling: boolean): void {
    const now = this.#clock.now();
    if (isTelling && this.#limitedAt !== null && this.#passed > 0) {
      const isEased = this.#gap < this.#known;
      if (!isEased && this.#known > 0 && this.#passed < PACE.calm) this.#failures += 1;
      const gap = Math.max(this.#known, (now - this.#limitedAt) / this.#passed);
      if (!isEased) this.#known = Math.min(PACE.longestGap, gap);
      this.#gap = this.#failures < PACE.failures ? this.#known : this.#shortest;
    }
    // The requests that were let through were too many, so the next attempt at a higher rate comes later.
    if (this.#passed >= this.#calm) this.#calm *= 2;
    this.#limitedAt = now;
    this.#passed = 0;
  }
}
