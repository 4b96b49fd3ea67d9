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
  readonly texts = new Map<string, Set<string>>();
  readonly #unreadable: string[] = [];

  add(fields: ReadonlyMap<string, unknown>, text: string): void {
    for (const [field, value] of fields) {
      if (value === undefined) this.#unreadable.push(folded(text));
      else this.addOwn(field, value);
    }
  }

  addOwn(field: string, value: unknown): void {
    const texts = this.texts.get(field) ?? new Set();
    const text = folded(value);
    if (texts.size < LEARNED.texts) this.texts.set(field, texts.add(text).add(asciiOf(text)));
  }

  addEffect(fields: Iterable<string>, effect: Effect): void {
    for (const field of ['', ...fields]) if (this.effects.get(field) !== 'sure') this.effects.set(field, effect);
  }

  isOwn(field: string, value: unknown): boolean {
    const shown = folded(value);
    const texts = this.texts.get(field) ?? new Set();
    const ascii = asciiOf(shown);
    if (texts.has(shown) || (ascii.length >= KEPT.unmistakable && texts.has(ascii))) return true;
    if (shown.length < 3) return false;
    const isCut = (text: string): boolean => shown.length >= LEARNED.cut && text.startsWith(shown);
    // A target may add something, such as who wrote it.
    const isWithin = (text: string): boolean => text.length >= LEARNED.cut && shown.includes(text);
    return (
      [...texts].some((text) => isCut(text) || isWithin(text)) || this.#unreadable.some((text) => text.includes(shown))
    );
  }
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

  /**
   * Whether a value that the target shows at the end is another editor's: neither from before the run (`before`), nor as this run
   * wrote it, nor what the first answer after its last update showed. (An edit between the two looks the same.)
   */
  isOthers(id: UpdateId, before: ShownFields, field: string, value: ShownFields[string]): boolean {
    const written = this.#of.get(id);
    // An update may clear what it does not name, which does not show another editor.
    if (value === null || value === '' || value === before[field] || written?.isOwn(field, value) === true)
      return false;
    if (field === 'name' && written?.isNameHidden === true) return false;
    // A target stores what it was given in its own way, but no id other than that.
    return id === 'assignNumber' || this.#firstShown(id, field) !== value;
  }

  #firstShown(id: UpdateId, field: string): ShownFields[string] | undefined {
    // A list may show a value in another form than a read of the record alone.
    const isRead = this.#exchanges.some(
      (exchange) => exchange.tag.operation === 'getTrunk' && field in shownIn(exchange),
    );
    const counting = this.#exchanges.filter(
      (exchange) => subjectOf(exchange) === id && (!isRead || exchange.tag.operation !== 'listTrunks'),
    );
    const since = counting.findLastIndex((sent) => sent.request.method !== 'GET' && effectOf(sent) !== 'none');
    const showing = counting.slice(Math.max(0, since)).find((exchange) => field in shownIn(exchange));
    return showing === undefined ? undefined : shownIn(showing)[field];
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

/** The fields of a record that an answer shows; a 202 may show them before the change. */
const shownIn = ({ response }: Exchange): ShownFields =>
  response === null || response.status === 202 ? {} : (response.learned?.fields ?? {});

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
  const reads = exchanges.filter((exchange) => valuedIn(exchange) !== null);
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
