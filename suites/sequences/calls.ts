/** The calls that open the bracket, and actions: on these calls, repeated, and two at once (sections 4 and 5). */

import { type Answer, hangUpSegment, noOccasion, Skipped, type SuiteRequest, unset } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Skip } from '../../src/contract/skipped.ts';
import { type Ask, type Exchange, PLAIN_REQUEST } from '../../src/exchange/exchange.ts';
import { nthForm } from '../../src/exchange/message.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { openingCall } from '../accepted-bodies.ts';
import { ask } from '../ask.ts';
import { baseOf } from '../bodies.ts';
import { CREATE, HANG_UP } from '../operations.ts';
import { BY_OTHER, hasOther, OTHER_ORG_TOKEN, tryCall, WITHOUT_ACCEPT } from '../organizations.ts';
import { type CredentialWay, credentialWays, WHILE_RINGING } from './credentials.ts';
import { onNamed, PAIR, sendTo, sendValid, sequence, tryWithBody, twoOf } from './sending.ts';

const RINGING = 'PCS_RINGING_CALL_ID';

/** What this run needs to place a call, unless create call itself was rejected, whose cases have the remedy. */
const forACall = ({ builder }: Session): Partial<Skip> =>
  builder.options.without.includes(CREATE)
    ? { why: 'occasion', remedy: 'do not leave createCall out with --without' }
    : {};

/** To answer, the ringing call of the settings if there is one; otherwise the open call of this run. */
async function callToControl(session: Session, id: 'answerCall' | 'hangUpCall'): Promise<string> {
  const ringing = id === 'answerCall' ? session.builder.options.ringingCallId : undefined;
  const call = ringing ?? (await session.knownCall());
  if (call === null) throw new Skipped('no call was placed that could be answered or hung up', forACall(session));
  return call;
}

const ASKED_OF_OTHER = [...BY_OTHER.asks, ...WITHOUT_ACCEPT.asks];

/** The other organization tries to control a call before we do. */
function controlsByOther(id: 'answerCall' | 'hangUpCall'): Sequence {
  return sequence(id, 'other organization', { asks: ASKED_OF_OTHER, needs: OTHER_ORG_TOKEN }, async (session) =>
    tryCall(session, id, session.builder.path(id, [await callToControl(session, id)])),
  );
}

/** Answers the ringing call of the settings, or, without one, the call of this run, which a target may reject. */
function answer(builder: RequestBuilder): Sequence {
  const id = 'answerCall';
  // The answers to another caller, or to an id that names nothing, are compared with the answer to our own request.
  const compared = [ask('UNKNOWN-ID-REFUSED', 'call'), ask('MALFORMED-ID-REFUSED', 'call'), ...BY_OTHER.asks];
  return sequence(id, 'control', { asks: [...builder.validAsks(id), ...compared] }, async (session) => {
    const { ringingCallId } = builder.options;
    const call = ringingCallId ?? (await session.knownCall());
    if (call === null) throw unset('there is no call to answer', RINGING);
    const answer = await sendValid(session, id, { path: builder.path(id, [call]) });
    session.state.note({ isRingingAnswered: answer.accepted });
    await tryWithBody(session, id, answer);
    if (!answer.accepted && ringingCallId === undefined) throw unset('only a ringing call can be answered', RINGING);
  });
}

/**
 * Invalid credentials while the call still rings: once it is answered, every caller gets the same rejection, so a
 * target that lets anyone answer would go unnoticed. All other invalid credentials come late in the plan.
 */
function invalidAnswers(builder: RequestBuilder, ringing: string): Sequence {
  const id = 'answerCall';
  const ways = credentialWays(builder, id).filter(({ form }) => WHILE_RINGING.includes(form));
  // At once, since it may not ring for long.
  const asks = ways.flatMap((way) => way.asks);
  return sequence(id, 'credentials while it rings', { asks }, async (session) => {
    const path = builder.path(id, [ringing]);
    const requestOf = ({ form, about, asks }: CredentialWay) =>
      session.builder.request(id, { path, credential: form, asks, about });
    await session.together(ways.map(requestOf));
  });
}

async function hangUpOpen(session: Session, asks: readonly Ask[]): Promise<Exchange | undefined> {
  if (session.openCall() === null) throw new Skipped('no call was placed that could be hung up', forACall(session));
  const answered = await session.hangUp({ asks, control: true, role: 'control', about: PLAIN_REQUEST });
  if (answered === null) return undefined;
  await tryWithBody(session, 'hangUpCall', answered);
  const { exchange, status } = answered;
  session.state.note({
    // A target that requires a body for a hang-up may have accepted it on the other slash form.
    endedCall: hangUpSegment(exchange.request.path),
    isHangUpRejected: session.isKnownLate || (status !== null && status >= 400 && status < 500),
  });
  return exchange;
}

function hangUp(builder: RequestBuilder): Sequence {
  const asks = builder.validAsks('hangUpCall');
  return sequence('hangUpCall', 'control', { asks, isControl: true }, async (session) => {
    await hangUpOpen(session, asks);
  });
}

/**
 * If that hang-up was rejected, the call had ended by itself, the other organization had ended it, or the target did
 * not know it yet. On another call, once it is known, the two hang-ups are sent one right after the other.
 */
