/**
 * The values that stand in wrong places. Each is the one that a coercing or careless reader would most likely take:
 * `"true"` for a boolean, `["plain"]` for a string.
 */

import type { Flaw, FlawKind } from './flaw.ts';
import { isArray, type JsonValue, valueType } from './json.ts';
import { type ByPointer, entryAt, type GenerateOptions, isFixed } from './options.ts';
import { plainOf } from './plain.ts';
import type { Shape } from './shape.ts';

/** Wrong values of a place by the way they are wrong; a listed kind replaces the usual values, `[]` leaves it out. */
export type WrongValues = Readonly<Partial<Record<FlawKind, readonly JsonValue[]>>>;

/** What a caller decides about broken values. `wrong` wins over everything else. */
export interface BreachOptions extends GenerateOptions {
  readonly wrong?: ByPointer<WrongValues>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_PAST_F = '5f0c2b9e-7d34-4a51-9c68-5e2b7a90d1cg';

/** The wrong values to try for a flaw, none where the caller leaves it out; throws where the caller's are not wrong. */
export function wrongValues(flaw: Flaw, options: BreachOptions): readonly JsonValue[] {
  const given = entryAt(options.wrong, flaw.pointer)?.[flaw.kind];
  if (given === undefined) return isFixed(flaw.pointer, options) ? ownForms(flaw, options) : usual(flaw, options);
  const mistaken = given.find((value) => !isSuch(value, flaw));
  if (mistaken === undefined) return given;
  throw new RangeError(`${flaw.pointer} takes no ${JSON.stringify(mistaken)} as a wrong value of kind ${flaw.kind}`);
}

/** Whether a value is wrong in the way the flaw says. */
export function isSuch(value: JsonValue, { kind, shape }: Flaw): boolean {
  switch (kind) {
    case 'missing':
    case 'undeclared':
      return true;
    case 'word':
    case 'past-f':
      return typeof value === 'string' && !UUID.test(value);
    case 'other-constant':
      return shape.kind === 'constant' && JSON.stringify(shape.value) !== JSON.stringify(value);
    case 'integer':
      return typeof value === 'number';
    default:
      return valueType(value) === kind;
  }
}

/**
 * A UUID with one of its digits replaced by a letter past f, the length kept; without one, a UUID of nobody's.
 * The position counts digits from the end, the dashes apart.
 */
export function pastF(id: string | undefined, letter = 'g', fromEnd = 0): string {
  if (id === undefined || !UUID.test(id)) return UUID_PAST_F;
  const digits = [...id].flatMap((character, index) => (character === '-' ? [] : [index]));
  const at = digits.at(-1 - (fromEnd % digits.length)) ?? 0;
  return id.slice(0, at) + letter + id.slice(at + 1);
}

function usual({ kind, shape, pointer }: Flaw, options: BreachOptions): readonly JsonValue[] {
  const plain = plainOf(shape, pointer, options);
  switch (kind) {
    case 'missing':
    case 'null':
      return [null];
    case 'string':
      return [isScalar(plain) ? String(plain) : 'plain'];
    case 'integer':
      return [typeof plain === 'boolean' ? Number(plain) : 15];
    case 'fraction':
      return [1.5];
    case 'boolean':
      return [true];
    case 'array':
      return [isScalar(plain) ? [plain] : []];
    case 'object':
      return [{}];
    case 'word':
      return ['plain-word'];
    case 'past-f':
      return [pastF(entryAt(options.pool, pointer)?.[0])];
    case 'other-constant':
      return [otherThan(shape)];
    case 'undeclared':
      return ['plain'];
  }
}

/** A fixed value goes out in its own forms only, so that no reader can make another value of it. */
function ownForms(flaw: Flaw, options: BreachOptions): readonly JsonValue[] {
  const fixed = entryAt(options.fixed, flaw.pointer) ?? null;
  switch (flaw.kind) {
    case 'integer':
      return digitsOf(fixed);
    case 'past-f':
      return [pastF(String(fixed))];
    case 'string':
      return isScalar(fixed) ? [String(fixed)] : [];
    case 'array':
      return [[fixed]];
    case 'fraction':
    case 'other-constant':
      return [];
    default:
      return usual(flaw, options);
  }
}

/** The digits of a string as a number; none where a number cannot hold them as they are. */
function digitsOf(value: JsonValue): readonly number[] {
  const digits = typeof value === 'string' ? value.replaceAll(/\D/g, '') : '';
  const number = Number(digits);
  return digits !== '' && Number.isSafeInteger(number) && String(number) === digits ? [number] : [];
}

function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function otherThan(shape: Shape): JsonValue {
  const value = shape.kind === 'constant' ? shape.value : null;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}x`;
  return isArray(value) ? [...value, null] : { ...value, extra: null };
}
