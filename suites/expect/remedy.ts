/** The remedy if a valid request was not accepted: one phrase, derived from the run. */

import { segmentOf } from '../../src/client/hang-ups.ts';
import { AnnouncedLimit, lowerTo } from '../../src/client/rate.ts';
import { hangUpSegment } from '../../src/client/request.ts';
import { OPERATIONS, type ResourceKind } from '../../src/contract/operations.ts';
import {
  QUERY_SETTINGS,
  remedyOf,
  SETTING_OF,
  type TargetSettingName,
  toFindIds,
} from '../../src/contract/settings.ts';
import { DRAWN_UUID } from '../../src/contract/uuid.ts';
import { LIMITED } from '../../src/contract/waiting.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { isObject } from '../../src/exchange/json-text.ts';
import {
  answerPhrase,
  isAccepted,
  isError,
  isOfOthers,
  isOurs,
  isRejected,
  isSameTarget,
  messageOf,
  statusOf,
} from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { LATER } from '../../src/verdict/opinion.ts';
import { LOCK_OUT_REMEDY } from '../../src/verdict/opinions.ts';
import { elementsBetween, isEqualJson, jsonOf } from '../../src/verdict/sibling.ts';
import {
  ACTIONS,
  ASSIGN,
  CALL_IDS,
  CREATE,
  HANG_UP,
  isOneOf,
  LISTS,
  ON_CALLS,
  RIGHTFUL,
  UPDATES,
} from '../operations.ts';

/** Statuses after which the same request may be accepted later. */
const PUT_OFF: readonly (number | null)[] = [408, 425, 503];

/** Statuses of a broken service, and the remedy: neither a setting nor time helps. */
const BROKEN: readonly (number | null)[] = [500, 501];
const MEND = 'fix the 5xx, and run again';
/** Statuses with which a target never rejects what it documents: the method, a missing body, or the JSON label. */
const UNDUE: readonly (number | null)[] = [405, 411, 415];

/** Statuses by which a target asks for a precondition, which the interface does not mention. */
export const CONDITIONAL: readonly (number | null)[] = [412, 428];

/** The remedy if an answer says nothing, and no setting would change it. */
export const laterOrMend = (exchange: Exchange): string => (BROKEN.includes(statusOf(exchange)) ? MEND : LATER);

/** The remedy if both organizations' credentials get the same answers. */
export const OTHER_ORGANIZATION =
  'check PCS_OTHER_ORG_ACCESS_TOKEN: it must belong to a second organization; if it does, the service does not separate organizations';

const STAY_VALID = 'check PCS_ACCESS_TOKEN: it must stay valid for the whole run';

/** The remedy if the valid credential was not accepted after an exchange. */
export function remedyForLoss({ seq }: Exchange, { exchanges }: Evidence): string {
  return exchanges.some((exchange) => exchange.seq > seq && isOurs(exchange) && statusOf(exchange) === 401)
    ? STAY_VALID
    : LATER;
}

const RIGHT = 'allow PCS_ACCESS_TOKEN to use this operation';
/** A number that may call directly may often not call over a trunk, and vice versa. */
const TRUNK_CALLER = 'PCS_TRUNK_CALL_FROM';
const TWO_CALLERS = `set PCS_CALL_FROM to a number that may call without a trunk, and ${TRUNK_CALLER} to the one that it holds now`;
const CALL_NUMBERS = ['PCS_CALL_FROM', 'PCS_CALL_TO'] as const;

/** Statuses that are about the body or the query. */
const OF_BODY_OR_QUERY: readonly (number | null)[] = [400, 422];
/** Statuses with which a business rule may reject a valid request. */
const OF_A_RULE: readonly (number | null)[] = [400, 402, 403, 404, 409, 422];
/** Statuses that are about the caller. */
const OF_CALLER: readonly (number | null)[] = [402, 403];

/** The setting for the query of an operation without a body. */
const QUERY_SETTING: Readonly<Record<string, TargetSettingName>> = QUERY_SETTINGS;

const isSet = (name: TargetSettingName, { facts }: Evidence): boolean => facts.settings.includes(name);

