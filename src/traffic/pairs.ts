/** What two exchanges show together: an update that was rejected and seen all the same, and one trunk for two organizations. */

import { type RequirementId, requirementById } from '../../suites/catalogue.ts';
import { shownName, writtenName } from '../../suites/expect/effect.ts';
import { foundAccess } from '../../suites/expect/rejection.ts';
import { RIGHTFUL } from '../../suites/operations.ts';
import { type Exchange, endOf, type Role } from '../exchange/exchange.ts';
import { bodyOf, isAccepted, isRejected, isRetryable, routeOf, statusOf } from '../verdict/answer.ts';
import { Evidence } from '../verdict/evidence.ts';
import { type Opinion, PASS } from '../verdict/opinion.ts';

/** An opinion on the second exchange of a pair. */
export interface PairOpinion {
  readonly id: RequirementId;
  readonly exchange: Exchange;
  readonly opinion: Opinion;
}

interface Held extends PairOpinion {
  readonly path: string;
  readonly name: string;
}

interface Trunk {
  /** The name that the last read showed, and the updates that the service rejected since: of most trunks, none. */
  was: string | undefined;
  changes: readonly Exchange[];
  /** The name that the last accepted update wrote: it may show late. */
  written: string | undefined;
  /** The name that each organization read. */
  ours: string | undefined;
  others: string | undefined;
}

const NONE: readonly Exchange[] = [];
const UNKNOWN = { was: undefined, changes: NONE, written: undefined, ours: undefined, others: undefined };
const MOST_TRUNKS = 5_000;
const MOST_CHANGES = 50;
const MOST_HELD = 500;
const FACTS = { profile: 'full', settings: [] } as const;

/** Which requirement a rejected update concerns, if its rejection is that of the service. */
function concernOf(change: Exchange): RequirementId | null {
  const { credential } = change.request;
  const status = statusOf(change) ?? 0;
  if (credential === 'other-organization') return 'ORG-NO-EFFECT';
  if (!RIGHTFUL.includes(credential) || status === 401) return 'AUTH-NO-EFFECT';
  return status === 400 || status === 422 ? 'UPDATE-REJECTED-NO-EFFECT' : null;
}

const as = (exchange: Exchange, role: Role, seq: number): Exchange => ({
  ...exchange,
  seq,
  tag: { ...exchange.tag, role, sequence: 'pair' },
});

/** A read as another one, but for the name. */
function showing(name: string, { response, ...exchange }: Exchange): Exchange {
  if (!response?.body) return { ...exchange, response };
  const members = [{ pointer: '/name', type: 'string', digest: name }] as const;
  return { ...exchange, response: { ...response, body: { ...response.body, members } } };
}

/** The pairs of one service; of a sample of traffic nothing can be paired. */
export class Pairs {
  readonly #trunks = new Map<string, Trunk>();
  /** Findings that a later update may still explain, by trunk. */
  readonly #held: Held[] = [];
  /** Some trunk or list is there for one of the organizations alone: the two are not the same. */
  #areApart = false;
  readonly #reached = new Set<string>();

