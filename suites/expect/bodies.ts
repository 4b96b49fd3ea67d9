/** How a target must treat valid and invalid bodies, given how it treated their siblings. */

import { listed } from '../../src/contract/lists.ts';
import { UNAVAILABLE } from '../../src/contract/waiting.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { isObject } from '../../src/exchange/json-text.ts';
import { headerValue } from '../../src/exchange/message.ts';
import {
  answerPhrase,
  errorWordingOf,
  isAboutBody,
  isAboutRequest,
  isAccepted,
  isOurs,
  isRejected,
  isServerFailure,
  statusOf,
} from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import {
  foundAcceptance,
  foundAnswer,
  foundRejection,
  foundStatus,
  inconclusive,
  lawfullyNone,
  none,
  type Opinion,
  PASS,
} from '../../src/verdict/opinion.ts';
import type { Expects } from '../../src/verdict/requirement.ts';
import { acceptedSibling, type Compared, isEqualJson, jsonOf, siblingInSameState } from '../../src/verdict/sibling.ts';
import { REQUIRED } from '../bodies.ts';
import { CALL_IDS } from '../operations.ts';
import { remedyFor, remedyForControl, said } from './remedy.ts';

const ABOUT_THE_STATE: readonly (number | null)[] = [402, 403, 404, 409];
/** Members with undocumented values: a lawful target may accept none of those that the suite knows. */
const FREE_MEMBERS: readonly string[] = ['dtmf_mode', 'codecs', 'media_encryption'];

const NOT_SHOWN = 'this target cannot show it';
const NO_SIBLING = 'no accepted request differs in this element alone';

/** Without an accepted valid request before and after, an answer says nothing about the difference. */
export const noControl = (exchange: Exchange, evidence: Evidence): Opinion =>
  none('the valid request was not accepted both before and after', remedyForControl(exchange, evidence));

/** Without an accepted sibling a rejection says nothing about the element. */
function noSibling({ exchange, elements, siblings }: Compared, evidence: Evidence): Opinion {
  const { operation } = exchange.tag;
  const names = elements.map(({ name }) => name);
  const isFree = names.some((name) => FREE_MEMBERS.includes(name));
  // What the target says about a valid body with that member is what a sample has to satisfy.
  const refused = siblings().findLast((sibling) => !isAccepted(sibling));
  const which = names.length === 0 ? 'this member' : listed(names);
  const remedy = `give a body with ${which} that the target accepts for ${operation} with --samples${refused === undefined ? '' : said(refused)}`;
  // The accepted body for a random one is not known.
  if (isFree || exchange.tag.origin !== undefined) return lawfullyNone(NO_SIBLING, remedy);
  if (!evidence.hasAcceptedControl(operation)) return none(NO_SIBLING, remedyForControl(exchange, evidence));
  const reason = `${NO_SIBLING}; unless it accepts a body with ${which}, ${NOT_SHOWN}`;
  // The answer to the body with a valid id shows what may be wrong with that id.
  const valid = names.some((name) => Object.hasOwn(CALL_IDS, name)) ? refused : undefined;
  const isOfState = valid !== undefined && !isAboutBody(valid);
  return none(reason, isOfState ? remedyFor(valid, evidence) : remedy);
}

/** Whether a valid body with that value of the member was accepted. */
const isTaken = (name: string, value: unknown, { exchange }: Compared, evidence: Evidence): boolean =>
  evidence
    .controls(exchange.tag.operation)
    .some((control) => isAccepted(control) && isEqualJson(Object(jsonOf(control))[name], value));

/** A rejection that says nothing about the body. Other ids may help if the sibling shows that calls can be placed. */
export function notAccepted(exchange: Exchange, evidence: Evidence): Opinion {
  const isPossible = evidence.hasAcceptedControl('createCall');
  const limit = isPossible ? `; if other ids and numbers do not help, ${NOT_SHOWN}` : '';
  return none(`${answerPhrase(exchange)} to a valid body${limit}`, remedyFor(exchange, evidence));
}

/** Expects a valid create-call body to be accepted; judges a rejection if it has one element more than its sibling. */
export const accepted: Expects = (exchange, evidence, compared) => {
  const { elements } = compared;
  if (isAccepted(exchange)) return PASS;
  if (!isAboutBody(exchange)) return notAccepted(exchange, evidence);
  // Elements that are rejected only together are a choice of the target.
  if (elements.length === 0)
    return none('the elements of the body were tested individually', remedyFor(exchange, evidence));
  const isElsewhere = elements.every(({ name, after }) => isTaken(name, after, compared, evidence));
  if (isElsewhere) return none('the value was accepted in another body');
  const sibling = siblingInSameState(compared);
  if (sibling === null) return notAccepted(exchange, evidence);
  return foundRejection(exchange, 'acceptance of a valid body', sibling);
};

