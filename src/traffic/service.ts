/** What recorded traffic says of the service at one address. */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../contract/operations.ts';
import { documentedMembers } from '../contract/schemas.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Requirement } from '../run/requirement.ts';
import { bodyOf, isAccepted, isError, operationOf, statusOf } from '../verdict/answer.ts';
import { envelopeFault } from '../verdict/envelope.ts';
import { Evidence } from '../verdict/evidence.ts';
import { caseOf } from '../verdict/opinions.ts';
import type { Entry } from './entry.ts';
import { Findings, type Found, HeldFindings, trafficSymptomOf } from './findings.ts';
import { Pairs } from './pairs.ts';
import type { Sent } from './record.ts';

interface Shown {
  readonly requirement: Requirement;
  /** The case. */
  readonly id: string;
}

/** By operation: the requirements that traffic may show. */
const SHOWN: ReadonlyMap<string, readonly Shown[]> = new Map(
  OPERATION_IDS.map((operation) => {
    const shown = REQUIREMENTS.filter(
      ({ traffic, operations }) =>
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

/** The traffic of one service. */
export class Service {
  /** Exchanges by operation, by operation and status, by operation and member of the body, and by the case that they pass. */
  readonly counts = new Map<string, number>();
  readonly findings = new Findings(20);
  readonly held = new HeldFindings(500);
  readonly pairs = new Pairs();
  /** Exchanges that were judged. */
  exchanges = 0;
  isService = false;
  /** It knows no more of the recording than whether a credential works. */
  #evidence = new Evidence(FACTS, []);

  /** `base` is its address; unless `isPaired`, each exchange is judged by itself. */
  constructor(
    readonly base: string,
    readonly isPaired: boolean,
  ) {}

  /** Judges an exchange in its turn. */
  take({ exchange, sender }: Sent, unknown: Entry['unknown']): void {
    this.exchanges += 1;
    this.#cover(exchange);
    const symptom = trafficSymptomOf(exchange, this.base);
    if (isOwn(exchange)) {
      this.isService = true;
      if (symptom === null) this.held.sound(exchange);
    }
    if (isAccepted(exchange) && !this.#evidence.credentialWorks) this.#evidence = new Evidence(FACTS, [exchange]);
    for (const { requirement, id } of SHOWN.get(operationOf(exchange)) ?? []) {
      const { traffic = 'pair' } = requirement;
      if (traffic === 'pair' || traffic in unknown || requirement.concerns?.(exchange) !== true) continue;
      const opinion = requirement.expect(exchange, this.#evidence);
      // What of an answer is unknown may break it.
      if (opinion.kind === 'pass' && !(traffic === 'answer' && 'body' in unknown)) this.#count(id);
      if (opinion.kind !== 'finding') continue;
      const one: Found = { id, finding: opinion.finding, example: exchange, count: 1 };
      if (symptom === null || opinion.basis === 'leak') this.findings.add(JSON.stringify(one.finding), one);
      else this.held.addSymptom(symptom, one);
    }
    const pairs = this.isPaired ? this.pairs.take(exchange, sender, isOwn(exchange)) : [];
    for (const { id, finding, isBelieved } of pairs)
      this.held.add(`${finding && exchange.seq}`, { id, finding, example: exchange, count: 1 }, isBelieved);
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  #cover(exchange: Exchange): void {
    const operation = operationOf(exchange);
    this.#count(operation);
    this.#count(`${operation} ${statusOf(exchange) ?? 0}`);
    const sent = exchange.request.body?.members.map(({ pointer }) => pointer) ?? [];
    const names = sent.length === 0 ? [] : documentedMembers(operationById(operation as OperationId).body);
    for (const name of names) if (sent.includes(`/${name}`)) this.#count(`${operation} /${name}`);
  }
}
