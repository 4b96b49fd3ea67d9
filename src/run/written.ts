/**
 * The ledger of writes: what a run wrote to each resource, whether it may have had an effect, and what another editor
 * wrote meanwhile (conformance model, section 7). It follows only from the exchanges and the announcements in the
 * journal, whatever their order, so that a run, its rerun and `clean` agree. The reasons are in docs/design/writes.md.
 */

import type { AnnouncedWrite } from '../client/client-options.ts';
import { KEPT, LEARNED } from '../contract/limits.ts';
import { listed } from '../contract/lists.ts';
import { isUpdate, operationById, UPDATES, type UpdateId } from '../contract/operations.ts';
import { BODY_SCHEMAS } from '../contract/schemas.ts';
import { isSuccess } from '../contract/waiting.ts';
import type { Exchange, ExchangeTag, ShownFields } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { isAccepted } from '../verdict/answer.ts';
import type { RunState } from './state.ts';

/** The sequence of the last phase that restores an operation's writes; earlier restores are writes like any other. */
export const restoreName = (id: UpdateId): string => `${id}/restore`;

/** Names what was written and not restored. */
export function writtenSentence(id: UpdateId): string {
  return `${operationById(id).title}: what the run wrote was not restored`;
}

/** Whether an update changed something: it was accepted, or got no answer that rules it out. */
export type Effect = 'none' | 'possible' | 'sure';
/** The strongest first. */
const EFFECTS = ['sure', 'possible'] as const satisfies readonly Effect[];

/** The length of a body that names no field. */
const LENGTH_OF_NOTHING = '{}'.length;

/** Any other 4xx is a clean rejection; targets answered these although they had carried out the update. */
const UNCLEAR: readonly number[] = [408, 409];

function writeEffect({ request, response }: Pick<Exchange, 'request' | 'response'>): Effect {
  if (response === null) return request.credential === 'valid' ? 'possible' : 'none';
  if (isSuccess(response.status)) return 'sure';
  const isRejected = response.status >= 400 && response.status < 500 && !UNCLEAR.includes(response.status);
  return isRejected ? 'none' : 'possible';
}

/** The documented fields that a body names; the value is `undefined` where the body is not JSON. */
function namedFields(id: UpdateId, text: string): ReadonlyMap<string, unknown> {
  const schema = operationById(id).body;
  const known = Object.keys((schema === null ? undefined : BODY_SCHEMAS[schema].properties) ?? {});
  const json = parsedJson(text);
  if (isObject(json)) return new Map(known.flatMap((name) => (name in json ? [[name, json[name]] as const] : [])));
  return new Map(known.filter((name) => text.includes(`"${name}"`)).map((name) => [name, undefined]));
}

/** The stored form of a value: targets trim, fold, normalize and clean texts, and replace unsupported characters. */
function folded(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  return text
    .normalize('NFKC')
    .replace(/[\p{C}\p{M}\s?\ufffd]/gu, '')
    .toLowerCase();
}

/** A text without its letters beyond ASCII, which some targets drop; a shorter result is too common to compare. */
const asciiOf = (text: string): string => text.replace(/[^!-~]/g, '');

/** Whether a value is a stored form of one of these: folded, cut, or with something added, such as its author. */
function isStoredForm(value: unknown, values: readonly unknown[]): boolean {
  const shown = folded(value);
  const texts = values.flatMap((own) => (own === undefined ? [] : [folded(own), asciiOf(folded(own))]));
  const ascii = asciiOf(shown);
  if (texts.includes(shown) || (ascii.length >= KEPT.unmistakable && texts.includes(ascii))) return true;
  const isCut = (text: string): boolean => shown.length >= LEARNED.cut && text.startsWith(shown);
  const isWithin = (text: string): boolean => text.length >= LEARNED.cut && shown.includes(text);
  return texts.some((text) => isCut(text) || isWithin(text));
}

/** A write to a resource: the fields that it names, and its outcome. */
interface Write {
  readonly id: UpdateId;
  readonly text: string;
  readonly fields: ReadonlyMap<string, unknown>;
  /** `null` if it named nothing, or another resource: such a write has no effect on ours. */
  readonly effect: Effect | null;
  readonly shown: ShownFields;
}

/** The ledger of one run. */
export class WriteLedger {
  readonly #exchanges: Exchange[] = [];
  readonly #writes: Write[] = [];
  /** The last written name is a placeholder in the record, so the value that the target shows for it may be ours. */
  #isNameHidden = false;

