/**
 * The ledger of writes: what a run wrote to each resource, whether it may have had an effect, and what another editor
 * wrote meanwhile (conformance model, section 7). It follows from the exchanges and the announcements in the journal
 * alone, whatever their order, so that a run, its rerun and `clean` come to the same.
 * The reasons are in docs/design/writes.md.
 */

import { KEPT, LEARNED } from '../contract/limits.ts';
import { listed } from '../contract/lists.ts';
import { isUpdate, operationById, UPDATES, type UpdateId } from '../contract/operations.ts';
import { BODY_SCHEMAS } from '../contract/schemas.ts';
import { isSuccess } from '../contract/statuses.ts';
import type { Exchange, ShownFields } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import type { RunState, WrittenText } from './state.ts';

/** The sequence of the last phase that restores what an operation wrote: restores in mid-run are writes like any other. */
export const restoreName = (id: UpdateId): string => `${id}/restore`;

/** Names what was written and not restored. */
export function writtenSentence(id: UpdateId): string {
  return `${operationById(id).title}: what the run wrote was not restored`;
}

/** Whether an update changed something: it was accepted, or got no answer that rules it out. */
export type Effect = 'none' | 'possible' | 'sure';

/** Any other 4xx is a clean rejection; these come from targets that had carried out the update as well. */
const UNCLEAR: readonly number[] = [408, 409];

function effectOf({ request, response }: Pick<Exchange, 'request' | 'response'>): Effect {
  if (response === null) return request.credential === 'valid' ? 'possible' : 'none';
  if (isSuccess(response.status)) return 'sure';
  const isRejected = response.status >= 400 && response.status < 500 && !UNCLEAR.includes(response.status);
  return isRejected ? 'none' : 'possible';
}

/** The documented fields that a body names; the value is `undefined` where the body is not JSON. */
function fieldsOf(id: UpdateId, text: string): ReadonlyMap<string, unknown> {
  const schema = operationById(id).body;
  const known = Object.keys((schema === null ? undefined : BODY_SCHEMAS[schema].properties) ?? {});
  const json = parsedJson(text);
  if (isObject(json)) return new Map(known.flatMap((name) => (name in json ? [[name, json[name]] as const] : [])));
  return new Map(known.filter((name) => text.includes(`"${name}"`)).map((name) => [name, undefined]));
}

/** Targets trim, fold, normalize and clean what they store, and replace what they cannot. */
function folded(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  return text
    .normalize('NFKC')
    .replace(/[\p{C}\p{M}\s?\ufffd]/gu, '')
    .toLowerCase();
}

/** A text without its letters beyond ASCII, which some targets drop; a shorter one is too common to compare. */
const asciiOf = (text: string): string => text.replace(/[^!-~]/g, '');

/** What was written to one resource. */
class Written {
  isSent = false;
  /** The last name that was written stands as a placeholder, so what the target shows for it may be ours. */
  isNameHidden = false;
  readonly effects = new Map<string, Effect>();
  readonly own = new Map<string, Set<string>>();
  readonly #unreadable: string[] = [];

  add(fields: ReadonlyMap<string, unknown>, text: string): void {
    for (const [field, value] of fields) {
      if (value === undefined) this.#unreadable.push(folded(text));
      else this.addOwn(field, value);
    }
  }

  addOwn(field: string, value: unknown): void {
    const own = this.own.get(field) ?? new Set();
    const text = folded(value);
    if (own.size < LEARNED.texts) this.own.set(field, own.add(text).add(asciiOf(text)));
  }

  addEffect(fields: Iterable<string>, effect: Effect): void {
    for (const field of ['', ...fields]) if (this.effects.get(field) !== 'sure') this.effects.set(field, effect);
  }

  isOwn(field: string, value: unknown): boolean {
    const shown = folded(value);
    const own = this.own.get(field) ?? new Set();
    const ascii = asciiOf(shown);
    if (own.has(shown) || (ascii.length >= KEPT.unmistakable && own.has(ascii))) return true;
    if (shown.length < 3) return false;
    const isCut = (one: string): boolean => shown.length >= LEARNED.cut && one.startsWith(shown);
    // A target may add something, such as who wrote it.
    const isWithin = (one: string): boolean => one.length >= LEARNED.cut && shown.includes(one);
    return [...own].some((one) => isCut(one) || isWithin(one)) || this.#unreadable.some((text) => text.includes(shown));
  }
}

/** A value that an answer showed. */
interface Sighting {
  readonly field: string;
  readonly value: ShownFields[string];
}

/** The ledger of one run. */
export class WriteLedger {
  readonly #of = new Map<UpdateId, Written>();
  readonly #exchanges: readonly Exchange[];

