/**
 * What the engine needs from an answer, read where the exchange is recorded: whether a call was placed, the fields that
 * are restored, the assignment of the number (conformance model, section 1).
 */

import { LEARNED, SHOWN } from '../contract/limits.ts';
import type { OperationId } from '../contract/operations.ts';
import { percentDecoded } from '../contract/path-text.ts';
import { RESOURCE_SETTINGS } from '../contract/settings.ts';
import { UUID } from '../contract/uuid.ts';
import { isSuccess } from '../contract/waiting.ts';
import { type Exchange, type Learned, OTHER_NAME, type ShownFields } from '../exchange/exchange.ts';
import { detached, isObject, jsonOfBytes } from '../exchange/json-text.ts';
import { headerValues, type WireAnswer, type WireOutcome } from '../exchange/message.ts';
import type { RecorderContext } from '../exchange/recorder.ts';
import type { ClientOptions } from './client-options.ts';
import { foundOperation, isCreate, type SuiteRequest } from './request.ts';
import { type KnownIds, learnedOfCreate } from './safety/create-outcome.ts';

/** The word that begins every name this suite writes. */
export const MARK_WORD = 'pcs-conformance';
/** What such a name looks like. */
export const MARK = new RegExp(`\\b${MARK_WORD} [0-9a-f]{8}\\b`, 'g');

/** The documented fields of a trunk. */
export const TRUNK_FIELDS = ['name', 'direction', 'status'] as const;

/** Fields that a run restores, by the operation whose answer may show them: it learns from every success. */
const RESTORED_FIELDS: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getTrunk: TRUNK_FIELDS,
  listTrunks: TRUNK_FIELDS,
  updateTrunk: TRUNK_FIELDS,
  updateVoiceApplication: ['name', 'ring_timeout_seconds', 'caller_id', 'voice_url', 'callback_url'],
};

/**
 * Members that may hold a trunk, or a voice application. A trunk may embed its application as a record: a run took the
 * application's name for the trunk's, restored it to the trunk, and passed.
 */
const ANY_HOLDERS = ['data', 'result', 'item', 'items', 'record'] as const;
const TRUNK_HOLDERS = ['trunk', ...ANY_HOLDERS] as const;
const APPLICATION_HOLDERS = ['voice_application', 'application', ...ANY_HOLDERS] as const;

const inCamelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** A record may spell its fields unlike a request: because of `callbackUrl`, the URL of the run was not restored. */
const memberNamed = (record: object, name: string): unknown =>
  Reflect.get(record, Reflect.has(record, name) ? name : inCamelCase(name));

/** The records in the first `depth` levels of an answer, innermost first: the interface names no place for them. */
function recordsIn(json: unknown, holders: readonly string[], depth = 6): readonly object[] {
  if (typeof json !== 'object' || json === null || depth === 0) return [];
  if (Array.isArray(json)) return json.length === 1 ? recordsIn(json[0], holders, depth - 1) : [];
  return [...holders.flatMap((name) => recordsIn(memberNamed(json, name), holders, depth - 1)), json];
}

type Field = readonly [name: string, value: ShownFields[string]];

const isField = (field: readonly [name: string, value: unknown]): field is Field =>
  field[1] === null ||
  ['number', 'boolean'].includes(typeof field[1]) ||
  (typeof field[1] === 'string' && field[1].length <= LEARNED.value);

/** The named members that hold a scalar, of the first record that has any of them. */
const recordFields = (records: readonly object[], names: readonly string[]): readonly Field[] =>
  records
    .map((record) => names.map((name) => [name, memberNamed(record, name)] as const).filter(isField))
    .find((shown) => shown.length > 0) ?? [];

/** The items of a list, wherever the target puts it. */
export function itemsIn(json: unknown, depth = 3): readonly object[] {
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.filter((item) => typeof item === 'object' && item !== null);
  return depth === 0 ? [] : Object.values(json).flatMap((member) => itemsIn(member, depth - 1));
}

/**
 * The item of a list whose own id it is: a pool or an order mentions the ids of others. A number may be known by its
 * digits instead.
 */
