/** Checks on bodies that a careful service refuses or takes although the specification does not say so. */

import type { Exchange } from '../exchange/exchange.ts';
import { answerPhrase, isAccepted, isNoAnswer, statusOf } from './answer.ts';
import { asked, type Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { found, none, type Opinion, PASS } from './opinion.ts';
import { remedyFor } from './valid.ts';

/** Statuses that are about what the body is or how it is labelled, and not about rights, state or resources. */
const ABOUT_THE_BODY: ReadonlySet<number> = new Set([400, 406, 415, 422]);

/** A 4xx that says something of the request itself. */
function isRefusal(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status < 500 && status !== 401 && !isNoAnswer(exchange);
}

function noControl(exchange: Exchange): Opinion {
  return none('the valid request was not accepted both before and after', remedyFor(exchange));
}

/** Expects a refusal; without any accepted control even an acceptance proves nothing. */
function judgeRefused(exchange: Exchange, evidence: Evidence): Opinion {
  const accepted = isAccepted(exchange);
  if (!accepted && !isRefusal(exchange)) return none(`${answerPhrase(exchange)} to a body that is to be refused`);
  if (!accepted) return evidence.isBracketed(exchange) ? PASS : noControl(exchange);
  if (!evidence.controls(exchange.tag.operation).some(isAccepted)) return noControl(exchange);
  return found('status', 'the status', 'refusal with a 4xx', answerPhrase(exchange));
}

/** Expects acceptance; a refusal for other reasons than the body says nothing. */
function judgeTaken(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return PASS;
  if (!evidence.isBracketed(exchange)) return noControl(exchange);
  if (!ABOUT_THE_BODY.has(statusOf(exchange) ?? 0)) return none(`${answerPhrase(exchange)} to a valid request`);
  return found('status', 'the status', 'acceptance of a valid request', answerPhrase(exchange));
}

/** A field alone may be refused, since what an update requires is not shown, but not for its media type. */
function judgeAlone(exchange: Exchange, evidence: Evidence): Opinion {
  if (!evidence.isBracketed(exchange)) return noControl(exchange);
  if (statusOf(exchange) === 415) return found('status', 'the status', 'another status than 415', 'status 415');
  return isAccepted(exchange) || isRefusal(exchange) ? PASS : none(`${answerPhrase(exchange)} to a field alone`);
}

/** Checks on the bodies of writes. */
export const SHOULD_BODIES: readonly Check[] = [
  asked('NULL-REFUSED', judgeRefused),
  asked('UPDATE-FIELD-TYPES', judgeRefused),
  asked('UPDATE-BODY-OBJECT', judgeRefused),
  asked('UPDATE-FIELD-ALONE', judgeAlone),
  asked('CONTENT-TYPE-CHARSET', judgeTaken),
  asked('CONTENT-TYPE-OTHER', judgeRefused),
  asked('TRAILING-BYTES-REFUSED', judgeRefused),
];
