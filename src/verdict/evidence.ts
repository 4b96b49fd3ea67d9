/** The whole record of a run, indexed for expectations: controls, sequences, siblings, repetitions. */

import { groupBy } from '../contract/lists.ts';
import { ACTIONS, COLLECTIONS } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { type Exchange, endOf, type SettledFacts } from '../exchange/exchange.ts';
import { isAccepted, isOurs, isSameTarget, statusOf, symptomOf } from './answer.ts';
import type { RunHeader } from './header.ts';

type HeaderFacts = Pick<RunHeader, 'profile' | 'settings' | 'malformedCredential'>;

const attemptKey = ({ tag }: Exchange): string => `${tag.sequence}\n${tag.attempt}`;
const isAction = ({ tag }: Exchange): boolean => ACTIONS.some((id) => id === tag.operation);
const bodyDigestOf = ({ request }: Exchange): string | undefined => request.body?.digest;

const REJECTED_AGAIN: readonly number[] = [400, 402, 404, 409, 422];

const COLLECTION_IDS: readonly (string | null)[] = COLLECTIONS;

/** The list that shows the kind of a resource: operators swap the ids of a trunk and a number. */
const LIST_OF: Readonly<Record<string, string | undefined>> = {
  [SETTING_OF.trunk]: 'listTrunks',
  [SETTING_OF.number]: 'listNumbers',
};

/** Settings whose id a list shows only for another kind of resource, each once. */
export const misplacedIn = (exchanges: readonly Exchange[]): readonly string[] => [
  ...new Set(exchanges.flatMap(({ response }) => response?.learned?.misplaced ?? [])),
];

/** The exchanges of a run in sending order, with the questions that an expectation may ask about them. */
export class Evidence {
  /** Reads of undocumented routes with the valid credential. */
  readonly unknownRoutes: readonly Exchange[];
  readonly #attempts: ReadonlyMap<string, readonly Exchange[]>;
  readonly #accepted: readonly Exchange[];
  readonly #superseded: ReadonlySet<number | undefined>;
  readonly #controls: ReadonlyMap<string | null, readonly Exchange[]>;
  readonly #listed: ReadonlySet<string>;

  constructor(
    readonly facts: HeaderFacts,
    readonly exchanges: readonly Exchange[],
    readonly settled: SettledFacts = {},
  ) {
    this.unknownRoutes = exchanges.filter((exchange) => exchange.tag.role === 'unknown-route' && isOurs(exchange));
    this.#attempts = groupBy(exchanges, attemptKey);
    this.#superseded = new Set(exchanges.map(({ tag }) => tag.replaces));
    const ours = exchanges.filter(isOurs);
    const controls = ours.filter(({ tag }) => tag.control);
    this.#controls = groupBy(controls, ({ tag }) => tag.operation);
    this.#accepted = ours.filter(isAccepted);
    const lists = this.#accepted.filter(({ tag }) => COLLECTION_IDS.includes(tag.operation));
    const shown = lists.flatMap((list) =>
      (list.response?.body?.mentions ?? []).filter(
        (setting) =>
          (LIST_OF[setting] ?? list.tag.operation) === list.tag.operation && !misplacedIn([list]).includes(setting),
      ),
    );
    this.#listed = new Set(shown);
  }

  /** Whether the request was sent again, so that a later exchange shows more. */
  isSuperseded({ seq }: Exchange): boolean {
    return this.#superseded.has(seq);
  }

  /** Whether every sending of the request showed the symptom. */
  isConfirmed({ seq }: Exchange): boolean {
    return this.settled.confirmed?.includes(seq) === true;
  }

  /** Whether the target went down each time that the request was sent. */
  isCrash({ seq }: Exchange): boolean {
    return this.settled.crashes?.includes(seq) === true;
  }

  /** Whether the exchange came while the target was down. */
  isInOutage({ seq }: Exchange): boolean {
    return (this.settled.outages ?? []).some(([from, to]) => seq >= from && seq <= to);
  }

