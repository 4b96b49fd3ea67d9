/**
 * Restores and reads again what was written, and names what remains different (conformance model, section 7). A field
 * is restored only if the target still shows what this run wrote: another editor's value is left alone and named. The
 * reasons are in docs/design/writes.md.
 */

import { Skipped } from '../../src/client/request.ts';
import { listed } from '../../src/contract/lists.ts';
import type { UpdateId } from '../../src/contract/operations.ts';
import type { ShownFields } from '../../src/exchange/exchange.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import type { Restoration } from '../../src/run/state.ts';
import { settledIn, writtenSentence } from '../../src/run/written.ts';
import { asObject, fieldsOf, objectBase, schemaOf, typicalFields } from '../bodies.ts';
import { INBOUND_AUTH } from '../operations.ts';
import { sendTo, sequence } from './sending.ts';
import { fieldsOfTrunk, readApplication, readAssignment, settled, shownFieldsOf } from './shown.ts';

/** A record that a run restores. */
interface Restorable {
  readonly id: 'updateTrunk' | 'updateVoiceApplication';
  /** `trunk 0b7f…`. */
  readonly what: string;
  /** The fields as they were before the run, as far as any answer showed them. */
  readonly before: ShownFields;
  /** The record as it is now; `null` where nothing shows it. */
  readonly look: () => Promise<ShownFields | null>;
  /** The same from a read; `null` if no read shows it. */
  readonly read: () => Promise<ShownFields | null>;
  /** Whether a read shows it: the answer to an update may show the previous values. */
  readonly isRead: boolean;
}

const ABOUT_BEFORE = 'the values before the run';

const were = (names: readonly string[]): string => (names.length === 1 ? 'was' : 'were');

/** Fields that differ from before the run; a field missing in a read of the whole record has no value. */
const differingFields = (before: ShownFields, now: ShownFields, isWhole: boolean): readonly string[] =>
  Object.keys(before).filter((field) =>
    field in now ? now[field] !== before[field] : isWhole && before[field] !== null,
  );

/**
 * The values with which a record is restored. A record may show an integer as text, `"30 s"`; any other value of the
 * wrong type for its field cannot be written.
 */
function writable(id: Restorable['id'], before: ShownFields): ShownFields {
  const types = schemaOf(id).properties ?? {};
  const written = ([field, value]: [string, ShownFields[string]]): [string, ShownFields[string]][] => {
    if (value === null || types[field]?.type !== 'integer')
      return typeof value === 'string' || value === null ? [[field, value]] : [];
    const number = typeof value === 'string' ? Number.parseInt(value, 10) : value;
    return Number.isInteger(number) ? [[field, number]] : [];
  };
  return Object.fromEntries(Object.entries(before).flatMap(written));
}

/** The whole record, and the part that the target is known to accept: an update may clear what it does not name. */
function recordOf({ wanted, theirs }: Aim, base: JsonObject) {
  // Another editor's values are written only if the target demands the field.
  const isPlain = ([name, value]: [string, unknown]): boolean =>
    value !== null && (name in base || !theirs.includes(name));
  const plain = Object.entries(wanted).filter(isPlain) as [string, JsonValue][];
  const known: JsonObject = { ...base, ...Object.fromEntries(plain.filter(([name]) => name in base)) };
  const whole: JsonObject = { ...base, ...Object.fromEntries(plain) };
  return { whole, known };
}

/** What is to be restored, given what the target shows now. */
interface Aim {
  readonly wanted: ShownFields;
  /** Fields that show what another editor wrote. */
  readonly theirs: readonly string[];
  /** Fields that differ, or may differ. */
  readonly left: readonly string[];
}

async function aimAt(session: Session, { id, before, look }: Restorable): Promise<Aim> {
  if (Object.keys(before).length === 0) return { wanted: {}, theirs: [], left: [] };
  const ledger = session.ledger;
  const othersIn = (shown: ShownFields | null): readonly string[] =>
    Object.keys(before).filter((field) => {
      const value = shown?.[field];
      return value !== undefined && ledger.isOthers(id, before, field, value);
    });
  const now = await settled(session, look, (shown) => othersIn(shown).length > 0);
  const theirs = othersIn(now);
  const kept = Object.fromEntries(theirs.map((field) => [field, now?.[field] ?? null]));
  const wanted = writable(id, { ...before, ...kept });
  const written = Object.keys(before).filter((field) => ledger.effect(id, field) !== 'none' && !theirs.includes(field));
  // If only rejected updates were sent, a read may still show that one had an effect.
  const left =
    ledger.effect(id) === 'none' ? (now === null ? [] : differingFields({ ...before, ...kept }, now, true)) : written;
  return { wanted, theirs, left };
}

