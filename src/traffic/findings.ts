/**
 * Collects findings while a recording is read. A finding that a network or a gateway can cause is believed only if it
 * persists (model, section 5).
 */

import { crc32 } from 'node:zlib';
import { READ, TRIALS } from '../contract/limits.ts';
import { type Exchange, isPage, isUnanswered } from '../exchange/exchange.ts';
import { headerOf, operationOf, statusOf, symptomOf } from '../verdict/answer.ts';
import { weightOf } from '../verdict/folded.ts';
import type { Finding } from '../verdict/opinion.ts';
import { addressOf } from './entry.ts';

/** A finding of a case, the smallest exchange that shows it, and how many do. `null`: they meet the requirement. */
export interface Found {
  readonly id: string;
  readonly finding: Finding | null;
  readonly example: Exchange;
  readonly count: number;
}

/** A breach, not a pass. */
export type Breach = Found & { readonly finding: Finding };

interface Kept extends Found {
  /** How often it came with a sound response in between, and how many responses there were at the last time. */
  readonly times: number;
  readonly answers: number;
  readonly isBelieved: (times: number) => boolean;
}

/** Joins two equal findings. */
export function joinedFindings(known: Found | undefined, found: Found): Found {
  if (known === undefined) return found;
  const { example } = weightOf(found.example) < weightOf(known.example) ? found : known;
  return { ...known, example, count: known.count + found.count };
}

/** A hash table for requests and operations that were answered without a symptom: there are too many to keep. */
const SLOTS = 1 << 23;

const slotOf = (text: string): number => crc32(text) & (SLOTS - 1);

const hostOf = (url: string): string | undefined =>
  /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();

/** The symptom of an exchange, or `null`. So is a redirect to another host: from a load balancer or a portal. */
export function trafficSymptomOf(exchange: Exchange, base: string): string | null {
  const status = statusOf(exchange) ?? 0;
  // A 5xx in JSON comes from the service, and a recording cannot be repeated.
  if (status >= 500 && !isPage(exchange) && !isUnanswered(exchange)) return null;
  if (status < 300 || status >= 400) return symptomOf(exchange);
  const location = headerOf(exchange, 'location');
  const host = hostOf(addressOf(location ?? ''));
  // If the recorder left the field out, it may lead anywhere.
  const isAway = location === undefined || (host !== undefined && host !== hostOf(base));
  return isAway ? `${operationOf(exchange)}: redirect` : symptomOf(exchange);
}

/** A symptom may persist for the same request, and for the operation as a whole. */
function askedBy(exchange: Exchange): readonly string[] {
  const { method, path, credential, body } = exchange.request;
  return [`${method} ${path} ${credential} ${body?.text ?? ''}`, operationOf(exchange)];
}

/** Findings by case and kind. On some of them the rest of the recording decides. */
export class Findings {
  /** Findings that were not kept, because their case had too many kinds already. */
  dropped = 0;
  readonly #kept = new Map<string, Map<string, Kept>>();
  readonly #sound = new Uint8Array(SLOTS);
  /** Answers of the service without a symptom. */
  #answers = 0;

  /** Notes an answer without a symptom: no symptom of its request or operation persists. */
  sound(exchange: Exchange): void {
    for (const asked of askedBy(exchange)) this.#sound[slotOf(asked)] = 1;
    this.#answers += 1;
  }

  /** Adds a finding of that kind; `isBelieved` is asked after the whole recording was read. */
  add(found: Found, isBelieved: Kept['isBelieved'] = () => true, kind = JSON.stringify(found.finding)): void {
    const answers = this.#answers;
    const kinds = this.#kept.get(found.id) ?? new Map<string, Kept>();
    this.#kept.set(found.id, kinds);
    const known = kinds.get(kind);
    const times = (known?.times ?? 0) + (known?.answers === answers ? 0 : 1);
    if (known === undefined && kinds.size >= READ.kinds) this.dropped += 1;
    else kinds.set(kind, { ...joinedFindings(known, found), times, answers, isBelieved });
  }

  /** Adds a finding that a network can cause. */
  addSymptom(symptom: string, found: Found): void {
    for (const asked of askedBy(found.example)) {
      const slot = slotOf(asked);
      const isNever = (): boolean => this.#sound[slot] === 0;
      if (isNever()) this.add(found, (times) => times >= TRIALS.rule && isNever(), `${asked} ${symptom}`);
    }
  }

  /** The findings that the whole recording supports. */
  get believed(): readonly Found[] {
    return [...this.#kept.values()].flatMap((kinds) =>
      [...kinds.values()].filter((kind) => kind.isBelieved(kind.times)),
    );
  }
}
