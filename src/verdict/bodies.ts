/** Checks on which bodies are taken and which are refused (sections 2, 4 and 7). */

import type { RequirementId } from '../contract/requirements/index.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { answerPhrase, isAccepted, isNoAnswer, isPlain, statusOf } from './answer.ts';
import { asked, type Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { judgeEnvelope } from './invariants.ts';
import { found, inconclusive, none, type Opinion, PASS } from './opinion.ts';
import { remedyFor } from './valid.ts';

/** Step of a create call that tries several optional elements at once. */
export const TOGETHER = 'together';

/** Step of a create call that tries one or two optional elements of a body with several that was refused. */
export const ALONE = 'alone';

const REFUSED_AS_INVALID: ReadonlySet<number> = new Set([400, 411, 413, 415, 422]);

function anotherAccepted(exchange: Exchange, evidence: Evidence): boolean {
  return evidence.controls('createCall').some((control) => control.seq !== exchange.seq && isAccepted(control));
}

const elementsOf = ({ tag }: Exchange): readonly string[] => tag.asks.filter((ask) => ask.includes('#'));

/** A body with several elements that was refused: unless some of them are refused apart, it is that they come together. */
function judgeTogether(exchange: Exchange, evidence: Evidence): Opinion {
  const elements = elementsOf(exchange);
  const bodies = evidence.controls('createCall').filter((one) => one.seq !== exchange.seq);
  const apart = bodies.filter(({ tag }) => tag.step.startsWith(ALONE));
  const parts = apart.filter((one) => elementsOf(one).every((ask) => elements.includes(ask)));
  if (parts.some((part) => !isAccepted(part))) return none('the elements of the body were tried apart');
  const taken = (ask: string): boolean => bodies.some((one) => one.tag.asks.includes(ask) && isAccepted(one));
  const isKnown = elements.every(taken);
  if (parts.length > 0 && !isKnown) return none('the elements of the body were tried apart');
  const expected = isKnown ? 'acceptance of elements that are accepted apart' : 'acceptance of a valid body';
  return found('status', 'the status', expected, answerPhrase(exchange));
}

function judgeValidBody(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (isAccepted(exchange)) return PASS;
  if (status === null || !REFUSED_AS_INVALID.has(status)) {
    return none(`${answerPhrase(exchange)} to a valid body`, remedyFor(exchange));
  }
  if (!anotherAccepted(exchange, evidence)) {
    return none('no valid body of the run was accepted', remedyFor(exchange));
  }
  if (exchange.tag.step === TOGETHER) return judgeTogether(exchange, evidence);
  return found('status', 'the status', 'acceptance of a valid body', answerPhrase(exchange));
}

/** A null names nothing, so that nothing can be missing: here a 404 refuses the null itself. */
function judgeNullable(exchange: Exchange, evidence: Evidence): Opinion {
  const refused = statusOf(exchange) === 404 && exchange.tag.step.startsWith(ALONE);
  if (!refused || !anotherAccepted(exchange, evidence)) return judgeValidBody(exchange, evidence);
  return found('status', 'the status', 'acceptance of a valid body', 'status 404');
}

/** The upper-case form of an id that is accepted in lower case is the same id: it is not unknown. */
function judgeIds(exchange: Exchange, evidence: Evidence): Opinion {
  const { asks, step } = exchange.tag;
  const upper =
    step.startsWith(ALONE) && asks.some((ask) => ask.startsWith('CALL-CREATE-IDS#') && ask.endsWith('upper case'));
  if (upper && statusOf(exchange) === 404) {
    const lower = asks.map((ask) => ask.replace('upper case', 'lower case'));
    const taken = evidence
      .controls('createCall')
      .some((one) => isAccepted(one) && one.tag.asks.some((ask) => ask.includes('lower case') && lower.includes(ask)));
    if (taken) return found('status', 'the status', 'acceptance, as in lower case', 'status 404');
  }
  return judgeValidBody(exchange, evidence);
}

/** `exact`: the one status with which the body is refused; otherwise any 4xx refuses it. */
function judgeInvalidBody(exact: number | null): Check['judge'] {
  const expected = exact === null ? 'refusal with a 4xx' : `refusal with ${exact}`;
  return (exchange, evidence) => {
    const status = statusOf(exchange);
    if (status === null || isNoAnswer(exchange)) return inconclusive(`${answerPhrase(exchange)} to an invalid body`);
    if (isAccepted(exchange)) return found('status', 'the status', expected, answerPhrase(exchange));
    if (status < 400 || status >= 500 || status === 401)
      return inconclusive(`${answerPhrase(exchange)} to an invalid body`);
    if (!evidence.isBracketed(exchange)) {
      return inconclusive('the valid request was not accepted both before and after', remedyFor(exchange));
    }
    return exact === null || status === exact ? PASS : found('status', 'the status', expected, answerPhrase(exchange));
  };
}

function namedFailure(requirement: RequirementId, status: number): Check {
  return {
    requirement,
    concerns: (exchange) => {
      const answered = statusOf(exchange) === status;
      return exchange.tag.operation === 'createCall' && isPlain(exchange) && answered;
    },
    judge: judgeEnvelope,
  };
}

/** Checks on bodies. */
export const BODY_CHECKS: readonly Check[] = [
  asked('CALL-CREATE-MINIMAL', judgeValidBody),
  asked('CALL-CREATE-NULLABLE', judgeNullable),
  asked('CALL-CREATE-IDS', judgeIds),
  asked('CALL-CREATE-VARIABLES', judgeValidBody),
  asked('CALL-CREATE-PRIVACY', judgeValidBody),
  asked('CALL-CREATE-REQUIRED-FIELDS', judgeInvalidBody(400)),
  asked('CALL-CREATE-FIELD-TYPES', judgeInvalidBody(400)),
  asked('CALL-CREATE-UUID', judgeInvalidBody(400)),
  asked('CALL-CREATE-BODY', judgeInvalidBody(400)),
  namedFailure('CALL-CREATE-400', 400),
  namedFailure('CALL-CREATE-409', 409),
  namedFailure('CALL-CREATE-503', 503),
  asked('NUMBER-ASSIGN-INVALID', judgeInvalidBody(null)),
];
