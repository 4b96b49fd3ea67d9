/** Ids in the path that name no resource (RFC 9110, section 15.5.5; the specification does not show the response). */

import type { Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import { answerPhrase, isAboutRequest, isAccepted, isServerFailure, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { foundAcceptance, foundAnswer, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { envelope } from './answers.ts';
import { remedyForControl } from './expect/remedy.ts';
import { WITH_ID } from './operations.ts';

/**
 * The known id must have been treated differently: accepted, or (an outbound call that cannot be answered) rejected with
 * another status.
 */
function isToldApart(exchange: Exchange, evidence: Evidence): boolean {
  const controls = evidence.controls(exchange.tag.operation);
  if (controls.some(isAccepted)) return true;
  return controls.length > 0 && controls.every((control) => statusOf(control) !== statusOf(exchange));
}

function unknownRejected(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) {
    if (evidence.hasAcceptedControl(exchange.tag.operation)) {
      return foundAcceptance(exchange, 'rejection with a 4xx');
    }
    return none('the same request was not accepted with an existing id', remedyForControl(exchange, evidence));
  }
  if (isServerFailure(exchange)) return foundAnswer(exchange, 'rejection with a 4xx');
  if (!isAboutRequest(exchange)) {
    return none(`${answerPhrase(exchange)} to an id that names no resource`);
  }
  if (!isToldApart(exchange, evidence)) {
    return none('no existing id was sent and treated differently', remedyForControl(exchange, evidence));
  }
  return evidence.isAcceptedAfter(exchange) ? PASS : none('the valid credential was not accepted afterwards');
}

function malformedRejected(exchange: Exchange, evidence: Evidence): Opinion {
  const rejection = unknownRejected(exchange, evidence);
  // Invariants ignore requests with a malformed id, so this requirement reports an error without the envelope.
  return rejection.kind === 'pass' ? envelope(exchange) : rejection;
}

/** Three letters, as of a country or a carrier: too short for whatever is cut from an id. */
const MALFORMED = 'xyz';

const OF_IDS = { level: 'should', section: 'RFC 9110, 15.5.5', operations: WITH_ID } as const;

/** Every id of every path is replaced once by a made-up UUID. */
export const UNKNOWN_ID = {
  ...OF_IDS,
  id: 'UNKNOWN-ID-REFUSED',
  statement: 'An id in the path that names no resource is rejected with a 4xx.',
  explainedBy: ['NO-SERVER-ERROR'],
  send: {
    ids: {
      about: 'names nothing',
      idOf: (builder, operation, resource) => builder.uuid(`unknown ${operation} ${resource}`),
    },
  },
  expect: unknownRejected,
} as const satisfies Requirement;

/** And once by three letters, which a fragile target may die of. */
export const MALFORMED_ID = {
  ...OF_IDS,
  id: 'MALFORMED-ID-REFUSED',
  statement: 'An id in the path that is not a UUID is rejected with a 4xx and the envelope.',
  explainedBy: ['NO-SERVER-ERROR', 'ERROR-ENVELOPE', 'PATH-SERVED', 'JSON-SYNTAX', 'JSON-LABEL'],
  send: { ids: { about: 'is not a UUID', idOf: () => MALFORMED } },
  expect: malformedRejected,
} as const satisfies Requirement;

export const IDS_ADVICE = [UNKNOWN_ID, MALFORMED_ID] as const satisfies readonly Requirement[];
