/** Two and twice: reads at the same moment, and actions repeated and at once (conformance model, section 2). */

import { type Answer, noOccasion, Skipped, type SuiteRequest } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { FORM_IDS, nthForm } from '../../src/exchange/message.ts';
import type { Variation } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import type { Moment } from '../../src/verdict/boundary.ts';
import { ask } from '../ask.ts';
import { baseOf } from '../bodies.ts';
import { HANG_UP, isOneOf, LISTS } from '../operations.ts';
import { amongCredentials, atOnce, onNamed, PAIR, sendTo, sendValid, sequence, twoOf } from './sending.ts';

/** A read several times at the same moment, the first ones each in a form of their own: the valid credential behind invalid ones. */
export function readsAtOnce(id: OperationId): Sequence {
  // A list is read once more than a pool of five connections allows, which other reads share: with five, such a service passed.
  const count: Moment = isOneOf(LISTS, id) ? 6 : 3;
  const asks = [...atOnce(count).asks, ask('GAP-RATE-LIMITS', `${count} reads at once`)];
  const place = { asks, ...amongCredentials(id), isControl: true } as const;
  return onNamed(id, `${count} reads at once`, place, async (session) => {
    const { builder, state } = session;
    const reads = Array.from({ length: count }, (_, at) => {
      const about = `read ${at + 1} of ${count} at once`;
      const form = at < Math.min(FORM_IDS.length, count - 1) ? { form: nthForm(at) } : {};
      return builder.control(id, { ...atOnce(count), ...form, ...(at === 0 ? { asks } : {}), about });
    });
    try {
      for (const { status } of await session.together(reads)) state.noteStatus(id, 'valid', status);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      // With --rate 3 no six go out in a second: a single one shows whether the credential still works.
      const about = 'the valid credential behind invalid ones';
      const { status } = await sendValid(session, id, { role: 'between', about });
      state.noteStatus(id, 'valid', status);
      throw error;
    }
  });
}

/** Two requests at the same moment, each in a form of its own but for hang-ups; `next` makes both, and again where they are repeated. */
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
export const answerTwice = (ringing: string): Sequence =>
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
export const hangUpTwice = (): Sequence =>
  sequence(HANG_UP, 'twice', {}, async (session) => {
    const { endedCall } = session.state.facts;
    if (typeof endedCall !== 'string') throw new Skipped('no call was hung up');
    await hangUpAgain(session, endedCall);
  });

/**
 * The call of a simultaneous batch: the open one, one that has ended or, where none could be placed, the ringing call; and, since
 * two actions can race on a call only once, another call each time that the batch is repeated.
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