function itemOf(items: readonly object[], kind: 'application' | 'trunk' | 'number', id: string): object | undefined {
  const by = (names: readonly string[]): object | undefined =>
    items.find((item) => {
      const values: readonly unknown[] = names.map((name) => Reflect.get(item, name));
      const itemId = values.find((value) => typeof value === 'string' || typeof value === 'number');
      return String(itemId).toLowerCase() === id.toLowerCase();
    });
  return (
    by(['id', `${kind}_id`, `${kind}Id`, 'uuid', 'sid']) ??
    (kind === 'number' ? by(['number', 'phone_number', 'e164']) : undefined)
  );
}

/**
 * Where the record may stand, the likeliest place first: the record with the id of the path, if there is one. A run
 * restored the `status` of an envelope, "success", as the status of the trunk.
 */
function recordsFor({ method, path }: SuiteRequest, json: unknown, isTrunk: boolean): readonly object[] {
  const holders = isTrunk ? TRUNK_HOLDERS : APPLICATION_HOLDERS;
  const [id] = foundOperation(method === 'GET' && !isTrunk ? 'PATCH' : method, path)?.ids ?? [];
  let level: readonly unknown[] = [json];
  while (id !== undefined && level.length > 0) {
    const own = itemOf(level.filter(isObject), isTrunk ? 'trunk' : 'application', percentDecoded(id));
    if (own !== undefined) return [own, ...recordsIn(own, holders)];
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return recordsIn(json, holders);
}

/** The first trunk of our own list, for a run that has none in its settings. */
function listedTrunk(json: unknown, { credential }: SuiteRequest, context: LearnContext): Pick<Learned, 'trunk'> {
  const { readsListedTrunk, recorder } = context;
  if (readsListedTrunk !== true || credential !== 'valid') return {};
  const shown = itemsIn(json).map((item): unknown => Reflect.get(item, 'id'));
  const trunk = shown.find((id): id is string => typeof id === 'string' && UUID.test(id) && isClean(id, recorder));
  return trunk === undefined ? {} : { trunk };
}

/** The carrier connection that a list shows for a number: `null` for none, `undefined` where it does not say. */
function assignmentIn(json: unknown, number: string): string | null | undefined {
  const item = itemOf(itemsIn(json), 'number', number) ?? {};
  for (const name of ['carrier_connection_id', 'carrier_connection', 'connection']) {
    const shown = memberNamed(item, name);
    const isRecord = typeof shown === 'object' && shown !== null;
    if (name === 'connection' && !isRecord) continue; // may be a word: "sip"
    const id = isRecord ? memberNamed(shown, Reflect.has(shown, 'id') ? 'id' : 'carrier_connection_id') : shown;
    if (id === null || (typeof id === 'string' && id.length <= LEARNED.value)) return id;
  }
  return undefined;
}

/** A value that contains a secret is not learned: what is not recorded cannot be used. */
const isClean = (value: ShownFields[string], { redactor }: LearnContext['recorder']): boolean =>
  redactor.redact(String(value)).text === String(value);

/** What learning needs besides the answer. */
export interface LearnContext extends Pick<ClientOptions, 'resources' | 'readsListedTrunk' | 'callIdPointer'> {
  readonly recorder: Pick<RecorderContext, 'redactor'>;
  readonly known: KnownIds;
  /** The name of another trunk, where a list has shown one. */
  readonly otherName?: string | undefined;
}

/** The first plain name beside our trunk in a list read with the run's credential; `undefined` without both names. */
export function otherNameOf(request: SuiteRequest, outcome: WireOutcome, context: Omit<LearnContext, 'known'>) {
  const { operation, credential } = request;
  const { trunk } = context.resources;
  const isRead = operation === 'listTrunks' && credential === 'valid' && outcome.kind === 'answer' && !outcome.cut;
  if (!isRead || trunk === undefined || !isSuccess(outcome.status)) return undefined;
  const items = itemsIn(jsonOfBytes(outcome.body));
  const ourName = itemName(itemOf(items, 'trunk', trunk) ?? {});
  const name = items
    .map(itemName)
    .find((name) => PLAIN_NAME.test(name) && NO_WORD.test(name) && !isSameName(name, ourName));
  return ourName !== '' && name !== undefined && isClean(name, context.recorder) ? name : undefined;
}

/** What an answer teaches, or `null`. */
export function learn(request: SuiteRequest, outcome: WireOutcome, context: LearnContext): Learned | null {
  if (outcome.kind !== 'answer') return null;
  if (isCreate(request)) {
    const { known, callIdPointer, recorder } = context;
    return learnedOfCreate(outcome, request.path, known, (id) => isClean(id, recorder), callIdPointer);
  }
  // Only an accepted answer teaches.
  if (!isSuccess(outcome.status)) return null;
  return withMisplaced(withMarks(learnFields(request, outcome, context), outcome), request, outcome, context);
}

/** The kind of a resource, by a word in the name of its member: `carrier_connection_id`, `voiceApplication`. */
const KIND_WORDS = {
  trunk: /trunk/i,
  number: /number/i,
  voiceApplication: /application|(?:^|_)app(?:_|I|$)/,
  carrierConnection: /connection/i,
  carrierProvider: /provider/i,
  conference: /conference/i,
  participant: /participant/i,
} as const satisfies Readonly<Record<(typeof RESOURCE_SETTINGS)[number][0], RegExp>>;

/** The kind named by a member, or for a plain id by its parent; `null` if neither names one. */
function kindOfMember(name: string, within: string | null): string | null {
  const told = Object.entries(KIND_WORDS).flatMap(([kind, word]) => (word.test(name) ? [kind] : []));
  if (told.length === 1) return told[0] ?? null;
  return told.length === 0 && /^(?:id|uuid|sid)$/i.test(name) ? within : null;
}

/**
 * Settings whose id our list shows only for another kind of resource: operators swap ids. With the ids of application
 * and connection swapped, the 404 for the application was a finding, since the list of numbers mentions that id.
 */
function withMisplaced(
  learned: Learned | null,
  { operation, credential }: SuiteRequest,
  { body, cut }: WireAnswer,
  { resources }: LearnContext,
): Learned | null {
  const kind = operation === 'listTrunks' ? 'trunk' : 'number';
  if ((operation !== 'listTrunks' && operation !== 'listNumbers') || cut || credential !== 'valid') return learned;
  const ids = RESOURCE_SETTINGS.flatMap(([ours]) => resources[ours]?.toLowerCase() ?? []);
  const shownAs = new Map(ids.map((id) => [id, new Set<string | null>()]));
  const open: (readonly [value: object, kind: string | null])[] = [];
  for (const item of itemsIn(jsonOfBytes(body))) open.push([item, kind]);
  for (const [value, within] of open) {
    for (const [name, member] of Object.entries(value)) {
      const isRecord = typeof member === 'object' && member !== null;
      const as = typeof member === 'string' ? shownAs.get(member.toLowerCase()) : undefined;
      if (!isRecord && as === undefined) continue;
      const kindOfIt = Array.isArray(value) ? within : kindOfMember(name, within);
      as?.add(kindOfIt);
      if (isRecord) open.push([member, kindOfIt]);
    }
  }
  const misplaced = RESOURCE_SETTINGS.flatMap(([ours, setting]) => {
    const as = shownAs.get(resources[ours]?.toLowerCase() ?? '') ?? new Set();
    // The other list does not count for these two anyway.
    const isElsewhere = (ours === 'trunk' || ours === 'number') && ours !== kind;
    return isElsewhere || as.size === 0 || as.has(null) || as.has(ours) ? [] : [setting];
  });
  return misplaced.length === 0 ? learned : { ...learned, misplaced };
}

/** A name with our mark that is not of this run is another run's, wherever the answer shows it. */
function withMarks(learned: Learned | null, { body }: WireAnswer): Learned | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (!bytes.includes(MARK_WORD)) return learned;
  const marks = new Set<string>();
  for (const [mark] of bytes.toString('latin1').matchAll(MARK))
    if (marks.add(detached(mark)).size === LEARNED.handful) break;
  return marks.size === 0 ? learned : { ...learned, marks: [...marks].sort().slice(0, SHOWN.first) };
}

