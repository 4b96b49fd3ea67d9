/** What requests may cost on which the target hangs (docs/design/waiting.md). */

import type { CaseOperation } from '../contract/levels.ts';
import { HANGS, TIME, TRIALS } from '../contract/limits.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Place, SuiteRequest } from './request.ts';
import { isCreate } from './wire.ts';

/** Short timeouts, as a part of a whole one: a call may take half a minute. */
const SHORT = { call: 0.6, other: 1 / 8 } as const;

interface Known {
  /** Timeouts since its last response, and the longest of them in milliseconds. */
  readonly inARow: number;
  readonly longest: number;
  /** Milliseconds that its slowest response took. */
  readonly slowest: number;
}

/** Adds up the time that is lost to timeouts. */
export class Hangs {
  readonly #timeouts: Readonly<Record<'call' | 'other', number>>;
  readonly #known = new Map<CaseOperation, Known>();
  /** Milliseconds spent waiting for responses that never came, and until when; what waits at the same time counts once. */
  #lost = 0;
  #lostUntil = 0;

  /** Timeouts for one response, in milliseconds: of create call, and of everything else. */
  constructor(timeouts: Readonly<Record<'call' | 'other', number>>) {
    this.#timeouts = timeouts;
  }

  /** Takes what came of a request that was given so many milliseconds. */
  learn(request: SuiteRequest, { at, took, failure }: Pick<Exchange, 'at' | 'took' | 'failure'>, timeout: number) {
    const { inARow, longest, slowest } = this.#of(request) ?? { inARow: 0, longest: 0, slowest: 0 };
    const isTimeout = failure?.kind === 'timeout';
    this.#known.set(
      request.operation ?? 'undocumented',
      isTimeout
        ? { inARow: inARow + 1, longest: Math.max(longest, timeout), slowest }
        : { inARow: 0, longest: 0, slowest: Math.max(slowest, took) },
    );
    if (!isTimeout) return;
    this.#lost += Math.max(0, at + took - Math.max(at, this.#lostUntil));
    this.#lostUntil = at + took;
  }

  /** How many milliseconds a request may take. Slowness is not a failure, so the last repetition is patient. */
  timeoutFor(request: SuiteRequest, place: Place): number {
    const { call, other } = this.#timeouts;
    const known = this.#of(request);
    if (isCreate(request)) return (known?.inARow ?? 0) > 0 || this.#isLate ? call * SHORT.call : call;
    const isLast = place.after === 'hang' && place.cleanUp !== true;
    // Half a minute, as a hang takes to be believed, is waited once since the last response.
    if (isLast && (known?.longest ?? 0) < TIME.patient) return Math.max(other, Math.min(TIME.patient, this.#left));
    const isUnknown = known === undefined && place.cleanUp !== true;
    const part = request.role === 'health-check' || isUnknown ? 1 : this.#partOf(request, place);
    return Math.max(other * part, Math.min(TIME.patient, HANGS.margin * (known?.slowest ?? 0)));
  }

  /** The part of a whole timeout that a request gets. However much was lost, the first hang-up of a call gets all of it. */
  #partOf(request: SuiteRequest, { attempt, after, cleanUp }: Place): number {
    const isFirstHangUp =
      cleanUp === true && request.operation === 'hangUpCall' && attempt === 0 && after === undefined;
    const inARow = this.#of(request)?.inARow ?? 0;
    const isShort = this.#isLate || (cleanUp !== true && inARow >= HANGS.beforeShort);
    return isShort && !isFirstHangUp ? SHORT.other : 1;
  }

  get #isLate(): boolean {
    return this.#lost >= HANGS.lost * this.#timeouts.other;
  }

  /** Whether the operation hangs: it left its last requests without a response. */
  hangs(operation: CaseOperation): boolean {
    return (this.#known.get(operation)?.inARow ?? 0) >= TRIALS.rule;
  }

  /** Milliseconds that may be lost before the run ends. */
  get #left(): number {
    const { call, other } = this.#timeouts;
    return call + HANGS.lost * other - this.#lost;
  }

  /** The sentence that ends the run, or `null`. */
  get end(): string | null {
    if (this.#left > 0) return null;
    const seconds = Math.round(this.#lost / 1_000);
    return `the target left requests without a response for ${seconds} seconds in total: check it, or raise --timeout`;
  }

  #of({ operation }: SuiteRequest): Known | undefined {
    return this.#known.get(operation ?? 'undocumented');
  }
}
