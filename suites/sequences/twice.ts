/** Two and twice: reads at the same moment, and actions repeated and at once (conformance model, section 2). */

import { noOccasion, Skipped, type SuiteRequest } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { FORM_IDS, nthForm } from '../../src/exchange/message.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import type { Moment } from '../../src/verdict/boundary.ts';
import { ask } from '../ask.ts';
import { baseOf } from '../bodies.ts';
import { isOneOf, LISTS } from '../operations.ts';
import { amongCredentials, atOnce, onNamed, PAIR, sendTo, sendValid, sequence, twoOf } from './sending.ts';

/** A list is read once more than a pool of five connections allows, which other reads share: with five reads at once, such a service passed. */
const readsOf = (id: OperationId): Moment => (isOneOf(LISTS, id) ? 6 : 3);

/** A read several times at the same moment, the first ones each in a form of their own: the valid credential behind invalid ones. */
export function readsAtOnce(id: OperationId): Sequence {
  const count = readsOf(id);
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
      const { status } = await sendValid(session, id, {
        role: 'between',
        about: 'the valid credential behind invalid ones',
      });
      state.noteStatus(id, 'valid', status);
      throw error;
    }
  });
}

async function twoAtOnce(
  session: Session,
  id: OperationId,
  what: string,
  pathOf: () => Promise<string>,
): Promise<void> {
  const { builder } = session;
  const requests = async (): Promise<readonly SuiteRequest[]> => {
    const path = await pathOf();
    return twoOf(what).map((about, at) => builder.request(id, { path, about, form: nthForm(at + 1), ...PAIR }));
  };
  await session.together(await requests(), requests);
}

/** Two more mutes, at once. */
export function muteTwice(): Sequence {
  const id = 'muteParticipant';
  return onNamed(id, 'at once', { asks: PAIR.asks }, async (session) => {
    await twoAtOnce(session, id, 'mutes', async () => session.builder.path(id));
  });
}

/** The ringing call of the settings answered a second time. */
export function answerTwice({ options: { ringingCallId } }: RequestBuilder): readonly Sequence[] {
  if (ringingCallId === undefined) return [];
  const id = 'answerCall';
  return [
    sequence(id, 'twice', {}, async (session) => {
      if (session.state.facts.isRingingAnswered !== true) throw noOccasion('the ringing call was not answered');
      const path = session.builder.path(id, [ringingCallId]);
      await sendTo(session, id, { path, about: 'the second answer' });
    }),
  ];
}

/** A call of this run that was hung up is hung up again. */
export function hangUpTwice(): Sequence {
  const id = 'hangUpCall';
  return sequence(id, 'twice', {}, async (session) => {
    const { endedCall } = session.state.facts;
    if (typeof endedCall !== 'string') throw new Skipped('no call was hung up');
    const path = session.builder.path(id, [endedCall]);
    await sendTo(session, id, { path, role: 'hang-up', about: 'the second hang-up' });
  });
}

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
  const answers = async (session: Session): Promise<void> => {
    const call = callsFor(session);
    await twoAtOnce(session, 'answerCall', 'answers', async () => session.builder.path('answerCall', [await call()]));
  };
  const hangUps = async (session: Session): Promise<void> => {
    const { builder } = session;
    const call = callsFor(session);
    const requests = async (): Promise<readonly SuiteRequest[]> => {
      const path = builder.path('hangUpCall', [await call()]);
      const role = session.openCall() === null ? {} : { role: 'hang-up' as const };
      return twoOf('hang-ups').map((about) => builder.request('hangUpCall', { path, about, ...role, ...PAIR }));
    };
    await session.together(await requests(), requests);
  };
  return [
    sequence('answerCall', 'at once', { asks: PAIR.asks }, answers),
    sequence('hangUpCall', 'at once', { asks: PAIR.asks }, hangUps),
  ];
}
