/** What a refusal owes whoever it refuses: a 4xx, and nothing of what is refused (section 5). */

import type { Exchange } from '../exchange/exchange.ts';
import { answerPhrase, isAccepted, isNoAnswer, statusOf } from './answer.ts';
import type { Evidence } from './evidence.ts';
import { found, inconclusive, type Opinion } from './opinion.ts';
import { shownOfRecord } from './shown.ts';

/** What a finding expects of an answer to a credential without the right. */
export const REFUSAL = 'refusal with a 4xx';

/** What follows from the status of a refusal alone: a finding, an open question, or `null` for a 4xx. */
export function judgeStatus(exchange: Exchange): Opinion | null {
  const status = statusOf(exchange);
  if (isAccepted(exchange)) return found('effect', 'the status', REFUSAL, answerPhrase(exchange));
  if (status === null || isNoAnswer(exchange)) return inconclusive(`${answerPhrase(exchange)} to a bad credential`);
  return status >= 400 && status < 500 ? null : inconclusive(`${answerPhrase(exchange)} to a bad credential`);
}

/** A refusal that shows the record has refused nothing. */
export function judgeShown(exchange: Exchange, evidence: Evidence): Opinion | null {
  const name = shownOfRecord(exchange, evidence);
  if (name === undefined) return null;
  return found('effect', 'the body of the refusal', 'nothing of what is refused', `the ${name} of the record`);
}
