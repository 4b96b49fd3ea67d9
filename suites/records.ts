/** What a write changes and what a trunk shows (sections 3 and 4; RFC 9110, section 9.2.2). */

import type { Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
  bodyOf,
  isAccepted,
  isError,
  isOurs,
  isPlainJson,
  isRetryable,
  isSameTarget,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, foundRejection, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { Sibling } from '../src/verdict/sibling.ts';

/** Pointers of the objects that have a member of that name. */
function placesOf(exchange: Exchange, name: string): readonly string[] {
  const pointers = bodyOf(exchange)?.members.map(({ pointer }) => pointer) ?? [];
  return pointers
    .filter((pointer) => pointer.endsWith(`/${name}`))
    .map((pointer) => pointer.slice(0, -name.length - 1));
}

/** The interface does not say where in the response the record is, so any place with both counts. */
function showsState(exchange: Exchange): Opinion {
  const body = bodyOf(exchange);
  if (body !== null && body.json === 'invalid') return none('the body is not JSON');
  const withStatus = placesOf(exchange, 'status');
  const withDirection = placesOf(exchange, 'direction');
  if (withStatus.some((place) => withDirection.includes(place))) return PASS;
  const missing = ['status', 'direction'].filter((name) => placesOf(exchange, name).length === 0);
  const actual = missing.length === 0 ? 'status and direction in different objects' : `no ${missing.join(' and no ')}`;
  const where =
    body === null ? `the ${statusOf(exchange)}, which has no body` : `the body of the ${statusOf(exchange)}`;
  return found(where, 'a record with status and direction', actual);
}

/**
 * A PUT equal to the last accepted one changes nothing, so it is accepted as well. Text that is not JSON assigns nothing else: a
 * parser that overlooks the comma at the end of the same body read that body.
 */
function repeatedPut(exchange: Exchange, evidence: Evidence): Opinion {
  const before = evidence.exchanges.filter((earlier) => earlier.seq < exchange.seq && isSameTarget(earlier, exchange));
  const last = before.findLast((earlier) => isAccepted(earlier) && earlier.request.body?.json !== 'invalid');
  if (last?.request.body?.digest !== exchange.request.body?.digest)
    return none('the last accepted PUT was a different one');
  if (isAccepted(exchange)) return PASS;
  const status = statusOf(exchange) ?? 0;
  const isElse = isRetryable(exchange) || !isError(exchange) || status >= 500 || [401, 402, 403].includes(status);
  const sibling = last === undefined ? null : Sibling.accepted(exchange, [last], 'the first time');
  if (isElse || sibling === null) return none(`${answerPhrase(exchange)} to a repeated PUT`);
  return foundRejection(exchange, 'acceptance, as when it was first sent', sibling);
}

/** At the documented path with the valid credential. */
const isPlainOurs = (exchange: Exchange): boolean => exchange.tag.documented && isOurs(exchange);

export const RECORDS = [
  {
    id: 'TRUNK-SHOWS-STATE',
    level: 'should',
    section: '3',
    statement: 'The record of a trunk shows its status and its direction.',
    operations: ['getTrunk'],
    reading: 'R13',
    invariant: true,
    traffic: 'body',
    opportunistic: 'no trunk named in the settings was read',
    concerns: (exchange) =>
      exchange.tag.operation === 'getTrunk' &&
      exchange.tag.ids === 'named' &&
      isPlainOurs(exchange) &&
      isAccepted(exchange),
    expect: showsState,
  },
  {
    id: 'PUT-REPEATED',
    level: 'should',
    section: 'RFC 9110, 9.2.2',
    statement: 'An accepted PUT is accepted again when it is repeated.',
    operations: ['setInboundAuth', 'assignNumber'],
    invariant: true,
    readsHistory: true,
    opportunistic: 'no accepted PUT was sent a second time',
    explainedBy: ['SUCCESS-STATUS', 'PATH-SERVED', 'AUTH-CREDENTIAL-ACCEPTED'],
    // Valid, with the documented media type: another label has a requirement of its own.
    concerns: (exchange) =>
      exchange.request.method === 'PUT' && isPlainOurs(exchange) && exchange.tag.control && isPlainJson(exchange),
    expect: repeatedPut,
  },
] as const satisfies readonly Requirement[];
