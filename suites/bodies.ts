/**
 * For each operation with a body: the candidate bodies to try until one is accepted, and the valid bodies from which
 * probes differ in a single element (conformance model, sections 1 and 6).
 */

import { noOccasion, Skipped, unset } from '../src/client/request.ts';
import { type BodySchemaName, type OperationId, operationById, type ResourceKind } from '../src/contract/operations.ts';
import { BODY_SCHEMAS, type JsonSchema } from '../src/contract/schemas.ts';
import { SETTING_OF } from '../src/contract/settings.ts';
import { UUID } from '../src/contract/uuid.ts';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../src/generate/json.ts';
import { ambiguities, type MalformationKind, malformations } from '../src/generate/malformations.ts';
import type { RequestBuilder, Variation } from '../src/run/builder.ts';
import type { RunOptions } from '../src/run/options.ts';
import type { Session } from '../src/run/sequence.ts';
import { ask } from './ask.ts';
import { CALL_IDS, CREATE, type Update } from './operations.ts';

/** Members of a create call that edits of the bytes never touch: half an id could be read as another id. */
export const CALL_MEMBERS: readonly string[] = ['from', 'to', 'application_id', 'trunk_id'];

/** The value if it is an object, and otherwise one without members. */
export const asObject = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});

/** The bytes of a body. */
export const jsonBytes = (body: JsonValue): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

/** The bytes of a body that are malformed in that way; `null` for no body at all. The named members stay unchanged. */
export function malformed(body: JsonValue, kind: MalformationKind, fixed: readonly string[] = []): Uint8Array | null {
  const text = JSON.stringify(body);
  const all = [...malformations(text, fixed), ...ambiguities(text)];
  return all.find((malformation) => malformation.kind === kind)?.bytes ?? null;
}

/** The schema of the body of an operation that has one. */
export const schemaOf = (id: OperationId): JsonSchema => BODY_SCHEMAS[operationById(id).body as BodySchemaName];

/** The fields of the body of an operation that has one. */
export const fieldsOf = (id: OperationId): readonly string[] => Object.keys(schemaOf(id).properties ?? {});

/** The id of our resource for a body, which only takes UUIDs; a path takes whatever form a target's ids have. */
export function idForBody(builder: RequestBuilder, kind: ResourceKind): string | undefined {
  const id = builder.named(kind);
  return id !== undefined && UUID.test(id) ? id : undefined;
}

/** Why no body names a resource of that kind. */
export function withoutId(builder: RequestBuilder, kind: ResourceKind): Skipped {
  const setting = SETTING_OF[kind];
  if (builder.named(kind) === undefined) return unset(`${setting} is not set`, setting);
  const remedy = `set ${setting} to a resource whose id is a UUID, which a body takes`;
  return new Skipped(`the id in ${setting} is not a UUID, so no body names it`, { remedy });
}

/** The ids of the settings that a call can name. */
export function namedIds(builder: RequestBuilder): Readonly<Record<string, string>> {
  const ids = Object.entries(CALL_IDS).map(([name, kind]) => [name, idForBody(builder, kind)] as const);
  return Object.fromEntries(ids.flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])));
}

/** The body of create call with only its required members; `null` without numbers to dial. */
export function minimalCall({ options }: RequestBuilder): JsonObject | null {
  const { numbers } = options;
  return numbers === null ? null : { from: numbers.from, to: numbers.to };
}

/** The call with a suitable caller: some numbers may call without a trunk, and others only over theirs. */
export function withCaller({ options }: RequestBuilder, call: JsonObject): JsonObject {
  const { numbers, trunkFrom } = options;
  if (numbers === null || trunkFrom === undefined || !('from' in call)) return call;
  return { ...call, from: typeof call['trunk_id'] === 'string' ? trunkFrom : numbers.from };
}

/** Why no more calls are placed with an id. */
export const GIVEN_UP = 'three valid calls with this id were rejected in the same words';

/** Whether the call names an id for which three calls got the same rejection: no more such calls are placed. */
export const isGivenUp = ({ state }: Session, call: JsonObject): boolean =>
  Object.keys(CALL_IDS).some((name) => typeof call[name] === 'string' && state.isGivenUp(name));

