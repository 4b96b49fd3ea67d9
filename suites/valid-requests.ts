/** How a valid request with the valid credential must be answered (sections 4 and 5). */

import { isInvalid } from '../src/client/request.ts';
import { TRIALS } from '../src/contract/limits.ts';
import { type OperationId, operationById, otherSlashForm } from '../src/contract/operations.ts';
import { SETTING_OF } from '../src/contract/settings.ts';
import { type Exchange, endOf } from '../src/exchange/exchange.ts';
import { parsedJson } from '../src/exchange/json-text.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
  bodyOf,
  errorWordingOf,
  isAccepted,
  isOfOthers,
  isOurs,
  isPlain,
  isRedirect,
  isRejected,
  isRetryable,
  routeOf,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import {
  found,
  foundAcceptance,
  foundAnswer,
  foundRedirect,
  foundRejection,
  foundStatus,
  inconclusive,
  LATER,
  lawfullyNone,
  none,
  type Opinion,
  PASS,
} from '../src/verdict/opinion.ts';
import type { Expects } from '../src/verdict/requirement.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { envelope } from './answers.ts';
import { CONDITIONAL, kindsInPath, remedyFor, said, wronglyAcceptedBefore } from './expect/remedy.ts';
import { ACTIONS, ASSIGN, CREATE, EVERY_OPERATION, isOneOf, LISTS, RIGHTFUL, STATUS_NOT_SHOWN } from './operations.ts';

const VALID = { level: 'must', section: '4', send: { withValid: true } } as const;

/** Accepted at the documented path with a rightful credential, whatever it was sent for. */
const isOtherwiseAccepted = (exchange: Exchange, operations: readonly OperationId[]): boolean =>
  isOneOf(operations, exchange.tag.operation) &&
  isAccepted(exchange) &&
  isPlain(exchange) &&
  RIGHTFUL.includes(exchange.request.credential);

const SEARCH = 'searchAvailableNumbers';

/** Rejections that only an operation can have sent, whatever their reason. */
const SERVED: readonly number[] = [400, 409, 411, 415, 422];

/** What may already have used up an action that works only once, in words; empty if nothing did. */
function spentBefore(exchange: Exchange, evidence: Evidence): string {
  const broken = evidence.spentBefore(exchange);
  if (broken !== undefined) return `, after ${answerPhrase(broken)} to an earlier one`;
  const accepted = isRejected(exchange) ? wronglyAcceptedBefore(exchange, evidence) : undefined;
  if (accepted === undefined) return '';
  const credential = isInvalid(accepted.request.credential)
    ? 'an invalid credential'
    : "the other organization's credential";
  return `, after ${answerPhrase(accepted)} to the same with ${credential}`;
}

/** A rejected valid request shows nothing by itself. A configured ringing call can still be rejected. */
function toValidRequest(exchange: Exchange, evidence: Evidence): Opinion {
  const spent = spentBefore(exchange, evidence);
  const reason = `${answerPhrase(exchange)} to a valid request${spent}`;
  if (CONDITIONAL.includes(statusOf(exchange))) {
    const limit = 'unless a header field meets the precondition, this cannot be tested';
    return none(`${reason}: ${limit}`, remedyFor(exchange, evidence));
  }
  const isRinging = exchange.tag.operation === 'answerCall' && evidence.facts.settings.includes(SETTING_OF.call);
  const limit =
    isRinging && spent === '' && isRejected(exchange) ? '; if the call was ringing, this target cannot show it' : '';
  return none(`${reason}${limit}`, remedyFor(exchange, evidence));
}

/** Whether the resource existed all along: a list shows it, or the same read found it before and after. */
function resourceExists(exchange: Exchange, evidence: Evidence): boolean {
  const kinds = kindsInPath(exchange);
  if (kinds.length === 0) return true;
  if (exchange.tag.ids !== 'named') return false;
  return kinds.every((kind) => evidence.isListed(SETTING_OF[kind])) || isReadAround(exchange, evidence);
}

function isReadAround(exchange: Exchange, evidence: Evidence): boolean {
  if (exchange.request.method !== 'GET') return false;
  const accepted = evidence.sameRequests(exchange).filter(isAccepted);
  return accepted.some(({ seq }) => seq < exchange.seq) && accepted.some(({ seq }) => seq > exchange.seq);
}