/** The outcome: fields without an accepted update, fields that differ, and whether any update was accepted. */
interface RestoreOutcome {
  readonly failed: readonly string[];
  readonly altered: readonly string[];
  readonly isAccepted: boolean;
}

async function restoreRecord(session: Session, { id, before, read }: Restorable, aim: Aim): Promise<RestoreOutcome> {
  const { wanted, theirs, left } = aim;
  const { whole, known } = recordOf(aim, objectBase(session, id));
  const accepted = new Set<string>();
  let shown: ShownFields = {};
  const write = async (json: JsonObject): Promise<boolean> => {
    const answer = await sendTo(session, id, { json, role: 'restore', about: ABOUT_BEFORE });
    if (!answer.accepted) return false;
    for (const [field, value] of Object.entries(json)) if (value === wanted[field]) accepted.add(field);
    shown = settledIn(answer.exchange);
    return true;
  };
  const openIn = (now: ShownFields | null): readonly string[] =>
    differingFields(before, now ?? shown, now !== null).filter((field) => !theirs.includes(field));
  const isOpen = (now: ShownFields | null): boolean => now !== null && openIn(now).length > 0;
  if (!(await write(whole)) && Object.keys(known).length < Object.keys(whole).length) await write(known);
  let now = await settled(session, read, isOpen);
  const due = (now === null ? left : openIn(now)).filter((field) => field in wanted && !accepted.has(field));
  for (const field of due) {
    const alone = { [field]: wanted[field] ?? null };
    // A target may accept one field at a time.
    if (!(await write({ ...known, ...alone }))) await write(alone);
  }
  if (due.length > 0) now = await settled(session, read, isOpen);
  const open = openIn(now);
  const failed = due.filter((field) => !accepted.has(field) && (now === null || open.includes(field)));
  return { failed, altered: open.filter((field) => !failed.includes(field)), isAccepted: accepted.size > 0 };
}

/**
 * The last values of fields that cannot be restored: plain ones, instead of what a probe wrote last, such as an address
 * with U+0000. Together, or one by one if the target rejects that. Redacted as recorded: an address may hold a token.
 */
async function plainValues(session: Session, { id }: Restorable, aim: Aim, fields: readonly string[]) {
  const plain = Object.entries(typicalFields(id, session)).filter(([field]) => fields.includes(field));
  const { whole: record } = recordOf(aim, objectBase(session, id));
  const last: Record<string, JsonValue> = {};
  for (const some of plain.length > 1 ? [plain, ...plain.map((entry) => [entry])] : [plain]) {
    if (some.length === 0) break;
    const json = { ...record, ...last, ...Object.fromEntries(some) };
    const { accepted, exchange } = await sendTo(session, id, { json, role: 'restore', about: 'plain values' });
    if (!accepted) continue;
    const sent = asObject(JSON.parse(exchange.request.body?.text ?? '{}'));
    for (const [field] of some) last[field] = sent[field] ?? null;
    if (some === plain) break;
  }
  return last;
}

/** Restores a record and names what remains. */
async function restoreAndName(session: Session, restorable: Restorable): Promise<Restoration> {
  const { id, what, isRead } = restorable;
  const ledger = session.ledger;
  const aim = await aimAt(session, restorable);
  const { wanted, theirs } = aim;
  const isWritten = ledger.effect(id) !== 'none';
  const isDue = Object.keys(wanted).some((field) => !theirs.includes(field)) && (isWritten || aim.left.length > 0);
  const { failed, altered, isAccepted } = isDue
    ? await restoreRecord(session, restorable, aim)
    : { failed: [], altered: [], isAccepted: false };
  const lost = fieldsOf(id).filter((field) => ledger.effect(id, field) !== 'none' && !(field in wanted));
  const may = lost.every((field) => ledger.effect(id, field) === 'possible') ? 'may have been' : were(lost);
  const done = Object.keys(wanted).filter((field) => ![...failed, ...altered, ...theirs].includes(field));
  const cleared = failed.filter((field) => wanted[field] === null);
  const last = isWritten ? await plainValues(session, restorable, aim, [...lost, ...cleared]) : {};
  const sentence = (names: readonly string[], rest: string): readonly string[] => {
    if (names.length === 0) return [];
    const held = names.flatMap((name) => (name in last ? [`${name} is ${JSON.stringify(last[name])}`] : []));
    return [`${what}: ${listed(names)} ${rest}${held.length === 0 ? '' : `; now ${listed(held)}`}`];
  };
  const previous = lost.length === 1 ? 'the previous value' : 'the previous values';
  const unrestored = sentence(failed, isRead ? `${were(failed)} not restored` : 'may not have been restored');
  return {
    restored: isAccepted && done.length > 0 ? `${what}: ${listed(done)}` : null,
    // A target need not accept the `null` that would clear a field.
    failed: failed.length > cleared.length ? unrestored : [],
    left: [
      ...unrestored,
      ...sentence(altered, `${were(altered)} restored, and the target shows another form`),
      ...sentence(lost, `${may} written, and no response showed ${previous}`),
      ...sentence(theirs, `${were(theirs)} changed by another editor during the run, and left alone`),
    ],
  };
}

