/**
 * The ledger of writes: what a run wrote to each resource, whether it may have had an effect, and what another editor
 * wrote meanwhile (conformance model, section 7). It follows from the exchanges and the announcements in the journal
 * alone, whatever their order, so that a run, its rerun and `clean` come to the same.
 * The reasons are in docs/design/writes.md.
 */

import { isEmptyBody, type SuiteRequest } from '../client/request.ts';
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
const SHORTEST_ASCII = 8;

/** A target may cut what it stores, or add to it; shorter values say nothing. */
const SHORTEST_CUT = 16;

/** A hostile target shows a new value each time. */
const MOST_VALUES = 10_000;

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
    if (own.size < MOST_VALUES) this.own.set(field, own.add(text).add(asciiOf(text)));
  }

  noteEffect(fields: Iterable<string>, effect: Effect): void {
    for (const field of ['', ...fields]) if (this.effects.get(field) !== 'sure') this.effects.set(field, effect);
  }

  isOwn(field: string, value: unknown): boolean {
    const shown = folded(value);
    const own = this.own.get(field) ?? new Set();
    const ascii = asciiOf(shown);
    if (own.has(shown) || (ascii.length >= SHORTEST_ASCII && own.has(ascii))) return true;
    if (shown.length < 3) return false;
    const isCut = (one: string): boolean => shown.length >= SHORTEST_CUT && one.startsWith(shown);
    // A target may add something, such as who wrote it.
    const isWithin = (one: string): boolean => one.length >= SHORTEST_CUT && shown.includes(one);
    return [...own].some((one) => isCut(one) || isWithin(one)) || this.#unreadable.some((text) => text.includes(shown));
  }
}

/** A value that an answer showed. */
interface Sighting {
  readonly field: string;
  readonly value: ShownFields[string];
}

/** What the answers of a run say of one resource, besides the run's own writes. */
export interface Others {
  /** What another editor wrote while the run went on, by field: the last of several values. */
  readonly values: ShownFields;
  /** Whether an update resets what it does not name. */
  readonly isReset: boolean;
  /** Whether a value that the target shows at the end is another editor's. */
  readonly isOthers: (field: string, value: unknown) => boolean;
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
    for (const exchange of this.#exchanges) this.#note(exchange);
  }