  /** Learns from a recorded request, unless it restores in the last phase. */
  learn(exchange: Exchange): void {
    const { tag, request } = exchange;
    if (UPDATES.some((id) => tag.sequence === restoreName(id))) return;
    this.#exchanges.push(exchange);
    if (request.body === null) return;
    const { text, length } = request.body;
    const effect = writeEffect(exchange);
    // Another spelling of an id of the settings names the same resource if the target accepts it.
    const isElsewhere = tag.ids === 'well-formed' || (tag.ids === 'malformed' && effect !== 'sure');
    const shown = isElsewhere || !isAccepted(exchange) ? {} : shownIn(exchange);
    this.#add(tag.operation, text, isElsewhere || length <= LENGTH_OF_NOTHING ? null : effect, shown);
  }

  /** Adds a write that was announced but not recorded: it may have been carried out. */
  announce({ operation, body = '', ids }: Pick<AnnouncedWrite, 'operation' | 'body' | 'ids'>): void {
    this.#add(operation, body, ids === 'named' && body.length > LENGTH_OF_NOTHING ? 'possible' : null);
  }

  #add(id: ExchangeTag['operation'], text = '', effect: Write['effect'], shown: ShownFields = {}): void {
    if (isUpdate(id)) this.#writes.push({ id, text, fields: namedFields(id, text), effect, shown });
  }

  /** Notes that the last name written to the trunk is another trunk's, which no record holds. */
  hideName(): void {
    this.#isNameHidden = true;
  }

  /**
   * Whether there may be something to restore. Only a read shows what a rejected update changed, and nothing shows an
   * inbound credential.
   */
  isDue(id: UpdateId): boolean {
    return id === 'setInboundAuth' ? this.effect(id) !== 'none' : this.#of(id).some(({ effect }) => effect !== null);
  }

  /** The strongest effect of the updates that named the field; of all updates if no field is given. */
  effect(id: UpdateId, field = ''): Effect {
    const naming = this.#of(id).filter(({ fields }) => field === '' || fields.has(field));
    return EFFECTS.find((effect) => naming.some((write) => write.effect === effect)) ?? 'none';
  }

  /** Whether an answer showed the fields of the application: a read that is not documented, or the update `{}`. */
  applicationShownBy(by: 'GET' | 'PATCH'): boolean {
    return this.#exchanges.some((exchange) => {
      const { request } = exchange;
      const isEmpty = by === 'GET' || (request.body?.text === '{}' && exchange.tag.role !== 'restore');
      return (
        subjectOf(exchange) === 'updateVoiceApplication' && request.method === by && isEmpty && showsFields(exchange)
      );
    });
  }

  /**
   * Whether a value shown at the end is another editor's: not the value from before the run (`before`), not one that
   * this run wrote, and not in the first answer after its last update. (An edit between the two looks the same.)
   */
  isOthers(id: UpdateId, before: ShownFields, field: string, value: ShownFields[string]): boolean {
    // An update may clear a field that it does not name, which does not show another editor.
    if (value === null || value === '' || value === before[field] || this.#isOwn(id, field, value)) return false;
    if (field === 'name' && this.#isNameHidden && id === 'updateTrunk') return false;
    // A target may store a value in its own form, but an id only as it was given.
    return id === 'assignNumber' || this.#firstShown(id, field) !== value;
  }

  /**
   * Whether the answers to updates show the record that had the values `before`: one of them has to show what its
   * update wrote. From `{"id":"job-77","status":"queued","name":"job-1"}`, an application got the name of the job.
   */
  showsRecord(id: UpdateId, before: ShownFields): boolean {
    const told = this.#of(id).flatMap(({ fields, shown }) => {
      const telling = [...fields].filter(([name, sent]) => name in shown && sent !== before[name]);
      return telling.map(([name, sent]) => isStoredForm(shown[name], [sent]));
    });
    return told.length === 0 || told.includes(true);
  }

  #of(id: UpdateId): readonly Write[] {
    return this.#writes.filter((write) => write.id === id);
  }

  #isOwn(id: UpdateId, field: string, value: unknown): boolean {
    const naming = this.#of(id).filter(({ fields }) => fields.has(field));
    const known = naming.flatMap((write) => [write.fields.get(field), write.shown[field]]);
    if (isStoredForm(value, known)) return true;
    const shown = folded(value);
    const unreadable = this.#of(id).filter(({ fields }) => [...fields.values()].includes(undefined));
    return shown.length >= 3 && unreadable.some(({ text }) => folded(text).includes(shown));
  }

  #firstShown(id: UpdateId, field: string): ShownFields[string] | undefined {
    // A list may show a value in another form than a read of the record alone.
    const isRead = this.#exchanges.some(
      (exchange) => exchange.tag.operation === 'getTrunk' && field in settledIn(exchange),
    );
    const counting = this.#exchanges.filter(
      (exchange) => subjectOf(exchange) === id && (!isRead || exchange.tag.operation !== 'listTrunks'),
    );
    const since = counting.findLastIndex((sent) => sent.request.method !== 'GET' && writeEffect(sent) !== 'none');
    const showing = counting.slice(Math.max(0, since)).find((exchange) => field in settledIn(exchange));
    return showing === undefined ? undefined : settledIn(showing)[field];
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

