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
import type { Finding, Opinion } from '../verdict/opinion.ts';
import { caseId } from '../verdict/record.ts';
import type { Found } from './findings.ts';
import type { Sender } from './record.ts';

/** What the second exchange of a pair shows; the rest of the recording may decide whether it is believed. */
export interface ShownByPair extends Pick<Found, 'id' | 'finding'> {
  readonly isBelieved?: () => boolean;
}

const findingOf = (opinion: Opinion): Finding | null => (opinion.kind === 'finding' ? opinion.finding : null);

/** What is known of a trunk. */
interface Trunk {
  /** When the last exchange began. */
  at: number;
  /** The name that the last read showed, and the updates that the service rejected since. */
  was?: string;
  rejected: readonly { readonly id: string; readonly name: string }[];
  /** The name that the last accepted update wrote: it may show late. */
  written?: string | undefined;
  /** The last read that showed a rejected name, unless an update that was under way meanwhile explains it. */
  suspect?: { readonly name: string; readonly end: number; isExplained: boolean };
  /** The name that each organization read. */
  readonly readBy: Map<Sender, string>;
}

const ANONYMOUS: readonly Sender[] = ['none', 'empty-bearer'];
/** What an update may have made of a trunk is not known: what was read before it is no evidence. */
function forget(trunk: Trunk): void {
  delete trunk.was;
  trunk.rejected = [];
}

const MOST_TRUNKS = 5_000;
const MOST_REJECTED = 50;

/** Which requirement a rejected update concerns, if its rejection is that of the service. */
function concernOf(update: Exchange): RequirementId | null {
  const { credential } = update.request;
  const status = statusOf(update) ?? 0;
  if (isRetryable(update) || bodyOf(update)?.json !== 'valid') return null;
  if (credential === 'other-organization') return 'ORG-NO-EFFECT';
  if (!RIGHTFUL.includes(credential) || status === 401) return 'AUTH-NO-EFFECT';
  return status === 400 || status === 422 ? 'UPDATE-REJECTED-NO-EFFECT' : null;
}

/** The pairs of one service. */
export class Pairs {
  readonly #trunks = new Map<string, Trunk>();
  /** Operations that accepted a credential. */
  readonly #signed = new Set<string>();
  /** What our organization reached, and whether some of it is not there for the other one. */
  readonly #reached = new Set<string>();
  #areApart = false;

  /** Looks at an exchange in its turn, together with those before it. `isOwn`: the service itself answered. */
  take(exchange: Exchange, sender: Sender, isOwn: boolean): readonly ShownByPair[] {
    const operation = operationOf(exchange);
    const isSigned = !ANONYMOUS.includes(sender) && sender !== 'unknown';
    if (isSigned && isAccepted(exchange)) this.#signed.add(operation);
    if (operation === 'updateTrunk') this.#update(exchange, this.#trunkOf(exchange));
    const request = `${exchange.request.method} ${routeOf(exchange)}`;
    if (sender === 'valid' && isAccepted(exchange) && this.#reached.size < MOST_TRUNKS) this.#reached.add(request);
    this.#areApart ||= sender === 'other-organization' && statusOf(exchange) === 404 && this.#reached.has(request);
    return [
      // A page in front of the service accepts and rejects nothing.
      ...(ANONYMOUS.includes(sender) && isOwn ? this.#withoutCredential(exchange) : []),
      ...(operation === 'getTrunk' ? this.#read(exchange, sender, this.#trunkOf(exchange)) : []),
    ];
  }

  /** Something that is not judged may have changed what is at the path, or anything. */
  disturb(path?: string): void {
    const left = path === undefined ? [...this.#trunks.values()] : [this.#trunks.get(path)];
    for (const trunk of left) if (trunk !== undefined) forget(trunk);
  }

  #withoutCredential(exchange: Exchange): readonly ShownByPair[] {
    const operation = operationOf(exchange);
    const isTelling = isAccepted(exchange) || (isRejected(exchange) && !isRetryable(exchange));
    const finding = isAccepted(exchange) ? findingOf(foundAccess(exchange)) : null;
    const id = caseId('AUTH-CREDENTIAL-REQUIRED', operation);
    return isTelling ? [{ id, finding, isBelieved: () => this.#signed.has(operation) }] : [];
  }

  #trunkOf(exchange: Exchange): Trunk {
    const path = routeOf(exchange);
    const known: Trunk = this.#trunks.get(path) ?? { rejected: [], readBy: new Map(), at: exchange.at };
    // A file that is not in the order of its times does not say what came between.
    if (exchange.at < known.at) {
      forget(known);
      if (known.suspect !== undefined) known.suspect.isExplained = true;
    }
    known.at = exchange.at;
    // The last one that was used is the last to be forgotten.
    this.#trunks.delete(path);
    this.#trunks.set(path, known);
    const [oldest = path] = this.#trunks.keys();
    if (this.#trunks.size > MOST_TRUNKS) this.#trunks.delete(oldest);
    return known;
  }

  #update(exchange: Exchange, trunk: Trunk): void {
    const [id, name] = [concernOf(exchange), writtenName(exchange)];
    if (isRejected(exchange)) {
      if (id === null || name === undefined || trunk.rejected.length >= MOST_REJECTED) return;
      trunk.rejected = [...trunk.rejected, { id: caseId(id, 'updateTrunk'), name }];
      return;
    }
    // From here on the name may be anything, and what was just read may be the effect of this one.
    delete trunk.was;
    trunk.rejected = [];
    trunk.written = name ?? trunk.written;
    const { suspect } = trunk;
    if (suspect !== undefined && suspect.name === name && exchange.at < suspect.end) suspect.isExplained = true;
  }

  #read(exchange: Exchange, sender: Sender, trunk: Trunk): readonly ShownByPair[] {
    const name = isAccepted(exchange) ? shownName(exchange) : undefined;
    const apart = this.#tellApart(exchange, sender, trunk, name);
    return name === undefined ? apart : [...apart, ...this.#compare(exchange, trunk, name)];
  }

  /** What a read of one organization says beside that of the other one. */
  #tellApart(exchange: Exchange, sender: Sender, { readBy }: Trunk, name: string | undefined): readonly ShownByPair[] {
    if (sender !== 'valid' && sender !== 'other-organization') return [];
    const id = caseId('ORG-ISOLATION', operationOf(exchange));
    const other = readBy.get(sender === 'valid' ? 'other-organization' : 'valid');
    if (name !== undefined) readBy.set(sender, name);
    if (other === undefined) return [];
    if (name === other) return [{ id, finding: findingOf(foundAccess(exchange)), isBelieved: () => this.#areApart }];
    const isHidden = [403, 404].includes(statusOf(exchange) ?? 0);
    this.#areApart ||= isHidden;
    return isHidden && sender === 'other-organization' ? [{ id, finding: null }] : [];
  }

  /** What a read says of the updates that were rejected since the read before it. */
  #compare(exchange: Exchange, trunk: Trunk, name: string): readonly ShownByPair[] {
    const { was, rejected, written } = trunk;
    trunk.was = name;
    trunk.rejected = [];
    // What the trunk was called anyway says nothing.
    const telling = rejected.filter((one) => one.name !== was && one.name !== written);
    if (was === name) return telling.map(({ id }) => ({ id, finding: null }));
    const shown = telling.find((one) => one.name === name);
    if (was === undefined || shown === undefined) return [];
    const suspect = { name, end: endOf(exchange), isExplained: false };
    trunk.suspect = suspect;
    return [
      { id: shown.id, finding: findingOf(foundName('the rejected name')), isBelieved: () => !suspect.isExplained },
    ];
  }
}
