/** The whole record of a run, indexed for checks: controls, mates, repetitions. */

import type { Exchange } from '../exchange/exchange.ts';
import { isAccepted, isNoAnswer, statusOf } from './answer.ts';
import { confirmedSymptoms } from './repetition.ts';

/** What checks may know of a run apart from its exchanges. */
export interface RunFacts {
  readonly profile: 'read-only' | 'full';
  /** Names of the settings that are there. */
  readonly settings: readonly string[];
}

/**
 * What an exchange counts for: `decides`; `waited`: sent again after "not now", only what it was not sent for counts;
 * `repeated`: its sequence ran again, so that only what no network forges still counts.
 */
export type Standing = 'decides' | 'waited' | 'repeated';

const keyOf = (exchange: Exchange): string => `${exchange.tag.sequence}\n${exchange.tag.attempt}`;
const bodyDigestOf = (exchange: Exchange): string | undefined => exchange.request.body?.digest;
const routeOf = (exchange: Exchange): string => `${exchange.request.method} ${exchange.request.path}`;

function group(exchanges: readonly Exchange[], key: (exchange: Exchange) => string): Map<string, Exchange[]> {
  const groups = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const members = groups.get(key(exchange));
    if (members === undefined) groups.set(key(exchange), [exchange]);
    else members.push(exchange);
  }
  return groups;
}

/** Exchanges of a run in the order in which they left, with what a check may ask about the others. */
export class Evidence {
  readonly facts: RunFacts;
  readonly exchanges: readonly Exchange[];
  readonly #attempts: Map<string, Exchange[]>;
  readonly #lastAttempt = new Map<string, number>();
  readonly #lastResend = new Map<string, number>();
  readonly #lastCreate = new Map<string, number>();
  readonly #accepted: readonly Exchange[];
  readonly #controls: Map<string, Exchange[]>;
  readonly #confirmed: ReadonlySet<string>;

  constructor(facts: RunFacts, exchanges: readonly Exchange[]) {
    this.facts = facts;
    this.exchanges = exchanges;
    this.#attempts = group(exchanges, keyOf);
    for (const exchange of exchanges) {
      const { sequence, attempt, resend } = exchange.tag;
      this.#lastAttempt.set(sequence, Math.max(attempt, this.#lastAttempt.get(sequence) ?? 0));
      const step = this.#stepOf(exchange);
      this.#lastResend.set(step, Math.max(resend, this.#lastResend.get(step) ?? 0));
      if (exchange.tag.operation === 'createCall') this.#lastCreate.set(this.#callOf(exchange), exchange.seq);
    }
    const controls = exchanges.filter((exchange) => exchange.tag.control && exchange.request.credential === 'valid');
    this.#controls = group(controls, (exchange) => exchange.tag.operation ?? '');
    this.#accepted = exchanges.filter((exchange) => exchange.request.credential === 'valid' && isAccepted(exchange));
    this.#confirmed = confirmedSymptoms([...group(exchanges, (exchange) => exchange.tag.sequence).values()]);
  }

  #stepOf(exchange: Exchange): string {
    return `${keyOf(exchange)}\n${exchange.tag.step}\n${routeOf(exchange)}\n${exchange.request.credential}`;
  }

  #callOf(exchange: Exchange): string {
    return `${this.#stepOf(exchange)}\n${bodyDigestOf(exchange)}`;
  }

  /** Whether the line was busy, so that the same call was tried again. */
  #foundLineBusy(exchange: Exchange): boolean {
    const isBusy = exchange.tag.operation === 'createCall' && statusOf(exchange) === 409;
    return isBusy && (this.#lastCreate.get(this.#callOf(exchange)) ?? 0) > exchange.seq;
  }

  /** What the exchange counts for. */
  standingOf(exchange: Exchange): Standing {
    if (exchange.tag.attempt < (this.#lastAttempt.get(exchange.tag.sequence) ?? 0)) return 'repeated';
    const superseded = exchange.tag.resend < (this.#lastResend.get(this.#stepOf(exchange)) ?? 0);
    return (superseded && isNoAnswer(exchange)) || this.#foundLineBusy(exchange) ? 'waited' : 'decides';
  }

  /** Whether a symptom that a network could forge was there each time its sequence was repeated. */
  isConfirmed(symptom: string): boolean {
    return this.#confirmed.has(symptom);
  }

  /** Another exchange of the same sequence and attempt, by its step. */
  mate(exchange: Exchange, step: string): Exchange | undefined {
    return this.#attempts.get(keyOf(exchange))?.findLast((other) => other.tag.step === step);
  }

  /** Exchanges of the same sequence and attempt. */
  mates(exchange: Exchange): readonly Exchange[] {
    return this.#attempts.get(keyOf(exchange)) ?? [];
  }

  /** Valid requests with the good credential to an operation, accepted or not. */
  controls(operation: string | null): readonly Exchange[] {
    return this.#controls.get(operation ?? '') ?? [];
  }

  /** Whether a control of the operation was accepted before the exchange and another after it. */
  isBracketed(exchange: Exchange): boolean {
    const accepted = this.controls(exchange.tag.operation).filter(isAccepted);
    return accepted.some((one) => one.seq < exchange.seq) && accepted.some((one) => one.seq > exchange.seq);
  }

  /** Statuses that the good credential got for the same method, path and body: a refused candidate is another request. */
  goodStatuses(exchange: Exchange): ReadonlySet<number> {
    return new Set(
      this.#sameControls(exchange)
        .map(statusOf)
        .filter((status) => status !== null),
    );
  }

  /** The next answer that the good credential got for the same request: what the state of things was just then. */
  nextGood(exchange: Exchange): Exchange | undefined {
    return this.#sameControls(exchange).find((one) => one.seq > exchange.seq && !isNoAnswer(one));
  }

  #sameControls(exchange: Exchange): readonly Exchange[] {
    return this.controls(exchange.tag.operation).filter(
      (control) => routeOf(control) === routeOf(exchange) && bodyDigestOf(control) === bodyDigestOf(exchange),
    );
  }

  /** Statuses that the good credential got for that method and path; `body` is free. */
  statusesAt(operation: string | null, method: string, path: string): readonly number[] {
    const same = this.controls(operation).filter(({ request }) => request.method === method && request.path === path);
    return same.map(statusOf).filter((status) => status !== null);
  }

  /** Whether the good credential was accepted, anywhere, after the exchange. */
  isAliveAfter(exchange: Exchange): boolean {
    return this.#accepted.some((one) => one.seq > exchange.seq);
  }

  /** Whether the good credential was accepted in a request that left when this one had been answered. */
  isLetInAfter({ seq, at, took }: Exchange): boolean {
    return this.#accepted.some((one) => one.seq > seq && one.at >= at + took);
  }

  /** Whether any operation accepted the good credential. */
  get credentialWorks(): boolean {
    return this.#accepted.length > 0;
  }

  /** Reads of routes that nobody documented, with the good credential. */
  get unknownRoutes(): readonly Exchange[] {
    return this.exchanges.filter(({ tag, request }) => tag.step === 'unknown route' && request.credential === 'valid');
  }

  /** Whether a list of the run, read with the good credential, shows the resource of that setting. */
  isListed(label: string): boolean {
    const lists = ['listNumbers', 'listTrunks', 'searchAvailableNumbers'];
    return this.#accepted.some(
      (one) => lists.includes(one.tag.operation ?? '') && one.response?.body?.mentions.includes(label) === true,
    );
  }
}