function calls({ builder }: Session): readonly JsonObject[] {
  const minimal = minimalCall(builder);
  if (minimal === null) return [];
  const ids = namedIds(builder);
  const ofEach = Object.entries(ids).map(([name, id]) => ({ ...minimal, [name]: id }));
  const all = [minimal, ...ofEach.toReversed(), ...(ofEach.length > 1 ? [{ ...minimal, ...ids }] : [])];
  return all.map((call) => withCaller(builder, call));
}

/** The URLs of the voice application: under `.invalid`, or the configured one, which answers. */
export function applicationUrls({ voiceUrl }: RunOptions) {
  const host = 'https://voice.pcs-conformance.invalid';
  return { voice_url: voiceUrl ?? `${host}/voice`, callback_url: voiceUrl ?? `${host}/callback` } as const;
}

function applications({ builder: { mark: name, options } }: Session): readonly JsonObject[] {
  const rest = {
    ring_timeout_seconds: 30,
    ...(options.numbers === null ? {} : { caller_id: options.numbers.from }),
    ...applicationUrls(options),
  };
  return [{ name }, { name, ...rest }, rest];
}

function inboundAuth({ builder: { options, secret, inboundNames } }: Session): readonly JsonObject[] {
  const { username = inboundNames.username, realm = inboundNames.realm } = options.inbound;
  const methods = ['digest', 'userpass', 'password', 'credentials', 'sip_digest', 'basic'];
  return methods.map((method) => ({ method, username, realm, secret }));
}

function trunks({ builder: { mark: name }, state: { facts } }: Session): readonly JsonObject[] {
  const { direction, status } = facts.trunk ?? {};
  const state = Object.entries({ direction, status }).filter(([, value]) => typeof value === 'string');
  return [{ name }, { name, ...(Object.fromEntries(state) as JsonObject) }];
}

function assignmentBodies({ builder }: Session): readonly JsonObject[] {
  const connection = idForBody(builder, 'carrierConnection');
  return connection === undefined ? [] : [{ carrier_connection_id: connection }];
}

/** Bodies that follow from the settings, by operation. */
const OWN_BODIES: Readonly<Partial<Record<OperationId, (session: Session) => readonly JsonObject[]>>> = {
  createCall: calls,
  updateVoiceApplication: applications,
  setInboundAuth: inboundAuth,
  updateTrunk: trunks,
  assignNumber: assignmentBodies,
};

const ownBodies = (id: OperationId, session: Session): readonly JsonObject[] => OWN_BODIES[id]?.(session) ?? [];

/** Bodies to try for an operation: only the user's sample if there is one; empty if none can be made. */
function candidatesFor(id: OperationId, session: Session): readonly JsonValue[] {
  const { builder } = session;
  const sample = builder.options.samples[id];
  const bodies = ownBodies(id, session);
  if (sample === undefined) return bodies;
  // The two members of a call are promised: a sample with more members does not replace such a call.
  if (id === 'createCall') return [...bodies.slice(0, 1), sample, ...bodies.slice(1)];
  // A secret in a file may be known to others, so the run writes its own if the sample has one.
  const hasSecret = id === 'setInboundAuth' && isJsonObject(sample) && 'secret' in sample;
  return [hasSecret ? { ...sample, secret: builder.secret } : sample];
}

/** A typical value of each field of an operation's body; values of the first candidates take precedence. */
export function typicalFields(id: OperationId, session: Session): JsonObject {
  return Object.assign({}, ...ownBodies(id, session).toReversed());
}

/** Values by field; an absent field must not be written. */
export type Values = Readonly<Record<string, JsonValue>>;

/**
 * The current value, if a response showed it, so that writing it changes nothing; otherwise a typical value. A trunk's
 * status and direction are written only if getTrunk shows them.
 */
export function valuesFor(session: Session, id: Update): Values {
  const typical = typicalFields(id, session);
  const { bases, facts } = session.state;
  const accepted = Object(bases.get(id));
  if (id === 'setInboundAuth') return { ...typical, ...accepted };
  const before: Values = (id === 'updateTrunk' ? facts.trunk : facts.application) ?? {};
  // A value of an unexpected type is not written back; the name keeps the run's mark.
  const isTypical = ([field, value]: [string, JsonValue]): boolean =>
    typeof typical[field] === typeof value && !(field === 'name' && field in accepted);
  return { ...typical, ...Object.fromEntries(Object.entries(before).filter(isTypical)) };
}

