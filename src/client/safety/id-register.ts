/** Which ids the suite may write to (conformance model, section 7): its own and made-up ones, never a found one. */

import type { ResourceKind } from '../../contract/operations.ts';
import { detached } from '../../exchange/stretches.ts';
import { decodings, isDotSegment, segmentsOf } from '../raw-path.ts';
import { digitRuns, isRandomUuid, readUuid, uuidsWithin } from '../uuid-forms.ts';

/** Ids remembered from answers; beyond that no made-up UUID is trusted any more. */
const MOST_SEEN = 500_000;
/** Values of members whose name ends in `id`, for targets whose ids are no UUIDs. */
const OTHER_ID = /"[^"\\]{0,64}id"\s*:\s*(?:"([^"\\]{1,200})"|([0-9]{1,20}))/gi;

/** Knows the ids of the settings, the calls of this run, and everything that looked like an id in an answer. */
export class IdRegister {
  #named: ReadonlyMap<ResourceKind, ReadonlySet<string>>;
  readonly #spelled = new Set<string>();
  #calls = new Set<string>();
  readonly #seen = new Set<string>();

  /** `named`: the ids of the settings by the kind of resource that they name. */
  constructor(named: ReadonlyMap<ResourceKind, readonly string[]>) {
    this.#named = new Map([...named].map(([kind, ids]) => [kind, new Set(ids.map(keyOf))]));
    for (const [kind, ids] of named) for (const id of ids) this.#spelled.add(spelling(kind, id));
  }

  /** Notes a call that this run placed. */
  addCall(id: string): void {
    if (id === '') return;
    this.#calls.add(keyOf(id));
    this.#spelled.add(spelling('call', id));
  }

  /** Whether a path segment is an id of the settings for that kind, or a call of this run; letter case is free. */
  names(kind: ResourceKind, segment: string): boolean {
    return this.#spelled.has(spelling(kind, decodings(segment)?.at(-1) ?? ''));
  }

  /** Collects the ids of an answer: what is found at the target is only read from then on. */
  sawInAnswer(text: string): void {
    for (const uuid of uuidsWithin(text)) this.#remember(uuid);
    for (const match of text.matchAll(OTHER_ID)) this.#remember(keyOf(match[1] ?? match[2] ?? ''));
  }

  #remember(key: string): void {
    // As a piece of the answer's text the key would keep all of that in memory.
    if (key !== '' && this.#seen.size < MOST_SEEN) this.#seen.add(detached(key));
  }

  /** The same register as if no answer had shown anything: what it allows was made up, whatever a target claims. */
  withoutSeen(): IdRegister {
    const own = new IdRegister(new Map());
    own.#named = this.#named;
    own.#calls = this.#calls;
    return own;
  }

  /** Whether a path segment, exactly as it is sent, may be written to as a resource of that kind. */
  allows(kind: ResourceKind, segment: string): boolean {
    const layers = decodings(segment);
    if (layers === null) return false;
    // Ours first: a call whose id holds an encoded slash must be hung up all the same.
    if (this.#isOurs(kind, keyOf(layers.at(-1) ?? ''))) return true;
    if (layers.some(leavesSegment)) return false;
    return layers.every((layer) => this.allowsValue(kind, layer));
  }

  /** Whether an id that is not part of a path, such as a member of a body, may be sent as a resource of that kind. */
  allowsValue(kind: ResourceKind, id: string): boolean {
    if (this.#isOurs(kind, keyOf(id))) return true;
    if (this.#isForeign(kind, keyOf(id)) || this.#mentionsForeign(kind, id)) return false;
    const uuid = readUuid(id);
    return uuid === null || (isRandomUuid(uuid) && this.#seen.size < MOST_SEEN);
  }

  #isOurs(kind: ResourceKind, key: string): boolean {
    return (this.#named.get(kind)?.has(key) ?? false) || (kind === 'call' && this.#calls.has(key));
  }

  #isForeign(kind: ResourceKind, key: string): boolean {
    if (this.#isOurs(kind, key)) return false;
    if (this.#seen.has(key) || this.#calls.has(key)) return true;
    return [...this.#named.values()].some((ids) => ids.has(key));
  }

  #mentionsForeign(kind: ResourceKind, text: string): boolean {
    for (const run of digitRuns(text)) if (this.#isForeign(kind, run)) return true;
    return false;
  }

  /** Whether a text that cannot be read as a body mentions nothing that may not be written to. */
  allowsUnread(kind: ResourceKind, text: string): boolean {
    return uuidsWithin(text).every((uuid) => this.allowsValue(kind, uuid)) && !this.#mentionsForeign(kind, text);
  }
}

/** One key for all spellings of a UUID; other ids are compared without regard to letter case. */
function keyOf(id: string): string {
  return readUuid(id) ?? id.trim().toLowerCase();
}

function spelling(kind: ResourceKind, id: string): string {
  return `${kind} ${id.trim().toLowerCase()}`;
}

function leavesSegment(text: string): boolean {
  return text === '' || segmentsOf(text).length > 1 || isDotSegment(text);
}