/** The fields of a record that an answer shows. */
export const shownIn = ({ response }: Exchange): ShownFields => response?.learned?.fields ?? {};

/** Whether an answer shows any fields. */
export const showsFields = (exchange: Exchange): boolean => Object.keys(shownIn(exchange)).length > 0;

/** The fields as they are after the answer: a 202 may show them before the change. */
export const settledIn = (exchange: Exchange): ShownFields =>
  exchange.response?.status === 202 ? {} : shownIn(exchange);

/**
 * No documented operation reads a voice application. Fields that no update has named yet have, in the answer to an
 * update, the values from before the run.
 */
export function learnApplication(state: RunState, ledger: WriteLedger, exchange: Exchange): void {
  if (exchange.tag.ids !== 'named' || ledger.applicationShownBy('GET')) return;
  const { application = {} } = state.facts;
  const isFirst = ([name]: readonly [string, unknown]): boolean =>
    !(name in application) && ledger.effect('updateVoiceApplication', name) === 'none';
  const first = Object.entries(shownIn(exchange)).filter(isFirst);
  if (first.length > 0) state.note({ application: { ...application, ...Object.fromEntries(first) } });
}

/** The fields of the trunk that the interface writes; an update may clear any other one as well. */
const WRITABLE: readonly string[] = ['name', 'direction', 'status'];

/** A member of the trunk's own record, or an item of a list in it. */
const TRUNK_MEMBER = /^(?:\/(?:data|trunk|result|items?))*\/([^/]+)(?:\/-)?$/;

/** The names of the trunk's members that have a value; `null` if an exchange does not show all of them. */
function valuedIn({ tag, request, response }: Exchange): ReadonlySet<string> | null {
  const isRead =
    tag.operation === 'getTrunk' && tag.documented && tag.ids === 'named' && request.credential === 'valid';
  if (!isRead || !isSuccess(response?.status ?? null) || response?.body?.json !== 'valid') return null;
  const valued = response.body.members.filter(({ type }) => type !== 'null');
  return new Set(valued.flatMap(({ pointer }) => TRUNK_MEMBER.exec(pointer)?.[1] ?? []));
}

/**
 * A sentence about members of the trunk that had a value in its first read and none in its last, though no request of
 * the interface writes them; none if there are none.
 */
export function clearedSentences(exchanges: readonly Exchange[], trunk: string | undefined): readonly string[] {
  const reads = exchanges.flatMap((exchange) => {
    const valued = valuedIn(exchange);
    return valued === null ? [] : [{ seq: exchange.seq, valued }];
  });
  const [first, last] = [reads[0], reads.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isUpdate = ({ seq, tag }: Exchange): boolean =>
    tag.operation === 'updateTrunk' && tag.ids === 'named' && seq > first.seq && seq < last.seq;
  if (!exchanges.some(isUpdate)) return [];
  const names = [...first.valued].filter((name) => !last.valued.has(name) && !WRITABLE.includes(name)).sort();
  if (names.length === 0) return [];
  const [have, them] = names.length === 1 ? ['has no value', 'it'] : ['have no values', 'them'];
  return [`trunk ${trunk}: ${listed(names)} ${have} any more, and the interface has no request that writes ${them}`];
}

/**
 * Whether an update of the trunk changed other trunks as well: an update without a WHERE clause wrote 72 names to all
 * of them, and the restored name stayed on each.
 */
export const areOthersRenamed = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ response }) => response?.learned?.isNameOnAnother === true);

/** A sentence that names the other trunks which updates of ours renamed. */
export const renamedSentences = (exchanges: readonly Exchange[], trunk: string | undefined): readonly string[] =>
  areOthersRenamed(exchanges)
    ? [
        `trunk ${trunk}: a list showed the name that this run wrote to it on another trunk, too, and may show the restored one there`,
      ]
    : [];
