/**
 * What two exchanges show together: an operation that wants a credential and works without, an update that was rejected
 * and seen all the same, and one trunk for two organizations.
 */

import type { RequirementId } from '../../suites/catalogue.ts';
import { foundName, shownName, writtenName } from '../../suites/expect/effect.ts';
import { foundAccess } from '../../suites/expect/rejection.ts';
import { RIGHTFUL } from '../../suites/operations.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import { bodyOf, isAccepted, isRejected, isRetryable, operationOf, routeOf, statusOf } from '../verdict/answer.ts';
import { type Opinion, PASS } from '../verdict/opinion.ts';
import type { Sender } from './record.ts';

/** An opinion on the second exchange of a pair. */
export interface PairOpinion {
  readonly id: RequirementId;
  readonly exchange: Exchange;
  readonly opinion: Opinion;
}

/** What is known of a trunk. */
interface Trunk {
  /** The name that the last read showed, and the updates that the service rejected since. */
  was?: string | undefined;
  changes: readonly Exchange[];
  /** The name that the last accepted update wrote: it may show late. */
  written?: string | undefined;
  /** The name that each organization read. */
  ours?: string;
  others?: string;
}

const NONE: readonly Exchange[] = [];
const MOST_TRUNKS = 5_000;
const MOST_CHANGES = 50;
/** Of findings that the rest of the recording may explain, and of requests of an operation without a credential. */
const MOST_HELD = 500;
const MOST_UNSIGNED = 20;

/** Which requirement a rejected update concerns, if its rejection is that of the service. */
function concernOf(change: Exchange): RequirementId | null {
  const { credential } = change.request;
  const status = statusOf(change) ?? 0;
  if (credential === 'other-organization') return 'ORG-NO-EFFECT';
  if (!RIGHTFUL.includes(credential) || status === 401) return 'AUTH-NO-EFFECT';
  return status === 400 || status === 422 ? 'UPDATE-REJECTED-NO-EFFECT' : null;
}

/** The pairs of one service; of a sample of traffic nothing can be paired. */
export class Pairs {
  readonly #trunks = new Map<string, Trunk>();
  /** Findings about trunks, which the rest of the recording may explain. */
  #held: readonly PairOpinion[] = [];
  /** By operation: what it said to requests without a credential, and whether it accepted one with a credential. */
  readonly #unsigned = new Map<string, readonly PairOpinion[]>();
  readonly #signed = new Set<string>();
  /** What our organization reached, and whether some of it is not there for the other one. */
  readonly #reached = new Set<string>();
  #areApart = false;