/** Whether all our requests to the operation on the resource got the 404 of an unknown id, whatever the body. */
function isNeverFound(exchange: Exchange, { exchanges }: Evidence): boolean {
  const { operation } = exchange.tag;
  // The unknown resource may be the connection that an assignment names.
  if (operation === 'assignNumber') return false;
  const ours = exchanges.filter(
    (exchange) => exchange.tag.operation === operation && exchange.tag.documented && isOurs(exchange),
  );
  const answered = ours.filter((exchange) => exchange.tag.ids === 'named' && !isRetryable(exchange));
  const bodies = new Set(answered.map(({ request }) => request.body?.digest));
  // A rule about this resource has its own wording.
  const saysTheSame = (sent: Exchange): boolean => errorWordingOf(sent) === errorWordingOf(exchange);
  const isUnknown = ours.some((exchange) => exchange.tag.ids === 'well-formed' && saysTheSame(exchange));
  return isUnknown && bodies.size >= TRIALS.rule && answered.every(saysTheSame);
}

/** The code of an error envelope. */
const errorCodeOf = (exchange: Exchange): unknown =>
  envelope(exchange).kind === 'pass' ? Object(parsedJson(bodyOf(exchange)?.text ?? '')).error.code : undefined;

/** Answered reads of unknown routes; a walk has none. */
const answeredRoutes = ({ unknownRoutes }: Evidence): readonly Exchange[] =>
  unknownRoutes.filter((route) => statusOf(route) !== null && !isRetryable(route));

/** Whether the 404 has a code that unknown routes do not get: that is how a search says that it found no numbers. */
function hasOwnCode(exchange: Exchange, evidence: Evidence): boolean {
  const code = statusOf(exchange) === 404 ? errorCodeOf(exchange) : undefined;
  const answered = answeredRoutes(evidence);
  return code !== undefined && answered.length > 0 && answered.every((route) => errorCodeOf(route) !== code);
}

/**
 * Whether a 404 says that the path is not served: only if a list shows that the resource exists or, without an id, if
 * an unknown route gets the same. A target may also reject a valid write with 404, so the 404 of a write counts only if
 * an unknown route gets the same except for quotations, or every body gets it.
 */
function isNotServed(exchange: Exchange, evidence: Evidence): boolean {
  if (!resourceExists(exchange, evidence)) return false;
  if (exchange.request.method === 'GET') {
    const isCompared = answeredRoutes(evidence).length > 0;
    return kindsInPath(exchange).length > 0 || (isCompared && !hasOwnCode(exchange, evidence));
  }
  const body = bodyOf(exchange)?.digest;
  const unknown = evidence.unknownRoutes.filter((route) => statusOf(route) === 404);
  const isLikeUnknown = body !== undefined && unknown.some((route) => bodyOf(route)?.digest === body);
  const words = unquoted(exchange);
  const isAlike = words !== undefined && unknown.some((route) => unquoted(route) === words);
  const isQuoting = isAlike && !evidence.hasAcceptedControl(exchange.tag.operation);
  return isLikeUnknown || isQuoting || isNeverFound(exchange, evidence);
}

/**
 * What an error says besides the method and path that it quotes, as routers do: `Cannot POST /v1/calls/`. A service
 * without that route had 27 cases open, with the advice to check the numbers.
 */
function unquoted(exchange: Exchange): string | undefined {
  const method = new RegExp(`\\b${exchange.request.method}\\b`, 'g');
  const text = bodyOf(exchange)?.text?.replaceAll('\\/', '/');
  if (text === undefined || text.search(method) < 0) return undefined;
  return text.replaceAll(routeOf(exchange), '').replaceAll(method, '');
}

/** Whether the valid credential is accepted at the other slash form of the path, and never at the documented one. */
function isServedElsewhere(exchange: Exchange, evidence: Evidence): boolean {
  const { operation } = exchange.tag;
  if (evidence.hasAcceptedControl(operation)) return false;
  const elsewhere = otherSlashForm(routeOf(exchange));
  return evidence.exchanges.some(
    (exchange) =>
      exchange.tag.operation === operation &&
      isOurs(exchange) &&
      routeOf(exchange) === elsewhere &&
      isAccepted(exchange),
  );
}

/** Whether an unknown number gets the same words: a route for one number may read the path as its id. */
const isAsUnknownNumber = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some(
    (sent) =>
      sent.tag.operation === ASSIGN &&
      sent.tag.ids === 'well-formed' &&
      isOurs(sent) &&
      errorWordingOf(sent) === errorWordingOf(exchange),
  );

/**
 * A search may find no numbers during the whole run and answer 503, or 404 with a code of its own. Its path is then
 * served, unless unknown routes also get only 503, as from a gateway without a service. A rate limit may come between.
 */
export function hasNoInventory(exchange: Exchange, evidence: Evidence): boolean {
  const isUnavailable = (exchange: Exchange): boolean => statusOf(exchange) === 503;
  if (exchange.tag.operation !== SEARCH) return false;
  if (hasOwnCode(exchange, evidence)) return evidence.credentialWorks && !isAsUnknownNumber(exchange, evidence);
  if (!isRetryable(exchange)) return false;
  const searches = evidence.controls(SEARCH);
  const isOwnAnswer = searches.some((search) => isUnavailable(search) && bodyOf(search)?.json === 'valid');
  const routes = evidence.unknownRoutes;
  const isBeforeNothing =
    routes.some(isUnavailable) && routes.every((route) => isRetryable(route) || statusOf(route) === null);
  return isOwnAnswer && evidence.credentialWorks && !isBeforeNothing;
}

