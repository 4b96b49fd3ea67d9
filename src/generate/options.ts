/**
 * What a caller decides about generated values. Places are JSON Pointers (RFC 6901) in which `-` stands for any item of
 * an array and `*` for any value of a map: `/codecs/-`, `/variables/*`. The whole body is the empty pointer.
 */

import type { JsonValue } from './json.ts';

/** A table by pointer: `{ '/dtmf_mode': 'rfc2833', '/codecs/-': 'PCMU' }`. */
export type ByPointer<T> = Readonly<Record<string, T>>;

/** The caller's decisions. */
export interface GenerateOptions {
  /** Strings with exactly this value in every valid body; an invalid body has at most another form of it. */
  readonly fixed?: ByPointer<string>;
  /** The typical value of a place. */
  readonly typical?: ByPointer<JsonValue>;
  /** The UUIDs that may be sent at a place, exactly as written; no others are ever generated. */
  readonly pool?: ByPointer<readonly string[]>;
  /** Optional members to leave out, with everything below them. A required member cannot be left out. */
  readonly exclude?: readonly string[];
}

/** Whether the caller leaves a place out. */
export function isExcluded(pointer: string, { exclude = [] }: GenerateOptions): boolean {
  return exclude.some((excluded) => pointer === excluded || pointer.startsWith(`${excluded}/`));
}

/** Whether a valid body may lack a member. */
export function isOptional({ required, pointer }: { required: boolean; pointer: string }, options: GenerateOptions) {
  return !required && options.fixed?.[pointer] === undefined;
}

/**
 * Whether a map may use a name: it may not use the name of a fixed member, in any letter case, because a careless
 * reader could take the pair for the member (a number to dial, for example).
 */
export function isFreeName(name: string, { fixed = {} }: GenerateOptions): boolean {
  return !Object.keys(fixed).some((pointer) => pointer.toLowerCase() === `/${name.toLowerCase()}`);
}

/** A UUID in lower and in upper case, as a pool; one entry if it has no letters. */
export function bothCases(id: string): readonly string[] {
  return [...new Set([id.toLowerCase(), id.toUpperCase()])];
}
