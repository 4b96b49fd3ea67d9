/**
 * Which symptoms of a run are believed, and which rejections are lock-outs: decided where requests are sent, and kept
 * in the record. The reasons are in docs/design/symptoms.md.
 */

import { TRIALS } from '../contract/limits.ts';
import { groupBy } from '../contract/lists.ts';
import { isRetryableStatus, isSuccess, OF_LOCK_OUTS, UNAVAILABLE } from '../contract/waiting.ts';
import { type Exchange, endOf, isPage, PLAIN_REQUEST, type SettledFacts, symptomOf } from '../exchange/exchange.ts';
import {
  EXHAUSTED,
  isConfirmed,
  isPageToCall,
  isPutOff,
  LOCKED_OUT,
  type Sendings,
  type Sent,
  unavailableKey,
} from './reasons.ts';
import { type Answer, isCreate, isInvalid, type PlacedRequest, type SuiteRequest } from './request.ts';
import { dialsNothing } from './safety/guard.ts';

/** Requests of one operation and credential are alike. */
const singleKey = ({ tag, request }: Exchange): string => `${tag.operation} ${request.credential}`;

/**
 * The kind of an error that no network writes, or `null`: a page with a 4xx (unless a lock-out may write it), JSON with
 * a 5xx, or a response that is not HTTP. One of five instances fails, or a limiter answers 429 with a page.
 */
function kindOfWritten(exchange: Exchange): string | null {
  if (exchange.failure !== null) return exchange.failure.kind === 'malformed' ? 'malformed' : null;
  const status = exchange.response?.status ?? 0;
  if (isPage(exchange)) return status < 500 && !OF_LOCK_OUTS.has(status) ? `page ${status}` : null;
  return status >= 500 ? `${status}` : null;
}

/** Which rejections are lock-outs: this follows from the answers since the first invalid credential. */
class LockOuts {
  #sent = 0;
  /** Operations that were rejected right after the target accepted the credential, so not because of a lock-out. */
  readonly #disproved = new Set<string>();
  /** The number of the last answer that accepted the credential. */
  #accepted = 0;
  /** The number of the last health check that a lock-out rejected, and of the last that was accepted. */
  #lockedRead = 0;
  #openRead = 0;
  /** How often the credential was accepted since the last invalid one. */
  #since = 0;
  /**
   * 401s after three or more acceptances. If a health check is accepted at once, and then the request, it was no
   * lock-out: a service that rejected every 97th valid request with 401 went unreported.
   */
  readonly #unprovoked = new Set<number>();
  /** Rejections of the valid credential by a lock-out, by number: each is sent again. */
  readonly #lockOuts = new Map<number, Exchange>();
  readonly #otherRejections: Exchange[] = [];
  /** Answers to the valid credential that no lock-out gives. */
  readonly #clear: Pick<Exchange, 'seq' | 'at'>[] = [];

