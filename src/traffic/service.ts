/** What recorded traffic says of the service at one address. */

import { REQUIREMENTS, requirementById } from '../../suites/catalogue.ts';
import { foundAccess } from '../../suites/expect/rejection.ts';
import { OPERATION_IDS, type OperationId } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Requirement } from '../run/requirement.ts';
import { bodyOf, isAccepted, isError, isRejected, isRetryable, operationOf, statusOf } from '../verdict/answer.ts';
import { envelopeFault } from '../verdict/envelope.ts';
import { Evidence } from '../verdict/evidence.ts';
import { type Opinion, PASS } from '../verdict/opinion.ts';
import { caseOf, oneFinding } from '../verdict/opinions.ts';
import { type PairOpinion, Pairs } from './pairs.ts';
import { membersSent } from './record.ts';
import { Symptoms, trafficSymptomOf } from './symptoms.ts';
import { CaseTally } from './tally.ts';

/** What the recording holds of a response, and what it shows of who sent the request. */
export interface Known {
  readonly header: boolean;
  readonly body: boolean;
  readonly credential: 'none' | 'some' | 'unknown';
  readonly owner: 'ours' | 'others' | null;
}

/** How often an operation was called, answered with each status, and sent with each documented member. */
export interface OperationTally {
  exchanges: number;
  readonly statuses: Map<number, number>;
  readonly members: Map<string, number>;
}

/** By operation: the requirements that an answer alone shows, each with its case. */
const ALONE: ReadonlyMap<string, readonly { readonly requirement: Requirement; readonly id: string }[]> = new Map(
  OPERATION_IDS.map((operation) => {
    const shown = REQUIREMENTS.filter(
      ({ traffic, operations }) =>
        traffic !== undefined &&
        traffic !== 'pair' &&
        [operation, 'undocumented'].some((one) => operations.includes(one as OperationId)),
    );
    return [operation, shown.map((requirement) => ({ requirement, id: caseOf(requirement, operation) }))];
  }),
);
const WITHOUT = 'AUTH-CREDENTIAL-REQUIRED';
const FACTS = { profile: 'full', settings: [] } as const;

/** Whether the recording holds what the requirement looks at. */
function isKnown({ traffic }: Requirement, known: Known): boolean {
  return traffic === 'header' ? known.header : traffic === 'body' ? known.body : true;
}

const increment = <Key>(counts: Map<Key, number>, key: Key): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);

/** The traffic of one service. */
export class ServiceTally {
  readonly symptoms = new Symptoms();
  readonly operations = new Map<string, OperationTally>();
  /** Exchanges that were judged. */
  exchanges = 0;
  /** Something here answered as the service does, not as a page or a redirect in front of it. */
  isService = false;
  readonly #cases = new Map<string, CaseTally>();
  readonly #pairs = new Pairs();
  /** Operations that accepted a credential, and what they said without one. */
  readonly #withCredential = new Set<string>();
  readonly #without = new Map<string, PairOpinion[]>();
  /** It knows no more of the recording than whether a credential works. */
  #evidence = new Evidence(FACTS, []);

  /** `base` is its address; `keep` makes the exchange that is kept. */
  constructor(
    readonly base: string,
    readonly keep: (exchange: Exchange) => Exchange,
    readonly isPaired: boolean,
  ) {}