const restoreTrunk = (session: Session): Promise<Restoration> =>
  restoreAndName(session, {
    id: 'updateTrunk',
    what: `trunk ${session.builder.named('trunk')}`,
    before: session.state.facts.trunk ?? {},
    look: () => fieldsOfTrunk(session, 'the trunk before it is restored'),
    read: () => fieldsOfTrunk(session, 'the trunk after it was restored'),
    isRead: true,
  });

/** The fields of the voice application: from a read, or as the update `{}` shows them if it did so before. */
async function lookAtApplication(session: Session): Promise<ShownFields | null> {
  const ledger = session.ledger;
  if (ledger.applicationShownBy('GET')) return readApplication(session);
  if (!ledger.applicationShownBy('PATCH')) return null;
  const look = { json: {}, role: 'before', about: 'the voice application before it is restored' } as const;
  const answer = await sendTo(session, 'updateVoiceApplication', look);
  return answer.status === 202 ? null : shownFieldsOf(answer);
}

async function restoreApplication(session: Session): Promise<Restoration> {
  const { builder, state } = session;
  const { application = {} } = state.facts;
  const ledger = session.ledger;
  const isRead = ledger.applicationShownBy('GET');
  const isKnown = isRead || ledger.showsRecord('updateVoiceApplication', application);
  return restoreAndName(session, {
    id: 'updateVoiceApplication',
    what: `voice application ${builder.named('voiceApplication')}`,
    before: isKnown ? application : {},
    look: () => lookAtApplication(session),
    read: async () => (isRead ? readApplication(session) : null),
    isRead,
  });
}

/** The parts of the inbound authentication that settings may name, in the words of a sentence. */
const INBOUND_WORDS = { method: 'method', username: 'user name', realm: 'realm', secret: 'secret' } as const;
const INBOUND_FIELDS = Object.keys(INBOUND_WORDS) as readonly (keyof typeof INBOUND_WORDS)[];

/** Bodies that restore what the settings name of the inbound authentication, the likeliest first. */
function inboundBodies(session: Session): readonly JsonObject[] {
  const { options, secret } = session.builder;
  const given = Object.fromEntries(Object.entries(options.inbound).filter(([, value]) => value !== undefined));
  const base = objectBase(session, INBOUND_AUTH);
  // `clean` takes the body from a journal, where a placeholder replaces the secret.
  const whole = { ...base, ...('secret' in base ? { secret } : {}), ...given };
  const { method = base['method'] } = given;
  // Some methods, such as that by address, accept no credential.
  const alone = 'method' in given && !('secret' in given) ? [given] : [];
  return [...alone, whole, ...(method === base['method'] ? [] : [{ ...whole, method: base['method'] ?? null }])];
}

async function restoreInbound(session: Session): Promise<Restoration> {
  const { builder } = session;
  const { inbound } = builder.options;
  const what = `carrier connection ${builder.named('carrierConnection')}`;
  const was = session.ledger.effect(INBOUND_AUTH) === 'sure' ? 'was' : 'may have been';
  const isAnyNamed = INBOUND_FIELDS.some((field) => inbound[field] !== undefined);
  let answered = 'no response';
  const about = isAnyNamed ? ABOUT_BEFORE : 'plain values';
  for (const json of inboundBodies(session)) {
    const answer = await sendTo(session, INBOUND_AUTH, { json, role: 'restore', about });
    if (answer.status !== null) answered = `status ${answer.status}`;
    if (!answer.accepted) continue;
    const isSecretLost = inbound.secret === undefined && (inbound.username ?? inbound.realm) !== undefined;
    const isLost = (field: keyof typeof INBOUND_WORDS): boolean => field === 'secret' && isSecretLost;
    const stays = INBOUND_FIELDS.filter((field) => isLost(field) || json[field] !== inbound[field]);
    const noun = (names: readonly string[]): string => (names.join() === 'method' ? 'method' : 'credential');
    const written = INBOUND_FIELDS.filter((field) => field in json && !stays.includes(field));
    const restored = written.length === 0 ? null : `${what}: its inbound ${noun(written)}`;
    if (stays.length === 0) return { restored, left: [] };
    const values = stays.map((field) =>
      field === 'secret' ? 'a random secret' : `the ${INBOUND_WORDS[field]} ${JSON.stringify(json[field])}`,
    );
    const remedy = `set it again, or name it in ${listed(stays.map((field) => `PCS_INBOUND_${field.toUpperCase()}`))}`;
    const sentence = `${what}: its inbound ${noun(stays)} ${was} replaced, and has ${listed(values)} now; ${remedy}`;
    return { restored, left: [sentence] };
  }
  const failed = isAnyNamed ? ', and PCS_INBOUND_* could not be written' : '';
  const left = [`${what}: its inbound credential ${was} replaced${failed}; set it again`];
  return { restored: null, left, ...(isAnyNamed ? { failed: left, got: answered } : {}) };
}