/**
 * Whether the target accepted the request before and has answered the operation with 404 ever since, though nothing
 * ends the resource: an operation's route was lost after 200 requests, and the pass of its first request counted for
 * the whole run. A call ends, and a participant may leave.
 */
function isServedNoMore(exchange: Exchange, evidence: Evidence): boolean {
  const kinds = kindsInPath(exchange);
  const mayHaveLeft = kinds.includes('participant') && hasOwnCode(exchange, evidence);
  if (statusOf(exchange) !== 404 || kinds.includes('call') || mayHaveLeft) return false;
  const accepted = evidence.controls(exchange.tag.operation).filter(isAccepted);
  const same = evidence.sameRequests(exchange).filter(isAccepted);
  return same.length > 0 && accepted.every(({ seq }) => seq < exchange.seq);
}

/** Expects the path to be served exactly as documented. */
function served(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null) return none(answerPhrase(exchange));
  if (isRedirect(exchange)) return foundRedirect(status);
  if (status === 404 && isNotServed(exchange, evidence)) {
    return found('the status', 'no 404: the resource exists', 'status 404');
  }
  if (status === 404 && isServedElsewhere(exchange, evidence)) {
    return found('the status', 'no 404: the other slash form is served', 'status 404');
  }
  if (status === 405) return found('the status', 'support for the documented method', 'status 405');
  if (isAccepted(exchange) || SERVED.includes(status)) return PASS;
  if (hasNoInventory(exchange, evidence)) return PASS;
  return isServedNoMore(exchange, evidence)
    ? inconclusive(
        'status 404 to a valid request that was accepted before, and to each that followed',
        'check that the resource of the settings still exists, and run again',
      )
    : toValidRequest(exchange, evidence);
}

const PATH_SERVED = {
  ...VALID,
  id: 'PATH-SERVED',
  statement: 'The path is served exactly as documented, slash included: no redirect, no 404 for an existing resource.',
  blocks: true,
  operations: EVERY_OPERATION,
  expect: served,
} as const satisfies Requirement;

/** Statuses that may say that a body is missing. */
export const BODY_WANTED: readonly (number | null)[] = [400, 411, 415, 422];

/** Whether invalid forms of ours came before, and no credential was accepted since that would be locked out with it. */
function mayBeLockedOut(exchange: Exchange, { exchanges }: Evidence): boolean {
  const { seq } = exchange;
  const isValid = (sent: Exchange): boolean => isOurs(sent) || (isOfOthers(exchange) && isOfOthers(sent));
  const before = exchanges.filter((exchange) => exchange.seq < seq);
  const invalid = before.filter((exchange) => isInvalid(exchange.request.credential) && isRejected(exchange));
  const from = invalid.at(-TRIALS.rule)?.seq;
  return from !== undefined && !before.some((sent) => sent.seq > from && isValid(sent) && isAccepted(sent));
}

const WORKS_ELSEWHERE = 'no 401: the credential works elsewhere';

/** The credential of another organization is valid as well, also where an id is ours (R11). */
function otherAccepted(exchange: Exchange, evidence: Evidence): Opinion {
  if (mayBeLockedOut(exchange, evidence)) return none('status 401 right after invalid credentials');
  const theirs = evidence.exchanges.filter((sent) => isOfOthers(sent) && (isAccepted(sent) || isRejected(sent)));
  const isAlive = (sent: Exchange): boolean => sent.at >= endOf(exchange) && statusOf(sent) !== 401;
  if (theirs.some(isAccepted) && theirs.some(isAlive)) return foundStatus(401, WORKS_ELSEWHERE);
  return none('the credential of another organization may have expired');
}

function credentialAccepted(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null) return none(answerPhrase(exchange));
  if (status !== 401) return PASS;
  if (isOfOthers(exchange)) return otherAccepted(exchange, evidence);
  if (!evidence.credentialWorks) {
    return none(
      'no operation accepted the credential',
      'check PCS_ACCESS_TOKEN: it must be a valid organization credential',
    );
  }
  if (mayBeLockedOut(exchange, evidence)) return none('status 401 right after invalid credentials');
  if (evidence.isAcceptedLater(exchange)) return foundStatus(status, WORKS_ELSEWHERE);
  const alive = 'check PCS_ACCESS_TOKEN: it must stay valid for the whole run';
  return none('no operation accepted the credential afterwards', alive);
}

