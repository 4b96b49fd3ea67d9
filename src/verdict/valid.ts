/** Checks on valid requests with the good credential (sections 4 and 5). */

import { OPERATIONS, type OperationId, operationById, otherSlashForm } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { answerPhrase, bodyOf, isAccepted, isNoAnswer, isPlain, statusOf } from './answer.ts';
import { asked, type Check, strandsOf } from './check.ts';
import type { Evidence } from './evidence.ts';
import { found, lawfullyNone, none, type Opinion, PASS } from './opinion.ts';

/** Update bodies whose accepted values the interface does not show: a refused one proves nothing. */
const FREE_BODIES: ReadonlySet<string> = new Set(['updateVoiceApplication', 'setInboundAuth', 'updateTrunk']);
const ACTIONS: ReadonlySet<string> = new Set(['hangUpCall', 'answerCall', 'muteParticipant']);
/** Refusals of an action for the state of the call: gone, not as expected, locked. */
const OF_THE_STATE: ReadonlySet<number> = new Set([410, 412, 423]);
const BODY_WANTED: ReadonlySet<number> = new Set([400, 411, 415, 422]);

function operationOf(exchange: Exchange) {
  return OPERATIONS.find((operation) => operation.id === exchange.tag.operation);
}

function settingsOf(exchange: Exchange): readonly string[] {
  const operation = operationOf(exchange);
  if (operation === undefined) return [];
  if (operation.id === 'createCall') return ['PCS_CALL_FROM', 'PCS_CALL_TO', ...idsNamedIn(exchange)];
  return operation.resources.map((kind) => SETTING_OF[kind]);
}

const LATER = 'run again once the target has what it needs for this';
const RIGHT = 'give PCS_ACCESS_TOKEN the right to this operation';

/** Settings of the ids that a create-call body names. */
function idsNamedIn({ request }: Exchange): readonly string[] {
  const named = (pointer: string): boolean =>
    request.body?.members.some((member) => member.pointer === pointer && member.type === 'string') === true;
  const application = named('/application_id') ? ['PCS_VOICE_APPLICATION_ID'] : [];
  return named('/trunk_id') ? [...application, 'PCS_TRUNK_ID'] : application;
}

/** What would help where a valid request was refused for its resources, its values or the caller's rights. */
export function remedyFor(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === 503) return LATER;
  const forbidden = status === 403;
  const { operation } = exchange.tag;
  if (operation === 'searchAvailableNumbers' && !forbidden) {
    return 'set PCS_AVAILABLE_NUMBERS_QUERY to a query that the search takes';
  }
  if (FREE_BODIES.has(operation ?? '') && (status === 400 || status === 422)) {
    return `give a body that is accepted for ${operation} with --samples`;
  }
  const settings = settingsOf(exchange);
  if (settings.length === 0) return RIGHT;
  const named = `set ${settings.join(' and ')} to what the suite may use for this`;
  return forbidden ? `${named}, or ${RIGHT}` : named;
}

/** Statuses of a valid request that lie in the target's circumstances: rights, payment, state. */
const CIRCUMSTANCES: ReadonlySet<number> = new Set([402, 403, 409]);

function resourceExists(exchange: Exchange, evidence: Evidence): boolean {
  const operation = operationOf(exchange);
  if (operation === undefined) return false;
  if (operation.resources.length === 0) return true;
  return exchange.tag.ids === 'named' && operation.resources.every((kind) => evidence.isListed(SETTING_OF[kind]));
}

/**
 * Whether a 404 says that the path is not served: only where a list shows that the resource exists. A target may refuse
 * an invalid update with 404 too, so the 404 of a write counts only if it is, to the byte, what an unknown route gets.
 */
function isNotServed(exchange: Exchange, evidence: Evidence): boolean {
  if (!resourceExists(exchange, evidence)) return false;
  if (exchange.request.method === 'GET' || operationOf(exchange)?.id === 'createCall') return true;
  const body = bodyOf(exchange)?.digest;
  return (
    body !== undefined &&
    evidence.unknownRoutes.some((route) => statusOf(route) === 404 && bodyOf(route)?.digest === body)
  );
}

/** Whether the good credential is accepted at the other slash form of the path, and never at the documented one. */
function isServedElsewhere(exchange: Exchange, evidence: Evidence): boolean {
  const { operation } = exchange.tag;
  if (evidence.controls(operation).some(isAccepted)) return false;
  const elsewhere = otherSlashForm(exchange.request.path.split('?')[0] ?? '');
  return evidence.exchanges.some(
    (other) =>
      other.tag.operation === operation &&
      other.request.credential === 'valid' &&
      other.request.path.split('?')[0] === elsewhere &&
      isAccepted(other),
  );
}

/** Create call names resources in its body alone: once a call was accepted, a 404 is about one of those. */
function isAboutBody({ tag }: Exchange, evidence: Evidence): boolean {
  return tag.operation === 'createCall' && evidence.controls('createCall').some(isAccepted);
}

/**
 * A search of numbers to be had may find that there are none, and say so with 503 for as long as the run takes. Its path
 * is served then, unless whatever the target does not know gets that 503 too. A limit on callers may come between.
 */
function hasNoInventory(exchange: Exchange, evidence: Evidence): boolean {
  const unavailable = (one: Exchange): boolean => statusOf(one) === 503;
  if (exchange.tag.operation !== 'searchAvailableNumbers' || !isNoAnswer(exchange)) return false;
  const searches = evidence.controls(exchange.tag.operation);
  const isOwnAnswer = searches.some((one) => unavailable(one) && bodyOf(one)?.json === 'valid');
  return isOwnAnswer && evidence.credentialWorks && !evidence.unknownRoutes.some(unavailable);
}

