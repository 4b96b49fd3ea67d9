/** Boundary values: what each asks of every binding invariant, and whether a request with it was answered. */

import { type Ask, type Exchange, isUnanswered } from '../exchange/exchange.ts';
import { isAccepted, isRetryable } from './answer.ts';
import type { Evidence } from './evidence.ts';
import { LATER, none, type Opinion, PASS } from './opinion.ts';

/** The id of an ask for a boundary value: every binding invariant of the operation has to hold for the answer. */
export const BOUNDARY = 'boundary values';

/** Asks every binding invariant to hold for the answer to a boundary value. */
export const boundary = (value: string): Ask => ({ id: BOUNDARY, variation: value });

const isBoundary = ({ id }: Ask): boolean => id === BOUNDARY;

/** How many requests are simultaneous: a pair, more than two, or more reads than a small pool's five connections. */
export type Moment = 2 | 3 | 6;

const MOMENTS: ReadonlyMap<string, number> = new Map([2, 3, 6].map((count) => [`${count} at once`, count]));

/** Asks every binding invariant to hold for the answers to that many simultaneous requests. */
export const askOfMoment = (count: Moment): Ask => boundary(`${count} at once`);

/** Whether it asks about several simultaneous requests. */
export const isOfMoment = ({ variation }: Ask): boolean => MOMENTS.has(variation);

/** The question of an invariant about a boundary value, and the value in such a question; `undefined` for any other. */
export const boundaryQuestion = (value: string): string => `${BOUNDARY}: ${value}`;
export const boundaryIn = (question: string): string | undefined =>
  question.startsWith(`${BOUNDARY}: `) ? question.slice(BOUNDARY.length + 2) : undefined;

/**
 * Whether the exchange answers the question about a boundary value. A create call carries several values, which count
 * if it was accepted; a single value counts if it was answered, or if the missing response is itself the finding. A
 * request that was put off or lost does not count as simultaneous.
 */
function isAnswer(exchange: Exchange, isMoment: boolean, evidence: Evidence): boolean {
  const isAlone = exchange.tag.asks.filter(isBoundary).length === 1;
  if (isAlone && exchange.response === null && evidence.isConfirmed(exchange)) return true;
  if (exchange.response === null || isRetryable(exchange)) return false;
  return (isAlone || isAccepted(exchange)) && !(isMoment && (exchange.tag.resend > 0 || isUnanswered(exchange)));
}

/** What an answer shows of a boundary value: `5 at once` needs five answers within its sequence. */
export function answered(exchange: Exchange, { variation }: Ask, evidence: Evidence): Opinion {
  const count = MOMENTS.get(variation);
  const isMoment = count !== undefined;
  const isAsking = ({ tag }: Exchange): boolean => tag.asks.some((ask) => ask.variation === variation);
  const asking = isMoment ? evidence.sameSequence(exchange).filter(isAsking) : [exchange];
  const answers = asking.filter((sent) => isAnswer(sent, isMoment, evidence));
  if (answers.length >= (count ?? 1)) return PASS;
  if (!isMoment) return none(`no response to ${variation} allows a verdict`, isRetryable(exchange) ? LATER : undefined);
  return { kind: 'none', reason: 'the target did not accept all simultaneous requests', isLawful: true };
}
