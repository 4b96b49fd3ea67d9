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
  isRetryable,
  routeOf,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, lawfullyNone, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import type { Expectation } from '../src/verdict/requirement.ts';
import { LATER, remedyFor } from './expect/remedy.ts';
import { ACTIONS, EVERY_OPERATION, isOneOf, STATUS_NOT_SHOWN, UPDATES } from './operations.ts';

const CREATE = 'createCall';
const SEARCH = 'searchAvailableNumbers';

/** Rejections of an action for the state of the call: gone, not as expected, locked. */
const OF_THE_STATE: readonly (number | null)[] = [410, 412, 423];
const BODY_WANTED: readonly (number | null)[] = [400, 411, 415, 422];
/** Statuses that can only be about the body. */
const NO_LENGTH_OR_TYPE: readonly (number | null)[] = [411, 415];
/** Statuses that depend on the target's circumstances: permissions, payment, state. */
const CIRCUMSTANCES: readonly (number | null)[] = [402, 403, 409];

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
 * an invalid update with 404 too, so the 404 of a write counts only if an unknown route gets the same bytes.
 */
function isNotServed(exchange: Exchange, evidence: Evidence): boolean {
  if (!resourceExists(exchange, evidence)) return false;
  if (exchange.request.method === 'GET' || exchange.tag.operation === CREATE) return true;
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

/** Create call names resources in its body alone: once a call was accepted, a 404 is about one of those. */
const isAboutBody = ({ tag }: Exchange, evidence: Evidence): boolean =>
  tag.operation === CREATE && evidence.hasAcceptedControl(CREATE);

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
  if (status === 404 && isNotServed(exchange, evidence) && !isAboutBody(exchange, evidence)) {
    return found('redirect', 'the status', 'no 404: the resource exists', 'status 404');
  }
  if (status === 404 && isServedElsewhere(exchange, evidence)) {
    return found('redirect', 'the status', 'no 404: the other slash form is served', 'status 404');
  }
  if (status === 405) return found('redirect', 'the status', 'support for the documented method', 'status 405');
  if (isAccepted(exchange) || [400, 409, 411, 415, 422].includes(status)) return PASS;
  return hasNoInventory(exchange, evidence) ? PASS : toValidRequest(exchange, evidence);
}

function credentialAccepted(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null) return none(answerPhrase(exchange));
  if (status !== 401) return PASS;
  if (evidence.isAcceptedLater(exchange)) {
    return found('status', 'the status', 'no 401: the credential works elsewhere', 'status 401');
  }
  if (!evidence.credentialWorks) {
    return none(
      'no operation accepted the credential',
      'check PCS_ACCESS_TOKEN: it must be a valid organization credential',
    );
  }
  const alive = 'check PCS_ACCESS_TOKEN: it must stay valid for the whole run';
  return none('no operation accepted the credential afterwards', alive);
}

/** Whether a rejection of a valid request lies outside the status requirement. */
function isExcused(exchange: Exchange): boolean {
  const { operation } = exchange.tag;
  const status = statusOf(exchange) ?? 0;
  if (CIRCUMSTANCES.includes(status) || [401, 404, 405].includes(status) || isRetryable(exchange)) return true;
  if (status >= 500) return true;
  if (isOneOf(ACTIONS, operation)) return OF_THE_STATE.includes(status) || BODY_WANTED.includes(status);
  return (isOneOf(UPDATES, operation) || operation === SEARCH) && [400, 422].includes(status);
}

/** Expects the documented success status, or any 2xx where none is shown. */
const successStatus: Expectation = (exchange, evidence) => {
  const status = statusOf(exchange);
  if (hasNoInventory(exchange, evidence)) return lawfullyNone('no numbers were available (status 503)', LATER);
  if (status === null || (status >= 300 && status < 400)) return none(answerPhrase(exchange));
  const documented = operationById(exchange.tag.operation as OperationId).success;
  if (isAccepted(exchange) && (documented === null || status === documented)) return PASS;
  if (!isAccepted(exchange) && isExcused(exchange)) return toValidRequest(exchange, evidence);
  return found('status', 'the status', documented === null ? 'a 2xx' : `status ${documented}`, answerPhrase(exchange));
};

/** Whether a 400 or 422 is about the state: it worked without a body before, or no call is known to ring. */
function isOfTheState({ tag }: Exchange, evidence: Evidence): boolean {
  const isRinging = evidence.facts.settings.includes(SETTING_OF.call);
  return evidence.hasAcceptedControl(tag.operation) || (tag.operation === 'answerCall' && !isRinging);
}

function withoutBody(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (isAccepted(exchange)) return PASS;
  const wantsBody = BODY_WANTED.includes(status) && !isOfTheState(exchange, evidence);
  if (wantsBody || NO_LENGTH_OR_TYPE.includes(status)) {
    return found('status', 'the status', 'success without a body', answerPhrase(exchange));
  }
  return toValidRequest(exchange, evidence);
}

/** A create call that was rejected is judged by the requirement of what its body holds, not by its status. */
function created(exchange: Exchange, evidence: Evidence): Opinion {
  if (!isAccepted(exchange)) return toValidRequest(exchange, evidence);
  return statusOf(exchange) === 201 ? PASS : found('status', 'the status', 'status 201', answerPhrase(exchange));
}

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
    expect: created,
  },
  {
    id: 'LIST-STATUS',
    level: 'must',
    section: '4',
    statement: 'List numbers and list trunks respond with exactly 200.',
    operations: ['listNumbers', 'listTrunks'],
    send: 'valid requests',
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
      exchange.tag.asks.some(({ id }) => id === 'AUTH-CREDENTIAL-ACCEPTED') ||
      (statusOf(exchange) === 401 && isOurs(exchange) && isPlain(exchange)),
    expect: credentialAccepted,
  },
] as const satisfies readonly Requirement[];