  /** `announced`: writes that may have no exchange. */
  constructor(exchanges: readonly Exchange[], announced: readonly WrittenText[] = []) {
    this.#exchanges = exchanges.filter(({ tag }) => !UPDATES.some((id) => tag.sequence === restoreName(id)));
    for (const { operation, body = '' } of announced) {
      if (isUpdate(operation)) this.#written(operation).add(fieldsOf(operation, body), body);
    }
    for (const exchange of this.#exchanges) this.#add(exchange);
  }

  #written(id: UpdateId): Written {
    const written = this.#of.get(id) ?? new Written();
    this.#of.set(id, written);
    return written;
  }

  #add(exchange: Exchange): void {
    const { tag, request, response } = exchange;
    const { operation } = tag;
    if (!isUpdate(operation) || request.method === 'GET' || request.body === null) return;
    const text = request.body.text ?? '';
    const fields = fieldsOf(operation, text);
    const written = this.#written(operation);
    written.add(fields, text);
    const effect = effectOf(exchange);
    // Another spelling of an id of the settings names the same resource if the target takes it.
    if (tag.ids === 'well-formed' || (tag.ids === 'malformed' && effect !== 'sure')) return;
    written.isSent ||= request.body.length > '{}'.length;
    if (effect !== 'none' && request.body.length > '{}'.length) written.addEffect(fields.keys(), effect);
    const shown = isSuccess(response?.status ?? null) ? response?.learned?.fields : undefined;
    for (const field of fields.keys()) if (shown !== undefined && field in shown) written.addOwn(field, shown[field]);
  }

  /** Adds a write whose outcome is unknown. */
  addUnknown({ operation, body = '' }: WrittenText): void {
    if (!isUpdate(operation) || body.length <= '{}'.length) return;
    const written = this.#written(operation);
    const fields = fieldsOf(operation, body);
    written.add(fields, body);
    written.isSent = true;
    written.addEffect(fields.keys(), 'possible');
  }

  /** The last name which the run wrote to the trunk is that of another one, which no record holds. */
  hideName(): void {
    this.#written('updateTrunk').isNameHidden = true;
  }

  /** Whether an update of the resource was sent, rejected or not. */
  isSent(id: UpdateId): boolean {
    return this.#of.get(id)?.isSent === true;
  }

  /** What came of the updates that named the field; of all updates, unless a field is given. */
  effect(id: UpdateId, field = ''): Effect {
    return this.#of.get(id)?.effects.get(field) ?? 'none';
  }

  /** Whether an answer showed the fields of the application: a read that is not documented, or the update `{}`. */
  applicationShownBy(by: 'GET' | 'PATCH'): boolean {
    return this.#exchanges.some((exchange) => {
      const { request, response } = exchange;
      const isEmpty = by === 'GET' || (request.body?.text === '{}' && exchange.tag.role !== 'restore');
      const isShown = Object.keys(response?.learned?.fields ?? {}).length > 0;
      return subjectOf(exchange) === 'updateVoiceApplication' && request.method === by && isEmpty && isShown;
    });
  }

  /** What answers show of the resource besides what the run wrote; `before` are the values before the run. */
  shown(id: UpdateId, before: ShownFields): ShownValues {
    const shown = new ShownValues(id, before, this.#of.get(id) ?? new Written());
    // A list may show a value in another form than a read of the record alone.
    const isRead = this.#exchanges.some((one) => one.tag.operation === 'getTrunk' && sightingsIn(one).length > 0);
    const counting = this.#exchanges.filter(({ tag }) => !isRead || tag.operation !== 'listTrunks');
    for (const exchange of counting) if (subjectOf(exchange) === id) shown.take(exchange);
    return shown;
  }
}

/**
 * Tells our values from those of another editor. Ours are the values that the run wrote, as targets store texts, the values
 * before it, and the first one that an answer shows after an update of ours: the target stores what was written in its own way,
 * or resets a field that the update left out. (An edit between an update and the next read looks the same.)
 */
class ShownValues {
  /** Fields that no answer has shown since the last update. */
  readonly #unseen = new Set<string>();
  /** Values that updates led to, as the target stores them. */
  readonly #stored = new Written();
  readonly #id: UpdateId;
  readonly #before: ShownFields;
  readonly #written: Written;

  constructor(id: UpdateId, before: ShownFields, written: Written) {
    this.#id = id;
    this.#before = before;
    this.#written = written;
  }