  /**
   * Learns from the answer to a request; returns whether the target seems to have locked out this caller. Once waiting
   * did not help (`hasGivenUp`), no rejection counts as a lock-out any more.
   */
  learn(request: SuiteRequest, exchange: Exchange, hasGivenUp: boolean): boolean {
    const { seq, at } = exchange;
    const status = exchange.response?.status ?? null;
    const isValid = request.credential === 'valid';
    if (isInvalid(request.credential)) {
      this.#sent += 1;
      this.#since = 0;
    }
    if (status === 401 || status === 403) {
      const isLockOut = isValid && !hasGivenUp && this.#isLockOut(request, exchange, status);
      if (isLockOut) this.#lockOuts.set(seq, exchange);
      else if (this.#sent > 0) this.#otherRejections.push(exchange);
      if (isLockOut && status === 401 && this.#since >= TRIALS.rule) this.#unprovoked.add(seq);
      if (isLockOut && request.role === 'health-check') this.#lockedRead = seq;
      return isLockOut;
    }
    if (isValid && isSuccess(status)) {
      this.#accepted = seq;
      this.#since += 1;
      if (request.role === 'health-check') this.#openRead = seq;
    }
    const { replaces = 0 } = exchange.tag;
    if (this.#unprovoked.has(replaces) && this.#lockedRead < replaces && this.#openRead > replaces)
      this.#lockOuts.delete(replaces);
    if (isValid && this.#sent > 0 && status !== null && status < 500 && !isRetryableStatus(status))
      this.#clear.push({ seq, at });
    return false;
  }

  #isLockOut({ operation, method, path }: SuiteRequest, { seq, tag }: Exchange, status: 401 | 403): boolean {
    if (this.#sent < TRIALS.rule) return false;
    // A business rule may answer 403 to the same call at another time.
    if (status === 403 && operation === 'createCall') return false;
    const key = `${status} ${method} ${operation ?? path}`;
    const before = tag.replaces ?? seq;
    if (before > this.#accepted) return !this.#disproved.has(key);
    // The credential was accepted between two rejections of the request, without a wait: the read met no lock-out.
    if (this.#lockedRead < before) {
      this.#disproved.add(key);
      this.#lockOuts.delete(before);
    }
    return false;
  }

  /**
   * Numbers of the lock-out rejections that were not repeated: their questions stay open. The target rejected the valid
   * credential with the same status before the next clear answer, and no clear answer came in between.
   */
  get explained(): readonly number[] {
    const endOfDoubt = (rejection: Exchange): number =>
      this.#clear.find(({ seq, at }) => seq > rejection.seq && at >= endOf(rejection))?.seq ?? Number.POSITIVE_INFINITY;
    const lockOuts = [...this.#lockOuts.values()].map((exchange) => ({ exchange, until: endOfDoubt(exchange) }));
    const rejections = lockOuts.length === 0 ? [] : this.#otherRejections;
    return rejections.flatMap((rejection) => {
      const end = endOfDoubt(rejection);
      const isOf = ({ seq, response }: Exchange): boolean =>
        seq < end && response?.status === rejection.response?.status;
      return lockOuts.some(({ exchange, until }) => until >= end && isOf(exchange)) ? [rejection.seq] : [];
    });
  }

  /** Numbers of all rejections of lock-outs. */
  get lockedOut(): readonly number[] {
    return [...this.#lockOuts.keys(), ...this.explained];
  }
}

/** Remembers what was settled. */
export class Settlements {
  /** Symptoms that are known for their operation; each further one is believed at once. */
  readonly #believed = new Set<string>();
  /** Operations on which a symptom was confirmed, by stimulus; `null` from the first answer without a symptom on. */
  readonly #stimuli = new Map<string, ReadonlySet<string> | null>();
  readonly #confirmed = new Set<number>();
  readonly #crashes = new Set<number>();
  readonly #outages: [from: number, to: number][] = [];
  /** Answers to requests that could not be sent again. */
  readonly #singles: Exchange[] = [];
  /** Errors that only the service can have written, by kind; `times` counts those with a sound answer in between. */
  readonly #written = new Map<string, { readonly seqs: readonly number[]; readonly times: number }>();
  /** Create calls that got no response twice, and whether a lost response came when its request was sent again. */
  readonly #lostCalls: number[] = [];
  #isLossy = false;
  readonly #hungUp = new Set<string>();
  readonly lockOuts = new LockOuts();
  /** The keys for which waiting did not help, by `GivenUp`. */
  readonly gaveUp = new Set<string>();
  /** The number of the last answer without a symptom. */
  sound = 0;

  /**
   * Whether there is no symptom, or it is known for the operation or the stimulus. A middleware that crashes on a short
   * token cost 21 seconds on each of 13 operations: what two operations confirmed is not repeated on the next.
   */
  isBelieved({ symptom, exchange: { tag } }: Pick<Sent, 'symptom' | 'exchange'>): boolean {
    if (symptom === null || this.#believed.has(symptom)) return true;
    return (this.#stimuli.get(tag.about)?.size ?? 0) >= TRIALS.operations;
  }

  /** Learns from an answer as it comes: whether it may be something else than the answer of the service. */
  learn(request: SuiteRequest, exchange: Exchange): Sent {
    const symptom = symptomOf(exchange);
    if (symptom === null) {
      this.sound = exchange.seq;
      this.#stimuli.set(exchange.tag.about, null);
    } else this.#learnWritten(exchange, symptom);
    const isLockedOut = this.lockOuts.learn(request, exchange, this.gaveUp.has(LOCKED_OUT));
    if (this.gaveUp.size > 0 && exchange.response !== null && !isLockedOut) {
      if (exchange.response.status !== UNAVAILABLE) this.gaveUp.delete(unavailableKey(request));
      if (!isPutOff({ exchange })) this.gaveUp.delete(EXHAUSTED);
    }
    return { exchange, isLockedOut, symptom };
  }

  /** Believes a kind of error that only the service writes after four of them with answers in between. */
  #learnWritten(exchange: Exchange, symptom: string): void {
    const { seq } = exchange;
    const kind = kindOfWritten(exchange);
    if (kind === null) return;
    const { seqs, times } = this.#written.get(kind) ?? { seqs: [], times: 0 };
    const isNext = (seqs.at(-1) ?? -1) < this.sound;
    const written = { seqs: [...seqs, seq], times: isNext ? times + 1 : times };
    this.#written.set(kind, written);
    if (written.times < TRIALS.pages) return;
    this.#believed.add(symptom);
    for (const seq of written.seqs) this.#confirmed.add(seq);
  }

  /** Every sending showed the symptom: these exchanges show it. */
  confirm(exchanges: readonly Exchange[], isCrash = false): void {
    for (const exchange of exchanges) {
      const symptom = symptomOf(exchange);
      if (symptom === null) continue;
      // What a request takes down says nothing of other requests to its operation.
      if (isCrash) this.#crashes.add(exchange.seq);
      else this.#believed.add(symptom);
      this.#confirmed.add(exchange.seq);
    }
  }

  /** The outcome of a request that is not sent any more. */
  settle(sent: Sendings, placed: PlacedRequest): Answer {
    const attempts = sent.map((sending) => sending.exchange);
    const exchange = attempts.at(-1) as Exchange;
    const status = exchange.response?.status ?? null;
    const kind = this.#kindOf(sent, placed);
    return { kind, exchange, status, accepted: isSuccess(status), attempts };
  }

  #kindOf(sent: Sendings, placed: PlacedRequest): Answer['kind'] {
    const last = sent.at(-1) as Sent;
    const { symptom, exchange } = last;
    const isCall = isCreate(placed.request) && !dialsNothing(placed.request.body);
    const isHangUp = placed.request.operation === 'hangUpCall';
    const isSingle = isCall || (isHangUp && this.#isFirstHangUp(placed, exchange));
    const isKnown = symptom !== null && this.isBelieved(last);
    if (isKnown) this.confirm([exchange]);
    if (isPutOff({ exchange }) && !isPageToCall({ exchange })) return 'put off';
    if (symptom === null) {
      if (isSingle) this.#singles.push(exchange);
      if (sent.some((sending) => sending.exchange.failure !== null && sending.fell !== true)) this.#isLossy = true;
      return sent.some((sending) => sending.symptom !== null) ? 'flaky' : 'answered';
    }
    if (this.#crashes.has(exchange.seq)) return 'crashed';
    const isShown = isConfirmed(sent, placed);
    if (isShown && isCall && exchange.failure !== null) {
      // A network may lose two answers of ten, so lost answers of other requests decide.
      this.#lostCalls.push(...sent.map((sending) => sending.exchange.seq));
      return 'unsettled';
    }
    if (isShown) {
      this.confirm([exchange]);
      // An operation that is only believed to break proves nothing about the stimulus.
      const { about, operation } = exchange.tag;
      const operations = this.#stimuli.get(about);
      if (about !== PLAIN_REQUEST && about !== '' && operations !== null && operation !== null)
        this.#stimuli.set(about, new Set([...(operations ?? []), operation]));
    }
    if (isShown || isKnown) return 'confirmed';
    if (isSingle) this.#singles.push(...sent.map((sending) => sending.exchange));
    return 'unsettled';
  }

  /** Whether it is the first hang-up of a call of this run: it ends the call, so it cannot be repeated. */
  #isFirstHangUp({ request, place }: PlacedRequest, { response }: Exchange): boolean {
    const call = `${request.credential} ${request.path.toLowerCase().replace(/\/$/, '')}`;
    // The call is another caller's.
    if (response?.status === 403 || response?.status === 404) return false;
    const isFirst = !this.#hungUp.has(call);
    // Two simultaneous hang-ups end a call as well, before clean-up hangs it up again.
    this.#hungUp.add(call);
    return isFirst && place.isOfLedger === true;
  }

  /** Several symptoms came while the target was down or answered every request with an error. */
  outage(from: number, to: number): void {
    const last = this.#outages.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else this.#outages.push([from, to]);
  }

  /** What the record keeps. Of requests that could not be repeated, two symptoms and no answer without one count. */
  get facts(): SettledFacts {
    const single = [...groupBy(this.#singles, singleKey).values()]
      .filter((alike) => alike.length > 1 && alike.every((exchange) => symptomOf(exchange) !== null))
      .flatMap((alike) => alike.map(({ seq }) => seq));
    const lostCalls = this.#isLossy ? [] : this.#lostCalls;
    const facts = {
      confirmed: ascending([...this.#confirmed, ...lostCalls, ...single]),
      crashes: ascending(this.#crashes),
      outages: this.#outages,
      lockedOut: ascending(this.lockOuts.lockedOut),
    };
    return Object.fromEntries(Object.entries(facts).filter(([, list]) => list.length > 0));
  }
}

const ascending = (numbers: Iterable<number>): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);
