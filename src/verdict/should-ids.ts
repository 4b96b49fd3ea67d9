/** Checks on ids in the path that name nothing (RFC 9110, section 15.5.5). */

import type { Exchange } from '../exchange/exchange.ts';
import { answerPhrase, bodyOf, isAccepted, isNoAnswer, statusOf } from './answer.ts';
import { asked, type Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { judgeEnvelope } from './invariants.ts';
import { found, none, type Opinion, PASS } from './opinion.ts';
import { remedyFor } from './valid.ts';

/**
 * The known id must have been treated otherwise: accepted, or (an outbound call that nobody may answer) refused with
 * another status. As for credentials, that and a credential that is still good afterwards make a refusal count.
 */
function isTold(exchange: Exchange, evidence: Evidence): boolean {
  const controls = evidence.controls(exchange.tag.operation);
  if (controls.some(isAccepted)) return true;
  return controls.length > 0 && controls.every((control) => statusOf(control) !== statusOf(exchange));
}

function judgeUnknown(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (isAccepted(exchange)) {
    if (!evidence.controls(exchange.tag.operation).some(isAccepted)) {
      return none('the same request was not accepted with an id that exists', remedyFor(exchange));
    }
    return found('status', 'the status', 'refusal with a 4xx', answerPhrase(exchange));
  }
  const refused = status !== null && status >= 400 && status < 500 && status !== 401 && !isNoAnswer(exchange);
  if (!refused) return none(`${answerPhrase(exchange)} to an id that names nothing`);
  if (!isTold(exchange, evidence)) {
    return none('no id that exists was sent and treated otherwise', remedyFor(exchange));
  }
  return evidence.isAliveAfter(exchange) ? PASS : none('the good credential was not accepted any more afterwards');
}

function judgeMalformed(exchange: Exchange, evidence: Evidence): Opinion {
  const refusal = judgeUnknown(exchange, evidence);
  if (refusal.kind !== 'pass') return refusal;
  const body = bodyOf(exchange);
  // No invariant looks at a malformed id, so a page of HTML is this requirement's to tell.
  if (body?.json === 'invalid' && body.cut !== true) {
    return found('envelope', `the body of the ${statusOf(exchange)}`, 'the error envelope', body.reason ?? 'no JSON');
  }
  return judgeEnvelope(exchange);
}

/** Checks on ids that name nothing. */
export const SHOULD_IDS: readonly Check[] = [
  asked('UNKNOWN-ID-REFUSED', judgeUnknown),
  asked('MALFORMED-ID-REFUSED', judgeMalformed),
];