  take(exchange: Exchange): void {
    const isUpdate = exchange.request.method !== 'GET' && effectOf(exchange) !== 'none';
    if (isUpdate) for (const field of Object.keys(this.#before)) this.#unseen.add(field);
    for (const { field, value } of sightingsIn(exchange)) {
      const isFirst = this.#unseen.delete(field);
      // No target stores another id than the one that it was given.
      if (isFirst && this.#id !== 'assignNumber' && !this.#isOurs(field, value)) this.#stored.addOwn(field, value);
    }
  }

  #isOurs(field: string, value: unknown): boolean {
    // An update may clear what it does not name, which does not show another editor.
    const isEmpty = value === null || value === '';
    return (
      isEmpty || value === this.#before[field] || [this.#written, this.#stored].some((one) => one.isOwn(field, value))
    );
  }

  /** Whether a value that the target shows at the end is another editor's. */
  isOthers(field: string, value: unknown): boolean {
    const isHidden = field === 'name' && this.#written.isNameHidden;
    const mayBeAltered = this.#stored.own.size > 0 && this.#unseen.has(field);
    return !isHidden && !mayBeAltered && !this.#isOurs(field, value);
  }
}

/** The update that writes what an answer shows, for our own resource; no documented operation reads an application. */
function subjectOf({ tag, request }: Exchange): UpdateId | null {
  if (request.credential !== 'valid') return null;
  if (tag.operation === 'listNumbers') return 'assignNumber';
  if (tag.operation === 'listTrunks') return 'updateTrunk';
  if (tag.operation === null) return 'updateVoiceApplication';
  if (tag.ids !== 'named') return null;
  if (tag.operation === 'getTrunk') return 'updateTrunk';
  return isUpdate(tag.operation) ? tag.operation : null;
}

/** The fields that an update names; `null` for a read. */
function namedBy({ request }: Exchange, id: UpdateId): ReadonlySet<string> | null {
  if (request.method === 'GET' || request.body === null) return null;
  return new Set(fieldsOf(id, request.body.text ?? '').keys());
}

function sightingsIn({ response }: Exchange): readonly Sighting[] {
  // A 202 may show the record before the change.
  if (response === null || response.status === 202) return [];
  const { fields = {}, assignment } = response.learned ?? {};
  const shown = Object.entries(fields).map(([field, value]) => ({ field, value }));
  return assignment === undefined ? shown : [{ field: 'carrier_connection_id', value: assignment }];
}

/**
 * No documented operation reads a voice application. What the answer to an update shows of fields that no update has
 * named yet is what they were before the run.
 */
export function learnApplication(state: RunState, exchange: Exchange): void {
  const { tag, response, request } = exchange;
  if (tag.operation !== 'updateVoiceApplication' || tag.ids !== 'named' || request.method === 'GET') return;
  if (effectOf(exchange) !== 'none') for (const field of namedBy(exchange, tag.operation) ?? []) state.named.add(field);
  const { isApplicationRead = false, application = {} } = state.facts;
  if (isApplicationRead) return;
  const shown = Object.entries(response?.learned?.fields ?? {});
  const first = shown.filter(([name]) => !(name in application) && !state.named.has(name));
  if (first.length > 0) state.note({ application: { ...application, ...Object.fromEntries(first) } });
}

/** The fields of the trunk that the interface writes; an update may clear any other one as well. */
const WRITABLE: readonly string[] = ['name', 'direction', 'status'];

/** A member of the trunk's own record, or an item of a list in it. */
const OF_TRUNK = /^(?:\/(?:data|trunk|result|items?))*\/([^/]+)(?:\/-)?$/;

/** The names of the members of the trunk that have a value; `null` where an exchange does not show all of them. */
function valuedIn({ tag, request, response }: Exchange): ReadonlySet<string> | null {
  const isRead =
    tag.operation === 'getTrunk' && tag.documented && tag.ids === 'named' && request.credential === 'valid';
  if (!isRead || !isSuccess(response?.status ?? null) || response?.body?.json !== 'valid') return null;
  const valued = response.body.members.filter(({ type }) => type !== 'null');
  return new Set(valued.flatMap(({ pointer }) => OF_TRUNK.exec(pointer)?.[1] ?? []));
}

/**
 * A sentence on what the first read of the trunk showed with a value, and the last one without, though no request of the
 * interface writes it; none without any.
 */
export function clearedSentences(exchanges: readonly Exchange[], trunk: string | undefined): readonly string[] {
  const reads = exchanges.filter((one) => valuedIn(one) !== null);
  const [first, last] = [reads[0], reads.at(-1)];
  const isUpdate = ({ seq, tag }: Exchange): boolean =>
    tag.operation === 'updateTrunk' && tag.ids === 'named' && seq > (first?.seq ?? 0) && seq < (last?.seq ?? 0);
  if (first === undefined || last === undefined || !exchanges.some(isUpdate)) return [];
  const now = valuedIn(last);
  const names = [...(valuedIn(first) ?? [])]
    .filter((name) => now?.has(name) !== true && !WRITABLE.includes(name))
    .sort();
  if (names.length === 0) return [];
  const [have, them] = names.length === 1 ? ['has no value', 'it'] : ['have no values', 'them'];
  return [`trunk ${trunk}: ${listed(names)} ${have} any more, and the interface has no request that writes ${them}`];
}
