/** How a valid request with the valid credential must be answered (sections 4 and 5). */

import { isInvalid, MANY_INVALID } from '../src/client/invalid-credentials.ts';
import { type OperationId, operationById } from '../src/contract/operations.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import { answerPhrase, isAccepted, isOurs, isPlain, isRejected, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import {
  found,
  foundAcceptance,
  foundInForm,
  foundRejection,
  foundStatus,
  lawfullyNone,
  none,
  type Opinion,
  PASS,
} from '../src/verdict/opinion.ts';
import type { Expectation } from '../src/verdict/requirement.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { LATER } from './expect/remedy.ts';
import { hasNoInventory, served, toValidRequest } from './expect/served.ts';
import { ACTIONS, CREATE, EVERY_OPERATION, isOneOf, LISTS, RIGHTFUL, STATUS_NOT_SHOWN } from './operations.ts';

const BODY_WANTED: readonly (number | null)[] = [400, 411, 415, 422];

/** Whether several invalid credentials came before, and no valid one was accepted since: a lock-out, or throttling. */
function mayBeLockedOut({ seq }: Exchange, { exchanges }: Evidence): boolean {
  const before = exchanges.filter((one) => one.seq < seq);
  const invalid = before.filter((one) => isInvalid(one.request.credential) && isRejected(one));
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

const NOT_ACCEPTABLE = 406;

/** Rejected although the same request, which differs in its header fields alone, was accepted (RFC 9110, section 12.5.1). */
const isRejectedForItsForm = (exchange: Exchange, evidence: Evidence): boolean =>
  statusOf(exchange) === NOT_ACCEPTABLE && evidence.sameRequests(exchange).some(isAccepted);

/**
 * Expects the documented success status, or any 2xx where none is shown. A rejection may be about the state, the values
 * or the business rules of the target; only that of JSON, of its length, or of the form of the request cannot be.
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
  if (isRejectedForItsForm(exchange, evidence)) return foundInForm(exchange, expected);
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
  if (statusOf(exchange) === 201) return PASS;
  if (exchange.tag.sibling === undefined) return foundAcceptance(exchange, 'status 201');
  // That an invalid body was accepted at all comes first.
  return found('content', 'the status', 'status 201', answerPhrase(exchange));
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
  RIGHTFUL.includes(exchange.request.credential);

export const VALID_REQUESTS = [
  {
    id: 'PATH-SERVED',
    level: 'must',
    section: '4',
    statement:
      'The path is served exactly as documented, slash included: no redirect, no 404 for an existing resource.',
    metByNothing: { 'accepts reads': 'It answers at the documented paths.' },
    operations: EVERY_OPERATION,
    send: 'valid requests',
    expect: served,
  },
  {
    id: 'CALL-CREATE-STATUS',
    level: 'must',
    traffic: 'status',
    section: '4',
    statement: 'An accepted create call responds with exactly 201.',
    metByNothing: { 'answers with 201': 'It answers 201 to a create call.' },
    operations: [CREATE],
    send: 'valid requests',
    // Boundary values count as well, and what a target need not accept.
    concerns: (exchange) => asksFor('CALL-CREATE-STATUS')(exchange) || isOtherwiseAccepted(exchange, [CREATE]),
    expect: created,
  },
  {
    id: 'LIST-STATUS',
    level: 'must',
    traffic: 'status',
    section: '4',
    statement: 'List numbers and list trunks respond with exactly 200.',
    metByNothing: { 'answers lists with 200': 'It answers 200 to lists.' },
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
    metByNothing: { 'accepts reads': 'It answers valid requests with 2xx.' },
    operations: STATUS_NOT_SHOWN,
    send: 'valid requests',
    expect: successStatus,
  },
  {
    id: 'ACTION-WITHOUT-BODY',
    level: 'must',
    section: '4',
    statement: 'Hang up, answer and mute work without a body and without a Content-Type.',
    metByNothing: { 'accepts writes': 'It accepts actions without a body.' },
    operations: ACTIONS,
    send: 'valid requests',
    expect: withoutBody,
  },
  {
    id: 'AUTH-CREDENTIAL-ACCEPTED',
    level: 'must',
    section: '5',
    statement: 'A credential that other operations accept does not get 401.',
    metByNothing: { 'accepts reads': 'It accepts the credential.' },
    operations: EVERY_OPERATION,
    reading: 'R11',
    send: 'valid requests',
    readsHistory: true,
    // A 401 to the valid credential counts on any plain exchange, whatever that exchange asks.
    concerns: (exchange) =>
      asksFor('AUTH-CREDENTIAL-ACCEPTED')(exchange) ||
      (statusOf(exchange) === 401 && isOurs(exchange) && isPlain(exchange)),
    expect: credentialAccepted,
  },
] as const satisfies readonly Requirement[];