  /** Looks at an exchange in its turn; the requirements that it meets with an earlier one. */
  take(exchange: Exchange, sender: Sender, isBroken: boolean): readonly RequirementId[] {
    const { operation, ids } = exchange.tag;
    if (sender !== 'anonymous' && sender !== 'unknown' && isAccepted(exchange)) this.#signed.add(operationOf(exchange));
    // One fault, one finding.
    if (sender === 'anonymous' && !isBroken) this.#noteUnsigned(exchange);
    if (operation === 'updateTrunk') this.#update(exchange, this.#trunkOf(routeOf(exchange)));
    const isOfOne = ids !== 'none' && (sender === 'ours' || sender === 'others');
    return [
      ...(isOfOne ? this.#tellApart(exchange, sender) : []),
      ...(operation === 'getTrunk' ? this.#read(exchange, this.#trunkOf(routeOf(exchange))) : []),
    ];
  }

  /** Something that is not judged may have changed what is at the path. */
  disturb(path: string): void {
    this.#trunks.delete(path);
  }

  /** What counts once the whole recording was read. */
  get held(): readonly PairOpinion[] {
    const unsigned = [...this.#unsigned].flatMap(([operation, own]) => (this.#signed.has(operation) ? own : []));
    return [...this.#held.filter(({ id }) => id !== 'ORG-ISOLATION' || this.#areApart), ...unsigned];
  }

  #hold(id: RequirementId, exchange: Exchange, opinion: Opinion): void {
    if (this.#held.length < MOST_HELD) this.#held = [...this.#held, { id, exchange, opinion }];
  }

  #noteUnsigned(exchange: Exchange): void {
    const operation = operationOf(exchange);
    const own = this.#unsigned.get(operation) ?? [];
    const isTelling = isAccepted(exchange) || (isRejected(exchange) && !isRetryable(exchange));
    if (!isTelling || own.length >= MOST_UNSIGNED) return;
    const opinion = isAccepted(exchange) ? foundAccess(exchange) : PASS;
    this.#unsigned.set(operation, [...own, { id: 'AUTH-CREDENTIAL-REQUIRED', exchange, opinion }]);
  }

  /** What one organization reaches and another is told not to be there belongs to the first alone. */
  #tellApart(exchange: Exchange, sender: 'ours' | 'others'): readonly RequirementId[] {
    const status = statusOf(exchange) ?? 0;
    const request = `${exchange.request.method} ${routeOf(exchange)}`;
    if (sender === 'ours' && isAccepted(exchange) && this.#reached.size < MOST_TRUNKS) this.#reached.add(request);
    if (sender === 'others' && status === 404 && this.#reached.has(request)) this.#areApart = true;
    if (exchange.tag.operation !== 'getTrunk') return [];
    const trunk = this.#trunkOf(routeOf(exchange));
    const other = sender === 'ours' ? trunk.others : trunk.ours;
    const name = isAccepted(exchange) ? shownName(exchange) : undefined;
    if (name !== undefined) trunk[sender] = name;
    if (other === undefined) return [];
    if (name === other) this.#hold('ORG-ISOLATION', exchange, foundAccess(exchange));
    if (status !== 403 && status !== 404) return [];
    this.#areApart = true;
    return sender === 'others' ? ['ORG-ISOLATION'] : [];
  }

  #trunkOf(path: string): Trunk {
    const known = this.#trunks.get(path) ?? { changes: NONE };
    // The last one that was used is the last to be forgotten.
    this.#trunks.delete(path);
    this.#trunks.set(path, known);
    if (this.#trunks.size <= MOST_TRUNKS) return known;
    const [oldest = path] = this.#trunks.keys();
    this.#trunks.delete(oldest);
    return known;
  }

  #update(exchange: Exchange, trunk: Trunk): void {
    const isOwn = !isRetryable(exchange) && bodyOf(exchange)?.json === 'valid';
    if (isRejected(exchange)) {
      if (isOwn && trunk.changes.length < MOST_CHANGES) trunk.changes = [...trunk.changes, exchange];
      return;
    }
    // From here on the name may be anything, and what was just read may be the effect of this one.
    trunk.was = undefined;
    trunk.changes = NONE;
    trunk.written = writtenName(exchange) ?? trunk.written;
    const isExplained = ({ id, exchange: read }: PairOpinion): boolean =>
      id !== 'ORG-ISOLATION' &&
      routeOf(read) === routeOf(exchange) &&
      shownName(read) === writtenName(exchange) &&
      exchange.at < endOf(read);
    this.#held = this.#held.filter((one) => !isExplained(one));
  }

  /** What a read says of the updates that were rejected since the read before it. */
  #read(exchange: Exchange, trunk: Trunk): readonly RequirementId[] {
    const name = isAccepted(exchange) ? shownName(exchange) : undefined;
    if (name === undefined) return [];
    const { was, changes, written } = trunk;
    trunk.was = name;
    trunk.changes = NONE;
    if (was === undefined) return [];
    const concerned = changes.flatMap((change) => {
      const [id, wanted] = [concernOf(change), writtenName(change)];
      const isOfOther = wanted === was || (wanted !== undefined && wanted === written);
      return id === null || isOfOther || (was !== name && wanted !== name) ? [] : [id];
    });
    if (was === name) return concerned;
    const [id] = concerned;
    const actual = id === 'UPDATE-REJECTED-NO-EFFECT' ? 'the rejected name' : 'the name that was written';
    if (id !== undefined) this.#hold(id, exchange, foundName(actual));
    return [];
  }
}
