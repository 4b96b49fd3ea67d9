/** Whether the target is up: sends a read, and waits for its answer (docs/design/symptoms.md). */

import { TIME, TRIALS } from '../contract/limits.ts';
import { picked } from '../contract/lists.ts';
import { WAITING } from '../contract/waiting.ts';
import { type Exchange, endOf, isUnanswered, isUnsent, symptomOf } from '../exchange/exchange.ts';
import type { Again, Budget } from './budget.ts';
import type { ClientOptions } from './client-options.ts';
import type { Sent } from './reasons.ts';
import type { Answer, Place, PlacedRequest, SuiteRequest } from './request.ts';
import type { Settlements } from './settlements.ts';

interface PresencePorts extends Pick<ClientOptions, 'check' | 'onGone'> {
  readonly budget: Budget;
  readonly settlements: Settlements;
  readonly send: (request: SuiteRequest, place: Place) => Promise<Pick<Answer, 'exchange'>>;
}

/** Repeats a read until it shows no symptom or the outage has lasted 65 seconds. */
export function nextCheck(checks: readonly Exchange[]): Again | null {
  const [first, last] = [checks[0], checks.at(-1)];
  if (first === undefined || last === undefined) return { reason: 'outage', wait: 0 };
  const wait = WAITING.outage.waits[checks.length - 1];
  if (symptomOf(last) === null || wait === undefined) return null;
  return endOf(last) - first.at + wait > TIME.wait ? null : { reason: 'outage', wait };
}

/** Checks whether the target is up. */
export class Presence {
  readonly #ports: PresencePorts;

  constructor(ports: PresencePorts) {
    this.#ports = ports;
  }

  /** Whether the target is up again after a request with a symptom, and was not taken down twice by it. */
  async isBack(placed: PlacedRequest, sent: Sent[]): Promise<boolean> {
    const last = sent.at(-1) as Sent;
    const { exchange } = last;
    const isLost = isUnanswered(exchange);
    if (sent.length > 1 && !isLost) return true;
    const found = await this.of(placed);
    if (found !== 'back' || !isLost || isUnsent(exchange)) return found !== 'gone';
    sent[sent.length - 1] = { ...last, fell: true };
    const fallen = sent.filter(({ fell }) => fell === true).map((sending) => sending.exchange);
    if (fallen.length < TRIALS.falls) return true;
    this.#ports.settlements.confirm(fallen, true);
    return false;
  }

  /**
   * Whether the target responds at once, only after a wait, or not any more. A refused connection, or three reads in a
   * row without an answer, is an outage: a network that loses one response in ten loses three in a row once in 1,000.
   */
  async of(placed: PlacedRequest): Promise<'present' | 'back' | 'gone'> {
    const from = this.#ports.settlements.sound + 1;
    let avoiding: string | null = null;
    const checks = await this.#ports.budget.untilSettled<Exchange>({
      sent: [],
      isCleanUp: placed.place.cleanUp === true,
      next: nextCheck,
      send: async () => {
        const answer = await this.read(placed, avoiding);
        // If the target is up and only this read is broken for good, another read shows it.
        avoiding = answer?.tag.operation === avoiding ? null : (answer?.tag.operation ?? null);
        return answer;
      },
    });
    const last = checks.at(-1);
    if (last === undefined) return 'present';
    if (checks.length > TRIALS.calls) this.#ports.settlements.outage(from, last.seq);
    const unanswered = checks.filter(isUnanswered);
    const isBack = unanswered.length >= TRIALS.rule || unanswered.some(isUnsent);
    if (!isUnanswered(last)) return isBack ? 'back' : 'present';
    const detail = last.failure?.detail ?? `status ${last.response?.status}`;
    this.#ports.onGone?.(`the target stopped responding in the middle of the run: ${detail}`);
    return 'gone';
  }

  /** Sends a read that the target accepts; `null` if none is known or it may not leave. */
  async read({ request, place }: PlacedRequest, avoided?: string | null): Promise<Exchange | null> {
    const check = this.#ports.check?.(avoided) ?? null;
    if (check === null) return null;
    const { sequence, attempt, cleanUp = false } = place;
    const read = { ...check, ...picked(request, ['origin']) };
    return (await this.#ports.send(read, { sequence, attempt, cleanUp })).exchange;
  }
}