/** Learns the fields and the assignment from an accepted answer that was not cut short. */
function learnFields(request: SuiteRequest, { body, cut }: WireAnswer, context: LearnContext): Learned | null {
  const { otherName, recorder, resources } = context;
  const { trunk: trunkId = '', number } = resources;
  // No documented operation reads a voice application; on a target that serves the read, it shows what an update would.
  const read = request.method === 'GET' ? foundOperation('PATCH', request.path)?.operation : undefined;
  const operation = request.operation ?? read;
  const json = cut ? undefined : jsonOfBytes(body);
  if (operation === 'listNumbers' && number !== undefined) {
    const assignment = assignmentIn(json, number);
    return assignment === undefined ? null : { assignment };
  }
  const names = operation && RESTORED_FIELDS[operation];
  if (names === undefined) return null;
  const items = operation === 'listTrunks' ? itemsIn(json) : null;
  const trunk = items === null ? undefined : itemOf(items, 'trunk', trunkId);
  const records = items === null ? recordsFor(request, json, names === TRUNK_FIELDS) : [trunk].filter(isObject);
  const shown = recordFields(records, names).filter(([, value]) => isClean(value, recorder));
  const isOther = (name: string, value: unknown): boolean =>
    names === TRUNK_FIELDS &&
    name === 'name' &&
    typeof value === 'string' &&
    otherName !== undefined &&
    isSameName(value, otherName);
  // The trunk may show the other trunk's name as its own.
  const fields = Object.fromEntries(shown.map(([name, value]) => [name, isOther(name, value) ? OTHER_NAME : value]));
  if (items === null) return { fields };
  return {
    fields,
    ...(otherName === undefined ? {} : { isAnotherNamed: true }),
    ...(trunk !== undefined && isNameOnAnother(items, trunk, trunkId) ? { isNameOnAnother: true } : {}),
    ...listedTrunk(json, request, context),
  };
}

