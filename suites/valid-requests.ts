/** How a valid request with the valid credential must be answered (sections 4 and 5). */

import { OPERATIONS, type OperationId, operationById, otherSlashForm } from '../src/contract/operations.ts';
import { SETTING_OF } from '../src/contract/settings.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
  bodyOf,
  isAccepted,
  isOurs,
  isPlain,
  isRejected,
  isRetryable,
  routeOf,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import {
  found,
  foundAcceptance,
  foundRejection,
  foundStatus,
  lawfullyNone,
  none,
  type Opinion,
  PASS,
} from '../src/verdict/opinion.ts';
import type { Expectation } from '../src/verdict/requirement.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { LATER, remedyFor } from './expect/remedy.ts';
import { ACTIONS, EVERY_OPERATION, isOneOf, STATUS_NOT_SHOWN } from './operations.ts';

const CREATE = 'createCall';
const SEARCH = 'searchAvailableNumbers';
const LISTS = ['listNumbers', 'listTrunks'] as const;

const BODY_WANTED: readonly (number | null)[] = [400, 411, 415, 422];
/** Rejections that only an operation can have sent, whatever they mean. */
const SERVED: readonly number[] = [400, 409, 411, 415, 422];
/** Invalid credentials after which a target may have locked their sender out for a while. */
const MANY_INVALID = 3;

const toValidRequest = (exchange: Exchange, evidence: Evidence): Opinion =>
  none(`${answerPhrase(exchange)} to a valid request`, remedyFor(exchange, evidence));

function operationOf({ tag }: Exchange) {
  return OPERATIONS.find(({ id }) => id === tag.operation);
}

function resourceExists(exchange: Exchange, evidence: Evidence): boolean {
  const operation = operationOf(exchange);
  if (operation === undefined) return false;
  if (operation.resources.length === 0) return true;
  return exchange.tag.ids === 'named' && operation.resources.every((kind) => evidence.isListed(SETTING_OF[kind]));
}

/**
 * Whether a 404 says that the path is not served: only where a list shows that the resource exists. A target may reject
 * a valid write with 404 too, so the 404 of a write counts only if an unknown route gets the same bytes.
 */
function isNotServed(exchange: Exchange, evidence: Evidence): boolean {
  if (!resourceExists(exchange, evidence)) return false;
  if (exchange.request.method === 'GET') return true;
  const body = bodyOf(exchange)?.digest;
  const unknown = evidence.unknownRoutes.filter((route) => statusOf(route) === 404);
  return body !== undefined && unknown.some((route) => bodyOf(route)?.digest === body);
}

/** Whether the valid credential is accepted at the other slash form of the path, and never at the documented one. */
function isServedElsewhere(exchange: Exchange, evidence: Evidence): boolean {
  const { operation } = exchange.tag;
  if (evidence.hasAcceptedControl(operation)) return false;
  const elsewhere = otherSlashForm(routeOf(exchange));
  return evidence.exchanges.some(
    (other) => other.tag.operation === operation && isOurs(other) && routeOf(other) === elsewhere && isAccepted(other),
  );
}

/**
 * A search may find no numbers at all and answer 503 for as long as the run takes. Its path is served then, unless an
 * unknown route gets that 503 too. A rate limit may come between.
 */
function hasNoInventory(exchange: Exchange, evidence: Evidence): boolean {
  const isUnavailable = (one: Exchange): boolean => statusOf(one) === 503;
  if (exchange.tag.operation !== SEARCH || !isRetryable(exchange)) return false;
  const searches = evidence.controls(SEARCH);
  const isOwnAnswer = searches.some((one) => isUnavailable(one) && bodyOf(one)?.json === 'valid');
  return isOwnAnswer && evidence.credentialWorks && !evidence.unknownRoutes.some(isUnavailable);
}

function served(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null) return none(answerPhrase(exchange));
  if (status >= 300 && status < 400) return found('redirect', 'the status', 'no redirect', `a redirect (${status})`);
  if (status === 404 && isNotServed(exchange, evidence)) {
    return found('redirect', 'the status', 'no 404: the resource exists', 'status 404');
  }
  if (status === 404 && isServedElsewhere(exchange, evidence)) {
    return found('redirect', 'the status', 'no 404: the other slash form is served', 'status 404');
  }
  if (status === 405) return found('redirect', 'the status', 'support for the documented method', 'status 405');
  if (isAccepted(exchange) || SERVED.includes(status)) return PASS;
  return hasNoInventory(exchange, evidence) ? PASS : toValidRequest(exchange, evidence);
}

const isInvalidCredential = ({ request }: Exchange): boolean =>
  !['valid', 'other-organization', 'lower-case-scheme'].includes(request.credential);

/** Whether several invalid credentials came before, and no valid one was accepted since: a lock-out, or throttling. */
function mayBeLockedOut({ seq }: Exchange, { exchanges }: Evidence): boolean {
  const before = exchanges.filter((one) => one.seq < seq);
  const invalid = before.filter((one) => isInvalidCredential(one) && isRejected(one));
  const from = invalid.at(-MANY_INVALID)?.seq;
  return from !== undefined && !before.some((one) => one.seq > from && isOurs(one) && isAccepted(one));
}

