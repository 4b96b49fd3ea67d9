/** What a network or a gateway can cause: in traffic, too, it is believed only where it persists (model, section 5). */

import type { Exchange } from '../exchange/exchange.ts';
import { headerOf, operationOf, statusOf, symptomOf } from '../verdict/answer.ts';
import type { Finding } from '../verdict/opinion.ts';

/** Number of times, with an answer of the service between them, and never without the symptom. */
const PERSISTENT = 3;
/** More kinds of requests are not followed. */
const MOST_FOLLOWED = 2_000;
/** Requests that were answered in order, each as a bit: of all that come, too many to keep. */
const BITS = 1 << 23;

/** Equal findings of a case, and the smallest exchange that shows them. */
export interface Found {
  readonly finding: Finding;
  readonly example: Exchange;
  count: number;
}

/** A finding of a case, and how often it came with answers of the service in between. */
interface Followed {
  readonly id: string;
  readonly found: Found;
  times: number;
  /** How many answers of the service there were when it last came. */
  answers: number;
}

function bitOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash & (BITS - 1);
}

const hostOf = (url: string): string | undefined =>
  /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();

/** The symptom of an exchange, or `null`: a redirect to another host is that of a load balancer or a portal. */
export function trafficSymptomOf(exchange: Exchange, base: string): string | null {
  const status = statusOf(exchange) ?? 0;
  const host = hostOf(headerOf(exchange, 'location') ?? '');
  const leadsElsewhere = status >= 300 && status < 400 && host !== undefined && host !== hostOf(base);
  return leadsElsewhere ? `${operationOf(exchange)}: redirect` : symptomOf(exchange);
}

const requestOf = ({ request }: Exchange): string =>
  `${request.method} ${request.path} ${request.credential} ${request.body?.text ?? ''}`;

/** The symptoms of one service, by request and by operation. */
export class Symptoms {
  /** Symptoms that were not followed, since there were too many kinds of them. */
  dropped = 0;
  readonly #soundRequests = new Uint8Array(BITS / 8);
  readonly #soundOperations = new Set<string>();
  readonly #followed = new Map<string, Map<string, Followed>>();
  #answers = 0;

  /** An exchange without a symptom: what its request and its operation showed before does not persist. */
  sound(exchange: Exchange): void {
    const [request, operation] = [requestOf(exchange), operationOf(exchange)];
    const bit = bitOf(request);
    this.#soundRequests[bit >> 3] = (this.#soundRequests[bit >> 3] ?? 0) | (1 << (bit & 7));
    this.#soundOperations.add(operation);
    this.#followed.delete(request);
    this.#followed.delete(operation);
    this.#answers += 1;
  }

  /** A finding of a case that may be that of a network. */
  note(exchange: Exchange, symptom: string, id: string, finding: Finding): void {
    const [request, operation] = [requestOf(exchange), operationOf(exchange)];
    const bit = bitOf(request);
    const isSound = ((this.#soundRequests[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    if (!isSound) this.#follow(request, symptom, id, { finding, example: exchange, count: 1 });
    if (this.#soundOperations.has(operation)) return;
    this.#follow(operation, symptom, id, { finding, example: exchange, count: 1 });
  }

  #follow(asked: string, symptom: string, id: string, found: Found): void {
    const own = this.#followed.get(asked) ?? new Map<string, Followed>();
    const known = own.get(`${symptom} ${id}`);
    if (known !== undefined) {
      known.found.count += 1;
      if (this.#answers > known.answers) known.times += 1;
      known.answers = this.#answers;
    } else if (own.size === 0 && this.#followed.size >= MOST_FOLLOWED) this.dropped += 1;
    else {
      this.#followed.set(asked, own);
      own.set(`${symptom} ${id}`, { id, found, times: 1, answers: this.#answers });
    }
  }

  /** The findings that persist. */
  get persistent(): readonly Followed[] {
    return [...this.#followed.values()].flatMap((own) => [...own.values()].filter(({ times }) => times >= PERSISTENT));
  }
}