const isSameId = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

const CONNECTION_ID = 'carrier_connection_id';

/** The number is assigned back to its former connection; if that is unknown, it keeps a valid one. */
async function restoreAssignment(session: Session): Promise<Restoration> {
  const { builder, state } = session;
  const id = 'assignNumber';
  const ledger = session.ledger;
  const ours = builder.named('carrierConnection') ?? '';
  const before = state.facts.assignment;
  const wanted = before ?? ours;
  const shownBefore = before === undefined ? {} : { [CONNECTION_ID]: before };
  const number = `number ${builder.named('number')}`;
  const isOthers = (shown: string | null | undefined): boolean =>
    typeof shown === 'string' && !isSameId(shown, wanted) && ledger.isOthers(id, shownBefore, CONNECTION_ID, shown);
  const look = () => readAssignment(session);
  let now = await settled(session, look, isOthers);
  if (isOthers(now)) {
    const sentence = `${number} was assigned to ${connectionPhrase(now, ours)} by another editor during the run, and left alone`;
    return { restored: null, left: [sentence] };
  }
  const isWritten = ledger.effect(id) !== 'none';
  const isDue =
    now === undefined ? isWritten && !isSameId(wanted, ours) : !isSameId(now, wanted) && (isWritten || now !== before);
  let isRejected = false;
  if (isDue) {
    const json = { ...objectBase(session, id), [CONNECTION_ID]: wanted };
    const answer = await sendTo(session, id, { json, role: 'restore', about: ABOUT_BEFORE });
    isRejected = !answer.accepted;
    const isOld = (shown: string | null | undefined): boolean => answer.accepted && !isSameId(shown, wanted);
    if (now !== undefined) now = await settled(session, look, isOld);
    else if (answer.accepted) now = wanted;
  }
  const isBack = isSameId(now ?? ours, wanted) && before !== undefined && before !== null;
  if (isBack) return { restored: isDue ? `${number}: its assignment` : null, left: [] };
  // Rejected assignments had no effect that a list shows.
  if (!isWritten && !isDue) return { restored: null, left: [] };
  if (before === null && now === null) {
    const shown = 'the list of numbers showed none before the run, and shows none now';
    return { restored: null, left: [`${number} may be assigned to carrier connection ${wanted}: ${shown}`] };
  }
  const previous = before === undefined ? 'no response showed the previous one' : `previously to ${before ?? 'none'}`;
  const left = [`${number} is assigned to ${connectionPhrase(now, ours)}; ${previous}`];
  return { restored: null, left, failed: isRejected ? left : [] };
}

const connectionPhrase = (id: string | null | undefined, ours: string): string =>
  id === null ? 'no carrier connection' : `carrier connection ${id ?? ours}`;

/** How each is restored, in this order. */
const RESTORING: Readonly<Record<UpdateId, (session: Session) => Promise<Restoration>>> = {
  updateTrunk: restoreTrunk,
  updateVoiceApplication: restoreApplication,
  setInboundAuth: restoreInbound,
  assignNumber: restoreAssignment,
};

/** The last phase. */
export function restoring({ options }: RequestBuilder): readonly Sequence[] {
  if (options.profile !== 'full') return [];
  const place = { lane: 'restore', phase: 'restore', isControl: true } as const;
  return (Object.keys(RESTORING) as UpdateId[]).map((id) => {
    return sequence(id, 'restore', { ...place }, async (session) => {
      const { state } = session;
      // A repetition may restore what the first attempt did not, since a network can lose an answer.
      if (!session.ledger.isDue(id)) return;
      try {
        state.restored.set(id, await RESTORING[id](session));
      } catch (error) {
        // If the run may send nothing at all, it wrote nothing either.
        const isStopped = error instanceof Skipped && error.skip.why === 'stopped';
        const left = [writtenSentence(id)];
        if (!isStopped) state.restored.set(id, { restored: null, left, failed: left });
        throw error;
      }
    });
  });
}