function credentialAccepted(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null) return none(answerPhrase(exchange));
  if (status !== 401) return PASS;
  if (!evidence.credentialWorks) {
    return none(
      'no operation accepted the credential',
      'check PCS_ACCESS_TOKEN: it must be a valid organization credential',
    );
  }
  if (mayBeLockedOut(exchange, evidence)) return none('status 401 right after invalid credentials');
  if (evidence.isAcceptedLater(exchange)) return foundStatus(status, 'no 401: the credential works elsewhere');
  const alive = 'check PCS_ACCESS_TOKEN: it must stay valid for the whole run';
  return none('no operation accepted the credential afterwards', alive);
}

/**
 * Expects the documented success status, or any 2xx where none is shown. A rejection may be about the state, the values
 * or the business rules of the target; only that of JSON, or of its length, cannot be.
 */
const successStatus: Expectation = (exchange, evidence) => {
  const status = statusOf(exchange);
  if (hasNoInventory(exchange, evidence)) return lawfullyNone('no numbers were available (status 503)', LATER);
  const documented = operationById(exchange.tag.operation as OperationId).success;
  const expected = documented === null ? 'a 2xx' : `status ${documented}`;
  if (isAccepted(exchange)) {
    return documented === null || status === documented ? PASS : foundAcceptance(exchange, expected);
  }
  const isAction = isOneOf(ACTIONS, exchange.tag.operation);
  if (!isAction && (status === 411 || status === 415)) return foundStatus(status, expected);
  return status === null || (status >= 300 && status < 400)
    ? none(answerPhrase(exchange))
    : toValidRequest(exchange, evidence);
};

/** A 400 or 422 may be about the state, unless the same action with a body is accepted right behind it. */
function withoutBody(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  const expected = 'success without a body';
  if (isAccepted(exchange)) return PASS;
  if (status === 411 || status === 415) return foundStatus(status, expected);
  const withBody = evidence
    .siblings(exchange)
    .filter(({ tag, request }) => tag.role === 'with-body' && request.path === exchange.request.path);
  const sibling = BODY_WANTED.includes(status) ? Sibling.accepted(exchange, withBody, 'with the body {}') : null;
  return sibling === null ? toValidRequest(exchange, evidence) : foundRejection(exchange, expected, sibling);
}

/** A create call that was rejected is judged by the requirement of what its body holds, not by its status. */
function created(exchange: Exchange, evidence: Evidence): Opinion {
  if (!isAccepted(exchange)) return toValidRequest(exchange, evidence);
  return statusOf(exchange) === 201 ? PASS : foundAcceptance(exchange, 'status 201');
}

const asksFor =
  (requirement: string) =>
  ({ tag }: Exchange): boolean =>
    tag.asks.some(({ id }) => id === requirement);

/** Accepted at the documented path under a rightful credential, whatever it was sent for. */
const isOtherwiseAccepted = (exchange: Exchange, operations: readonly OperationId[]): boolean =>
  isOneOf(operations, exchange.tag.operation) &&
  isAccepted(exchange) &&
  isPlain(exchange) &&
  exchange.tag.sibling === undefined &&
  ['valid', 'other-organization', 'lower-case-scheme'].includes(exchange.request.credential);

export const VALID_REQUESTS = [
  {
    id: 'PATH-SERVED',
    level: 'must',
    section: '4',
    statement:
      'The path is served exactly as documented, slash included: no redirect, no 404 for an existing resource.',
    operations: EVERY_OPERATION,
    send: 'valid requests',
    expect: served,
  },
  {
    id: 'CALL-CREATE-STATUS',
    level: 'must',
    section: '4',
    statement: 'An accepted create call responds with exactly 201.',
    operations: [CREATE],
    send: 'valid requests',
    // Boundary values count as well; an invalid body, which has a sibling, should not have been accepted at all.
    concerns: (exchange) => asksFor('CALL-CREATE-STATUS')(exchange) || isOtherwiseAccepted(exchange, [CREATE]),
    expect: created,
  },
  {
    id: 'LIST-STATUS',
    level: 'must',
    section: '4',
    statement: 'List numbers and list trunks respond with exactly 200.',
    operations: LISTS,
    send: 'valid requests',
    concerns: (exchange) => asksFor('LIST-STATUS')(exchange) || isOtherwiseAccepted(exchange, LISTS),
    expect: successStatus,
  },
  {
    id: 'SUCCESS-STATUS',
    level: 'must',
    section: '4',
    statement: 'A valid request to one of the other ten operations is answered with a 2xx.',
    operations: STATUS_NOT_SHOWN,
    send: 'valid requests',
    expect: successStatus,
  },
  {
    id: 'ACTION-WITHOUT-BODY',
    level: 'must',
    section: '4',
    statement: 'Hang up, answer and mute work without a body and without a Content-Type.',
    operations: ACTIONS,
    send: 'valid requests',
    expect: withoutBody,
  },
  {
    id: 'AUTH-CREDENTIAL-ACCEPTED',
    level: 'must',
    section: '5',
    statement: 'A credential that other operations accept does not get 401.',
    operations: EVERY_OPERATION,
    reading: 'R11',
    send: 'valid requests',
    // A 401 to the valid credential counts on any plain exchange, whatever that exchange asks.
    concerns: (exchange) =>
      asksFor('AUTH-CREDENTIAL-ACCEPTED')(exchange) ||
      (statusOf(exchange) === 401 && isOurs(exchange) && isPlain(exchange)),
    expect: credentialAccepted,
  },
] as const satisfies readonly Requirement[];
