/** Judges the recorded traffic of the service at one address. */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { foundAccess } from '../../suites/expect/rejection.ts';
import type { RequirementId } from '../../suites/report-order.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../contract/operations.ts';
import { documentedMembers } from '../contract/schemas.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { bodyOf, isAccepted, isError, isRejected, isRetryable, operationOf, statusOf } from '../verdict/answer.ts';
import { envelopeFault } from '../verdict/envelope.ts';
import { Evidence } from '../verdict/evidence.ts';
import { caseOf } from '../verdict/opinions.ts';
import { caseId } from '../verdict/record.ts';
import { uncompared } from '../verdict/sibling.ts';
import type { TrafficEntry } from './entry.ts';
import { Findings, type Found, trafficSymptomOf } from './findings.ts';
import { credentialOf } from './record.ts';

/** By operation: the requirements that traffic may show, with their cases. */
const SHOWN_BY_OPERATION = new Map(
  OPERATION_IDS.map((operation) => {
    const shown = REQUIREMENTS.filter(
      ({ traffic, operations }) =>
        traffic !== undefined && (operations.includes(operation) || operations.includes('undocumented')),
    );
    return [operation as string, shown.map((requirement) => ({ requirement, id: caseOf(requirement, operation) }))];
  }),
);
const FACTS = { profile: 'full', settings: [] } as const;

/** Whether the service itself answered, not a page or a redirect in front of it. */
function isOwn(exchange: Exchange): boolean {
  const body = bodyOf(exchange);
  if (isAccepted(exchange)) return body === null || body.json === 'valid';
  return isError(exchange) && body !== null && envelopeFault(body) === null;
}

/** Counts something once more, or as often as it happened. */
export function count(counts: Map<string, number>, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}

/** The traffic of the service at the address `base`. */
export class Service {
  /** Exchanges by operation, by operation and status or body member, and by the case that they pass. */
  readonly counts = new Map<string, number>();
  readonly findings = new Findings();
  /** Exchanges that were judged. */
  exchanges = 0;
  isService = false;
  /** Operations that accepted a credential. */
  readonly #signed = new Set<string>();
  /** From the recording, it knows only whether a credential works. */
  #evidence = new Evidence(FACTS, []);

  constructor(readonly base: string) {}

  /** Judges the next exchange; `sought` are the kinds of secrets that its answer was searched for. */
  take(entry: TrafficEntry, exchange: Exchange, sought: ReadonlySet<string>): void {
    this.exchanges += 1;
    this.#cover(exchange);
    const symptom = trafficSymptomOf(exchange, this.base);
    if (isOwn(exchange)) {
      this.isService = true;
      if (symptom === null) this.findings.sound(exchange);
      this.#pair(exchange, credentialOf(entry));
    }
    if (isAccepted(exchange) && !this.#evidence.credentialWorks) this.#evidence = new Evidence(FACTS, [exchange]);
    for (const { requirement, id } of SHOWN_BY_OPERATION.get(operationOf(exchange)) ?? []) {
      const { traffic = 'pair', seeks } = requirement;
      if (traffic === 'pair' || traffic in entry.unknown || requirement.concerns?.(exchange) !== true) continue;
      const opinion = requirement.expect?.(exchange, this.#evidence, uncompared(exchange));
      if (opinion === undefined) continue;
      // An unknown body may break the requirement, and without a known secret no leak can be found.
      const isShown = !(traffic === 'answer' && 'body' in entry.unknown) && (seeks === undefined || sought.has(seeks));
      if (opinion.kind === 'pass' && isShown) count(this.counts, id);
      if (opinion.kind !== 'finding') continue;
      const found: Found = { id, finding: opinion.finding, example: exchange, count: 1 };
      if (symptom === null || opinion.basis === 'leak') this.findings.add(found);
      else this.findings.addSymptom(symptom, found);
    }
  }

  /** Whether an operation that accepts credentials also accepts a request without one. */
  #pair(exchange: Exchange, credential: ReturnType<typeof credentialOf>): void {
    const operation = operationOf(exchange);
    const isAnonymous = credential === 'none' || credential === 'empty-bearer';
    if (!isAnonymous && credential !== 'unknown' && isAccepted(exchange)) this.#signed.add(operation);
    const opinion = isAccepted(exchange) ? foundAccess(exchange) : null;
    if (!isAnonymous || (opinion === null && (!isRejected(exchange) || isRetryable(exchange)))) return;
    const finding = opinion?.kind === 'finding' ? opinion.finding : null;
    const id = caseId('AUTH-CREDENTIAL-REQUIRED' satisfies RequirementId, operation);
    this.findings.add({ id, finding, example: exchange, count: 1 }, () => this.#signed.has(operation));
  }

  #cover(exchange: Exchange): void {
    const operation = operationOf(exchange);
    count(this.counts, operation);
    count(this.counts, `${operation} ${statusOf(exchange) ?? 0}`);
    const sent = exchange.request.body?.members.map(({ pointer }) => pointer) ?? [];
    const names = sent.length === 0 ? [] : documentedMembers(operationById(operation as OperationId).body);
    for (const name of names) if (sent.includes(`/${name}`)) count(this.counts, `${operation} /${name}`);
  }
}