/** The value that may be written to a field; throws `Skipped` where there is none. */
export function valueFor(values: Values, field: string): JsonValue {
  if (values[field] !== undefined) return values[field];
  if (field === 'caller_id') throw unset('no number to call from is set', 'PCS_CALL_FROM');
  throw noOccasion(`getTrunk does not show the ${field} of the trunk, so nothing is written to it`);
}

/** Sends valid bodies in order until one is accepted, and gives that body. */
export async function firstAccepted(
  session: Session,
  id: OperationId,
  bodies: readonly JsonValue[],
  role: 'candidate' | 'control' = 'control',
): Promise<JsonValue | undefined> {
  for (const json of bodies) {
    const asks = id === CREATE && Object.keys(json ?? {}).length === 2 ? [ask('CALL-CREATE-MINIMAL')] : [];
    if ((await session.send(session.builder.control(id, { json, role, asks }))).accepted) return json;
  }
  return undefined;
}

/** Sends candidates until one is accepted, which becomes the base of the operation's probes. */
export async function findBase(session: Session, id: OperationId): Promise<void> {
  const known = session.state.bases.get(id);
  const bodies = known === undefined ? candidatesFor(id, session) : [known];
  const base = await firstAccepted(session, id, bodies, known === undefined ? 'candidate' : 'control');
  if (base !== undefined) session.state.bases.set(id, base);
}

/** The accepted body of an operation, or the first that would be tried; throws `Skipped` where there is none. */
export function baseOf(session: Session, id: OperationId): JsonValue {
  const base = session.state.bases.get(id) ?? candidatesFor(id, session)[0];
  if (base !== undefined) return base;
  if (id === 'createCall') throw unset('no phone numbers to dial are set', 'PCS_CALL_FROM', 'PCS_CALL_TO');
  throw withoutId(session.builder, 'carrierConnection');
}

/** The body of a valid request, if the operation has one. */
export function bodyFor(session: Session, id: OperationId): Pick<Variation, 'json'> {
  return operationById(id).body === null ? {} : { json: baseOf(session, id) };
}

/** The accepted body as an object; `{}` if it is not an object. */
export function objectBase(session: Session, id: OperationId): JsonObject {
  return asObject(baseOf(session, id));
}

/** The accepted body of an operation on a resource of the settings; without one, a rejection would prove nothing. */
export function acceptedBase(session: Session, id: OperationId): JsonObject {
  const base = session.state.bases.get(id);
  if (isJsonObject(base)) return base;
  baseOf(session, id);
  throw new Skipped('no typical request of this kind was accepted');
}

/** The members that every create call needs. */
export const REQUIRED: readonly string[] = ['from', 'to'];

/** Several pairs, so that a wrong value can stand between valid ones. */
const PAIRS = { first: 'plain', key: 'plain', last: 'plain' } as const;

/**
 * Further members that a call can carry. Which values of `dtmf_mode`, `codecs` and `media_encryption` are accepted is
 * not documented: all together first, then each with common values.
 */
export const RIDERS: readonly JsonObject[] = [
  { dtmf_mode: 'rfc2833', codecs: ['PCMU', 'PCMA', 'G722'], media_encryption: 'none' },
  { variables: PAIRS },
  { dtmf_mode: 'rfc2833' },
  { codecs: ['PCMU', 'PCMA'] },
  { media_encryption: 'none' },
  { dtmf_mode: 'inband' },
  { codecs: ['PCMU'] },
  { media_encryption: 'sdes' },
  { dtmf_mode: 'info' },
  { media_encryption: 'srtp' },
];

/** The member to which a place belongs; empty for the body itself. */
const memberOf = (pointer: string): string => pointer.split('/')[1] ?? '';

/** A create-call body without the optional member to which the place belongs; `null` if there is none. */
export function withoutElement(body: JsonObject, pointer: string): JsonObject | null {
  const name = memberOf(pointer);
  if (!(name in body) || REQUIRED.includes(name)) return null;
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}

/** Whether a body has a non-null value at a place, or something to replace in the place's container. */
function isFilled(body: JsonValue, pointer: string): boolean {
  if (!isJsonObject(body)) return false;
  if (pointer === '') return true;
  const value = body[memberOf(pointer)] ?? null;
  if (!/\/[*-]$/.test(pointer)) return value !== null && value !== '';
  return isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
}