/** A target that accepts a lower-case id knows it, so a 403, 404 or 409 in upper case is about the letter case. */
export const acceptedInEitherCase: Expects = (exchange, evidence, compared) => {
  const [element, ...more] = compared.elements;
  const isSameId = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase();
  const isLetterCase = element !== undefined && more.length === 0 && isSameId(element.before, element.after);
  // Statuses that may reject the letter case of an id, which is known if it is accepted in lower case.
  const isOfId = isLetterCase && [403, 404, 409].includes(statusOf(exchange) ?? 0);
  const sibling = isOfId ? siblingInSameState(compared) : null;
  if (sibling === null) return accepted(exchange, evidence, compared);
  return foundRejection(exchange, 'acceptance, as in the other letter case', sibling);
};

function notBracketed(exchange: Exchange, evidence: Evidence): Opinion {
  const reason = 'the valid request was not accepted both before and after';
  const again = evidence.controls(exchange.tag.operation).find((control) => evidence.isRejectedAgain(control));
  if (again === undefined) {
    const { operation } = exchange.tag;
    const isOften = operation === 'createCall' && evidence.controls(operation).slice(-1).some(isRejected);
    const limit = isOften ? `; if it limits how many calls may be placed in that time, ${NOT_SHOWN}` : '';
    return inconclusive(`${reason}${limit}`, remedyForControl(exchange, evidence));
  }
  return inconclusive(`${reason}: an accepted one got ${answerPhrase(again)} when it was repeated, so ${NOT_SHOWN}`);
}

/**
 * Valid bodies with only what the judged body contains and every call needs, each element with a value accepted in
 * another body: a rule that requires an application rejects `{}` as it rejects `from` and `to` alone.
 */
function smallerBodies(compared: Compared, evidence: Evidence): readonly Exchange[] {
  const { exchange, elements } = compared;
  const judged = jsonOf(exchange);
  if (!isObject(judged)) return [];
  const names = elements.map(({ name }) => name);
  const isFree = (name: string, value: unknown): boolean =>
    names.includes(name) && (name in judged || REQUIRED.includes(name)) && isTaken(name, value, compared, evidence);
  return evidence.controls(exchange.tag.operation).filter((control) => {
    const body = jsonOf(control);
    if (!isObject(body)) return false;
    return Object.entries(body).every(([name, value]) => isEqualJson(value, judged[name]) || isFree(name, value));
  });
}

/**
 * Valid bodies that were never accepted, although each of these elements was, in another body: a rule that requires the
 * trunk beside a truthy `privacy` rejects an object there as it rejects `true`.
 */
function inOtherCompany(compared: Compared, evidence: Evidence): readonly Exchange[] {
  const { exchange, elements } = compared;
  return evidence.controls(exchange.tag.operation).filter((control) => {
    const body = Object(jsonOf(control));
    const areTaken = elements.every(({ name }) => name in body && isTaken(name, body[name], compared, evidence));
    return areTaken && elements.length > 0 && !evidence.sameRequests(control).some(isAccepted);
  });
}

/**
 * Whether the 503 depends on the request: no valid call got one, and between two invalid bodies that did, a valid call
 * was accepted. Then the service is not unavailable (conformance model, section 0, rule 8).
 */
function isForInvalidAlone(exchange: Exchange, evidence: Evidence): boolean {
  const valid = evidence.controls(exchange.tag.operation);
  if (statusOf(exchange) !== UNAVAILABLE || valid.some((control) => statusOf(control) === UNAVAILABLE)) return false;
  const places = evidence.exchanges
    .filter((sent) => sent.tag.operation === exchange.tag.operation && isOurs(sent) && statusOf(sent) === UNAVAILABLE)
    .map(({ seq }) => seq);
  return valid.some((sent) => isAccepted(sent) && sent.seq > Math.min(...places) && sent.seq < Math.max(...places));
}

const brokenMembers = ({ elements }: Compared): string => elements.map(({ name }) => name).join();

/**
 * Whether a valid body gets the same answer: with the broken member beside others, or without it, also for another body
 * of this case with that answer. One `trunk_id` of the wrong type counted as absent, so did the next.
 */
