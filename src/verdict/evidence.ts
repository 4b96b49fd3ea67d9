/** The whole record of a run, indexed for expectations: controls, siblings, repetitions. */

import { groupBy } from '../contract/lists.ts';
import { COLLECTIONS } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { type Exchange, endOf, type Role } from '../exchange/exchange.ts';
import { isAccepted, isOurs, isRetryable, isSameTarget, statusOf, symptomOf } from './answer.ts';
import { lockOutsIn, rejectionsInLockOuts } from './lock-out.ts';
import { crashesIn, stretchesOf } from './outage.ts';
import { type BrokenRecord, brokenRecordsIn } from './own-writes.ts';
import type { RunHeader } from './record.ts';
import { confirmedSymptoms, lostHangUps, pagesOfService, requestPlace } from './repetition.ts';
import { Sibling } from './sibling.ts';

type RunFacts = Pick<RunHeader, 'profile' | 'settings' | 'malformedCredential'>;

/**
 * How an exchange counts. `current`: fully. `superseded`: the request was sent again, and the later exchange names this one.
 * `repeated`: its sequence ran again. The last two count only for findings that a network cannot have caused.
 */
export type Standing = 'current' | 'superseded' | 'repeated';

// Health checks between repetitions carry the name of the sequence but are not part of it.
const sequenceKey = ({ tag }: Exchange): string =>
  tag.role === 'health-check' ? `${tag.sequence}\n${tag.about}` : tag.sequence;
const attemptKey = (exchange: Exchange): string => `${sequenceKey(exchange)}\n${exchange.tag.attempt}`;
const bodyDigestOf = ({ request }: Exchange): string | undefined => request.body?.digest;

/** Equal for a request and its repetitions. */
const requestKey = (exchange: Exchange): string =>
  [sequenceKey(exchange), requestPlace(exchange), bodyDigestOf(exchange) ?? ''].join('\n');

/** The standing of each exchange, computed once: every requirement asks for it. */
function standingsOf(exchanges: readonly Exchange[]): ReadonlyMap<Exchange, Standing> {
  const replaced = new Set(exchanges.map(({ tag }) => tag.replaces));
  const lastAttempt = new Map<string, number>();
  for (const exchange of exchanges) {
    const key = sequenceKey(exchange);
    lastAttempt.set(key, Math.max(exchange.tag.attempt, lastAttempt.get(key) ?? 0));
  }
  const standingOf = (exchange: Exchange): Standing => {
    if (exchange.tag.attempt < (lastAttempt.get(sequenceKey(exchange)) ?? 0)) return 'repeated';
    return replaced.has(exchange.seq) ? 'superseded' : 'current';
  };
  return new Map(exchanges.map((exchange) => [exchange, standingOf(exchange)]));
}

const isPlainJson = ({ request }: Exchange): boolean =>
  request.headers.some(([name, value]) => name.toLowerCase() === 'content-type' && value === 'application/json');

const REJECTED_AGAIN: readonly number[] = [400, 402, 404, 409, 422];

const COLLECTION_IDS: readonly (string | null)[] = COLLECTIONS;

/** The list that shows a resource as what it is: operators swap the ids of a trunk and of a number. */
const LIST_OF: Readonly<Record<string, string | undefined>> = {
  [SETTING_OF.trunk]: 'listTrunks',
  [SETTING_OF.number]: 'listNumbers',
};

/** The exchanges of a run in the order of sending, with the questions that an expectation may ask about them. */
export class Evidence {
  /** Requests that took the target down twice. */
  readonly crashes: ReadonlySet<Exchange>;
  /** Reads of undocumented routes with the valid credential. */
  readonly unknownRoutes: readonly Exchange[];
  readonly #attempts: ReadonlyMap<string, readonly Exchange[]>;
  readonly #standings: ReadonlyMap<Exchange, Standing>;
  readonly #accepted: readonly Exchange[];
  readonly #lockOuts: ReadonlySet<Exchange>;
  readonly #inLockOuts: ReadonlySet<Exchange>;
  readonly #controls: ReadonlyMap<string | null, readonly Exchange[]>;
  readonly #confirmed: ReadonlySet<string>;
  readonly #listed: ReadonlySet<string>;
  readonly #stretches: ReadonlySet<Exchange>;
  readonly #ofService: ReadonlySet<Exchange>;
  readonly #brokenRecords: readonly BrokenRecord[];