  #written(id: UpdateId): Written {
    const written = this.#of.get(id) ?? new Written();
    this.#of.set(id, written);
    return written;
  }

  #note(exchange: Exchange): void {
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
    if (effect !== 'none' && request.body.length > '{}'.length) written.noteEffect(fields.keys(), effect);
    const shown = isSuccess(response?.status ?? null) ? response?.learned?.fields : undefined;
    for (const field of fields.keys()) if (shown !== undefined && field in shown) written.addOwn(field, shown[field]);
  }

  /** Notes a write whose outcome is unknown. */
  noteUnknown({ operation, body = '' }: WrittenText): void {
    if (!isUpdate(operation) || body.length <= '{}'.length) return;
    const written = this.#written(operation);
    const fields = fieldsOf(operation, body);
    written.add(fields, body);
    written.isSent = true;
    written.noteEffect(fields.keys(), 'possible');
  }

  /** Notes that the last name which the run wrote to the trunk is that of another one, which no record holds. */
  noteHiddenName(): void {
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

  /** What answers show that the run did not write; `before` are the values before the run. */
  others(id: UpdateId, before: ShownFields): Others {
    const view = new View(id, before, this.#of.get(id) ?? new Written());
    // A list may show a value in another form than a read of the record alone.
    const isRead = this.#exchanges.some((one) => one.tag.operation === 'getTrunk' && sightingsIn(one).length > 0);
    const inOrder = this.#exchanges
      .filter(({ tag }) => !isRead || tag.operation !== 'listTrunks')
      .toSorted((a, b) => a.seq - b.seq);
    for (const exchange of inOrder) if (subjectOf(exchange) === id) view.note(exchange, namedBy(exchange, id));
    return view;
  }
}

/** Once a target has shown this many values exactly as written, it is expected to store the next one exactly, too. */
const ENOUGH_SHOWN = 3;

/**
 * Follows what answers show of one resource. A value that is neither of the run nor from before it is another editor's,
 * with two exceptions. After an update that named the field, the first value shown is that of the update, as the target
 * stores it, unless the target has shown exactly what was written each time before. After an update that left the field
 * out, it may be a default, unless the target has kept the field before.
 */
class View implements Others {
  readonly values: Record<string, ShownFields[string]> = {};
  isReset = false;
  readonly #isId: boolean;
  readonly #before: ShownFields;
  readonly #written: Written;
  /** Values that updates led to, as the target stores them. */
  readonly #stored = new Written();
  /** Fields that updates named; those shown since; those left out since; those kept then; those with a value. */
  readonly #named = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #leftOut = new Set<string>();
  readonly #kept = new Set<string>();
  readonly #valued: Set<string>;
  /** How often the first value after an update was the one that it wrote, until one was another: then not a number. */
  readonly #faithful = new Map<string, number>();

  constructor(id: UpdateId, before: ShownFields, written: Written) {
    // No target stores another id than the one that it was given.
    this.#isId = id === 'assignNumber';
    this.#before = before;
    this.#written = written;
    this.#valued = new Set(Object.keys(before).filter((field) => before[field] !== null));
  }

  note(exchange: Exchange, named: ReadonlySet<string> | null): void {
    if (named !== null && effectOf(exchange) !== 'none') {
      const isAccepted = isSuccess(exchange.response?.status ?? null);
      for (const field of Object.keys(this.#before)) {
        if (named.has(field)) {
          this.#named.add(field);
          if (isAccepted) this.#valued.add(field);
          this.#shown.delete(field);
          this.#leftOut.delete(field);
        } else if (isAccepted) this.#leftOut.add(field);
      }
    }
    for (const { field, value } of sightingsIn(exchange)) {
      if (field in this.#before) this.#see(field, value, named?.has(field) === true);
    }
  }

  #see(field: string, value: ShownFields[string], isNamed: boolean): void {
    const isLeftOut = this.#leftOut.has(field);
    const mayBeReset = isLeftOut && !this.#kept.has(field);
    if (value === null) {
      this.isReset ||= mayBeReset && this.#valued.has(field);
      return;
    }
    this.#valued.add(field);
    const isStored = isNamed || this.#isUnseen(field);
    const isKnown = this.#isKnown(field, value);
    const isFirst = isNamed || (this.#named.has(field) && !this.#shown.has(field));
    if (isFirst) this.#faithful.set(field, isKnown ? (this.#faithful.get(field) ?? 0) + 1 : Number.NaN);
    if (isKnown) {
      if (isLeftOut) this.#kept.add(field);
    } else if (isStored || mayBeReset) {
      this.isReset ||= !isStored;
      this.#stored.addOwn(field, value);
    } else this.values[field] = value;
    this.#shown.add(field);
  }

  #isKnown(field: string, value: unknown): boolean {
    // An update may clear what it does not name, which does not show another editor.
    return (
      value === null ||
      value === '' ||
      value === this.#before[field] ||
      [this.#written, this.#stored].some((one) => one.isOwn(field, value))
    );
  }

  /** Whether nothing has shown yet how the target stores what the last update wrote. */
  #isUnseen(field: string): boolean {
    const isFaithful = (this.#faithful.get(field) ?? 0) >= ENOUGH_SHOWN;
    return !this.#isId && !isFaithful && this.#named.has(field) && !this.#shown.has(field);
  }

  isOthers(field: string, value: unknown): boolean {
    const isHidden = field === 'name' && this.#written.isNameHidden;
    return !isHidden && !this.#isUnseen(field) && !this.#isKnown(field, value);
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

/** Notes an update whose answer was lost, and which may have changed something. */
export function noteLost(state: RunState, { operation, method, body, credential, about }: SuiteRequest): void {
  const isEmpty = method === 'GET' || body === null || isEmptyBody(body);
  if (!isUpdate(operation) || isEmpty || credential !== 'valid') return;
  const text = new TextDecoder().decode(body);
  state.lost.set(`${operation} ${text}`, { operation, body: text, about });
}

/**
 * No documented operation reads a voice application. What the answer to an update shows of fields that no update has
 * named yet is what they were before the run.
 */
export function noteApplication(state: RunState, exchange: Exchange): void {
  const { tag, response, request } = exchange;
  if (tag.operation !== 'updateVoiceApplication' || tag.ids !== 'named' || request.method === 'GET') return;
  if (effectOf(exchange) !== 'none') for (const field of namedBy(exchange, tag.operation) ?? []) state.named.add(field);
  const { isApplicationRead = false, application = {} } = state.facts;
  if (isApplicationRead) return;
  const shown = Object.entries(response?.learned?.fields ?? {});
  const first = shown.filter(([name]) => !(name in application) && !state.named.has(name));
  if (first.length > 0) state.note({ application: { ...application, ...Object.fromEntries(first) } });
}
