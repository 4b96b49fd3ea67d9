/** The pace of a run: no more requests a second than the user allows, nor than the target takes. */

import { PACE } from '../contract/limits.ts';
import { LIMITED } from '../contract/statuses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { ClientOptions, Clock } from './client-options.ts';
import { isInvalid } from './invalid-credentials.ts';

/** Spaces requests out, by `--rate`, by `--credential-pause`, and by what the target's 429 responses teach. */
export class Pace {
  readonly #clock: Clock;
  readonly #shortest: number;
  #gap: number;
  #next = 0;
  /** The gap that was learned, and how often a 429 came in spite of it. */
  #known = 0;
  #failures = 0;
  #limits = 0;
  /** When the last 429 came, and how many other answers have come since. */
  #limitedAt: number;
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
    this.#limitedAt = clock.now();
  }

  /** Milliseconds until that many requests may leave at the same moment: they leave as much time before as after them. */
  turn(count: number): number {
    const now = this.#clock.now();
    const at = Math.max(now, this.#next + (count - 1) * this.#gap);
    this.#next = at + count * this.#gap;
    return at - now;
  }

  /** Milliseconds until another request with an invalid credential may leave. */
  turnOfInvalid(): number {
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextInvalid);
    this.#nextInvalid = at + this.#credentialPause;
    return at - now;
  }

  /** Takes an answer; `isAlone`: its request did not leave beside others. */
  learn({ request, response, tag }: Pick<Exchange, 'request' | 'response' | 'tag'>, isAlone: boolean): void {
    if (response?.status === LIMITED) this.#slowDown(tag.resend === 0 && isAlone && !isInvalid(request.credential));
    if (response === null || response.status === LIMITED) return;
    this.#passed += 1;
    if (this.#passed % this.#calm !== 0) return;
    const gap = this.#gap * 0.8;
    this.#gap = Math.max(this.#shortest, gap < PACE.shortestGap ? 0 : gap);
  }

  /**
   * After a 429, requests leave no faster than the target took them since the 429 before, if this one `isTelling`: of
   * a request that left alone, was not sent before, and has a credential that counts. What comes of too many invalid
   * credentials, or of several requests at once, does not slow down the others.
   */
  #slowDown(isTelling: boolean): void {
    const now = this.#clock.now();
    if (isTelling && this.#limits > 0 && this.#passed > 0) this.#learn((now - this.#limitedAt) / this.#passed);
    // What was let through was too much: the next attempt at more comes later.
    if (this.#passed >= this.#calm) this.#calm *= 2;
    this.#limits += 1;
    this.#limitedAt = now;
    this.#passed = 0;
  }

  #learn(gap: number): void {
    const isEased = this.#gap < this.#known;
    if (!isEased && this.#known > 0 && this.#passed < PACE.calm) this.#failures += 1;
    if (!isEased) this.#known = Math.min(PACE.longestGap, Math.max(this.#known, gap));
    this.#gap = this.#failures < PACE.failures ? this.#known : this.#shortest;
  }
}
