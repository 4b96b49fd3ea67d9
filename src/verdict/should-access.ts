/** Checks on what HTTP's standards ask of a refused credential and of the scheme (RFC 9110, sections 11 and 15.5.2). */

import type { CredentialForm, Exchange } from '../exchange/exchange.ts';
import { answerPhrase, headerOf, isAccepted, isError, isNoAnswer, statusOf } from './answer.ts';
import { asked, type Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { found, none, type Opinion, PASS } from './opinion.ts';
import { remedyFor } from './valid.ts';

/** Forms with which a caller presents a credential that is right. */
const RIGHT: ReadonlySet<CredentialForm> = new Set(['valid', 'lower-case-scheme', 'other-organization']);

/** A write of the read-only profile has no body and made-up ids: any status but these two may be about that. */
function isBlindWrite(exchange: Exchange, evidence: Evidence): boolean {
  return evidence.facts.profile === 'read-only' && exchange.request.method !== 'GET';
}

function judgeRefusalStatus(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null || isNoAnswer(exchange) || status < 400 || status >= 500) {
    return none(`${answerPhrase(exchange)} to a bad credential`);
  }
  const good = evidence.goodStatuses(exchange);
  if (good.has(status)) return none(`the good credential got ${answerPhrase(exchange)} too`, remedyFor(exchange));
  if (status === 401) return PASS;
  const blind = isBlindWrite(exchange, evidence);
  if (blind ? status !== 403 : good.size === 0) {
    return none(`${answerPhrase(exchange)} may be about something else than the credential`, 'run the full profile');
  }
  return found('status', 'the status', 'status 401', answerPhrase(exchange));
}

function judgeChallenge(exchange: Exchange, evidence: Evidence): Opinion {
  if (!evidence.credentialWorks) return none('no operation accepted the good credential', 'set PCS_ACCESS_TOKEN');
  const challenge = headerOf(exchange, 'www-authenticate') ?? '';
  if (challenge.trim() !== '') return PASS;
  return found('content', 'the header of the 401', 'WWW-Authenticate', 'no such field');
}

function judgeSchemeCase(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return PASS;
  if (!evidence.isBracketed(exchange)) {
    return none('the good credential was not accepted both before and after', remedyFor(exchange));
  }
  const refused = isError(exchange) && !isNoAnswer(exchange) && (statusOf(exchange) ?? 500) < 500;
  if (!refused) return none(`${answerPhrase(exchange)} to a credential under the scheme in lower case`);
  return found('status', 'the status', 'acceptance, as under Bearer', answerPhrase(exchange));
}

/** Checks on the refusal of credentials and on the scheme. */
export const SHOULD_ACCESS: readonly Check[] = [
  {
    requirement: 'AUTH-STATUS-401',
    concerns: ({ tag, request }) => tag.documented && !RIGHT.has(request.credential),
    judge: judgeRefusalStatus,
  },
  {
    requirement: 'AUTH-CHALLENGE',
    concerns: (exchange) => exchange.tag.documented && statusOf(exchange) === 401,
    judge: judgeChallenge,
  },
  asked('AUTH-SCHEME-CASE', judgeSchemeCase),
];