/** Printable ASCII that JSON does not escape and nothing trims, so such a name reads the same in any text. */
const PLAIN_NAME = /^(?! )[ !#-[\]-~]{8,200}(?<! )$/;
/** No word of the interface has such a character, so removing the name from an error leaves the envelope intact. */
const NO_WORD = /[^A-Za-z_]/;

const itemName = (item: object): string => {
  const name: unknown = Reflect.get(item, 'name');
  return typeof name === 'string' ? name : '';
};

/** Whether two names are the same to a target that trims them and ignores letter case. */
const isSameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Whether a record similar to our trunk has the name that a run wrote to ours. */
function isNameOnAnother(items: readonly object[], trunk: object, trunkId: string): boolean {
  const isLikeIt = (item: object): boolean => Object.keys(trunk).every((name) => Reflect.has(item, name));
  const others = items.filter((item) => isLikeIt(item) && itemOf([item], 'trunk', trunkId) === undefined);
  return itemName(trunk).includes(MARK_WORD) && others.some((item) => isSameName(itemName(item), itemName(trunk)));
}

/** The body as it leaves, with the name in place of the placeholder. */
export function withOtherName(body: Uint8Array | null, otherName: string | undefined): Uint8Array | null {
  if (body === null || otherName === undefined) return body;
  const text = Buffer.from(body).toString('latin1');
  const sought = Buffer.from(OTHER_NAME).toString('latin1');
  const named = text.replaceAll(sought, () => otherName);
  return named === text ? body : Buffer.from(named, 'latin1');
}

/** The exchange, with the placeholder in place of the name wherever the answer to such a body repeats it. */
export function withoutOtherName(exchange: Exchange, otherName = ''): Exchange {
  const { response } = exchange;
  if (response?.body?.text === undefined) return exchange;
  const sought = new RegExp(otherName.replace(/[^A-Za-z0-9 ]/g, '\\$&'), 'gi');
  const body = { ...response.body, text: response.body.text.replace(sought, OTHER_NAME) };
  return { ...exchange, response: { ...response, body } };
}

/** Cookies that a client with a cookie store returns after an answer to the valid credential; `undefined` without. */
export function cookiesOf({ credential }: SuiteRequest, outcome: WireOutcome): string | undefined {
  if (credential !== 'valid' || outcome.kind !== 'answer') return undefined;
  const set = headerValues(outcome.headers, 'set-cookie');
  return set.length === 0 ? undefined : set.map((value) => value.replace(/;.*$/s, '')).join('; ');
}
