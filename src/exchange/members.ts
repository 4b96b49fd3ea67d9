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

/** The JSON type of a parsed value; a number without a fraction is an integer, as JSON Schema has it. */
function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string';
  return 'object';
}

/** What the record holds of a value outside arrays. */
function shownOf(value: unknown, digest: MemberOptions['digest']): Pick<RecordedMember, 'value' | 'digest'> {
  if (typeof value === 'boolean') return { value };
  return typeof value === 'object' && value !== null ? {} : { digest: digest(JSON.stringify(value)) };
}

/**
 * At most 200 members of a parsed body, 32 levels deep, in the order of the document: the body itself first (pointer
 * `''`), array indices written `-`, each pair of pointer and type once.
 */
export function membersOf(body: unknown, options: MemberOptions): readonly RecordedMember[] {
  const members: RecordedMember[] = [];
  const segments = new Map<string, string>();
  const segmentOf = (name: string): string => {
    const segment = segments.get(name) ?? options.shownName(name).replaceAll('~', '~0').replaceAll('/', '~1');
    segments.set(name, segment);
    return segment;
  };
  const types = new Map<string, Set<JsonType>>();
  const visit = (pointer: string, depth: number, inArray: boolean, value: unknown): void => {
    const type = jsonTypeOf(value);
    const known = types.get(pointer) ?? new Set();
    types.set(pointer, known);
    if (!known.has(type)) members.push({ pointer, type, ...(inArray ? {} : shownOf(value, options.digest)) });
    known.add(type);
    if (depth === DEEPEST) return;
    if (Array.isArray(value)) {
      const items = `${pointer}/-`;
      // A list of one is a record in another shape.
      const isShared = inArray || value.length !== 1;
      // A list of a million numbers has one member: only what is new or can hold something new is looked at.
      for (const item of value) {
        if (members.length === MOST_MEMBERS) return;
        if (typeof item === 'object' || !types.get(items)?.has(jsonTypeOf(item)))
          visit(items, depth + 1, isShared, item);
      }
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (members.length === MOST_MEMBERS) return;
        visit(`${pointer}/${segmentOf(name)}`, depth + 1, inArray, member);
      }
    }
  };
  visit('', 0, false, body);
  return members;
}
