/**
 * Valid bodies that a target accepts in any form: a call with only from and to, JSON labelled with its charset, a body
 * in chunks, an id in the other letter case, a single field. The first two open and close the bracket around requests
 * that have to be rejected (sections 2 and 4; RFC 9110, section 8.3.1; RFC 9112, section 7.1; RFC 9562).
 */

import { type Answer, Skipped } from '../src/client/request.ts';
import type { OperationId } from '../src/contract/operations.ts';
import type { Ask, Exchange } from '../src/exchange/exchange.ts';
import { nthForm } from '../src/exchange/message.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/generate/json.ts';
import type { RequestBuilder } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import { answerPhrase, isAboutRequest, isAccepted, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, foundRejection, foundStatus, lawfullyNone, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { type Compared, jsonOf, Sibling } from '../src/verdict/sibling.ts';
import { ask } from './ask.ts';
import { asObject, baseOf, fieldsOf, findBase, firstAccepted, objectBase, valueFor, valuesFor } from './bodies.ts';
import { acceptedAsUsual, noControl, notAccepted } from './expect/bodies.ts';
import { remedyFor, twoCallers } from './expect/remedy.ts';
import { nameIn } from './expect/shown.ts';
import { ASSIGN, CREATE, isOneOf, type TRUNK, UPDATES, type Update, WITH_BODY } from './operations.ts';
import {
  amongWithControls,
  besideBody,
  onNamed,
  PAIR,
  sendProbe,
  sendSiblings,
  sendTo,
  sendValid,
  sequence,
} from './sequences/sending.ts';
import { readBack, readRecord, type Shown, settled } from './sequences/shown.ts';

const charset = ask('CONTENT-TYPE-CHARSET');

/** If a rule requires an application or a trunk, whatever the numbers. */
const ACCEPT_MINIMAL = 'let the service accept a call with from and to alone: no setting helps';

/** A call with only `from` and `to` is promised, so any other accepted call is its sibling. */
export function acceptedMinimal(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (isAccepted(exchange)) return PASS;
  if (status === 411 || status === 415) return foundStatus(status, 'acceptance of a valid body');
  const sibling = Sibling.accepted(exchange, evidence.controls(CREATE), 'with more than from and to');
  if (sibling === null)
    return none(`${answerPhrase(exchange)} to a valid body, and none was accepted`, remedyFor(exchange, evidence));
  if (status !== 400 && status !== 422) {
    const reason = `${answerPhrase(exchange)} to from and to alone, while a larger body was accepted: this target cannot show it`;
    return none(reason, twoCallers(exchange, evidence) ?? ACCEPT_MINIMAL);
  }
  return foundRejection(exchange, 'acceptance of a valid body', sibling);
}

/** Asked by each call with two members that opens, repeats or closes the bracket. */
const CALL_CREATE_MINIMAL = {
  id: 'CALL-CREATE-MINIMAL',
  level: 'must',
  section: '2',
  statement: 'Create call accepts a body with only from and to; no optional field is required.',
  operations: [CREATE],
  expect: acceptedMinimal,
} as const satisfies Requirement;

/** The call that opens the bracket. */
export function openingCall(builder: RequestBuilder): Sequence {
  const asks = [...builder.validAsks(CREATE), ask('CALL-CREATE-MINIMAL')];
  return sequence(CREATE, 'control before', { asks, isControl: true, calls: 1 }, async (session) => {
    baseOf(session, CREATE);
    await findBase(session, CREATE);
  });
}

/** Sent instead of the closing control. */
const CONTENT_TYPE_CHARSET = {
  id: 'CONTENT-TYPE-CHARSET',
  level: 'should',
  section: 'RFC 9110, 8.3.1',
  statement: 'A body labelled application/json; charset=utf-8 is accepted.',
  operations: WITH_BODY,
  expect: acceptedAsUsual,
} as const satisfies Requirement;

/** JSON's media type with a parameter that changes nothing. */
const JSON_WITH_CHARSET = 'application/json; charset=utf-8';

/** Sends a valid body with the charset in its label; resolves with whether it is accepted. */
async function takesCharset(session: Session, id: OperationId, json: JsonValue, asks: readonly Ask[] = []) {
  const about = `the body is labelled ${JSON_WITH_CHARSET}`;
  const control = { control: true, role: 'control', asks: [...asks, charset] } as const;
  const labelled = session.builder.request(id, { json, contentType: JSON_WITH_CHARSET, about, ...control });
  return (await session.send(besideBody(labelled, json))).accepted;
}

/**
 * The opening call once more, byte for byte: a target may answer an identical call differently, or accept the smallest
 * body only once. One that rejects an identical call for a while accepts it with a variable.
 */
export function sameCallAgain(builder: RequestBuilder): Sequence {
  const valid = builder.validAsks(CREATE);
  const place = { asks: [...valid, charset], isControl: true, calls: 1 } as const;
  return sequence(CREATE, 'the same call again', place, async (session) => {
    const base = baseOf(session, CREATE);
    const bodies = isJsonObject(base) ? [base, { ...base, variables: { again: 'plain' } }] : [base];
    const isKnown = session.state.bases.has(CREATE);
    if (isKnown && (await takesCharset(session, CREATE, base, valid))) return;
    await firstAccepted(session, CREATE, bodies);
    if (!isKnown) throw new Skipped('no typical request of this kind was accepted');
  });
}

/** A valid request with a charset in its media type: if it is accepted, it closes the bracket of its lane. */
export const withCharset = (id: OperationId): Sequence =>
  onNamed(id, 'control with a charset', { asks: [charset], isControl: true }, async (session) => {
    const json = baseOf(session, id);
    if (!(await takesCharset(session, id, json))) await sendValid(session, id, { json });
  });

/** Closes the bracket with a call that was accepted before, with another variable if identical calls are rejected. */
export async function closeBracket(session: Session): Promise<void> {
  const base = baseOf(session, CREATE);
  const accepted = session.state.acceptedBodies(CREATE).toReversed();
  const withVariables = accepted
    .filter(isJsonObject)
    .filter(({ variables }) => Object.keys(Object(variables)).length > 0);
  const changed = withVariables.slice(0, 1).map((body) => ({ ...body, variables: { closing: 'plain' } }));
  await firstAccepted(session, CREATE, [...accepted.slice(0, 1), ...changed, base]);
}

/** A single field may be rejected, since the required fields are not documented, but not because of its media type. */
export function alone(exchange: Exchange, evidence: Evidence): Opinion {
  if (!evidence.isBracketed(exchange)) return noControl(exchange, evidence);
  if (statusOf(exchange) === 415) return foundStatus(415, 'a status other than 415');
  const isAnswered = isAccepted(exchange) || isAboutRequest(exchange);
  return isAnswered ? PASS : none(`${answerPhrase(exchange)} to a field sent alone`);
}

/** Asked by each update of one field. */
const UPDATE_FIELD_ALONE = {
  id: 'UPDATE-FIELD-ALONE',
  level: 'should',
  section: '2',
  statement: 'No documented field of an update, sent alone with a typical value, is answered with 415.',
  operations: UPDATES,
  expect: alone,
} as const satisfies Requirement;

/** What an update of one field asks: the gap shows which fields an update requires. */
export const asksAlone = (field: string) =>
  [ask('UPDATE-FIELD-ALONE', `/${field}`), ask('GAP-UPDATE-REQUIRED', `/${field}`)] as const;

/** Sends an update of one field. */
export const sendAlone = (session: Session, id: Update, field: string, value: JsonValue): Promise<Answer> => {
  const about = `nothing but /${field}`;
  return sendTo(session, id, { json: { [field]: value }, asks: asksAlone(field), about, role: 'change' });
};

/** The fields that are sent alone, in this order, if the record is read after each. */
export const ALONE_IN_TURN = {
  updateTrunk: ['name', 'direction'],
  updateVoiceApplication: ['name', 'ring_timeout_seconds'],
  setInboundAuth: [],
} as const satisfies Readonly<Record<Update, readonly string[]>>;

/**
 * Each other field of an update alone, the first two at the same time: a service that replaces a row, or inserts a
 * missing one, fails for the second. The status of a trunk is one of three simultaneous updates instead.
 */
export function fieldsAlone(id: Exclude<Update, typeof TRUNK>): readonly Sequence[] {
  const fields = fieldsOf(id).filter((field) => !isOneOf(ALONE_IN_TURN[id], field));
  return [fields.slice(0, 2), ...fields.slice(2).map((field) => [field])].map((group) => {
    const [moment, words] = group.length > 1 ? [PAIR.asks, ', one of two at once'] : [[], ''];
    const asks = [...group.flatMap(asksAlone), ...moment];
    const label = `/${group.join(' and /')} alone${group.length > 1 ? ', at once' : ''}`;
    return onNamed(id, label, { asks }, async (session) => {
      const updates = group.map((field) => {
        const json = { [field]: valueFor(valuesFor(session, id), field) };
        const about = `nothing but /${field}${words}`;
        const form = nthForm(fields.indexOf(field));
        return session.builder.request(id, { json, asks: [...asksAlone(field), ...moment], about, form });
      });
      await session.together(updates);
    });
  });
}

/** Not on create call: the safety rules read its body as it leaves. */
const BODY_CHUNKED = {
  id: 'BODY-CHUNKED',
  level: 'should',
  section: 'RFC 9112, 7.1',
  statement: 'A request body in chunks, without Content-Length, is accepted and read.',
  operations: [...UPDATES, ASSIGN],
} as const satisfies Requirement;

/** An update in chunks and the answer that may show its name; then the same for an update with Content-Length. */
interface ChunkedLooks {
  readonly chunks: Exchange;
  readonly after: Exchange;
  readonly whole?: Exchange;
  readonly behind?: Exchange;
}

const isNamed = (reading: Exchange | undefined, change: Exchange | undefined): boolean =>
  reading !== undefined && change !== undefined && nameIn(reading) === Object(jsonOf(change)).name;

/**
 * What the name after an update in chunks shows; `null` if an update with Content-Length does not show its name either.
 * After a 202 a read may come too early, but an answer that shows one update also shows the next.
 */
function effectOfChunks({ chunks, after, whole, behind }: ChunkedLooks, evidence: Evidence): Opinion | null {
  const isLater = statusOf(chunks) === 202;
  if (!isAccepted(chunks) || (isLater && after !== chunks)) return null;
  if (isNamed(after, chunks)) return PASS;
  const before = evidence
    .controls(chunks.tag.operation)
    .findLast((sent) => sent.seq < chunks.seq && isAccepted(sent) && typeof Object(jsonOf(sent)).name === 'string');
  if (!isNamed(after, before) || whole === undefined || !isNamed(behind, whole)) return null;
  if (isLater && statusOf(whole) !== 202) return null;
  return found('/name of the record after it', 'the name that was sent in chunks', 'the previous name');
}

/**
 * The name in a later answer decides. Without one, acceptance says nothing if the target also accepts a request without
 * a body: it may not have read the chunks.
 */
export function chunksAccepted(
  exchange: Exchange,
  evidence: Evidence,
  compared: Compared,
  looks: ChunkedLooks | null = null,
): Opinion {
  const effect = looks === null ? null : effectOfChunks(looks, evidence);
  if (effect !== null) return effect;
  const isBodiless = (sent: Exchange): boolean =>
    sent.tag.operation === exchange.tag.operation && sent.request.body === null && isAccepted(sent);
  if (!isAccepted(exchange) || !evidence.exchanges.some(isBodiless))
    return acceptedAsUsual(exchange, evidence, compared);
  const reason = 'accepted, and so is a request without a body: chunks may be taken for none';
  return lawfullyNone(reason, 'to have it judged, let the target reject an update without a body');
}

const isShown = (id: OperationId): id is Shown => id === 'updateTrunk' || id === 'updateVoiceApplication';

/**
 * A valid request with its body in chunks and a new name: Django ignores the chunks, and accepts an empty update. If
 * the name is not shown, an update with Content-Length follows, to show whether names are shown at all.
 */
export function chunked(id: OperationId): Sequence {
  const asked = ask('BODY-CHUNKED');
  const place = { asks: [asked], ...amongWithControls(id) };
  return onNamed(id, 'a body in chunks', place, async (session) => {
    const { builder } = session;
    const base = baseOf(session, id);
    const named = (word: string): JsonObject => ({ ...asObject(base), name: `${builder.mark} ${word}` });
    /** The answer that shows the record after a change: a read, or the answer to the change. */
    const shownBehind = async (change: Answer, word: string, about: string): Promise<Exchange> => {
      const look = (): Promise<Answer | null> =>
        isShown(id) ? readRecord(session, id, { role: 'after', about }) : Promise.resolve(null);
      const isOld = (shown: Answer | null): boolean =>
        shown !== null && typeof nameIn(shown.exchange) === 'string' && nameIn(shown.exchange) !== named(word)['name'];
      return (await settled(session, look, isOld))?.exchange ?? change.exchange;
    };
    const json = isShown(id) ? named('in chunks') : base;
    const about = 'the body in chunks, without Content-Length';
    const headers = [['Transfer-Encoding', 'chunked']] as const;
    const request = builder.request(id, { json, headers, role: 'change', about });
    const probe = await sendProbe(session, request, json, 'acceptance');
    const { answer } = probe;
    const compared = session.compared(answer, probe.request);
    let looks: ChunkedLooks | null = null;
    session.say(asked, answer, (evidence) => chunksAccepted(answer.exchange, evidence, compared, looks));
    if (!answer.accepted) await sendSiblings(session, [probe]);
    else if (isShown(id)) {
      const after = await shownBehind(answer, 'in chunks', 'the record after the body in chunks');
      looks = { chunks: answer.exchange, after };
      if (isNamed(after, answer.exchange)) return;
      const about = 'the body with its length';
      const whole = await sendTo(session, id, { json: named('whole'), role: 'change', about });
      if (!whole.accepted) return;
      const shown = await shownBehind(whole, 'whole', 'the record after the body with its length');
      looks = { ...looks, whole: whole.exchange, behind: shown };
    }
  });
}

/** A target that accepts an id in lower case knows it, so its rejection in upper case is about the letter case. */
export function acceptedInOtherCase(exchange: Exchange, evidence: Evidence, { around }: Compared): Opinion {
  if (isAccepted(exchange)) return PASS;
  const sibling = Sibling.behind(exchange, around(), 'another carrier_connection_id');
  if (sibling === null) return notAccepted(exchange, evidence);
  return foundRejection(exchange, 'acceptance, as in the other letter case', sibling);
}

/** The connection of the settings in the other letter case. */
const NUMBER_ASSIGN_LETTER_CASE = {
  id: 'NUMBER-ASSIGN-LETTER-CASE',
  level: 'must',
  section: '2',
  statement: 'Number assignment accepts carrier_connection_id in upper case where it accepts it in lower case.',
  operations: [ASSIGN],
  expect: acceptedInOtherCase,
  opportunistic: 'the id of the connection has no letters, or this target rejects an assignment that is repeated',
} as const satisfies Requirement;

/**
 * The accepted assignment in the other letter case, which RFC 9562 ignores in comparing UUIDs. Not sent if the id of
 * the connection has no letters.
 */
export function otherLetterCase(builder: RequestBuilder): Sequence {
  const id = builder.named('carrierConnection') ?? '';
  const changed = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
  const asked = ask('NUMBER-ASSIGN-LETTER-CASE');
  return onNamed(ASSIGN, 'the other letter case', { asks: [asked] }, async (session) => {
    const base = objectBase(session, ASSIGN);
    if (changed === id) return;
    const json = { ...base, carrier_connection_id: changed };
    const about = `the id of the connection in ${changed === changed.toUpperCase() ? 'upper' : 'lower'} case`;
    const request = builder.request(ASSIGN, { json, asks: [asked], about });
    const probe = await sendProbe(session, request, base, 'acceptance');
    const { answer } = probe;
    // The list has to find the connection by the id in its original form.
    if (answer.accepted)
      await readBack(session, ASSIGN, answer, ['listNumbers'], { about: 'the assignment of the number' });
    else await sendSiblings(session, [probe]);
  });
}

export const ACCEPTED_BODIES = [
  CALL_CREATE_MINIMAL,
  CONTENT_TYPE_CHARSET,
  UPDATE_FIELD_ALONE,
  BODY_CHUNKED,
  NUMBER_ASSIGN_LETTER_CASE,
] as const;
