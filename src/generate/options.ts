/** What a caller decides about generated values: what is fixed, what is plain, which ids exist, what stays out. */

import type { JsonValue } from './json.ts';
import { isWithin, lastName } from './pointer.ts';

/** A table by pointer: `{ '/dtmf_mode': 'rfc2833', '/codecs/-': 'PCMU' }`. */
export type ByPointer<T> = Readonly<Record<string, T>>;

/** The caller's decisions; every table may be left out. */
export interface GenerateOptions {
  /** Members that hold precisely this value in every valid body, and none but its own forms in a broken one. */
  readonly fixed?: ByPointer<JsonValue>;
  /** The plain value of a place, used wherever nothing exotic is meant. */
  readonly plain?: ByPointer<JsonValue>;
  /** The UUIDs, exactly as they are to be sent, that may stand at a place; no others are ever made up. */
  readonly pool?: ByPointer<readonly string[]>;
  /** Optional members that stay out, with all below them. A required member cannot stay out. */
  readonly exclude?: readonly string[];
}

/** The entry of a table for one pointer, or `undefined`. */
export function entryAt<T>(table: ByPointer<T> | undefined, pointer: string): T | undefined {
  return table?.[pointer];
}

/** Whether the caller keeps a place out. */
export function isExcluded(pointer: string, options: GenerateOptions): boolean {
  return isWithin(pointer, options.exclude ?? []);
}

/** Whether the caller fixes the value at a place. */
export function isFixed(pointer: string, options: GenerateOptions): boolean {
  return entryAt(options.fixed, pointer) !== undefined;
}

/**
 * Whether a name may be used for a pair of a map: a fixed member's name may not, in any letter case, because a
 * careless reader of the bytes could take the pair for the member (a number that is dialled, say).
 */
export function isFreeName(name: string, options: GenerateOptions): boolean {
  return !Object.keys(options.fixed ?? {}).some((pointer) => lastName(pointer).toLowerCase() === name.toLowerCase());
}

/** A UUID in lower and in upper case, as a pool; one entry where it has no letters. */
export function bothCases(id: string): readonly string[] {
  return [...new Set([id.toLowerCase(), id.toUpperCase()])];
}
