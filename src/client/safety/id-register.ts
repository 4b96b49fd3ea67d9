/** Which ids the suite may write to (conformance model, section 7): its own and made-up ids, never ids found there. */

import { LEARNED } from '../../contract/limits.ts';
import type { ResourceKind } from '../../contract/operations.ts';
import { decodings, segmentsOf } from '../../contract/path-text.ts';
import { readUuid } from '../../contract/uuid.ts';
import type { Learned } from '../../exchange/exchange.ts';
import { detached } from '../../exchange/json-text.ts';
import type { WireRequest } from '../../exchange/message.ts';
import type { KnownIds } from './create-outcome.ts';

/** Values of members whose name ends in `id`, for targets whose ids are not UUIDs. */
const OTHER_ID = /"[^"\\]{0,64}id"\s*:\s*(?:"([^"\\]{1,200})"|([0-9]{1,20}))/gi;

/** Knows the ids of the settings, the calls of this run, and everything that looked like an id in an answer. */
export class IdRegister {
  /** Each of our ids with its kind. */
  #ours = new Set<string>();
  #ofAnyKind = new Set<string>();
  readonly #spelled = new Set<string>();
  /** The runs of digits within our own ids: an answer that shows `CA` and 32 digits does not show another UUID. */
  readonly #within = new Set<string>();
  readonly #seen = new Set<string>();
  /** Goes through those in the order in which they were first seen, behind the ones that were forgotten. */
  readonly #oldest = this.#seen.values();
  /** Calls that this run placed. */
  readonly #placed = new Set<string>();
  /** The connections to which a list showed the configured number assigned: it may be assigned back to each of them. */
  readonly #assigned = new Set<string>();

  /** `named`: the ids of the settings by kind of resource. */
  constructor(named: ReadonlyMap<ResourceKind, readonly string[]>) {
    for (const [kind, ids] of named) for (const id of ids) this.#add(kind, id);
  }

  /** Adds a call that this run placed. */
  addCall(id: string): void {
    if (id === '') return;
    this.#add('call', id);
    this.#placed.add(idKey(id));
  }

  /** Records what an answer taught: calls of this run, assignments of the number, and a trunk that is only read. */
  learn({ callIds = [], assignment, trunk }: Learned): void {
    if (trunk !== undefined) this.#spelled.add(spelling('trunk', trunk));
    for (const id of callIds) this.addCall(id);
    if (typeof assignment === 'string' && this.#assigned.size < LEARNED.handful) this.#assigned.add(idKey(assignment));
  }

  /** A connection that is not ours: it is never written to, but the configured number may be assigned to it. */
  addConnectionOfOthers(id: string): void {
    this.#remember(idKey(id));
    this.#assigned.add(idKey(id));
  }

  #add(kind: ResourceKind, id: string): void {
    const key = idKey(id);
    this.#ours.add(`${kind} ${key}`);
    this.#ofAnyKind.add(key);
    this.#spelled.add(spelling(kind, id));
    for (const run of digitRuns(id)) this.#within.add(`${kind} ${run}`);
  }

  /** Whether a path segment is an id of the settings for that kind, or a call of this run, in any letter case. */
  names(kind: ResourceKind, segment: string): boolean {
    return decodings(segment)?.some((layer) => this.#spelled.has(spelling(kind, layer))) === true;
  }

  /** Collects the ids of an answer, which are only read from then on. */
  sawInAnswer(text: string): void {
    for (const uuid of uuidsWithin(text)) this.#remember(uuid);
    for (const [, id, digits = ''] of text.matchAll(OTHER_ID)) this.#remember(idKey(id ?? digits));
  }

  #remember(key: string): void {
    // As a slice of the answer's text, the key would keep the whole text in memory.
    if (key !== '' && !this.#seen.has(key)) this.#seen.add(detached(key));
    if (this.#seen.size <= LEARNED.ids) return;
    const { value: oldest = '' } = this.#oldest.next();
    this.#seen.delete(oldest);
    if (this.#assigned.has(oldest)) this.#seen.add(oldest);
  }

  /**
   * What is known of an id before the answer to this create call. Resources of different kinds may have the same
   * number, so ids that are not UUIDs are compared with those of calls only.
   */
  knownBefore(id: string, { headers, body }: Pick<WireRequest, 'headers' | 'body'>): ReturnType<KnownIds> {
    const [key, text] = [idKey(id), JSON.stringify(id)];
    if (this.#placed.has(key)) return 'again';
    const isSent = JSON.stringify(headers).includes(text) || Buffer.from(body ?? []).includes(text);
    const isShown = readUuid(id) !== null && this.#hasForeign('call', [key]);
    return isSent || isShown || this.#isOurs('call', key) ? 'seen' : 'new';
  }

  /** A copy without the ids seen in answers: it allows every made-up id, even if the target claims it. */
  withoutSeen(): IdRegister {
    const copy = new IdRegister(new Map());
    // It keeps the calls of this run, although an answer named them.
    copy.#ours = new Set(this.#ours);
    copy.#ofAnyKind = new Set([...this.#ofAnyKind].filter((key) => !this.#placed.has(key)));
    return copy;
  }

  /** Whether a path segment, exactly as it is sent, is an id of the settings for that kind, or a call of this run. */
  owns(kind: ResourceKind, segment: string): boolean {
    return decodings(segment)?.some((layer) => this.#isOurs(kind, idKey(layer))) === true;
  }

  /** Whether a path segment, exactly as it is sent, may be written to as a resource of that kind. */
  allows(kind: ResourceKind, segment: string): boolean {
    const layers = decodings(segment);
    if (layers === null) return false;
    // Our ids first: a call whose id contains a slash, or a literal `%2F`, must be hung up all the same.
    if (this.owns(kind, segment)) return true;
    return layers.every((layer) => layer !== '' && segmentsOf(layer).length === 1 && this.allowsValue(kind, layer));
  }

  /** Whether an id outside the path, such as a member of a body, may be sent as a resource of that kind. */
  allowsValue(kind: ResourceKind, id: string): boolean {
    const key = idKey(id);
    if (this.#isOurs(kind, key)) return true;
    const runs = [...digitRuns(id)].filter((run) => !this.#within.has(`${kind} ${run}`));
    if (this.#hasForeign(kind, [key, ...runs])) return false;
    const uuid = readUuid(id);
    return uuid === null || RANDOM_UUID.test(uuid);
  }

  /** Whether the configured number may be assigned to a connection: ours, a made-up one, or one that it had. */
  allowsAssignment(id: string): boolean {
    return this.#assigned.has(idKey(id)) || this.allowsValue('carrierConnection', id);
  }

  /** Whether a text that cannot be parsed mentions only ids that may be written to. */
  allowsUnread(kind: ResourceKind, text: string): boolean {
    return uuidsWithin(text).every((uuid) => this.allowsValue(kind, uuid)) && !this.#hasForeign(kind, digitRuns(text));
  }

  #isOurs(kind: ResourceKind, key: string): boolean {
    return this.#ours.has(`${kind} ${key}`);
  }

  #hasForeign(kind: ResourceKind, keys: Iterable<string>): boolean {
    for (const key of keys)
      if ((this.#seen.has(key) || this.#ofAnyKind.has(key)) && !this.#isOurs(kind, key)) return true;
    return false;
  }
}

/** One key for all spellings of a UUID; other ids are compared in lower case. */
const idKey = (id: string): string => readUuid(id) ?? id.trim().toLowerCase();

const spelling = (kind: ResourceKind, id: string): string => `${kind} ${id.trim().toLowerCase()}`;

/** The digits of a random UUID, version 4. */
const RANDOM_UUID = /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/** The digits of every UUID in a text, dashed or not. */
export function uuidsWithin(text: string): readonly string[] {
  const plain = text.replace(/\\u00([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const found = plain.toLowerCase().match(/[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g) ?? [];
  return found.map((uuid) => uuid.replaceAll('-', ''));
}

/** Every run of 32 hexadecimal digits of a text after all other characters are removed. */
function* digitRuns(text: string): Generator<string> {
  const digits = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '');
  for (let at = 0; at + 32 <= digits.length; at += 1) yield digits.slice(at, at + 32);
}
