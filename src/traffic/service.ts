/** What recorded traffic says of the service at one address. */

import { REQUIREMENTS, requirementById } from '../../suites/catalogue.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../contract/operations.ts';
import { documentedMembers } from '../contract/schemas.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Requirement } from '../run/requirement.ts';
import { bodyOf, isAccepted, isError, operationOf, statusOf } from '../verdict/answer.ts';
import { weightOf } from '../verdict/case.ts';
import { envelopeFault } from '../verdict/envelope.ts';
import { Evidence } from '../verdict/evidence.ts';
import { type Finding, type Opinion, PASS } from '../verdict/opinion.ts';
import { caseOf, oneFinding } from '../verdict/opinions.ts';
import type { Entry } from './entry.ts';
import { type PairOpinion, Pairs } from './pairs.ts';
import type { Sender } from './record.ts';
import { type Found, Symptoms, trafficSymptomOf } from './symptoms.ts';

interface Shown {
  readonly requirement: Requirement;
  /** The case. */
  readonly id: string;
}

type Stated = Shown & { readonly opinion: Opinion };

/** By operation: the requirements that an answer may show. */
const SHOWN: ReadonlyMap<string, readonly Shown[]> = new Map(
  OPERATION_IDS.map((operation) => {
    const shown = REQUIREMENTS.filter(
      ({ traffic, operations }: Requirement) =>
        traffic !== undefined && (operations.includes(operation) || operations.includes('undocumented')),
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

/** Number of different findings of a case that are kept apart; a target may put anything into one. */
const MOST_KINDS = 20;
const keyOf = ({ expected, actual, where }: Finding): string => `${expected}\n${actual}\n${where}`;

/** Counts by name, and findings by case. */
export class Tally {
  readonly counts = new Map<string, number>();
  readonly #found = new Map<string, Map<string, Found>>();

  /** Counts one more, or several. */
  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  /** The findings of a case, the first seen first. */
  foundIn(id: string): readonly Found[] {
    return [...(this.#found.get(id)?.values() ?? [])];
  }

  /** Adds a finding. */
  find(id: string, { finding, example, count }: Found): void {
    const own = this.#found.get(id) ?? new Map<string, Found>();
    this.#found.set(id, own);
    const isApart = own.size < MOST_KINDS || own.has(keyOf(finding));
    const kind = isApart ? finding : { ...finding, actual: 'something else again' };
    const known = own.get(keyOf(kind));
    if (known !== undefined && weightOf(example) >= weightOf(known.example)) known.count += count;
    else own.set(keyOf(kind), { finding: kind, example, count: count + (known?.count ?? 0) });
  }

  /** Adds everything that another tally holds. */
  add(other: Tally): void {
    for (const [name, count] of other.counts) this.count(name, count);
    for (const id of other.#found.keys()) for (const one of other.foundIn(id)) this.find(id, one);
  }
}

/** The traffic of one service. */
export class ServiceTally {
  readonly symptoms = new Symptoms();
  readonly pairs = new Pairs();
  /** Exchanges that were judged. */
  exchanges = 0;
  isService = false;
  readonly #tally = new Tally();
  /** It knows no more of the recording than whether a credential works. */
  #evidence = new Evidence(FACTS, []);

  /** `base` is its address. */
  constructor(
    readonly base: string,
    readonly isPaired: boolean,
  ) {}

  /** Judges an exchange in its turn. */
  take(exchange: Exchange, holds: Entry['holds'], sender: Sender): void {
    this.exchanges += 1;
    this.#cover(exchange);
    const symptom = trafficSymptomOf(exchange, this.base);
    if (isOwn(exchange)) {
      this.isService = true;
      if (symptom === null) this.symptoms.sound(exchange);
    }
    if (isAccepted(exchange) && !this.#evidence.credentialWorks) this.#evidence = new Evidence(FACTS, [exchange]);
    const stated: Stated[] = [];
    for (const { requirement, id } of SHOWN.get(operationOf(exchange)) ?? []) {
      if (!holds[requirement.traffic ?? 'pair'] || requirement.concerns?.(exchange) !== true) continue;
      stated.push({ requirement, id, opinion: requirement.expect(exchange, this.#evidence) });
    }
    for (const { id, opinion } of oneFinding(stated)) {
      const isOfNetwork = symptom !== null && opinion.kind === 'finding' && opinion.rank !== 'secrecy';
      if (isOfNetwork) this.symptoms.note(exchange, symptom, id, opinion.finding);
      else this.#add(id, opinion, exchange);
    }
    if (!this.isPaired) return;
    const isBroken = stated.some(({ opinion }) => opinion.kind === 'finding');
    for (const id of this.pairs.take(exchange, sender, isBroken)) this.#addPair({ id, exchange, opinion: PASS });
  }

  /** Everything that it shows, once the recording was read. */
  end(): Tally {
    for (const { id, found } of this.symptoms.persistent) {
      this.#tally.count(id, found.count);
      this.#tally.find(id, found);
    }
    for (const one of this.pairs.held) this.#addPair(one);
    return this.#tally;
  }

  #cover(exchange: Exchange): void {
    const operation = operationOf(exchange);
    this.#tally.count(operation);
    this.#tally.count(`${operation} ${statusOf(exchange) ?? 0}`);
    const sent = exchange.request.body?.members.map(({ pointer }) => pointer) ?? [];
    const { body } = operationById(operation as OperationId);
    const names = sent.length === 0 ? [] : documentedMembers(body).filter((name) => sent.includes(`/${name}`));
    for (const name of names) this.#tally.count(`${operation} /${name}`);
  }

  #addPair({ id, exchange, opinion }: PairOpinion): void {
    const requirement = requirementById(id);
    if (requirement !== undefined) this.#add(caseOf(requirement, operationOf(exchange)), opinion, exchange);
  }

  #add(id: string, opinion: Opinion, exchange: Exchange): void {
    if (opinion.kind !== 'pass' && opinion.kind !== 'finding') return;
    this.#tally.count(id);
    if (opinion.kind === 'finding') this.#tally.find(id, { finding: opinion.finding, example: exchange, count: 1 });
  }
}
