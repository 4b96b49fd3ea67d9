/**
 * What a recording shows, until it was read. What a network or a gateway can cause is believed only where it persists
 * (model, section 5).
 */

import type { Exchange } from '../exchange/exchange.ts';
import { headerOf, operationOf, statusOf, symptomOf } from '../verdict/answer.ts';
import { weightOf } from '../verdict/case.ts';
import type { Finding } from '../verdict/opinion.ts';
import { addressOf } from './entry.ts';

/** A finding of a case, the smallest exchange that shows it, and how many do; `null`: they meet the requirement. */
export interface Found {
  readonly id: string;
  readonly finding: Finding | null;
  readonly example: Exchange;
  readonly count: number;
}

/** A breach, not a pass. */
export type Breach = Found & { readonly finding: Finding };

interface Kept extends Found {
  /** Number of times that it came with answers of the service in between, and how many of these there were at the last. */
  readonly times: number;
  readonly answers: number;
  readonly isBelieved: (times: number) => boolean;
}

/** Two of a kind in one. */
export function joined(known: Found | undefined, one: Found): Found {
  if (known === undefined) return one;
  const { example } = weightOf(one.example) < weightOf(known.example) ? one : known;
  return { ...known, example, count: known.count + one.count };
}

/** Kinds of findings of a case: a target may put anything into one, and a symptom is another one with each request. */
const MOST_KINDS = { finding: 20, symptom: 500 } as const;
/** Number of times, with an answer of the service between them, and never without the symptom. */
const PERSISTENT = 3;
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
  if (status < 300 || status >= 400) return symptomOf(exchange);
  const location = headerOf(exchange, 'location');
  const host = hostOf(addressOf(location ?? ''));
  // Where the recorder left it out, it may lead anywhere.
  const isAway = location === undefined || (host !== undefined && host !== hostOf(base));
  return isAway ? `${operationOf(exchange)}: redirect` : symptomOf(exchange);
}

/** What may persist: the same request, and the operation as a whole. */
function askedBy(exchange: Exchange): readonly string[] {
  const { method, path, credential, body } = exchange.request;
  return [`${method} ${path} ${credential} ${body?.text ?? ''}`, operationOf(exchange)];
}

/** Findings by case and kind, some of which the rest of the recording decides. */
export class Findings {
  /** Findings that were not kept, since their case had too many kinds. */
  dropped = 0;
  readonly #kept = new Map<string, Map<string, Kept>>();
  readonly #sound = new Uint8Array(SLOTS);
  /** Answers of the service without a symptom. */
  #answers = 0;

  /** An answer of the service without a symptom: what its request and its operation show at other times does not persist. */
  sound(exchange: Exchange): void {
    for (const asked of askedBy(exchange)) this.#sound[slotOf(asked)] = 1;
    this.#answers += 1;
  }

  /** Adds a finding; `isBelieved` is asked once the recording was read. */
  add(one: Found, isBelieved: Kept['isBelieved'] = () => true): void {
    this.#add(JSON.stringify(one.finding), one, isBelieved, MOST_KINDS.finding);
  }

  /** Adds a finding that a network can cause. */
  addSymptom(symptom: string, one: Found): void {
    for (const asked of askedBy(one.example)) {
      const slot = slotOf(asked);
      const isNever = (): boolean => this.#sound[slot] === 0;
      const isBelieved: Kept['isBelieved'] = (times) => times >= PERSISTENT && isNever();
      if (isNever()) this.#add(`${asked} ${symptom}`, one, isBelieved, MOST_KINDS.symptom);
    }
  }

  #add(kind: string, one: Found, isBelieved: Kept['isBelieved'], most: number): void {
    const answers = this.#answers;
    const kinds = this.#kept.get(one.id) ?? new Map<string, Kept>();
    this.#kept.set(one.id, kinds);
    const known = kinds.get(kind);
    const times = (known?.times ?? 0) + (known?.answers === answers ? 0 : 1);
    if (known === undefined && kinds.size >= most) this.dropped += 1;
    else kinds.set(kind, { ...joined(known, one), times, answers, isBelieved });
  }

  /** Those that the recording bears out. */
  get believed(): readonly Found[] {
    const all = [...this.#kept.values()].flatMap((kinds) => [...kinds.values()]);
    return all.filter(({ isBelieved, times }) => isBelieved(times));
  }
}