function judgePath(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null) return none(answerPhrase(exchange));
  if (status >= 300 && status < 400) return found('redirect', 'the status', 'an answer', `a redirect (${status})`);
  if (status === 404 && isNotServed(exchange, evidence) && !isAboutBody(exchange, evidence)) {
    return found('redirect', 'the status', 'an answer for what exists', 'status 404');
  }
  if (status === 404 && isServedElsewhere(exchange, evidence)) {
    return found('redirect', 'the status', 'an answer, as at the other slash form', 'status 404');
  }
  if (status === 405) return found('redirect', 'the status', 'an answer to the documented method', 'status 405');
  if (isAccepted(exchange) || [400, 409, 411, 415, 422].includes(status)) return PASS;
  if (hasNoInventory(exchange, evidence)) return PASS;
  return none(`${answerPhrase(exchange)} to a valid request`, remedyFor(exchange));
}

const DEAD = 'give a PCS_ACCESS_TOKEN that stays valid for the whole run';

function judgeCredential(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null) return none(answerPhrase(exchange));
  if (status !== 401) return PASS;
  if (evidence.isLetInAfter(exchange))
    return found('status', 'the status', 'no 401: the credential works elsewhere', 'status 401');
  if (evidence.credentialWorks) return none('no operation accepted the credential any more afterwards', DEAD);
  return none('no operation accepted the credential', 'set PCS_ACCESS_TOKEN to a valid organization credential');
}

/** Why a refusal of a valid request lies outside of its status requirement, or `null` where it breaks it. */
function excuse(exchange: Exchange): Opinion | null {
  const { operation } = exchange.tag;
  const status = statusOf(exchange) ?? 0;
  const says = `${answerPhrase(exchange)} to a valid request`;
  const free = FREE_BODIES.has(operation ?? '') || operation === 'searchAvailableNumbers';
  const wantsBody = ACTIONS.has(operation ?? '') && BODY_WANTED.has(status);
  const other = [401, 404, 405, 408, 425, 429, 503].includes(status) || status >= 500;
  const state = ACTIONS.has(operation ?? '') && OF_THE_STATE.has(status);
  if (CIRCUMSTANCES.has(status) || state || other || wantsBody) return none(says, remedyFor(exchange));
  return free && [400, 422].includes(status) ? none(says, remedyFor(exchange)) : null;
}

function judgeStatus(exact: boolean): Check['judge'] {
  return (exchange, evidence) => {
    const status = statusOf(exchange);
    if (hasNoInventory(exchange, evidence)) return lawfullyNone('no numbers were to be had (status 503)', LATER);
    if (status === null || (status >= 300 && status < 400)) return none(answerPhrase(exchange));
    const documented = operationById(exchange.tag.operation as OperationId).success;
    const expected = documented === null ? 'a 2xx' : `status ${documented}`;
    if (isAccepted(exchange)) {
      return !exact || status === documented ? PASS : found('status', 'the status', expected, answerPhrase(exchange));
    }
    return excuse(exchange) ?? found('status', 'the status', expected, answerPhrase(exchange));
  };
}

/** Statuses that can only be about the body, and those with which a call is also refused for its state. */
const NO_LENGTH_OR_TYPE: ReadonlySet<number> = new Set([411, 415]);

/** Whether a 400 or 422 lies in the state: without a body it worked before, or nobody knows of a call that rings. */
function isOfTheState({ tag }: Exchange, evidence: Evidence): boolean {
  const isRinging = evidence.facts.settings.includes('PCS_RINGING_CALL_ID');
  return evidence.controls(tag.operation).some(isAccepted) || (tag.operation === 'answerCall' && !isRinging);
}

function judgeBodyless(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (isAccepted(exchange)) return PASS;
  const wantsBody = status !== null && BODY_WANTED.has(status);
  if (wantsBody && (NO_LENGTH_OR_TYPE.has(status) || !isOfTheState(exchange, evidence))) {
    return found('status', 'the status', 'success without a body', answerPhrase(exchange));
  }
  return none(`${answerPhrase(exchange)} to a valid request`, remedyFor(exchange));
}

/** A create call that was refused is judged by the requirement of what its body holds, not by the status requirement. */
function judgeCreateStatus(exchange: Exchange): Opinion {
  if (!isAccepted(exchange)) return none(`${answerPhrase(exchange)} to a valid request`, remedyFor(exchange));
  const right = statusOf(exchange) === 201;
  return right ? PASS : found('status', 'the status', 'status 201', answerPhrase(exchange));
}

/** Asked by valid requests; whatever else comes with the good credential shows it where the answer is 401. */
const CREDENTIAL_ACCEPTED: Check = {
  requirement: 'AUTH-CREDENTIAL-ACCEPTED',
  concerns: (exchange) => {
    const asks = strandsOf(exchange, 'AUTH-CREDENTIAL-ACCEPTED').length > 0;
    return asks || (statusOf(exchange) === 401 && exchange.request.credential === 'valid' && isPlain(exchange));
  },
  judge: judgeCredential,
};

/** Checks on the answers to valid requests. */
export const VALID: readonly Check[] = [
  asked('PATH-SERVED', judgePath),
  CREDENTIAL_ACCEPTED,
  asked('CALL-CREATE-STATUS', judgeCreateStatus),
  asked('LIST-STATUS', judgeStatus(true)),
  asked('SUCCESS-STATUS', judgeStatus(false)),
  asked('ACTION-WITHOUT-BODY', judgeBodyless),
];
