/**
 * The first requests of a run: harmless reads that show whether the target is the service and accepts the credential.
 * Nothing else leaves before (conformance model, section 5).
 */

import type { Client } from '../client/client.ts';
import { type Answer, Skipped } from '../client/request.ts';
import { type OperationId, operationById, READS } from '../contract/operations.ts';
import { isUnanswered } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { type RequestBuilder, UNKNOWN_ROUTE } from './builder.ts';
import { type Connection, diagnose, isPlausible, symptomOf } from './diagnosis.ts';
import type { RunOptions } from './options.ts';

/** A read of the preflight: of an operation, or of a route that the interface does not have. */
export type FirstRead = OperationId | typeof NO_OPERATION;

/** Stands for a route that only something other than the service serves. */
export const NO_OPERATION = 'an undocumented route';

/** Reads without an id come first, since they need no setting; then the last of the specification. */
const FIRST = READS.toReversed().toSorted(
  (one, other) => operationById(one).resources.length - operationById(other).resources.length,
);

/** So many reads that fail alike say what is wrong. */
const ALIKE = 3;
/** A read that the network lost is sent so often. */
const ROUNDS = 3;

/** The reads with which a run begins, in order: every read that `--without` leaves. */
export const firstReads = ({ without }: Pick<RunOptions, 'without'>): readonly OperationId[] =>
  FIRST.filter((id) => !without.includes(id));

/** The outcome: a read that the target accepts, or the sentence that ends the run. */
export type Recognition = { readonly healthCheck: OperationId } | { readonly end: string };

/** What a body looks like: two of the same look are answers of the same handler. */
function lookOf({ exchange }: Answer): string {
  const body = exchange.response?.body ?? null;
  if (body === null) return 'no body';
  if (body.json === 'invalid') return 'not JSON';
  return JSON.stringify(body.members.map(({ pointer, type }) => [pointer, type]));
}

/** Whether an operation and an undocumented route are answered alike, so that no operation has shown. */
const isSame = (read: Answer, route: Answer): boolean => read.status === route.status && lookOf(read) === lookOf(route);

/** Sends these reads until one shows the service, or until it is certain that none will; throws what `send` throws. */
export async function preflight(
  reads: readonly OperationId[],
  connection: Connection,
  send: (read: FirstRead, attempt: number) => Promise<Answer>,
): Promise<Recognition> {
  /** How many answers failed in which way; one that the network lost does not count as a different way. */
  const failures = new Map<string, number>();
  const accepted: OperationId[] = [];
  let route: Answer | null = null;
  const judge = async (id: OperationId, answer: Answer): Promise<Recognition | null> => {
    if (isPlausible(answer)) {
      route ??= await send(NO_OPERATION, 0);
      if (!isSame(answer, route)) return { healthCheck: id };
      accepted.push(id);
      return null;
    }
    const symptom = symptomOf(answer);
    const count = (failures.get(symptom) ?? 0) + 1;
    failures.set(symptom, count);
    return count < ALIKE ? null : { end: diagnose(answer, connection) };
  };
  let due = reads;
  let last: Answer | null = null;
  for (let attempt = 0; attempt < ROUNDS && due.length > 0; attempt += 1) {
    const lost: OperationId[] = [];
    for (const id of due) {
      last = await send(id, attempt);
      const known = await judge(id, last);
      if (known !== null) return known;
      if (isUnanswered(last.exchange)) lost.push(id);
    }
    due = lost;
  }
  if (last !== null && accepted.length === 0 && failures.size === 1) return { end: diagnose(last, connection) };
  return { end: unrecognized(connection, accepted, failures) };
}

function unrecognized(
  { baseUrl }: Connection,
  [accepted]: readonly OperationId[],
  failures: ReadonlyMap<string, number>,
): string {
  if (accepted !== undefined) {
    return `the target answers an undocumented path just as it answers ${accepted}: ${baseUrl} does not look like this service; check PCS_BASE_URL`;
  }
  const ways = [...failures].map(([symptom, count]) => `${symptom} to ${count}`).join(', ');
  return `the target accepts none of the reads (${ways}), so nothing shows that ${baseUrl} is this service: check PCS_BASE_URL and PCS_ACCESS_TOKEN, and run doctor`;
}

/** Sends the first reads that the options allow; resolves with `null` where they allow none. */
export async function recognition(
  builder: RequestBuilder,
  client: Pick<Client, 'send'>,
  hasGatewayHeader: boolean,
): Promise<Recognition | null> {
  const { options } = builder;
  const reads = firstReads(options);
  if (reads.length === 0) return null;
  const send = (read: FirstRead, attempt: number): Promise<Answer> => {
    const variation = { role: 'preflight', about: 'a first look at the target' } as const;
    const request =
      read === NO_OPERATION
        ? { ...builder.request('listTrunks', { ...variation, path: UNKNOWN_ROUTE }), operation: null }
        : builder.request(read, variation);
    return client.send(request, { sequence: `preflight/${read}`, attempt });
  };
  try {
    return await preflight(reads, { baseUrl: shownUrl(options.baseUrl), hasGatewayHeader }, send);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    const { reason, remedy } = error.skip;
    return { end: remedy === undefined ? reason : `${reason}: ${remedy}` };
  }
}