/** The longest maps and lists first: the wrong value then has neighbours on both sides. */
function fullest(bodies: readonly JsonObject[], pointer: string): readonly JsonObject[] {
  if (!/\/[*-]$/.test(pointer)) return bodies;
  const size = (body: JsonObject): number => Object.keys(Object(body[memberOf(pointer)])).length;
  const most = Math.max(...bodies.map(size));
  return bodies.filter((body) => size(body) === most);
}

/** Members that another member of a create call may require, each with a typical value. */
export function companions(builder: RequestBuilder): readonly JsonObject[] {
  const members = Object.entries({ ...namedIds(builder), variables: PAIRS, privacy: true });
  return [...members.map(([name, value]) => ({ [name]: value })), ...RIDERS.slice(0, 1)];
}

/** Create-call bodies with the place filled, based on the accepted one: with every member, then only with this one. */
function callsWith(session: Session, pointer: string): readonly JsonObject[] {
  const { builder, state } = session;
  const body = asObject(state.bases.get(CREATE) ?? minimalCall(builder));
  const plain: JsonObject = { ...namedIds(builder), variables: PAIRS, privacy: true };
  const sample = builder.options.samples[CREATE];
  const name = memberOf(pointer);
  const riders = RIDERS.filter((rider) => name in rider);
  const alone = name in plain ? [{ [name]: plain[name] ?? null }] : [];
  const all = pointer === '' ? [] : [{ ...plain, ...RIDERS[0] }, ...riders, ...alone];
  const given = [body, ...(isJsonObject(sample) ? [sample] : [])];
  const filled = all.map((members) => withCaller(builder, { ...body, ...members }));
  return [...given.filter((candidate) => isFilled(candidate, pointer)), ...filled];
}

/**
 * A valid body with a value at that place. Accepted bodies of the run take turns; without one, the candidates are tried
 * in order. If none is accepted, it is the last candidate; a rejection beside it proves nothing.
 */
export async function siblingFor(
  session: Session,
  id: OperationId,
  pointer: string,
  candidates: readonly JsonObject[],
  turn = 0,
): Promise<JsonObject> {
  const { builder, state } = session;
  const accepted = state.acceptedBodies(id).filter(isJsonObject);
  const filled = accepted.filter((body) => isFilled(body, pointer));
  const known = fullest(filled, pointer);
  const [next] = known.slice(turn % Math.max(1, known.length));
  if (next !== undefined) return next;
  const possible = candidates.filter((body) => isFilled(body, pointer));
  for (const json of possible) {
    if (state.isAcceptedBody(id, JSON.stringify(json)) !== undefined || isGivenUp(session, json)) continue;
    const about = `a valid body with ${pointer || 'its members'}`;
    if ((await session.sendIfAllowed(builder.control(id, { json, about })))?.accepted) return json;
  }
  // The last candidate has the fewest members, so the fewest other reasons for a rejection.
  return possible.at(-1) ?? candidates.at(-1) ?? {};
}

/** The sibling of a broken create call; throws `Skipped` without numbers to dial or any sibling. */
export async function callSibling(session: Session, pointer: string, turn = 0): Promise<JsonObject> {
  baseOf(session, CREATE);
  const sibling = await siblingFor(session, CREATE, pointer, callsWith(session, pointer), turn);
  if (isGivenUp(session, sibling)) throw new Skipped(GIVEN_UP);
  return sibling;
}

/**
 * The sibling of a call without a required member: the accepted call with the most ids. On a target whose trunks have a
 * caller of their own, a call without `from` was only accepted over the trunk.
 */
export async function callWithIds(session: Session, pointer: string, turn: number): Promise<JsonObject> {
  const { builder, state } = session;
  const names = Object.keys(namedIds(builder)).filter((name) => !state.isGivenUp(name));
  // A partial run has not sent any of them yet.
  for (const name of names) await siblingFor(session, CREATE, `/${name}`, callsWith(session, `/${name}`));
  const idsIn = (body: JsonObject): number => names.filter((name) => typeof body[name] === 'string').length;
  const [best] = state
    .acceptedBodies(CREATE)
    .filter(isJsonObject)
    .toSorted((a, b) => idsIn(b) - idsIn(a));
  return best !== undefined && idsIn(best) > 0 ? best : callSibling(session, pointer, turn);
}
