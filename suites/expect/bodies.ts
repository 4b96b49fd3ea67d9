/** How a target must treat valid and invalid bodies, given how it treated the controls. */

import type { Exchange } from '../../src/exchange/exchange.ts';
import { answerPhrase, isAccepted, isRejected, isRetryable, statusOf } from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, inconclusive, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';
import type { Expectation } from '../../src/verdict/requirement.ts';
import { remedyFor, remedyForControl } from './remedy.ts';

const REJECTED_AS_INVALID: readonly (number | null)[] = [400, 411, 413, 415, 422];
/** Statuses that are about what the body is or how it is labelled, and not about rights, state or resources. */
const ABOUT_THE_BODY: readonly (number | null)[] = [400, 406, 415, 422];

const noControl = (exchange: Exchange, evidence: Evidence): Opinion =>
  none('the valid request was not accepted both before and after', remedyForControl(exchange, evidence));

/** Whether a 4xx is about the request itself: not the credential, not the rate. */
const isAboutRequest = (exchange: Exchange): boolean =>
  isRejected(exchange) && statusOf(exchange) !== 401 && !isRetryable(exchange);

/** Whether another valid create call was accepted. */
export function isAnotherAccepted({ seq }: Exchange, evidence: Evidence): boolean {
  return evidence.controls('createCall').some((control) => control.seq !== seq && isAccepted(control));
}

/** The elements that a body tests: the variations that it asks, except for requirements without variations. */
const elementsOf = ({ tag }: Exchange): readonly string[] =>
  tag.asks.flatMap(({ id, variation }) => (variation === '' ? [] : [`${id} ${variation}`]));

/** Judges a rejected body of several elements: a finding, unless some of them are also rejected individually. */
function judgeTogether(exchange: Exchange, evidence: Evidence): Opinion {
  const elements = elementsOf(exchange);
  const bodies = evidence.controls('createCall').filter(({ seq }) => seq !== exchange.seq);
  const alone = bodies.filter(({ tag }) => tag.role === 'alone');
  const parts = alone.filter((one) => elementsOf(one).every((element) => elements.includes(element)));
  if (parts.some((part) => !isAccepted(part))) return none('the elements of the body were tested individually');
  const isTaken = (element: string): boolean =>
    bodies.some((one) => isAccepted(one) && elementsOf(one).includes(element));
  const areKnown = elements.every(isTaken);
  if (parts.length > 0 && !areKnown) return none('the elements of the body were tested individually');
  const expected = areKnown ? 'acceptance of elements that are accepted individually' : 'acceptance of a valid body';
  return found('status', 'the status', expected, answerPhrase(exchange));
}

/** Expects a valid create-call body to be accepted. */
export function accepted(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return PASS;
  if (!REJECTED_AS_INVALID.includes(statusOf(exchange))) {
    return none(`${answerPhrase(exchange)} to a valid body`, remedyFor(exchange, evidence));
  }
  if (!isAnotherAccepted(exchange, evidence)) {
    return none('no valid body of the run was accepted', remedyFor(exchange, evidence));
  }
  if (exchange.tag.role === 'together') return judgeTogether(exchange, evidence);
  return found('status', 'the status', 'acceptance of a valid body', answerPhrase(exchange));
}

/** Expects an invalid body to be rejected: with exactly that status, or with any 4xx. */
export function rejectedWith(exact: number | null): Expectation {
  const expected = exact === null ? 'rejection with a 4xx' : `rejection with ${exact}`;
  return (exchange, evidence) => {
    if (isAccepted(exchange)) return found('status', 'the status', expected, answerPhrase(exchange));
    if (!isAboutRequest(exchange)) return inconclusive(`${answerPhrase(exchange)} to an invalid body`);
    if (!evidence.isBracketed(exchange)) {
      return inconclusive(
        'the valid request was not accepted both before and after',
        remedyForControl(exchange, evidence),
      );
    }
    const isExact = exact === null || statusOf(exchange) === exact;
    return isExact ? PASS : found('status', 'the status', expected, answerPhrase(exchange));
  };
}

/** Expects rejection; without any accepted control even an acceptance proves nothing. */
export function shouldReject(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) {
    if (!evidence.hasAcceptedControl(exchange.tag.operation)) return noControl(exchange, evidence);
    return found('status', 'the status', 'rejection with a 4xx', answerPhrase(exchange));
  }
  if (!isAboutRequest(exchange)) return none(`${answerPhrase(exchange)} to a body that should be rejected`);
  return evidence.isBracketed(exchange) ? PASS : noControl(exchange, evidence);
}

/** Expects acceptance; a rejection for a reason other than the body proves nothing. */
export function shouldAccept(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return PASS;
  if (!evidence.isBracketed(exchange)) return noControl(exchange, evidence);
  if (!ABOUT_THE_BODY.includes(statusOf(exchange))) return none(`${answerPhrase(exchange)} to a valid request`);
  return found('status', 'the status', 'acceptance of a valid request', answerPhrase(exchange));
}

/** A field sent alone may be rejected, since the required fields are not documented, but not for its media type. */
export function alone(exchange: Exchange, evidence: Evidence): Opinion {
  if (!evidence.isBracketed(exchange)) return noControl(exchange, evidence);
  if (statusOf(exchange) === 415) return found('status', 'the status', 'a status other than 415', 'status 415');
  const isAnswered = isAccepted(exchange) || isAboutRequest(exchange);
  return isAnswered ? PASS : none(`${answerPhrase(exchange)} to a field sent alone`);
}
