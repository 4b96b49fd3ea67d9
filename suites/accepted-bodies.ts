/**
 * Valid bodies that a target accepts whatever else it wants: a call with from and to alone, and JSON that is labelled with its
 * charset. They open and close the bracket around what has to be rejected (sections 2 and 4; RFC 9110, section 8.3.1).
 */

import { type Answer, Skipped } from '../src/client/request.ts';
import type { OperationId } from '../src/contract/operations.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import { isObject, type JsonValue } from '../src/generate/json.ts';
import { asking, type RequestBuilder } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import { answerPhrase, isAccepted, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { foundRejection, foundStatus, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { baseOf, findBase } from './bodies.ts';
import { acceptedAsUsual } from './expect/bodies.ts';
import { remedyFor, twoCallers } from './expect/remedy.ts';
import { CREATE, WITH_BODY } from './operations.ts';
import { onNamed, sendValid, sequence } from './sequences/sending.ts';
import { besideBody } from './sequences/siblings.ts';

const ask = asking<(typeof CALL_CREATE_MINIMAL | typeof CONTENT_TYPE_CHARSET)['id']>();
const [minimal, charset] = [ask('CALL-CREATE-MINIMAL'), ask('CONTENT-TYPE-CHARSET')];

/** A call with `from` and `to` alone is promised, so any other accepted call is its sibling. */
export function acceptedMinimal(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (isAccepted(exchange)) return PASS;
  if (status === 411 || status === 415) return foundStatus(status, 'acceptance of a valid body');
  const sibling = Sibling.accepted(exchange, evidence.controls(CREATE), 'with more than from and to');
  if (sibling === null)
    return none(`${answerPhrase(exchange)} to a valid body, and none was accepted`, remedyFor(exchange, evidence));
  if (status !== 400 && status !== 422) {
    const reason = `${answerPhrase(exchange)} to from and to alone, while a larger body was accepted: this target cannot show it`;
    return none(reason, twoCallers(exchange, evidence));
  }
  return foundRejection(exchange, 'acceptance of a valid body', sibling);
}

/** Says what the answer to a call shows, if the call has two members alone. */
function sayMinimal(session: Session, json: JsonValue, answer: Answer): void {
  if (Object.keys(json ?? {}).length === 2)
    session.say(minimal, answer, (evidence) => acceptedMinimal(answer.exchange, evidence));
}

/** Sends the calls in order until one is accepted. */
async function firstAccepted(session: Session, bodies: readonly JsonValue[]): Promise<Answer | undefined> {
  for (const json of bodies) {
    const answer = await sendValid(session, CREATE, { json });
    sayMinimal(session, json, answer);
    if (answer.accepted) return answer;
  }
  return undefined;
}

/** The call that opens the bracket. */
export function openingCall(builder: RequestBuilder): Sequence {
  const asks = [...builder.validAsks(CREATE), minimal];
  return sequence(CREATE, 'control before', { asks, isControl: true, calls: 1 }, async (session) => {
    baseOf(session, CREATE);
    await findBase(session, CREATE, (json, answer) => sayMinimal(session, json, answer));
  });
}

/** JSON's media type with a parameter that changes nothing. */
const JSON_WITH_CHARSET = 'application/json; charset=utf-8';

/** Sends a valid body with the charset in its label, and as usual where that is rejected: `usual` does so. */
async function sendLabelled(
  session: Session,
  id: OperationId,
  json: JsonValue,
  asks: Sequence['asks'],
  usual: () => Promise<Answer | undefined>,
): Promise<void> {
  const about = `the body is labelled ${JSON_WITH_CHARSET}`;
  const labelled = { json, contentType: JSON_WITH_CHARSET, asks, control: true, role: 'control', about } as const;
  const answer = await session.send(besideBody(session.builder.request(id, labelled), json));
  let behind: Answer | undefined;
  session.say(charset, answer, (evidence) => acceptedAsUsual(answer.exchange, behind?.exchange, evidence));
  if (!answer.accepted) behind = await usual();
}

/**
 * The body of the opening call once more, byte for byte: a target may answer the same call twice in a row in another way, or
 * accept the smallest body only once. One that rejects an identical call for a while accepts it with a variable.
 */
export function sameCallAgain(builder: RequestBuilder): Sequence {
  const valid = builder.validAsks(CREATE);
  const place = { asks: [...valid, charset], isControl: true, calls: 1 } as const;
  return sequence(CREATE, 'the same call again', place, async (session) => {
    const base = baseOf(session, CREATE);
    const bodies = isObject(base) ? [base, { ...base, variables: { again: 'plain' } }] : [base];
    const usual = (): Promise<Answer | undefined> => firstAccepted(session, bodies);
    if (session.state.bases.has(CREATE)) return sendLabelled(session, CREATE, base, valid, usual);
    await usual();
    throw new Skipped('no typical request of this kind was accepted');
  });
}

/** A valid request with a charset in its media type: if it is accepted, it closes the bracket of its lane. */
export const withCharset = (id: OperationId): Sequence =>
  onNamed(id, 'control with a charset', { asks: [charset], isControl: true }, async (session) => {
    const json = baseOf(session, id);
    await sendLabelled(session, id, json, [], () => sendValid(session, id, { json }));
  });

/** Closes the bracket with a call that was accepted before; one that rejects an identical call accepts another variable. */
export async function closeBracket(session: Session): Promise<void> {
  const base = baseOf(session, CREATE);
  const accepted = session.state.acceptedBodies(CREATE).toReversed();
  const withVariables = accepted.filter(isObject).filter(({ variables }) => Object.keys(Object(variables)).length > 0);
  const changed = withVariables.slice(0, 1).map((body) => ({ ...body, variables: { closing: 'plain' } }));
  await firstAccepted(session, [...accepted.slice(0, 1), ...changed, base]);
}

/** Said of each call with two members that opens, repeats or closes the bracket. */
export const CALL_CREATE_MINIMAL = {
  id: 'CALL-CREATE-MINIMAL',
  level: 'must',
  section: '2',
  statement: 'Create call accepts a body with only from and to; no optional field is required.',
  operations: [CREATE],
} as const satisfies Requirement;

/** Sent instead of the closing control. */
export const CONTENT_TYPE_CHARSET = {
  id: 'CONTENT-TYPE-CHARSET',
  level: 'should',
  section: 'RFC 9110, 8.3.1',
  statement: 'A body labelled application/json; charset=utf-8 is accepted.',
  operations: WITH_BODY,
} as const satisfies Requirement;