  /** Judges an exchange in its turn. */
  take(exchange: Exchange, known: Known): void {
    this.exchanges += 1;
    this.#cover(exchange);
    const body = bodyOf(exchange);
    const isOwn = isAccepted(exchange)
      ? body === null || body.json === 'valid'
      : isError(exchange) && body !== null && envelopeFault(body) === null;
    this.isService ||= isOwn;
    if (isAccepted(exchange) && !this.#evidence.credentialWorks) this.#evidence = new Evidence(FACTS, [exchange]);
    const symptom = trafficSymptomOf(exchange, this.base);
    const findings: { readonly requirement: Requirement; readonly opinion: Opinion }[] = [];
    for (const { requirement, id } of ALONE.get(operationOf(exchange)) ?? []) {
      if (!isKnown(requirement, known) || requirement.concerns?.(exchange) !== true) continue;
      const opinion = requirement.expect(exchange, this.#evidence);
      if (opinion.kind === 'finding') findings.push({ requirement, opinion });
      else this.#add(id, opinion, exchange);
    }
    for (const { requirement, opinion } of oneFinding(findings)) {
      if (opinion.kind !== 'finding') continue;
      const id = caseOf(requirement, operationOf(exchange));
      const isOfNetwork = symptom !== null && opinion.rank !== 'secrecy';
      if (!isOfNetwork) this.#add(id, opinion, exchange);
      else this.symptoms.note(exchange, symptom, id, () => this.#found(opinion, exchange));
    }
    if (symptom === null && isOwn) this.symptoms.sound(exchange);
    if (this.isPaired) this.#pair(exchange, known, findings.length > 0);
  }

  /** Something that is not judged may have changed what is at the path. */
  disturb(path: string): void {
    this.#pairs.disturb(path);
  }

  /** The cases by id, once everything was read. */
  cases(): ReadonlyMap<string, CaseTally> {
    for (const [id, { finding, count, example, weight }] of this.symptoms.persistent()) {
      this.#tally(id).judged += count;
      this.#tally(id).add(finding, weight, () => example, count);
    }
    const without = [...this.#without].flatMap(([operation, own]) => (this.#withCredential.has(operation) ? own : []));
    for (const one of [...this.#pairs.held, ...without]) this.#addPair(one);
    return this.#cases;
  }

  #cover(exchange: Exchange): void {
    const operation = operationOf(exchange);
    const own = this.operations.get(operation) ?? { exchanges: 0, statuses: new Map(), members: new Map() };
    this.operations.set(operation, own);
    own.exchanges += 1;
    increment(own.statuses, statusOf(exchange) ?? 0);
    for (const name of membersSent(exchange)) increment(own.members, name);
  }

  #pair(exchange: Exchange, { credential, owner }: Known, isBroken: boolean): void {
    for (const one of this.#pairs.take(exchange, owner)) this.#addPair(one);
    const operation = operationOf(exchange);
    if (credential === 'some' && isAccepted(exchange)) this.#withCredential.add(operation);
    const isSettled = isAccepted(exchange) || (isRejected(exchange) && !isRetryable(exchange));
    const own = this.#without.get(operation) ?? [];
    // One fault, one finding.
    if (credential !== 'none' || isBroken || !isSettled || own.length >= MOST_WITHOUT) return;
    const opinion = isAccepted(exchange) ? foundAccess(exchange) : PASS;
    this.#without.set(operation, [...own, { id: WITHOUT, exchange, opinion }]);
  }

  #addPair({ id, exchange, opinion }: PairOpinion): void {
    const requirement = requirementById(id);
    if (requirement !== undefined) this.#add(caseOf(requirement, operationOf(exchange)), opinion, exchange);
  }

  #add(id: string, opinion: Opinion, exchange: Exchange): void {
    if (opinion.kind !== 'pass' && opinion.kind !== 'finding') return;
    const tally = this.#tally(id);
    tally.judged += 1;
    if (opinion.kind === 'pass') tally.passes += 1;
    else tally.add(opinion.finding, weightOf(exchange), () => this.keep(exchange));
  }

  #found(opinion: Opinion & { readonly kind: 'finding' }, exchange: Exchange) {
    return { finding: opinion.finding, count: 1, weight: weightOf(exchange), example: this.keep(exchange) };
  }

  #tally(id: string): CaseTally {
    const known = this.#cases.get(id) ?? new CaseTally();
    this.#cases.set(id, known);
    return known;
  }
}

/** So many requests without a credential are kept until it is known whether the operation wants one. */
const MOST_WITHOUT = 20;

const weightOf = ({ request }: Exchange): number => (request.body?.length ?? 0) + request.path.length;
