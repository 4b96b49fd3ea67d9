/** The invariants: what must hold for every response (sections 1, 2, 4, 5, 7), and what should (3; RFC 9110). */

import type { CaseOperation } from '../src/contract/operations.ts';
import { type Exchange, hasMalformedAccept, isUnsent, type RecordedMember } from '../src/exchange/exchange.ts';
import { headerValue } from '../src/exchange/message.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
  bodyOf,
  headerOf,
  headersOf,
  isAccepted,
  isError,
  isOfTheParser,
  isOurs,
  isPlain,
  isPlainJson,
  isRedirect,
  isRetryable,
  isSameTarget,
  isServerFailure,
  statusOf,
} from '../src/verdict/answer.ts';
import { envelopeFault } from '../src/verdict/envelope.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, foundLeak, foundRedirect, foundRejection, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import type { Expects } from '../src/verdict/requirement.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { CREATE, EVERY_OPERATION } from './operations.ts';

const EVERYWHERE: readonly CaseOperation[] = [...EVERY_OPERATION, 'undocumented'];

const INVARIANT = {
  level: 'must',
  invariant: true,
  operations: EVERY_OPERATION,
  opportunistic: 'no matching response in this run',
  traffic: 'status',
} as const;

const whereIn = (exchange: Exchange): string => `the body of the ${statusOf(exchange)}`;

/** Expects an error response to be the envelope. */
export function envelope(exchange: Exchange): Opinion {
  const body = bodyOf(exchange);
  if (body === null) return found(whereIn(exchange), 'the error envelope', 'no body');
  if (body.cut === true) return none('the body exceeded the size limit');
  if (body.json === 'invalid') return found(whereIn(exchange), 'the error envelope', body.reason ?? 'no JSON');
  const fault = envelopeFault(body);
  return fault === null ? PASS : found(whereIn(exchange), fault.expected, fault.actual);
}

/** The part of a finding about a request that took the target down. */
const aftermath = (exchange: Exchange, evidence: Evidence): string =>
  evidence.isCrash(exchange) ? ' (sent twice, and each time the target went down)' : '';

function complete(exchange: Exchange, evidence: Evidence): Opinion {
  const { failure } = exchange;
  if (failure === null) return PASS;
  if (isUnsent({ failure })) return none(`the target could not be reached (${failure.detail})`);
  const said = failure.detail + aftermath(exchange, evidence) + timesOf(exchange, evidence);
  return found('the response', 'a complete HTTP response', said);
}

/** What create calls without a response have in common: ` (after 35 s both times)`. */
function timesOf({ tag }: Exchange, evidence: Evidence): string {
  const isLost = (exchange: Exchange): boolean =>
    exchange.tag.operation === 'createCall' && exchange.failure !== null && evidence.isConfirmed(exchange);
  const lost = tag.operation === 'createCall' ? evidence.exchanges.filter(isLost) : [];
  const seconds = new Set(lost.map(({ took }) => Math.round(took / 1_000)));
  if (lost.length < 2 || seconds.size > 1) return '';
  return ` (after ${[...seconds]} s ${lost.length === 2 ? 'both' : lost.length} times)`;
}

function noServerError(exchange: Exchange, evidence: Evidence): Opinion {
  return isServerFailure(exchange)
    ? found('the status', 'no 5xx other than 503', answerPhrase(exchange) + aftermath(exchange, evidence))
    : PASS;
}

/** The part of a finding about an error page: its author, as far as the Server field says, and how to avoid it. */
function authorOf(exchange: Exchange): string {
  // What follows the product name may differ between answers.
  const [product] = /^[\w./-]{1,40}/.exec(headerOf(exchange, 'server') ?? '') ?? [];
  if (product === undefined || !isError(exchange)) return '';
  const remedy = statusOf(exchange) === 429 ? 'a lower --rate, or ' : '';
  return ` (Server: ${product}; ${remedy}an error page in JSON at that server avoids it)`;
}

function json(exchange: Exchange): Opinion {
  const body = bodyOf(exchange);
  if (body?.json !== 'invalid') return PASS;
  if (body.cut === true) return none('the body exceeded the size limit');
  return found(whereIn(exchange), 'JSON', (body.reason ?? 'something else') + authorOf(exchange));
}

/** Whether a media type is JSON's, whatever its parameters are. */
const isJsonType = (type: string): boolean => /^\s*application\/json\s*(;.*)?$/i.test(type);