/** Asks to check a setting that is present, and to set a missing one. */
function checked(names: readonly TargetSettingName[], why: string, evidence: Evidence): string {
  const missing = names.filter((name) => !isSet(name, evidence));
  return missing.length > 0 ? remedyOf(...missing) : `check ${names.join(' and ')}${why}`;
}

/** Kinds of the ids that a request's body names. */
function kindsInBody({ request, tag }: Exchange): readonly ResourceKind[] {
  if (tag.operation === 'assignNumber') return ['carrierConnection'];
  if (tag.operation !== 'createCall') return [];
  const named = (pointer: string): boolean =>
    request.body?.members.some((member) => member.pointer === pointer && member.type === 'string') === true;
  return Object.entries(CALL_IDS).flatMap(([name, kind]) => (named(`/${name}`) ? [kind] : []));
}

/** Kinds of the ids in the path of a request's operation. */
export const kindsInPath = ({ tag }: Exchange): readonly ResourceKind[] =>
  OPERATIONS.find(({ id }) => id === tag.operation)?.resources ?? [];

/**
 * The request that spoiled the valid requests to an action: it was accepted before one of them, on the same call, with
 * a credential that has no right to it. An action works only once.
 */
export function wronglyAcceptedBefore({ seq, tag }: Exchange, evidence: Evidence): Exchange | undefined {
  if (!isOneOf(ACTIONS, tag.operation) || evidence.hasAcceptedControl(tag.operation)) return undefined;
  const valid = evidence.controls(tag.operation).filter((control) => control.seq <= seq);
  const isSpoiled = (sent: Exchange): boolean =>
    valid.some((control) => sent.seq < control.seq && isSameTarget(sent, control));
  return evidence.exchanges.find((sent) => isWronglyAccepted(sent) && isSpoiled(sent));
}

const isWronglyAccepted = (sent: Exchange): boolean =>
  isAccepted(sent) && (isOfOthers(sent) || !RIGHTFUL.includes(sent.request.credential));

const REJECT_INVALID =
  'let the service reject the invalid credential that it accepted for the same request, which works only once';

/** A target may reject an assignment that the number already has. */
const ASSIGNED_ELSEWHERE = 'assign the number to another carrier connection before the run';

/** The remedy if a call without a trunk was rejected, and every accepted call went over a trunk. */
export function twoCallers(exchange: Exchange, evidence: Evidence): string | undefined {
  const isOverTrunk = (exchange: Exchange): boolean => kindsInBody(exchange).includes('trunk');
  const accepted = evidence.controls('createCall').filter(isAccepted);
  const isOnlyOver = accepted.length > 0 && accepted.every(isOverTrunk) && !isOverTrunk(exchange);
  return isOnlyOver && !isSet(TRUNK_CALLER, evidence) ? TWO_CALLERS : undefined;
}

/** The ids that may be why a create call was rejected: none that an accepted call named, unless every one was. */
function suspectsOf(exchange: Exchange, evidence: Evidence): readonly TargetSettingName[] {
  const accepted = evidence.controls('createCall').filter(isAccepted);
  const suspects = kindsInBody(exchange).filter((kind) => !accepted.some((sent) => kindsInBody(sent).includes(kind)));
  return (suspects.length > 0 ? suspects : kindsInBody(exchange)).map((kind) => SETTING_OF[kind]);
}

/** An id is the reason if a call without any was accepted; a known trunk may require another caller. */
function ofCallIds(exchange: Exchange, evidence: Evidence): string | undefined {
  const ids = suspectsOf(exchange, evidence);
  const isPlainAccepted = evidence
    .controls('createCall')
    .some((control) => kindsInBody(control).length === 0 && isAccepted(control));
  if (ids.length === 0 || !isPlainAccepted) return undefined;
  const check = checked(ids, ': calls must be able to use it', evidence);
  const mayBeCaller = ids.includes(SETTING_OF.trunk) && !isSet(TRUNK_CALLER, evidence) && statusOf(exchange) !== 404;
  return mayBeCaller ? `${remedyOf(TRUNK_CALLER)}, or ${check}` : check;
}