function hangUpAnother(builder: RequestBuilder): Sequence {
  const valid = builder.validAsks('hangUpCall');
  const asks = hasOther(builder) ? [...ASKED_OF_OTHER, ...valid] : valid;
  const id = 'hangUpCall';
  return sequence(id, 'another call', { asks }, async (session) => {
    if (session.state.facts.isHangUpRejected !== true) return;
    await sendValid(session, CREATE, { json: baseOf(session, CREATE) });
    if (session.openCall() === null) return;
    let hangUp: Exchange | undefined;
    const path = builder.path(id, [await callToControl(session, id)]);
    if (hasOther(builder)) await tryCall(session, id, path, () => hangUp);
    hangUp = await hangUpOpen(session, valid);
  });
}

/** Two simultaneous requests, each in its own form except hang-ups; `next` makes both, and again when repeated. */
async function twoAtOnce(session: Session, id: OperationId, what: string, next: () => Promise<Variation>) {
  const requests = async (): Promise<readonly SuiteRequest[]> => {
    const variation = await next();
    return twoOf(what).map((about, at) => {
      const form = id === HANG_UP ? {} : { form: nthForm(at + 1) };
      return session.builder.request(id, { ...variation, about, ...form, ...PAIR });
    });
  };
  await session.together(await requests(), requests);
}

/** Two more mutes, at once. */
export const muteTwice = (): Sequence =>
  onNamed('muteParticipant', 'at once', { asks: PAIR.asks }, (session) =>
    twoAtOnce(session, 'muteParticipant', 'mutes', async () => ({})),
  );

/** The ringing call of the settings answered a second time. */
const answerTwice = (ringing: string): Sequence =>
  sequence('answerCall', 'twice', {}, async (session) => {
    if (session.state.facts.isRingingAnswered !== true) throw noOccasion('the ringing call was not answered');
    const path = session.builder.path('answerCall', [ringing]);
    await sendTo(session, 'answerCall', { path, about: 'the second answer' });
  });

/** Hangs up a call that was hung up before. */
export const hangUpAgain = (session: Session, ended: string): Promise<Answer> => {
  const path = session.builder.path(HANG_UP, [ended]);
  return sendTo(session, HANG_UP, { path, role: 'hang-up', about: 'the second hang-up' });
};

/** A call of this run that was hung up is hung up again. */
const hangUpTwice = (): Sequence =>
  sequence(HANG_UP, 'twice', {}, async (session) => {
    const { endedCall } = session.state.facts;
    if (typeof endedCall !== 'string') throw new Skipped('no call was hung up');
    await hangUpAgain(session, endedCall);
  });

/**
 * The call of a simultaneous batch: the open one, an ended one or, if none could be placed, the ringing call; and,
 * since two actions can race on a call only once, another call each time the batch is repeated.
 */
function callsFor(session: Session): () => Promise<string> {
  let isFirst = session.attempt === 0;
  return async () => {
    if (!isFirst) {
      if (session.openCall() !== null) await session.hangUp();
      const json = baseOf(session, 'createCall');
      await sendValid(session, 'createCall', { json, role: 'occasion', about: 'another call for both' });
    }
    isFirst = false;
    const { endedCall, isRingingAnswered } = session.state.facts;
    const call = session.openCall() ?? endedCall ?? (isRingingAnswered && session.builder.options.ringingCallId);
    if (typeof call !== 'string') throw noOccasion('no call was placed');
    return call;
  };
}

/** On the open call: two answers at once, and two hang-ups at once. */
export function callAtOnce(): readonly Sequence[] {
  const both = (id: 'answerCall' | 'hangUpCall', what: string): Sequence =>
    sequence(id, 'at once', { asks: PAIR.asks }, async (session) => {
      const call = callsFor(session);
      await twoAtOnce(session, id, what, async () => {
        const path = session.builder.path(id, [await call()]);
        return id === HANG_UP && session.openCall() !== null ? { path, role: 'hang-up' } : { path };
      });
    });
  return [both('answerCall', 'answers'), both(HANG_UP, 'hang-ups')];
}

/** The ringing call was answered only for the suite, so the suite ends it. */
function endRinging(builder: RequestBuilder, ringing: string): Sequence {
  const asks = builder.validAsks('hangUpCall');
  return sequence('hangUpCall', 'the ringing call', { asks, isControl: true }, async (session) => {
    await session.endOther(ringing, { asks, control: true, role: 'control', about: 'the answered call' });
  });
}

/** What is done with the configured ringing call: first of all, since it rings for 30 s, and dialling may take 35 s. */
export function ringingCall(builder: RequestBuilder): readonly Sequence[] {
  const call = builder.options.ringingCallId;
  if (call === undefined) return [];
  return [
    controlsByOther('answerCall'),
    invalidAnswers(builder, call),
    answer(builder),
    answerTwice(call),
    endRinging(builder, call),
  ];
}

/** The call that opens the bracket, and the actions on it. */
export function openingCalls(builder: RequestBuilder): readonly Sequence[] {
  const rings = builder.options.ringingCallId !== undefined;
  return [
    openingCall(builder),
    ...(rings ? [] : [controlsByOther('answerCall')]),
    controlsByOther('hangUpCall'),
    ...(rings ? [] : [answer(builder)]),
    hangUp(builder),
    hangUpTwice(),
    hangUpAnother(builder),
  ];
}