function jsonLabel(exchange: Exchange): Opinion {
  // Two lines of a field equal one with a comma (RFC 9110, section 5.3), and a proxy may join them.
  const label = headersOf(exchange, 'content-type').join(', ');
  if (label.split(/,(?=\s*[^\s;,="]+\/)/).every(isJsonType)) return PASS;
  const actual = label === '' ? 'no Content-Type' : `Content-Type: ${label}`;
  return found(`the header of the ${statusOf(exchange)}`, 'Content-Type: application/json', actual);
}

/** Members that name the answer, whatever it says. */
const OF_THE_ANSWER = /^\/(success|(request|trace|correlation)_?id|timestamp)$/i;

/**
 * An error without its `success`: `error` with code and message, and no other member that could be a record. With
 * `"data":null` or a `request_id` beside the error, a second hang-up with 200 passed.
 */
function isBareError(members: readonly RecordedMember[]): boolean {
  const isTop = ({ pointer, type }: RecordedMember): boolean => /^\/[^/]*$/.test(pointer) && type !== 'null';
  const top = members.filter((member) => isTop(member) && !OF_THE_ANSWER.test(member.pointer));
  const hasText = (pointer: string): boolean =>
    members.some((member) => member.pointer === pointer && member.type === 'string');
  return top.length === 1 && hasText('/error/code') && hasText('/error/message');
}

function noErrorInSuccess(exchange: Exchange): Opinion {
  const members = bodyOf(exchange)?.members ?? [];
  const success = members.find(({ pointer }) => pointer === '/success');
  if (success?.type === 'boolean' && success.value === false) {
    return found(`/success of the ${statusOf(exchange)}`, 'no error in a 2xx', 'success: false');
  }
  // A Go struct without omitempty sends an empty error beside success: true.
  if (success?.value === true || !isBareError(members)) return PASS;
  return found(whereIn(exchange), 'no error in a 2xx', 'only an error object');
}

/** Every leak in an answer is named: a leak in the body is a separate defect from a known one in a header. */
function withheld(secret: 'credential' | 'inbound-secret', what: string): Expects {
  return ({ response }) => {
    const leaks = (response?.leaks ?? []).filter((leak) => leak.secret === secret);
    if (leaks.length === 0) return PASS;
    const each = (of: 'where' | 'encoding', joint: string) => [...new Set(leaks.map((leak) => leak[of]))].join(joint);
    const where = `the ${each('where', ' and the ')} of the response`;
    return foundLeak(where, `no ${what}`, `the ${what}, ${each('encoding', ' and ')}`);
  };
}

const hasBody = (exchange: Exchange): boolean => isPlain(exchange) && bodyOf(exchange) !== null;

/** Whether the body of the request has another label than JSON, or none: the interface leaves that open. */
function isOtherwiseLabelled({ request: { headers, body } }: Exchange): boolean {
  const label = headerValue(headers, 'content-type');
  return label === undefined ? body !== null : !isJsonType(label);
}

const isAtOperation = (exchange: Exchange): boolean => exchange.tag.documented && !isOfTheParser(exchange);

/** A malformed Accept sent with other parts is to blame, unless the server also fails for another part alone. */
function otherLabelError(exchange: Exchange, evidence: Evidence): Opinion {
  const parts = evidence.exchanges.filter(({ tag }) => tag.partOf === exchange.seq);
  const isOfPart = hasMalformedAccept(exchange) && parts.some(isServerFailure);
  return isOfPart ? none(`${answerPhrase(exchange)}, as to a part of it alone`) : noServerError(exchange, evidence);
}

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
 * A PUT equal to the last accepted one changes nothing, so it is accepted as well. A text that is not JSON assigns
 * nothing else: a parser that overlooks the comma at the end of the same body has read that body.
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

/** An error with a status of section 7 is an envelope like any other. */
const namedFailure = <Status extends 400 | 409 | 503, Id extends string>(status: Status, ...explainedBy: Id[]) =>
  ({
    id: `CALL-CREATE-${status}`,
    level: 'must',
    section: '7',
    statement: `A ${status} from create call is the envelope.`,
    operations: [CREATE],
    traffic: 'body',
    opportunistic: 'no lasting response had this status, and a client cannot trigger it',
    explainedBy,
    concerns: (exchange: Exchange): boolean =>
      exchange.tag.operation === CREATE && isPlain(exchange) && statusOf(exchange) === status,
    expect: envelope,
  }) as const satisfies Requirement;

export const ANSWERS = [
  {
    ...INVARIANT,
    id: 'RESPONSE-COMPLETE',
    blocks: true,
    traffic: 'answer',
    section: '1',
    statement: 'Every request gets a complete HTTP response.',
    operations: EVERYWHERE,
    concerns: () => true,
    expect: complete,
  },
  {
    ...INVARIANT,
    id: 'NO-REDIRECT',
    blocks: true,
    section: '4',
    statement: 'A request to a documented method and path is never answered with a redirect.',
    explainedBy: ['PATH-SERVED'],
    concerns: (exchange) => isPlain(exchange),
    expect: (exchange) => (isRedirect(exchange) ? foundRedirect(statusOf(exchange) ?? 0) : PASS),
  },
  {
    ...INVARIANT,
    id: 'NO-SERVER-ERROR',
    blocks: true,
    section: '7',
    statement:
      'No request to a documented method and path, with a body of JSON or without one, gets a 5xx other than 503.',
    reading: 'R4',
    concerns: (exchange) => isAtOperation(exchange) && !isOtherwiseLabelled(exchange) && !hasMalformedAccept(exchange),
    expect: noServerError,
  },
  {
    ...INVARIANT,
    id: 'JSON-SYNTAX',
    traffic: 'body',
    section: '1',
    statement: 'Every response body is RFC 8259 JSON in UTF-8 without a byte order mark.',
    explainedBy: ['PATH-SERVED', 'NO-SERVER-ERROR'],
    concerns: hasBody,
    expect: json,
  },
  {
    ...INVARIANT,
    id: 'JSON-LABEL',
    traffic: 'content-type',
    section: '1',
    statement: 'Every response body is labelled application/json.',
    explainedBy: ['PATH-SERVED', 'JSON-SYNTAX'],
    concerns: hasBody,
    expect: jsonLabel,
  },
  {
    ...INVARIANT,
    id: 'ERROR-ENVELOPE',
    traffic: 'body',
    section: '7',
    statement: 'Every error response is the envelope: success is false, and error holds code and message as strings.',
    explainedBy: ['PATH-SERVED', 'NO-SERVER-ERROR', 'JSON-SYNTAX'],
    reading: 'R1',
    furtherReadings: ['R2', 'R3'],
    concerns: (exchange) => isPlain(exchange) && isError(exchange),
    expect: envelope,
  },
  {
    ...INVARIANT,
    id: 'SUCCESS-NOT-ERROR',
    traffic: 'body',
    section: '7',
    statement: 'A 2xx response never has success: false at its top level.',
    reading: 'R6',
    concerns: (exchange) => isPlain(exchange) && isAccepted(exchange),
    expect: noErrorInSuccess,
  },
  {
    ...INVARIANT,
    id: 'SECRET-WITHHELD',
    traffic: 'answer',
    seeks: 'inbound-secret',
    section: '2',
    statement: 'No response contains the secret of inbound carrier authentication, in any encoding.',
    operations: EVERYWHERE,
    reading: 'R8',
    concerns: () => true,
    expect: withheld('inbound-secret', 'inbound secret'),
  },
  {
    ...INVARIANT,
    id: 'CREDENTIAL-WITHHELD',
    traffic: 'answer',
    seeks: 'credential',
    section: '5',
    statement: 'No response contains a bearer credential, in any encoding.',
    operations: EVERYWHERE,
    reading: 'R7',
    concerns: () => true,
    expect: withheld('credential', 'bearer credential'),
  },
  // Every Spring service answers 500 to multipart/form-data without a boundary, every huma one to a malformed Accept.
  {
    id: 'OTHER-LABEL-NO-SERVER-ERROR',
    level: 'should',
    invariant: true,
    traffic: 'status',
    section: 'RFC 9110, 15.5.16',
    statement:
      'A body labelled otherwise than as JSON, or not at all, or a malformed Accept gets no 5xx other than 503.',
    operations: EVERY_OPERATION,
    explainedBy: ['NO-SERVER-ERROR'],
    concerns: (exchange) =>
      hasMalformedAccept(exchange) ? exchange.tag.documented : isAtOperation(exchange) && isOtherwiseLabelled(exchange),
    expect: otherLabelError,
  },
  {
    ...INVARIANT,
    id: 'METHOD-ALLOW',
    level: 'should',
    traffic: 'allow',
    section: 'RFC 9110, 15.5.6',
    statement: 'A 405 carries Allow.',
    // Other methods belong to no operation, so it is judged once for all paths.
    operations: ['undocumented'],
    opportunistic: 'no response was a 405',
    concerns: (exchange) => statusOf(exchange) === 405,
    expect: (exchange) =>
      headerOf(exchange, 'allow') === undefined ? found('the header of the 405', 'Allow', 'no such field') : PASS,
  },
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
  namedFailure(400, 'ERROR-ENVELOPE'),
  namedFailure(409, 'ERROR-ENVELOPE', 'CALL-CREATE-400'),
  namedFailure(503, 'ERROR-ENVELOPE', 'CALL-CREATE-400'),
] as const satisfies readonly Requirement[];
