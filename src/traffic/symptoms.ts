/** What a network or a gateway can cause: in traffic, too, it is believed only where it persists (model, section 5). */

import type { Exchange } from '../exchange/exchange.ts';
import { headerOf, operationOf, statusOf, symptomOf } from '../verdict/answer.ts';
import type { Found } from './tally.ts';

/** So many times, with an answer of the service between them, and never without the symptom. */
const PERSISTENT = 3;
/** More kinds of requests are not followed. */
const MOST_FOLLOWED = 2_000;
/** Requests that were answered in order, each as a bit: of all that come, too many to keep. */
const BITS = 1 << 23;

interface Followed {
  count: number;
  /** How many answers of the service there were when it was last counted. */
  answers: number;
  readonly id: string;
  readonly found: Found;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash & (BITS - 1);
}

/** A redirect to another host is that of a load balancer or a portal. */
function leadsElsewhere(exchange: Exchange, base: string): boolean {
  const status = statusOf(exchange) ?? 0;
  const hostOf = (url: string): string | undefined =>
    /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();
  const host = hostOf(headerOf(exchange, 'location') ?? '');
  return status >= 300 && status < 400 && host !== undefined && host !== hostOf(base);
}

/** The symptom of an exchange, or `null`. */
export const trafficSymptomOf = (exchange: Exchange, base: string): string | null =>
  symptomOf(exchange) ?? (leadsElsewhere(exchange, base) ? `${operationOf(exchange)}: redirect` : null);

const requestOf = ({ request }: Exchange): string =>
  `${request.method} ${request.path} ${request.credential} ${request.body?.text ?? request.body?.digest ?? ''}`;

/** The symptoms of one service. */
export class Symptoms {
  /** Symptoms that were not followed, since there were too many kinds of them. */
  dropped = 0;
  readonly #sound = new Uint8Array(BITS / 8);
  readonly #soundOperations = new Set<string>();
  readonly #followed = new Map<string, Map<string, Followed>>();
  #answers = 0;

  /** An exchange without a symptom: what its request showed before does not persist. */
  sound(exchange: Exchange): void {
    const request = requestOf(exchange);
    const bit = hashOf(request);
    this.#sound[bit >> 3] = (this.#sound[bit >> 3] ?? 0) | (1 << (bit & 7));
    this.#soundOperations.add(operationOf(exchange));
    this.#followed.delete(request);
    this.#followed.delete(operationOf(exchange));
    this.#answers += 1;
  }

  /** A finding that may be that of a network; `made` keeps its exchange. */
  note(exchange: Exchange, symptom: string, id: string, made: () => Found): void {
    const request = requestOf(exchange);
    const bit = hashOf(request);
    const isSound = ((this.#sound[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    if (!isSound) this.#follow(request, symptom, id, made);
    const operation = operationOf(exchange);
    if (!this.#soundOperations.has(operation)) this.#follow(operation, symptom, id, made);
  }

  #follow(request: string, symptom: string, id: string, made: () => Found): void {
    const known = this.#followed.get(request);
    if (known === undefined && this.#followed.size >= MOST_FOLLOWED) {
      this.dropped += 1;
      return;
    }
    const own = known ?? new Map<string, Followed>();
    if (known === undefined) this.#followed.set(request, own);
    const one = own.get(`${symptom} ${id}`);
    if (one === undefined) own.set(`${symptom} ${id}`, { count: 1, answers: this.#answers, id, found: made() });
    else {
      one.found.count += 1;
      if (this.#answers > one.answers) one.count += 1;
      one.answers = this.#answers;
    }
  }

  /** The findings that persist, by case. */
  *persistent(): Iterable<readonly [id: string, found: Found]> {
    for (const own of this.#followed.values()) {
      for (const { count, id, found } of own.values()) if (count >= PERSISTENT) yield [id, found];
    }
  }
}
