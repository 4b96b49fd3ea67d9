/** What was written is restored and read again; what remains different is named (conformance model, section 7). */

import { Skipped } from '../../src/client/request.ts';
import type { ShownFields } from '../../src/exchange/exchange.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import { writtenSentence } from '../../src/run/left-open.ts';
import { type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { fieldsOf, objectBase } from '../bodies.ts';
import { readApplication, readAssignment, readTrunk } from './shown.ts';

/** Remembers which updates may have changed some fields. */
interface Restorable {
  readonly id: 'updateTrunk' | 'updateVoiceApplication';
  readonly fields: readonly string[];
  /** `trunk 0b7f…`. */
  readonly what: string;
  /** The fields as they were before the run, as far as any answer showed them. */
  readonly before: ShownFields;
  /** The record as it is now; `null` where no read shows it. */
  readonly read: () => Promise<ShownFields | null>;
  /** Whether a read shows it: the answer to an update may show what was there before. */
  readonly isRead: boolean;
}

const ABOUT = 'the values before the run';

/** `name`, `name and status`, `name, direction and status`. */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');

const were = (names: readonly string[]): string => (names.length === 1 ? 'was' : 'were');

/** Fields that are not as before: seen to differ, or written and neither shown nor written again. */
function differing({ before, fields }: Restorable, now: ShownFields, isWhole: boolean, unseen: readonly string[]) {
  return fields.filter((field) => {
    if (!(field in before)) return false;
    if (field in now) return now[field] !== before[field];
    // A read that leaves a field out shows that it has no value; the answer to an update may leave out anything.
    return isWhole ? before[field] !== null : unseen.includes(field);
  });
}

/** Bodies to restore a record with, the whole record first: an update may clear what it does not name. */
function* restoringBodies(before: ShownFields, base: JsonObject, left: () => readonly string[]): Generator<JsonObject> {
  const values = Object.entries(before) as readonly (readonly [string, JsonValue])[];
  const plain = Object.fromEntries(values.filter(([, value]) => value !== null));
  const known = { ...base, ...Object.fromEntries(values.filter(([name, value]) => name in base && value !== null)) };
  yield { ...base, ...plain };
  if (values.some(([name, value]) => value !== null && !(name in base))) yield known;
  for (const field of left()) yield { ...known, [field]: before[field] ?? null };
}

/** Restores a record; resolves with the fields that are still different. */
async function restoreRecord(session: Session, one: Restorable): Promise<readonly string[]> {
  const { builder, state } = session;
  const { id, before, fields } = one;
  const isWritten = state.isWritten(id);
  // Where only rejected updates were sent, a read may still show that one had an effect.
  const seen = isWritten ? null : await one.read();
  let left = fields.filter((field) => field in before && state.isWritten(id, field));
  if (seen !== null) left = differing(one, seen, true, []);
  if (Object.keys(before).length === 0 || !(isWritten || left.length > 0)) return [];
  let isSeen = false;
  for (const json of restoringBodies(before, objectBase(session, id), () => left)) {
    const { accepted, status, exchange } = await session.send(
      builder.request(id, { json, role: 'restore', about: ABOUT }),
    );
    if (!accepted) continue;
    const now = await one.read();
    isSeen ||= now !== null;
    const unseen = left.filter((field) => json[field] !== before[field]);
    // A 202 may show the record before the change.
    const shown = status === 202 ? {} : exchange.response?.learned?.fields;
    left = differing(one, now ?? shown ?? {}, now !== null, unseen);
    if (left.length === 0) break;
  }
  const last = isSeen ? null : await one.read();
  if (last !== null) left = differing(one, last, true, []);
  return left;
}

/** Restores a record and names what remains. */
async function restoreAndName(session: Session, one: Restorable): Promise<readonly string[]> {
  const { id, what, before, fields, isRead } = one;
  const left = await restoreRecord(session, one);
  const lost = fields.filter((field) => session.state.isWritten(id, field) && !(field in before));
  const values = lost.length === 1 ? 'value' : 'values';
  return [
    ...(left.length === 0
      ? []
      : [`${what}: ${listed(left)} ${isRead ? `${were(left)} not` : 'may not have been'} restored`]),
    ...(lost.length === 0
      ? []
      : [`${what}: ${listed(lost)} ${were(lost)} written, and no response showed the previous ${values}`]),
  ];
}

async function restoreTrunk(session: Session): Promise<readonly string[]> {
  const { builder, state } = session;
  return restoreAndName(session, {
    id: 'updateTrunk',
    fields: fieldsOf('updateTrunk'),
    what: `trunk ${builder.named('trunk')}`,
    before: state.facts.trunk ?? {},
    read: () => readTrunk(session, 'the trunk after it was restored'),
    isRead: true,
  });
}

async function restoreApplication(session: Session): Promise<readonly string[]> {
  const { builder, state } = session;
  const { application = {}, isApplicationRead = false, isApplicationReset = false } = state.facts;
  const what = `voice application ${builder.named('voiceApplication')}`;
  const named = await restoreAndName(session, {
    id: 'updateVoiceApplication',
    fields: fieldsOf('updateVoiceApplication'),
    what,
    before: application,
    read: async () => (isApplicationRead ? readApplication(session) : null),
    isRead: isApplicationRead,
  });
  if (isApplicationRead || !isApplicationReset) return named;
  // The answer to the first update may have shown what that update had reset.
  const previous = 'and the values before the first update may be lost';
  return [...named, `${what}: an update resets the fields that it does not name, ${previous}`];
}

async function restoreInbound(session: Session): Promise<readonly string[]> {
  const { builder } = session;
  const { method, username, realm, secret } = builder.options.inbound;
  const what = `carrier connection ${builder.named('carrierConnection')}`;
  if (username !== undefined && realm !== undefined && secret !== undefined) {
    const known = { ...objectBase(session, 'setInboundAuth'), username, realm, secret };
    const isOther = method !== undefined && method !== Reflect.get(known, 'method');
    for (const json of isOther ? [{ ...known, method }, known] : [known]) {
      const answer = await session.send(builder.request('setInboundAuth', { json, role: 'restore', about: ABOUT }));
      if (!answer.accepted) continue;
      if (Reflect.get(json, 'method') === method) return [];
      const remedy = method === undefined ? '; name the previous one in PCS_INBOUND_METHOD' : ' and not restored';
      return [`${what}: its inbound method was written${remedy}`];
    }
  }
  const remedy = 'set it again, or name it in PCS_INBOUND_USERNAME, PCS_INBOUND_REALM and PCS_INBOUND_SECRET';
  return [`${what}: its inbound credential was replaced; ${remedy}`];
}

const isSameId = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/** The number goes back to the connection that it had; where that is not known, it stays with a valid one. */
async function restoreAssignment(session: Session): Promise<readonly string[]> {
  const { builder, state } = session;
  const own = builder.named('carrierConnection') ?? '';
  const before = state.facts.assignment;
  const wanted = before ?? own;
  let now = await readAssignment(session);
  const isDue = now === undefined ? !isSameId(before ?? own, own) : !isSameId(now, wanted);
  if (isDue) {
    const json = { ...objectBase(session, 'assignNumber'), carrier_connection_id: wanted };
    const answer = await session.send(builder.request('assignNumber', { json, role: 'restore', about: ABOUT }));
    if (now !== undefined) now = await readAssignment(session);
    else if (answer.accepted) now = wanted;
  }
  if (isSameId(before, now ?? own)) return [];
  const previous = before === undefined ? 'no response showed the previous one' : `previously to ${before ?? 'none'}`;
  return [`number ${builder.named('number')} is assigned to ${connectionOf(now, own)}; ${previous}`];
}

const connectionOf = (id: string | null | undefined, own: string): string =>
  id === null ? 'no carrier connection' : `carrier connection ${id ?? own}`;

const RESTORING = [
  ['updateTrunk', restoreTrunk, 'sent'],
  ['updateVoiceApplication', restoreApplication, 'sent'],
  ['setInboundAuth', restoreInbound, 'written'],
  ['assignNumber', restoreAssignment, 'written'],
] as const;

/** The last phase. */
export function restoring({ options }: RequestBuilder): readonly Sequence[] {
  if (options.profile !== 'full') return [];
  const place = { lane: 'restore', phase: 'restore', isControl: true } as const;
  return RESTORING.map(([id, restore, since]) => {
    const run = async (session: Session): Promise<void> => {
      const { state } = session;
      const isDue = since === 'sent' ? state.sent.has(id) : state.isWritten(id);
      // A repetition may restore what a first attempt did not, since a network can lose an answer.
      if (!isDue) return;
      try {
        state.noteRestored(id, await restore(session));
      } catch (error) {
        // Where the run may send nothing at all, nothing was written either.
        const isStopped = error instanceof Skipped && error.skip.why === 'stopped';
        if (!isStopped) state.noteRestored(id, [writtenSentence(id)]);
        throw error;
      }
    };
    return sequence(id, 'restore', [], run, place);
  });
}
