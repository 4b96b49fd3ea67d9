/** JSON values as the generator builds them: plain data that serialization does not change. */

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;

/** A JSON array. */
export type JsonArray = readonly JsonValue[];

/** A JSON object; any text may be a name, `__proto__` included. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Whether a value is a JSON array. */
export function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** Whether a value is a JSON object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** The object without one member. */
export function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** The length in bytes of a value's JSON text in UTF-8. */
export function sizeOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}

/** The JSON text of the object with members set to values in the notation in which they are given: `1.0`, `1e400`. */
export function textWith(object: JsonObject, literals: Readonly<Record<string, string>>): string {
  const written = Object.fromEntries(Object.entries(object).map(([name, value]) => [name, JSON.stringify(value)]));
  const members = Object.entries({ ...written, ...literals });
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** The JSON text of empty arrays, one in the other, that many deep. */
export function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