/** What would help with the answer to a create call. */
function forCall(exchange: Exchange, evidence: Evidence): string {
  const more = ofCallIds(exchange, evidence) ?? twoCallers(exchange, evidence);
  if (more !== undefined) return more;
  if (statusOf(exchange) === 403) return `${checked(CALL_NUMBERS, '', evidence)}, or ${RIGHT}`;
  const unset = [SETTING_OF.trunk, SETTING_OF.voiceApplication].filter((name) => !isSet(name, evidence));
  if (unset.length > 0) return `${remedyOf(...unset)}, which calls may need`;
  return checked([...CALL_NUMBERS, ...suspectsOf(exchange, evidence)], '', evidence);
}

/** Whether the path names one of several ids in the answer to create call: another may be the call's. */
const isOneOfSeveral = ({ request }: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some(({ response }) => {
    const ids = response?.learned?.callIds ?? [];
    return ids.length > 1 && ids.some((id) => segmentOf(id) === hangUpSegment(request.path));
  });

/**
 * Whether a rejected request to answer the call may have answered it: our first hang-up still found it open. A service
 * rejected the other organization with 404 but answered the call, and the run kept asking for a ringing call.
 */
function mayBeAnswered(exchange: Exchange, { exchanges }: Evidence): boolean {
  const before = exchanges.filter((sent) => sent.seq < exchange.seq && isSameTarget(sent, exchange) && !isOurs(sent));
  const path = exchange.request.path.replace(/answer$/, 'hangup');
  const hangUp = exchanges.find(({ tag, request }) => tag.operation === HANG_UP && request.path === path);
  return (
    before.some(isRejected) && !before.some(isAccepted) && hangUp !== undefined && isOurs(hangUp) && isAccepted(hangUp)
  );
}

const ANSWERED_BEFORE =
  ', or run with --only SUCCESS-STATUS/answerCall: if that passes on another such call, a rejected request answered this one';

/** What would help with the answer to an operation on resources of the settings. */
function forResources(exchange: Exchange, kinds: readonly ResourceKind[], evidence: Evidence): string {
  const status = statusOf(exchange);
  const names = kinds.map((kind) => SETTING_OF[kind]);
  const them = names.length === 1 ? 'it' : 'they';
  if (names.includes(SETTING_OF.call)) {
    if (status === 404 && isOneOfSeveral(exchange, evidence)) return remedyOf('PCS_CALL_ID_POINTER');
    const ringing = checked(names, ': the call must still ring when the run starts', evidence);
    if (status === 403) return `${RIGHT}, or ${ringing}`;
    return mayBeAnswered(exchange, evidence) ? `${ringing}${ANSWERED_BEFORE}` : ringing;
  }
  if (status === 404) return checked(names, `: ${them} must name what exists`, evidence);
  const exist = OF_BODY_OR_QUERY.includes(status) ? 'name what exists, and be' : 'be';
  const state = checked(names, `: ${them} must ${exist} in a state that allows this operation`, evidence);
  if (status === 403) return `${RIGHT}, or ${state}`;
  return exchange.tag.operation === ASSIGN && status === 409 ? `${state}, or ${ASSIGNED_ELSEWHERE}` : state;
}

const CREDIT = 'give the organization credit for this operation';

/** The remedy for the rate limit that these exchanges met: the rate as a number if an answer shows it. */
export function lowerRate(exchanges: readonly Exchange[]): string {
  const limit = new AnnouncedLimit();
  for (const exchange of exchanges) limit.learn(exchange, 0);
  return lowerTo(limit.rate);
}

/** The remedy for a valid request, apart from another body: time, rate, credential, state, settings. */
function forRequest(exchange: Exchange, evidence: Evidence): string {
  const status = statusOf(exchange);
  const { operation } = exchange.tag;
  if (exchange.failure?.kind === 'timeout') return operation === CREATE ? 'raise --call-timeout' : 'raise --timeout';
  if (status === null || PUT_OFF.includes(status)) return LATER;
  // A credential that is accepted later is locked out for a while, or has no right to this operation.
  if (status === 401) return evidence.isAcceptedAfter(exchange) ? `${LOCK_OUT_REMEDY}, or ${RIGHT}` : STAY_VALID;
  if (status === LIMITED) return `${lowerRate(evidence.exchanges)}, raise --max-wait, or run again later`;
  if (BROKEN.includes(status)) return MEND;
  if (UNDUE.includes(status)) return `fix the ${status}, and run again`;
  if (CONDITIONAL.includes(status)) return 'give the precondition with --header, such as "If-Match: *"';
  const before = wronglyAcceptedBefore(exchange, evidence);
  if (before !== undefined) return isOfOthers(before) ? OTHER_ORGANIZATION : REJECT_INVALID;
  const query = QUERY_SETTING[operation ?? ''];
  const kinds = [...kindsInPath(exchange), ...kindsInBody(exchange)];
  const remedies = [...(status === 402 ? [CREDIT] : [])];
  if (operation === CREATE) remedies.push(forCall(exchange, evidence));
  else if (kinds.length > 0) remedies.push(forResources(exchange, kinds, evidence));
  else {
    if (status === 403) remedies.push(RIGHT);
    const isUnserved = status === 404 && isOneOf(LISTS, operation);
    if (query !== undefined && OF_A_RULE.includes(status) && !isUnserved)
      remedies.push(checked([query], ': the target rejects it', evidence));
    // A route with a number's id took "available" for an id: a search got 404 with every query.
    if (status === 404) remedies.push(`serve the documented path, or use --without ${operation}`);
  }
  return remedies.length > 0 ? remedies.join(', or ') : LATER;
}

/** A message that names a header field: the word, or a name such as `Idempotency-Key`. */
const NAMES_A_HEADER = /\bheader\b|\b[A-Z][a-z]+-[A-Z][a-z]+/;

/** The only member in which an accepted body differs, or else the only one with a new value; and how, in words. */
function differenceFromAccepted(
  exchange: Exchange,
  evidence: Evidence,
): { readonly name: string; readonly sentence: string } | null {
  const body = jsonOf(exchange);
  const accepted = evidence
    .controls(exchange.tag.operation)
    .filter((control) => isAccepted(control) && control.request.path === exchange.request.path)
    .map(jsonOf)
    .filter(isObject);
  // A body that was accepted at another time says nothing about its members.
  if (!isObject(body) || accepted.some((json) => isEqualJson(json, body))) return null;
  for (const json of accepted) {
    const [element, ...more] = elementsBetween(json, body);
    if (element === undefined || more.length > 0) continue;
    const { name, before, after } = element;
    const how = before === undefined ? 'without' : after === undefined ? 'with' : 'with another';
    const difference = before === null ? `with ${name} null` : `${how} ${name}`;
    return { name, sentence: `; ${difference} the same body is accepted` };
  }
  const isNew = (name: string): boolean => !accepted.some((json) => isEqualJson(json[name], body[name]));
  const [name, ...more] = Object.keys(body).filter(isNew);
  const isAlone = accepted.length > 0 && name !== undefined && more.length === 0;
  return isAlone ? { name, sentence: `; no accepted body has this ${name}` } : null;
}

/** The target's own words, to be added to a remedy. */
export function said(exchange: Exchange): string {
  const message = isError(exchange) ? messageOf(exchange) : null;
  return message === null ? '' : `; the target says "${message}"`;
}

/** What a target with rules for passwords needs. */
const secretShape = (operation: string | null): string =>
  operation === 'setInboundAuth' ? ' (a secret in it gives the shape: the run draws its own)' : '';

/** Whether the id of the call is made up, since the run had no call. */
const isOnNoCall = (exchange: Exchange): boolean =>
  exchange.tag.ids !== 'named' && kindsInPath(exchange).includes('call');

/** What would help with the answer to a valid request. A business rule may reject a body with any of its statuses. */
export function remedyFor(exchange: Exchange, evidence: Evidence): string {
  const { operation } = exchange.tag;
  const broken = evidence.spentBefore(exchange);
  if (broken !== undefined)
    return `find out why an earlier request got ${answerPhrase(broken)}: it may have taken effect, and that works once${said(broken)}`;
  const step = isOnNoCall(exchange) ? remedyForOperation('createCall', evidence) : undefined;
  if (step !== undefined) return step;
  const isUpdate = isOneOf(UPDATES, operation);
  const isOfBody = OF_A_RULE.includes(statusOf(exchange)) && (isUpdate || operation === 'createCall');
  const sample = `give a body that the target accepts for ${operation} with --samples${secretShape(operation)}`;
  const isNamed = NAMES_A_HEADER.test(said(exchange)) && !CONDITIONAL.includes(statusOf(exchange));
  const header = isNamed
    ? [`give the header that it names with --header (${DRAWN_UUID} in it is drawn anew for each request)`]
    : [];
  const isInvalid = isUpdate && OF_BODY_OR_QUERY.includes(statusOf(exchange));
  const difference = isOfBody ? differenceFromAccepted(exchange, evidence) : null;
  // If another member is the reason, no id and no number is, but the caller may have no right or credit.
  const isOfMember = difference !== null && !(difference.name in CALL_IDS) && !OF_CALLER.includes(statusOf(exchange));
  const request = isOfMember && operation === CREATE ? [] : [forRequest(exchange, evidence)];
  const remedies = isOfBody ? (isInvalid ? [sample, ...request] : [...request, sample]) : request;
  return `${[...header, ...remedies].join(', or ')}${difference?.sentence ?? ''}${said(exchange)}`;
}

/**
 * The rejection that counts: the last of the smallest requests, since a larger request may be rejected for what it
 * adds, and preferably one with an id that no accepted request names. A value of media_encryption hid the 403 to every
 * call over the trunk, and so the advice to set PCS_TRUNK_CALL_FROM.
 */
function rejectionIn(controls: readonly Exchange[]): Exchange | undefined {
  const known = new Set(controls.filter(isAccepted).flatMap(kindsInBody));
  const rejected = controls.filter((control) => !isAccepted(control));
  const sizeOf = (exchange: Exchange): number =>
    (exchange.request.body?.members.length ?? 0) - (kindsInBody(exchange).some((kind) => !known.has(kind)) ? 0.5 : 0);
  const least = Math.min(...rejected.map(sizeOf));
  return rejected.findLast((rejection) => sizeOf(rejection) === least);
}

/** No call rings twice: after an answer, every credential gets the same. */
const CREDENTIAL_FIRST = 'let the service check the credential before the state of the call: no setting helps';

/** If the state is checked first, no invalid credential gets 401 in that state. One was taken for ours in capitals. */
const READ_OTHERWISE =
  'check how the service compares this credential with the valid one: another invalid one got status 401 in the same state';

/** The remedy if an invalid credential got the same answer as the valid one for the same request. */
export function remedyForSame(exchange: Exchange, evidence: Evidence): string {
  const { operation } = exchange.tag;
  const accepted = isOneOf(ON_CALLS, operation) ? evidence.controls(operation).filter(isAccepted) : [];
  if (accepted.length === 0) return remedyFor(exchange, evidence);
  // A call that was answered or ended stays so.
  const isInSameState = (sent: Exchange): boolean =>
    accepted.some((done) => done.seq < sent.seq && isSameTarget(done, sent));
  const isRefused = (sent: Exchange): boolean =>
    statusOf(sent) === 401 && !RIGHTFUL.includes(sent.request.credential) && isInSameState(sent);
  return evidence.exchanges.some(isRefused) ? READ_OTHERWISE : CREDENTIAL_FIRST;
}

/** The remedy for the valid requests of an operation, unless none was rejected. */
export function remedyForOperation(operation: string | null, evidence: Evidence): string | undefined {
  const controls = evidence.controls(operation);
  // After two calls that cannot be hung up, no further control is placed.
  const without = controls.find((control) => isAccepted(control) && control.response?.learned?.create === 'unclear');
  if (without !== undefined) return toFindIds(without.response?.learned?.idIn);
  const rejected = rejectionIn(controls);
  return rejected === undefined ? undefined : remedyFor(rejected, evidence);
}

/** The remedy if a control is missing: what the valid requests of the operation needed. */
export const remedyForControl = ({ tag }: Exchange, evidence: Evidence): string =>
  remedyForOperation(tag.operation, evidence) ?? LATER;
