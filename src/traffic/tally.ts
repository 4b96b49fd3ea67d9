/** What recorded traffic says of the service at one address. */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../contract/operations.ts';
import { documentedMembers } from '../contract/schemas.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Requirement } from '../run/requirement.ts';
import { bodyOf, isAccepted, isError, operationOf, statusOf } from '../verdict/answer.ts';
import { weightOf } from '../verdict/case.ts';
import { envelopeFault } from '../verdict/envelope.ts';
import { Evidence } from '../verdict/evidence.ts';
import type { Finding, Opinion } from '../verdict/opinion.ts';
import { caseOf, oneFinding } from '../verdict/opinions.ts';
import type { Entry } from './entry.ts';
import { type Found, Held, trafficSymptomOf } from './held.ts';
import { Pairs } from './pairs.ts';
import type { Sender } from './record.ts';

/** Number of different findings of a case that are kept apart; a target may put anything into one. */
const MOST_KINDS = 20;

/** Counts by name, and findings by case. */
export class Tally {
  readonly counts = new Map<string, number>();
  readonly #found = new Map<string, Map<string, Found<Finding>>>();

  /** Counts one more, or several. */
  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  /** The findings of a case, the first seen first. */
  foundIn(id: string): readonly Found<Finding>[] {
    return [...(this.#found.get(id)?.values() ?? [])];
  }

  /** Counts exchanges of a case, and adds a finding to its equals. */
  find({ finding, ...one }: Found): void {
    this.count(one.id, one.count);
    if (finding !== null) this.#fold({ ...one, finding });
  }

  /** Of equal findings the smallest exchange is kept. */
  #fold(one: Found<Finding>): void {
    const own = this.#found.get(one.id) ?? new Map<string, Found<Finding>>();
    this.#found.set(one.id, own);
    const isApart = own.size < MOST_KINDS || own.has(JSON.stringify(one.finding));
    const finding = isApart ? one.finding : { ...one.finding, actual: 'something else again' };
    const known = own.get(JSON.stringify(finding)) ?? { ...one, count: 0 };
    const { example } = weightOf(one.example) < weightOf(known.example) ? one : known;
    own.set(JSON.stringify(finding), { id: one.id, finding, example, count: known.count + one.count });
  }

  /** Adds everything that another tally holds. */
  add(other: Tally): void {
    for (const [name, count] of other.counts) this.count(name, count);
    for (const id of other.#found.keys()) for (const one of other.foundIn(id)) this.#fold(one);
  }
}

/** By operation: the requirements that an answer may show, each with its case. */
const SHOWN = new Map(
  OPERATION_IDS.map((operation) => {
    const shown = REQUIREMENTS.filter(
      ({ traffic = 'pair', operations }: Requirement) =>
        traffic !== 'pair' && (operations.includes(operation) || operations.includes('undocumented')),
    );
    return [operation, shown.map((requirement) => ({ requirement, id: caseOf(requirement, operation) }))];
  }),
);
const FACTS = { profile: 'full', settings: [] } as const;

/** Whether the service itself answered, not a page or a redirect in front of it. */
function isOwn(exchange: Exchange): boolean {
  const body = bodyOf(exchange);
  if (isAccepted(exchange)) return body === null || body.json === 'valid';
  return isError(exchange) && body !== null && envelopeFault(body) === null;
}

/** The traffic of one service. */
export class Service {
  readonly held = new Held();
  readonly pairs = new Pairs();
  /** Exchanges that were judged. */
  exchanges = 0;
  isService = false;
  readonly #tally = new Tally();
  /** It knows no more of the recording than whether a credential works. */
  #evidence = new Evidence(FACTS, []);

  /** `base` is its address; unless `isPaired`, each exchange is judged by itself. */
  constructor(
    readonly base: string,
    readonly isPaired: boolean,
  ) {}

  /** Judges an exchange in its turn. */
  take(exchange: Exchange, lacks: Entry['lacks'], sender: Sender): void {
    this.exchanges += 1;
    const operation = operationOf(exchange) as OperationId;
    this.#cover(exchange, operation);
    const symptom = trafficSymptomOf(exchange, this.base);
    if (isOwn(exchange)) {
      this.isService = true;
      if (symptom === null) this.held.sound(exchange);
    }
    if (isAccepted(exchange) && !this.#evidence.credentialWorks) this.#evidence = new Evidence(FACTS, [exchange]);
    const stated = (SHOWN.get(operation) ?? []).flatMap(({ requirement, id }) => {
      const isMute = lacks.some((part) => part === requirement.traffic) || requirement.concerns?.(exchange) !== true;
      return isMute ? [] : [{ requirement, id, opinion: requirement.expect(exchange, this.#evidence) }];
    });
    for (const { id, opinion } of oneFinding(stated)) {
      const isOfNetwork = symptom !== null && opinion.kind === 'finding' && opinion.rank !== 'secrecy';
      this.#note(id, opinion, exchange, isOfNetwork ? (one) => this.held.holdSymptom(symptom, one) : undefined);
    }
    const isBroken = stated.some(({ opinion }) => opinion.kind === 'finding');
    const pairs = this.isPaired ? this.pairs.take(exchange, sender, isBroken) : [];
    for (const { id, opinion, isBelieved } of pairs) {
      const key = opinion.kind === 'pass' ? '' : String(exchange.seq);
      this.#note(id, opinion, exchange, isBelieved && ((one) => this.held.hold(key, one, isBelieved)));
    }
  }

  /** Everything that it shows, once the recording was read. */
  end(): Tally {
    for (const one of this.held.believed) this.#tally.find(one);
    return this.#tally;
  }

  #cover(exchange: Exchange, operation: OperationId): void {
    this.#tally.count(operation);
    this.#tally.count(`${operation} ${statusOf(exchange) ?? 0}`);
    const sent = exchange.request.body?.members.map(({ pointer }) => pointer) ?? [];
    const names = sent.length === 0 ? [] : documentedMembers(operationById(operation).body);
    for (const name of names) if (sent.includes(`/${name}`)) this.#tally.count(`${operation} /${name}`);
  }

  /** An opinion counts at once, unless it is held until the recording was read. */
  #note(id: string, opinion: Opinion, example: Exchange, hold = (one: Found): void => this.#tally.find(one)): void {
    if (opinion.kind === 'finding') hold({ id, finding: opinion.finding, example, count: 1 });
    else if (opinion.kind === 'pass') hold({ id, finding: null, example, count: 1 });
  }
}