  /**
   * Whether it is a valid action, or a create call without a response, that was sent again and never accepted later: it
   * may have taken effect, and what works once is then rejected. (Where the number of a lost call is "already being
   * called" for the rest of the run, RESPONSE-COMPLETE passed, and the advice was to check the numbers.)
   */
  isSpent(exchange: Exchange): boolean {
    const { control, operation } = exchange.tag;
    if (!control || symptomOf(exchange) === null || !this.isSuperseded(exchange)) return false;
    if (isAction(exchange)) return !this.hasAcceptedControl(operation);
    const isLostCall = operation === 'createCall' && exchange.failure !== null;
    return isLostCall && !this.controls(operation).some((later) => later.seq > exchange.seq && isAccepted(later));
  }

  /** The spent valid request to the same operation: the exchange itself or an earlier one. */
  spentBefore({ seq, tag }: Exchange): Exchange | undefined {
    return this.controls(tag.operation).find((control) => control.seq <= seq && this.isSpent(control));
  }

  /**
   * Whether it is a valid action that showed a symptom and was accepted when repeated. The hang-up of a call that the
   * target does not know yet is repeated until it is accepted; when one of five was lost, the case stayed open.
   */
  isFlakyAction(exchange: Exchange): boolean {
    if (symptomOf(exchange) === null || !isAction(exchange)) return false;
    return this.sameRequests(exchange).some((later) => later.seq > exchange.seq && isAccepted(later));
  }

  /** Exchanges of the same sequence and attempt. */
  sameSequence(exchange: Exchange): readonly Exchange[] {
    return this.#attempts.get(attemptKey(exchange)) ?? [];
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
   * Whether a control of the operation was accepted before the exchange, and another one after it. A target may reject
   * a PUT that changes nothing: a different status than that of the accepted PUT shows the same.
   */
  isBracketed(exchange: Exchange): boolean {
    const { tag, seq } = exchange;
    const controls = this.controls(tag.operation);
    const isAfter = (later: Exchange): boolean =>
      later.seq > seq && (isAccepted(later) || (statusOf(later) !== statusOf(exchange) && this.isRejectedAgain(later)));
    return controls.some((control) => control.seq < seq && isAccepted(control)) && controls.some(isAfter);
  }

  /** Whether a PUT that was accepted before was rejected for its content. */
  isRejectedAgain(exchange: Exchange): boolean {
    const status = statusOf(exchange) ?? 0;
    if (exchange.request.method !== 'PUT' || !REJECTED_AGAIN.includes(status)) return false;
    return this.sameRequests(exchange).some((earlier) => earlier.seq < exchange.seq && isAccepted(earlier));
  }

  /** The same request, body included, with the valid credential. */
  sameRequests(exchange: Exchange): readonly Exchange[] {
    const same = this.controls(exchange.tag.operation).filter((control) => isSameTarget(control, exchange));
    return same.filter((control) => bodyDigestOf(control) === bodyDigestOf(exchange) && !this.#isLockOut(control));
  }

  /** Whether a lock-out alone may have caused the status. */
  isInLockOut({ seq }: Exchange): boolean {
    return this.settled.lockedOut?.includes(seq) === true;
  }

  /** Whether it was rejected by a lock-out, or by a 401 that did not recur when it was sent again. */
  #isLockOut(exchange: Exchange): boolean {
    return this.isSuperseded(exchange) && (this.isInLockOut(exchange) || statusOf(exchange) === 401);
  }

  /** Whether the valid credential was accepted by any operation after the exchange. */
  isAcceptedAfter({ seq }: Exchange): boolean {
    return this.#accepted.some((accepted) => accepted.seq > seq);
  }

  /** Whether any operation accepted the valid credential in a request that was sent after this one was answered. */
  isAcceptedLater(exchange: Exchange): boolean {
    return this.#accepted.some((accepted) => accepted.seq > exchange.seq && accepted.at >= endOf(exchange));
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