const AUTH_CREDENTIAL_ACCEPTED = {
  id: 'AUTH-CREDENTIAL-ACCEPTED',
  level: 'must',
  section: '5',
  statement: 'A credential that other operations accept does not get 401.',
  blocks: true,
  operations: EVERY_OPERATION,
  reading: 'R11',
  send: { withValid: true },
  readsHistory: true,
  // A 401 to a valid credential counts on any plain exchange, whatever that exchange asks.
  concerns: (exchange): boolean =>
    statusOf(exchange) === 401 && (isOurs(exchange) || isOfOthers(exchange)) && isPlain(exchange),
  expect: credentialAccepted,
} as const satisfies Requirement;

const NOT_ACCEPTABLE = 406;

/** Rejected although the same request, differing only in header fields, was accepted (RFC 9110, section 12.5.1). */
const isRejectedForItsForm = (exchange: Exchange, evidence: Evidence): boolean =>
  statusOf(exchange) === NOT_ACCEPTABLE && evidence.sameRequests(exchange).some(isAccepted);

/**
 * Expects the documented success status, or any 2xx if none is shown. A rejection may be about the state, the values or
 * the business rules of the target; only one of JSON, of its length, or of the form of the request cannot.
 */
const successStatus: Expects = (exchange, evidence) => {
  const status = statusOf(exchange);
  if (hasNoInventory(exchange, evidence))
    return lawfullyNone(`no numbers were available (${answerPhrase(exchange)})`, `${LATER}${said(exchange)}`);
  const documented = operationById(exchange.tag.operation as OperationId).success;
  const expected = documented === null ? 'a 2xx' : `status ${documented}`;
  if (isAccepted(exchange)) {
    return documented === null || status === documented ? PASS : foundAcceptance(exchange, expected);
  }
  if (isRejectedForItsForm(exchange, evidence)) return foundAnswer(exchange, expected);
  if (status === 411 || status === 415) return foundStatus(status, expected);
  return status === null || isRedirect(exchange) ? none(answerPhrase(exchange)) : toValidRequest(exchange, evidence);
};

const LIST_STATUS = {
  ...VALID,
  id: 'LIST-STATUS',
  traffic: 'status',
  statement: 'List numbers and list trunks respond with exactly 200.',
  operations: LISTS,
  concerns: (exchange): boolean => isOtherwiseAccepted(exchange, LISTS),
  expect: successStatus,
} as const satisfies Requirement;

const SUCCESS_STATUS = {
  ...VALID,
  id: 'SUCCESS-STATUS',
  statement: 'A valid request to one of the other ten operations is answered with a 2xx.',
  operations: STATUS_NOT_SHOWN,
  explainedBy: ['ACTION-WITHOUT-BODY'],
  expect: successStatus,
} as const satisfies Requirement;

/** The body of the action that follows one without a body. */
const WITH_EMPTY_BODY = '{}';

/** A 400 or 422 may be about the state, unless the same action with a body is accepted right after it. */
function withoutBody(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  const expected = 'success without a body';
  if (isAccepted(exchange)) return PASS;
  if (status === 411 || status === 415) return foundStatus(status, expected);
  const withBody = evidence.exchanges.filter(
    ({ seq, request }) =>
      seq > exchange.seq && request.path === exchange.request.path && request.body?.text === WITH_EMPTY_BODY,
  );
  const sibling = BODY_WANTED.includes(status) ? Sibling.accepted(exchange, withBody, 'with the body {}') : null;
  return sibling === null ? toValidRequest(exchange, evidence) : foundRejection(exchange, expected, sibling);
}

const ACTION_WITHOUT_BODY = {
  ...VALID,
  id: 'ACTION-WITHOUT-BODY',
  blocks: true,
  statement: 'Hang up, answer and mute work without a body and without a Content-Type.',
  operations: ACTIONS,
  expect: withoutBody,
} as const satisfies Requirement;

/** A rejected create call is judged by the requirement on its body, not by its status. */
function created(exchange: Exchange, evidence: Evidence): Opinion {
  if (!isAccepted(exchange)) return toValidRequest(exchange, evidence);
  return statusOf(exchange) === 201 ? PASS : foundAcceptance(exchange, 'status 201');
}

const CALL_CREATE_STATUS = {
  ...VALID,
  id: 'CALL-CREATE-STATUS',
  traffic: 'status',
  statement: 'An accepted create call responds with exactly 201.',
  operations: [CREATE],
  // Boundary values count as well, and so does what a target need not accept.
  concerns: (exchange): boolean => isOtherwiseAccepted(exchange, [CREATE]),
  expect: created,
} as const satisfies Requirement;

export const VALID_REQUESTS = [
  PATH_SERVED,
  CALL_CREATE_STATUS,
  LIST_STATUS,
  SUCCESS_STATUS,
  ACTION_WITHOUT_BODY,
  AUTH_CREDENTIAL_ACCEPTED,
] as const;