  /** Looks at an exchange in its turn; what it settles at once. */
  take(exchange: Exchange, owner: 'ours' | 'others' | null): readonly PairOpinion[] {
    const { operation, ids } = exchange.tag;
    if (owner !== null && ids !== 'none') this.#tellApart(owner, exchange);
    if (operation !== 'getTrunk' && operation !== 'updateTrunk') return [];
    const trunk = this.#trunkOf(routeOf(exchange));
    if (operation === 'updateTrunk') return this.#update(exchange, trunk);
    return [...(owner === null ? [] : this.#readBy(owner, exchange, trunk)), ...this.#read(exchange, trunk)];
  }

  /** Forgets what it knows of the trunk at the path. */
  disturb(path: string): void {
    this.#trunks.delete(path);
  }

  /** What the whole recording leaves unexplained. */
  get held(): readonly PairOpinion[] {
    return this.#held.filter(({ id }) => id !== 'ORG-ISOLATION' || this.#areApart);
  }

  /** What one organization reaches and another is told not to be there belongs to the first alone. */
  #tellApart(owner: 'ours' | 'others', exchange: Exchange): void {
    const request = `${exchange.request.method} ${routeOf(exchange)}`;
    if (owner === 'ours' && isAccepted(exchange) && this.#reached.size < MOST_TRUNKS) this.#reached.add(request);
    if (owner === 'others' && statusOf(exchange) === 404 && this.#reached.has(request)) this.#areApart = true;
  }

  #trunkOf(path: string): Trunk {
    const known = this.#trunks.get(path) ?? { ...UNKNOWN };
    // The last one that was used is the last to be forgotten.
    this.#trunks.delete(path);
    this.#trunks.set(path, known);
    const [oldest] = this.#trunks.keys();
    if (this.#trunks.size > MOST_TRUNKS && oldest !== undefined) this.#trunks.delete(oldest);
    return known;
  }

  #update(exchange: Exchange, trunk: Trunk): readonly PairOpinion[] {
    const isOwn = isRejected(exchange) && !isRetryable(exchange) && bodyOf(exchange)?.json === 'valid';
    if (isOwn && trunk.changes.length < MOST_CHANGES) trunk.changes = [...trunk.changes, exchange];
    if (isRejected(exchange)) return [];
    // From here on the name may be anything, and what was just read may be the effect of this one.
    trunk.was = undefined;
    trunk.changes = NONE;
    trunk.written = writtenName(exchange) ?? trunk.written;
    const explained = (one: Held): boolean =>
      one.path === routeOf(exchange) && one.name === writtenName(exchange) && exchange.at < endOf(one.exchange);
    for (let at = this.#held.findIndex(explained); at >= 0; at = this.#held.findIndex(explained))
      this.#held.splice(at, 1);
    return [];
  }

  #read(exchange: Exchange, trunk: Trunk): readonly PairOpinion[] {
    const name = shownName(exchange);
    if (!isAccepted(exchange) || name === undefined) return [];
    const { was, changes } = trunk;
    trunk.was = name;
    trunk.changes = NONE;
    if (was === undefined || changes.length === 0) return [];
    const concerned = changes.filter((one) => was === name || writtenName(one) === name);
    const judged = concerned.flatMap((change): readonly PairOpinion[] => {
      const id = concernOf(change);
      const requirement = id === null ? undefined : requirementById(id);
      const wanted = writtenName(change);
      const isOfOther = wanted === was || (wanted !== undefined && wanted === trunk.written);
      if (id === null || requirement === undefined || isOfOther) return [];
      if (was === name) return [{ id, exchange, opinion: PASS }];
      const all = [as(showing(was, exchange), 'before', 1), as(change, 'change', 2), as(exchange, 'after', 3)] as const;
      return [{ id, exchange, opinion: requirement.expect(all[2], new Evidence(FACTS, all)) }];
    });
    const passed = judged.filter(({ opinion }) => opinion.kind !== 'finding');
    const broken = judged.filter(({ opinion }) => opinion.kind === 'finding').slice(0, 1);
    for (const one of broken) this.#hold(one, routeOf(exchange), name);
    return passed;
  }

  /** Both credentials are known as those of two organizations, and some trunk is there for one of them alone. */
  #readBy(owner: 'ours' | 'others', exchange: Exchange, trunk: Trunk): readonly PairOpinion[] {
    const other = trunk[owner === 'ours' ? 'others' : 'ours'];
    const isHidden = isRejected(exchange) && [403, 404].includes(statusOf(exchange) ?? 0);
    if (isHidden && other !== undefined) this.#areApart = true;
    const name = isAccepted(exchange) ? shownName(exchange) : undefined;
    if (name !== undefined) trunk[owner] = name;
    if (name !== undefined && other === name) {
      this.#hold({ id: 'ORG-ISOLATION', exchange, opinion: foundAccess(exchange) }, '', name);
    }
    return isHidden && owner === 'others' && other !== undefined
      ? [{ id: 'ORG-ISOLATION', exchange, opinion: PASS }]
      : [];
  }

  #hold(one: PairOpinion, path: string, name: string): void {
    if (this.#held.length < MOST_HELD) this.#held.push({ ...one, path, name });
  }
}
