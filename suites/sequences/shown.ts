/** Reads of what a run restores: its current state, if the target shows it. */

import { type Answer, noOccasion } from '../../src/client/request.ts';
import { TIME, TRIALS } from '../../src/contract/limits.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Exchange, ShownFields } from '../../src/exchange/exchange.ts';
import type { JsonValue } from '../../src/generate/json.ts';
import type { Variation } from '../../src/run/builder.ts';
import type { Session } from '../../src/run/sequence.ts';
import { applicationRead } from '../../src/run/session.ts';
import { shownIn, showsFields } from '../../src/run/written.ts';
import { answerPhrase, bodyOf, isServerFailure } from '../../src/verdict/answer.ts';
import { found, type Opinion } from '../../src/verdict/opinion.ts';
import { ask } from '../ask.ts';
import { objectBase } from '../bodies.ts';
import { ASSIGN, type Update } from '../operations.ts';
import { sendTo, sendValid } from './sending.ts';

/** Why nothing is written to the state of a trunk. */
export const NO_STATE_SHOWN = 'no read shows the direction or the status of the trunk';

/** A field of the trunk's state with its value, the direction first; throws `Skipped` where no read showed one. */
export function shownState({ state }: Session): readonly [field: string, value: string] {
  const { direction, status } = state.facts.trunk ?? {};
  if (typeof direction === 'string') return ['direction', direction];
  if (typeof status === 'string') return ['status', status];
  throw noOccasion(NO_STATE_SHOWN);
}

/** The trunk's fields, read as before the run; `null` where no read shows them. */
export async function fieldsOfTrunk(session: Session, about: string): Promise<ShownFields | null> {
  const id = session.state.facts.trunkReadBy ?? 'getTrunk';
  if (session.isLeftOut(id)) return null;
  return shownFieldsOf(await sendTo(session, id, { about }));
}

/** Reads the trunk as its owner, behind a change. */
export async function readTrunk(session: Session, about: string): Promise<Answer> {
  const answer = await sendValid(session, 'getTrunk', { role: 'after', about });
  session.state.trunkRead = answer.accepted ? answer.exchange : null;
  return answer;
}

/** The same, once reads show earlier changes. */
export async function readTrunkLate(session: Session, about: string): Promise<Answer> {
  await untilShown(session);
  return readTrunk(session, about);
}

/** The trunk as it is before a change: the last read of it, unless reads lag or something may have changed it since. */
export async function trunkBefore(session: Session): Promise<Exchange> {
  const { facts, trunkRead } = session.state;
  if (session.attempt === 0 && (facts.readsLag ?? 0) === 0 && trunkRead !== null) return trunkRead;
  await untilShown(session);
  return (await sendValid(session, 'getTrunk', { role: 'before', about: 'the trunk before' })).exchange;
}

/** What restores the record of an update, as far as a read showed it. */
const restoringBody = (session: Session, update: Storing): JsonValue =>
  update === ASSIGN ? objectBase(session, update) : { ...session.state.facts.trunk, ...objectBase(session, update) };

/** An update that may store what no read can show again. */
type Storing = 'updateTrunk' | typeof ASSIGN;

/** Whether the answer to a read is unreadable. */
const isBroken = (read: Exchange): boolean =>
  read.response === null || isServerFailure(read) || bodyOf(read)?.json === 'invalid';

/**
 * Reads a record right after a value that may be stored. If the answer is unreadable, the record is restored and read
 * again: a failure that goes away was caused by the write, and the failed read is returned. One stored `"a\ud800b"`
 * turned every answer with it into a 500.
 */
export async function readBack(
  session: Session,
  update: Storing,
  write: Answer,
  reads: readonly OperationId[],
  variation: Variation,
): Promise<Exchange | null> {
  for (const id of reads) {
    if (session.isLeftOut(id)) continue;
    const { exchange } = await sendTo(session, id, { role: 'after', ...variation });
    if (!isBroken(exchange)) continue;
    const json = restoringBody(session, update);
    await sendTo(session, update, { json, role: 'restore', about: 'the record without the value before it' });
    const again = await sendTo(session, id, { role: 'after', about: 'the same read after the record was restored' });
    if (!again.accepted || isBroken(again.exchange)) return null;
    // Restoring it shows that the first read failed because of the write.
    if (id === reads[0] && isServerFailure(exchange))
      session.say(ask('NO-SERVER-ERROR'), write, () => foundUnreadable(write.exchange, exchange));
    return exchange;
  }
  return null;
}

/** The target stored a value that a read of the record could not show. */
function foundUnreadable(write: Exchange, read: Exchange): Opinion {
  const { method, path } = read.request;
  const actual = `${answerPhrase(write)}, and then ${answerPhrase(read)} to ${method} ${path} until the record was restored`;
  return found('the value', 'a value that the target can show again', actual);
}

/** Writes a valid value at once after a wrong one was accepted, and reads the trunk. The end cleans up the rest. */
export async function restoreField(session: Session, id: Update, field: string, value: JsonValue): Promise<void> {
  const json = { ...objectBase(session, id), [field]: value };
  const about = `a valid ${field} after a wrong one was accepted`;
  await sendTo(session, id, { json, role: 'restore', about });
  if (id === 'updateTrunk') await fieldsOfTrunk(session, `the ${field} that was restored`);
}

/** The fields that an accepted answer shows; `null` for none. */
export const shownFieldsOf = ({ exchange }: Answer): ShownFields | null =>
  showsFields(exchange) ? shownIn(exchange) : null;

/** The fields of the voice application, for targets that serve a read at the path of its update; otherwise `null`. */
export async function readApplication(session: Session): Promise<ShownFields | null> {
  return shownFieldsOf(await session.send(applicationRead(session.builder, 'probe')));
}

/** A trunk or voice application, the resources whose fields answers may show. */
export type Shown = 'updateTrunk' | 'updateVoiceApplication';

/** Reads what an update changed, once reads show it; `null` if the target serves no read of a voice application. */
export async function readRecord(session: Session, id: Shown, variation: Variation): Promise<Answer | null> {
  const { builder, ledger, state } = session;
  if (id === 'updateVoiceApplication' && !ledger.applicationShownBy('GET')) return null;
  await untilShown(session);
  if (id === 'updateTrunk') return sendTo(session, state.facts.trunkReadBy ?? 'getTrunk', variation);
  return session.send({ ...builder.request(id, variation), operation: null, method: 'GET' });
}

/** The carrier connection that the list shows for the configured number; `undefined` if it does not show any. */
export async function readAssignment(session: Session): Promise<string | null | undefined> {
  if (session.isLeftOut('listNumbers')) return undefined;
  const request = session.builder.request('listNumbers', { about: 'the assignment of the number' });
  return (await session.send(request)).exchange.response?.learned?.assignment;
}

/** Waits if reads lag: an earlier read shows no effect of what was sent before. */
export async function untilShown(session: Session): Promise<void> {
  const { readsLag = 0 } = session.state.facts;
  if (readsLag > 0) await session.waitForReads(readsLag + TIME.betweenLooks);
}

/** The result of reading, after the target had time to show what this run wrote; `isOld`: it may not show that yet. */
export async function settled<Shown>(
  session: Session,
  look: () => Promise<Shown>,
  isOld: (shown: Shown) => boolean,
): Promise<Shown> {
  let shown = await look();
  for (let looks = 1; looks < TRIALS.looks && isOld(shown); looks += 1) {
    await session.waitForReads(TIME.betweenLooks);
    shown = await look();
  }
  return shown;
}