  constructor(
    readonly facts: RunFacts,
    readonly exchanges: readonly Exchange[],
  ) {
    this.unknownRoutes = exchanges.filter((one) => one.tag.role === 'unknown-route' && isOurs(one));
    this.crashes = crashesIn(exchanges, requestKey);
    this.#attempts = groupBy(exchanges, attemptKey);
    this.#standings = standingsOf(exchanges);
    const ours = exchanges.filter(isOurs);
    this.#lockOuts = new Set(lockOutsIn(exchanges));
    this.#inLockOuts = new Set([...this.#lockOuts, ...rejectionsInLockOuts(exchanges)]);
    const controls = ours.filter(({ tag }) => tag.control);
    this.#controls = groupBy(controls, ({ tag }) => tag.operation);
    this.#accepted = ours.filter(isAccepted);
    const lists = this.#accepted.filter(({ tag }) => COLLECTION_IDS.includes(tag.operation));
    const shown = lists.flatMap(({ tag, response }) =>
      (response?.body?.mentions ?? []).filter((setting) => (LIST_OF[setting] ?? tag.operation) === tag.operation),
    );
    this.#listed = new Set(shown);
    this.#brokenRecords = brokenRecordsIn(exchanges);
    const ofOurValue = new Set(this.#brokenRecords.flatMap(({ write, read }) => [write, read]));
    const symptoms = exchanges.filter((one) => symptomOf(one) !== null && !ofOurValue.has(one));
    this.#stretches = new Set(stretchesOf(symptoms, exchanges).flat());
    const pages = pagesOfService(symptoms, this.#stretches);
    this.#ofService = new Set([...ofOurValue, ...pages, ...lostHangUps(exchanges)]);
    this.#confirmed = confirmedSymptoms([...groupBy(exchanges, ({ tag }) => tag.sequence).values()], this.#stretches);
  }

  /** How the exchange counts. */
  standingOf(exchange: Exchange): Standing {
    return this.#standings.get(exchange) ?? 'current';
  }

  /** Whether a network is not the cause of the symptom: repetition confirmed it, or only the service can have caused it. */
  isConfirmed(exchange: Exchange): boolean {
    return this.#confirmed.has(symptomOf(exchange) ?? '') || this.isOfService(exchange);
  }

  /**
   * Whether only the service can have caused the symptom: restoring a record that this run wrote ended the failure, or it is
   * one of the error pages that the service writes now and then.
   */
  isOfService(exchange: Exchange): boolean {
    return this.#ofService.has(exchange);
  }

  /** If this exchange is an update whose value made a read of the record fail: that read, and how it was repaired. */
  brokenBy(write: Exchange): BrokenRecord | undefined {
    return this.#brokenRecords.find((one) => one.write === write);
  }

  /** Whether a symptom came while several operations showed one, in an unbroken stretch of time. */
  isInStretch(exchange: Exchange): boolean {
    return this.#stretches.has(exchange);
  }

  /** Exchanges of the same sequence and attempt. */
  siblings(exchange: Exchange): readonly Exchange[] {
    return this.#attempts.get(attemptKey(exchange)) ?? [];
  }

  /** The last exchange of the same sequence and attempt with that role. */
  sibling(exchange: Exchange, role: Role): Exchange | undefined {
    return this.siblings(exchange).findLast(({ tag }) => tag.role === role);
  }

  /** Valid requests with the valid credential to an operation, accepted or not. */
  controls(operation: string | null): readonly Exchange[] {
    return this.#controls.get(operation) ?? [];
  }

  /** Whether a control of the operation was accepted. */
  hasAcceptedControl(operation: string | null): boolean {
    return this.controls(operation).some(isAccepted);
  }

  /**
   * Whether a control of the operation was accepted before the exchange, and after it another one. A target may reject a
   * PUT that changes nothing: a different status for the one that was accepted shows the same.
   */
  isBracketed(exchange: Exchange): boolean {
    const { tag, seq } = exchange;
    const controls = this.controls(tag.operation);
    const isAfter = (one: Exchange): boolean =>
      one.seq > seq && (isAccepted(one) || (statusOf(one) !== statusOf(exchange) && this.isRejectedAgain(one)));
    return controls.some((one) => one.seq < seq && isAccepted(one)) && controls.some(isAfter);
  }

  /** Whether a PUT was rejected, for what it says, that was accepted before. */
  isRejectedAgain(exchange: Exchange): boolean {
    const status = statusOf(exchange) ?? 0;
    if (exchange.request.method !== 'PUT' || !REJECTED_AGAIN.includes(status)) return false;
    return this.sameRequests(exchange).some((one) => one.seq < exchange.seq && isAccepted(one));
  }

  /** Valid requests with the body that differs from that of the exchange in a single element. */
  siblingRequests(exchange: Exchange): readonly Exchange[] {
    const { sibling, operation } = exchange.tag;
    if (sibling === undefined) return [];
    return this.controls(operation).filter(
      (one) => isSameTarget(one, exchange) && one.request.body?.text === sibling && isPlainJson(one),
    );
  }

  /** The accepted request that differs from the exchange in a single element, or `null`. */
  acceptedSibling(exchange: Exchange): Sibling | null {
    return Sibling.accepted(exchange, this.siblingRequests(exchange));
  }

  /**
   * The same, and the state of the target cannot be the reason either: right behind the exchange, in its sequence, a
   * valid request to the operation was accepted.
   */
  siblingInSameState(exchange: Exchange): Sibling | null {
    const isShown = this.siblings(exchange).some(
      (one) =>
        one.seq > exchange.seq && one.tag.control && one.tag.operation === exchange.tag.operation && isAccepted(one),
    );
    return isShown ? this.acceptedSibling(exchange) : null;
  }

  /** Statuses that the valid credential got for the same method, path and body. */
  validStatuses(exchange: Exchange): ReadonlySet<number> {
    const statuses = this.sameRequests(exchange).map(statusOf);
    return new Set(statuses.filter((status) => status !== null));
  }

  /** The next final answer (none that asks for a retry) that the valid credential got for the same request. */
  nextValid(exchange: Exchange): Exchange | undefined {
    const isAnswer = (one: Exchange): boolean => !isRetryable(one) && this.standingOf(one) !== 'superseded';
    return this.sameRequests(exchange).find((one) => one.seq > exchange.seq && isAnswer(one));
  }

  /** The same request, body included, with the valid credential. */
  sameRequests(exchange: Exchange): readonly Exchange[] {
    const same = this.controls(exchange.tag.operation).filter((one) => isSameTarget(one, exchange));
    return same.filter((one) => bodyDigestOf(one) === bodyDigestOf(exchange) && !this.#lockOuts.has(one));
  }

  /** Whether the status may come of a lock-out alone. */
  isInLockOut(exchange: Exchange): boolean {
    return this.#inLockOuts.has(exchange);
  }

  /** Statuses that the valid credential got for that method and path, with any body. */
  statusesAt(operation: string | null, method: string, path: string): readonly number[] {
    const same = this.controls(operation).filter(({ request }) => request.method === method && request.path === path);
    return same.map(statusOf).filter((status) => status !== null);
  }

  /** Whether the valid credential was accepted by any operation after the exchange. */
  isAcceptedAfter({ seq }: Exchange): boolean {
    return this.#accepted.some((one) => one.seq > seq);
  }

  /** Whether the valid credential was accepted by any operation in a request that was sent once this one had been answered. */
  isAcceptedLater(exchange: Exchange): boolean {
    return this.#accepted.some((one) => one.seq > exchange.seq && one.at >= endOf(exchange));
  }

  /** Whether any operation accepted the valid credential. */
  get credentialWorks(): boolean {
    return this.#accepted.length > 0;
  }

  /** Whether a list of the run, read with the valid credential, shows the resource of that setting. */
  isListed(setting: string): boolean {
    return this.#listed.has(setting);
  }
}
