/** What a rejection of a valid request says: whether its path is served, or what stands in the way (section 4). */

import { OPERATIONS, otherSlashForm } from '../../src/contract/operations.ts';
import { SETTING_OF } from '../../src/contract/settings.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import {
  answerPhrase,
  bodyOf,
  isAccepted,
  isOurs,
  isRejected,
  isRetryable,
  routeOf,
  statusOf,
} from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';
import { remedyFor } from './remedy.ts';

const SEARCH = 'searchAvailableNumbers';

/** Rejections that only an operation can have sent, whatever they mean. */
const SERVED: readonly number[] = [400, 409, 411, 415, 422];

/** Statuses by which a target asks for a precondition, such as If-Match, which the interface does not mention. */
const CONDITIONAL: readonly (number | null)[] = [412, 428];

/** A rejection of a valid request says nothing by itself. A call of the settings that rings can still be rejected. */
export function toValidRequest(exchange: Exchange, evidence: Evidence): Opinion {
  const reason = `${answerPhrase(exchange)} to a valid request`;
  if (CONDITIONAL.includes(statusOf(exchange))) {
    return none(`${reason}: the target requires an undocumented precondition, so this cannot be tested`);
  }
  const isRinging = exchange.tag.operation === 'answerCall' && evidence.facts.settings.includes(SETTING_OF.call);
  const limit = isRinging && isRejected(exchange) ? '; if the call was ringing, this target cannot show it' : '';
  return none(`${reason}${limit}`, remedyFor(exchange, evidence));
}

function operationOf({ tag }: Exchange) {
  return OPERATIONS.find(({ id }) => id === tag.operation);
}

function resourceExists(exchange: Exchange, evidence: Evidence): boolean {
  const operation = operationOf(exchange);
  if (operation === undefined) return false;
  if (operation.resources.length === 0) return true;
  return exchange.tag.ids === 'named' && operation.resources.every((kind) => evidence.isListed(SETTING_OF[kind]));
}

/** With so many different bodies an update was tried, those among them that name no other resource and change nothing. */
const ENOUGH_BODIES = 3;

/** Whether everything that we sent to the operation on the resource got 404, whatever the body. */
function isNeverFound(exchange: Exchange, { exchanges }: Evidence): boolean {
  const { operation } = exchange.tag;
  // The connection that an assignment names may be what is not found.
  if (operation === 'assignNumber') return false;
  const own = exchanges.filter(
    (one) => one.tag.operation === operation && one.tag.documented && one.tag.ids === 'named' && isOurs(one),
  );
  const answered = own.filter((one) => !isRetryable(one));
  const bodies = new Set(answered.map(({ request }) => request.body?.digest));
  return bodies.size >= ENOUGH_BODIES && answered.every((one) => statusOf(one) === 404);
}

/**
 * Whether a 404 says that the path is not served: only where a list shows that the resource exists. A target may reject
 * a valid write with 404 too, so the 404 of a write counts only if an unknown route gets the same bytes, or every body
 * gets it.
 */
function isNotServed(exchange: Exchange, evidence: Evidence): boolean {
  if (!resourceExists(exchange, evidence)) return false;
  if (exchange.request.method === 'GET') return true;
  const body = bodyOf(exchange)?.digest;
  const unknown = evidence.unknownRoutes.filter((route) => statusOf(route) === 404);
  const isLikeUnknown = body !== undefined && unknown.some((route) => bodyOf(route)?.digest === body);
  return isLikeUnknown || isNeverFound(exchange, evidence);
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
 * A search may find no numbers at all and answer 503 for as long as the run takes. Its path is served then, unless
 * unknown routes get nothing but 503 too: then a gateway stands before nothing. A rate limit may come between.
 */
export function hasNoInventory(exchange: Exchange, evidence: Evidence): boolean {
  const isUnavailable = (one: Exchange): boolean => statusOf(one) === 503;
  if (exchange.tag.operation !== SEARCH || !isRetryable(exchange)) return false;
  const searches = evidence.controls(SEARCH);
  const isOwnAnswer = searches.some((one) => isUnavailable(one) && bodyOf(one)?.json === 'valid');
  const routes = evidence.unknownRoutes;
  const isBeforeNothing =
    routes.some(isUnavailable) && routes.every((one) => isRetryable(one) || statusOf(one) === null);
  return isOwnAnswer && evidence.credentialWorks && !isBeforeNothing;
}

/** Expects the path to be served exactly as documented. */
export function served(exchange: Exchange, evidence: Evidence): Opinion {
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
