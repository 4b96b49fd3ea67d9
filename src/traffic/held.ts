/**
 * Findings that the rest of a recording has to bear out. What a network or a gateway can cause is believed only where it
 * persists (model, section 5), and what two exchanges show only if no other explains it.
 */

import type { Exchange } from '../exchange/exchange.ts';
import { headerOf, operationOf, statusOf, symptomOf } from '../verdict/answer.ts';
import type { Finding } from '../verdict/opinion.ts';

/** A finding of a case, an exchange that shows it, and how many do; `null` for exchanges that meet the requirement. */
export interface Found<Kind extends Finding | null = Finding | null> {
  readonly id: string;
  readonly finding: Kind;
  readonly example: Exchange;
  readonly count: number;
}

interface HeldFinding extends Found {
  /** Number of times that it came with answers of the service in between, and how many of these there were at the last. */
  readonly times: number;
  readonly answers: number;
  readonly isBelieved: (times: number) => boolean;
}

/** Number of times, with an answer of the service between them, and never without the symptom. */
const PERSISTENT = 3;
/** More of them are not followed. */
const MOST_HELD = 5_000;
/** Requests and operations that were answered in order, each by its hash: of all that come, too many to keep. */
const SLOTS = 1 << 23;

function slotOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash & (SLOTS - 1);
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

/** What may persist: the same request, and the operation as a whole. */
function askedBy(exchange: Exchange): readonly string[] {
  const { method, path, credential, body } = exchange.request;
  return [`${method} ${path} ${credential} ${body?.text ?? ''}`, operationOf(exchange)];
}

/** The held findings of one service. */
export class Held {
  /** Findings that were not followed, since there were too many. */
  dropped = 0;
  readonly #held = new Map<string, HeldFinding>();
  readonly #sound = new Uint8Array(SLOTS);
  #answers = 0;

  /** An answer of the service without a symptom: what its request and its operation show at other times does not persist. */
  sound(exchange: Exchange): void {
    for (const asked of askedBy(exchange)) this.#sound[slotOf(asked)] = 1;
    this.#answers += 1;
  }

  /** Holds a finding that a network can cause. */
  holdSymptom(symptom: string, one: Found): void {
    for (const asked of askedBy(one.example)) {
      const slot = slotOf(asked);
      const isNever = (): boolean => this.#sound[slot] === 0;
      if (isNever()) this.hold(`${asked} ${symptom}`, one, (times) => times >= PERSISTENT && isNever());
    }
  }

  /** Holds a finding; `isBelieved` is asked once the recording was read. */
  hold(key: string, one: Found, isBelieved: HeldFinding['isBelieved']): void {
    const whole = `${one.id} ${key}`;
    const known = this.#held.get(whole);
    if (known === undefined && this.#held.size >= MOST_HELD) this.dropped += 1;
    else {
      const answers = this.#answers;
      const { times = 0, count = 0, example = one.example } = known ?? {};
      const isApart = known === undefined || answers > known.answers;
      this.#held.set(whole, { ...one, example, count: count + 1, times: times + Number(isApart), answers, isBelieved });
    }
  }

  /** The findings that the recording bears out. */
  get believed(): readonly Found[] {
    return [...this.#held.values()].filter(({ isBelieved, times }) => isBelieved(times));
  }
}
