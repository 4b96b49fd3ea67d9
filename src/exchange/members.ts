/** The members of a JSON value as pointers and types: what a body looks like without what it says. */

import type { JsonType, RecordedMember } from './exchange.ts';
import { isObject } from './json-text.ts';

/** How names are shown and scalars digested. */
export interface MemberOptions {
  /** A member's name as it may stand in the record. */
  readonly shownName: (name: string) => string;
  readonly digest: (json: string) => string;
}

const MOST_MEMBERS = 200;
const DEEPEST = 32;

/** One place of the body's shape; all items of an array share one, and what several hold is not told apart. */
interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly inArray: boolean;
  readonly types: Set<JsonType>;
  readonly children: Map<string, Place>;
}

/** The JSON type of a parsed value; a number without a fraction is an integer, as JSON Schema has it. */
function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string';
  return 'object';
}

function child(parent: Place, key: string, inArray: boolean): Place {
  const known = parent.children.get(key);
  if (known !== undefined) return known;
  const pointer = `${parent.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const place = { pointer, depth: parent.depth + 1, inArray, types: new Set<JsonType>(), children: new Map() };
  parent.children.set(key, place);
  return place;
}

function recorded(place: Place, type: JsonType, value: unknown, digest: MemberOptions['digest']): RecordedMember {
  const { pointer } = place;
  if (place.inArray || typeof value === 'boolean') {
    return typeof value === 'boolean' && !place.inArray ? { pointer, type, value } : { pointer, type };
  }
  return typeof value === 'object' && value !== null
    ? { pointer, type }
    : { pointer, type, digest: digest(JSON.stringify(value)) };
}

/**
 * At most 200 members of a parsed body, 32 levels deep, in the order of the document: the body itself first (pointer
 * `''`), array indices written `-`, each pair of pointer and type once.
 */
export function membersOf(body: unknown, options: MemberOptions): readonly RecordedMember[] {
  const members: RecordedMember[] = [];
  const shown = new Map<string, string>();
  const shownName = (name: string): string => {
    if (!shown.has(name)) shown.set(name, options.shownName(name));
    return shown.get(name) ?? name;
  };
  const visit = (place: Place, value: unknown): void => {
    const type = jsonTypeOf(value);
    if (!place.types.has(type)) members.push(recorded(place, type, value, options.digest));
    place.types.add(type);
    if (place.depth === DEEPEST) return;
    if (Array.isArray(value)) {
      // A list of one is a record in another shape.
      const items = child(place, '-', place.inArray || value.length !== 1);
      // A list of a million numbers has one member: only what is new or can hold something new is looked at.
      for (const item of value) {
        if (members.length === MOST_MEMBERS) return;
        if (typeof item === 'object' || !items.types.has(jsonTypeOf(item))) visit(items, item);
      }
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (members.length === MOST_MEMBERS) return;
        visit(child(place, shownName(name), place.inArray), member);
      }
    }
  };
  visit({ pointer: '', depth: 0, inArray: false, types: new Set(), children: new Map() }, body);
  return members;
}