function isAnsweredAsValid(compared: Compared, evidence: Evidence): boolean {
  if (!ABOUT_THE_STATE.includes(statusOf(compared.exchange))) return false;
  const [wording, broken] = [errorWordingOf(compared.exchange), brokenMembers(compared)];
  const isAlike = (exchange: Exchange): boolean => errorWordingOf(exchange) === wording;
  const alike = compared.ofCase.filter((sent) => brokenMembers(sent) === broken && isAlike(sent.exchange));
  const valid = (sent: Compared) => [...smallerBodies(sent, evidence), ...inOtherCompany(sent, evidence)];
  return [compared, ...alike].some((sent) => valid(sent).some(isAlike));
}

/** Whether another finding of this case already compares the same wrong status with a valid request right after it. */
const isComparedOnce = ({ exchange, ofCase }: Compared, evidence: Evidence): boolean =>
  ofCase.some(
    (sent) =>
      statusOf(sent.exchange) === statusOf(exchange) &&
      siblingInSameState(sent) !== null &&
      !isAnsweredAsValid(sent, evidence),
  );

const isLabelled = ({ request }: Exchange): boolean => headerValue(request.headers, 'content-type') !== undefined;

/** Expects an invalid body to be rejected: with exactly that status, or with any 4xx. */
export function rejectedWith(exact: number | null): Expects {
  const expected = exact === null ? 'rejection with a 4xx' : `rejection with ${exact}`;
  return (exchange, evidence, compared) => {
    if (isAccepted(exchange)) return foundAcceptance(exchange, expected);
    if (isServerFailure(exchange) || isForInvalidAlone(exchange, evidence)) return foundAnswer(exchange, expected);
    if (!isAboutRequest(exchange)) {
      return inconclusive(`${answerPhrase(exchange)} to an invalid body`, remedyFor(exchange, evidence));
    }
    if (acceptedSibling(compared) === null) return noSibling(compared, evidence);
    if (!evidence.isBracketed(exchange)) return notBracketed(exchange, evidence);
    if (exact === null || statusOf(exchange) === exact) return PASS;
    // RFC 9110, section 15.5.16: a body without a label may be rejected for that.
    if (statusOf(exchange) === 415 && !isLabelled(exchange)) return PASS;
    if (isAnsweredAsValid(compared, evidence)) return PASS;
    const sibling = siblingInSameState(compared);
    if (sibling !== null) return foundRejection(exchange, expected, sibling);
    const answer = `${answerPhrase(exchange)} to an invalid body`;
    if (isComparedOnce(compared, evidence))
      return none(`${answer}, as in the finding; it was compared with a valid one there`);
    const isOfState = ABOUT_THE_STATE.includes(statusOf(exchange));
    const limit = isOfState ? `; if a rule comes before the types, ${NOT_SHOWN}` : '';
    return none(`${answer}, and no valid one was accepted right after it${limit}`, remedyFor(exchange, evidence));
  };
}

/** Expects rejection; without an accepted control, even acceptance proves nothing. */
export const shouldReject: Expects = (exchange, evidence, compared) => {
  if (isAccepted(exchange)) {
    if (!evidence.hasAcceptedControl(exchange.tag.operation)) return noControl(exchange, evidence);
    return foundAcceptance(exchange, 'rejection with a 4xx');
  }
  if (isServerFailure(exchange)) return foundAnswer(exchange, 'rejection with a 4xx');
  if (!isAboutRequest(exchange)) return none(`${answerPhrase(exchange)} to a body that should be rejected`);
  if (acceptedSibling(compared) === null) return noSibling(compared, evidence);
  return evidence.isBracketed(exchange) ? PASS : noControl(exchange, evidence);
};

/** Expects acceptance if the same body in the usual form was accepted right after; other rejections prove nothing. */
export const acceptedAsUsual: Expects = (exchange, evidence, compared) => {
  if (isAccepted(exchange)) return PASS;
  if (!evidence.isBracketed(exchange)) return noControl(exchange, evidence);
  if (statusOf(exchange) === 411) return foundStatus(411, 'acceptance of a valid request');
  if (!isAboutBody(exchange)) return none(`${answerPhrase(exchange)} to a valid request`);
  const sibling = siblingInSameState(compared);
  if (sibling === null) return noSibling(compared, evidence);
  return foundRejection(exchange, 'acceptance of a valid request', sibling);
};
