/** Boundary values: valid by the schema, but long, many, empty, in unusual characters, or at the limits of integers. */

import type { JsonSchema } from '../contract/schemas.ts';
import { BODY_LIMIT, type JsonObject, objectOf, sizeOf } from './json.ts';
import { placesOf, putAt } from './mutations.ts';
import { type GenerateOptions, isExcluded, isFixed } from './options.ts';
import { bodyOf, type Choice, type Factor, factorsOf, type LabelledBody, type Selection } from './typical.ts';

/** A body whose boundary values share a theme. */
export interface BoundaryGroup extends LabelledBody {
  readonly theme: 'empty' | 'many' | 'long' | 'characters' | 'null-character';
}

/** The boundary values of one theme: of the n-th member if that is a string, of a map and of an array of strings. */
interface Theme {
  readonly name: BoundaryGroup['theme'];
  readonly text: (index: number) => Choice | undefined;
  readonly map: Choice;
  readonly array: Choice;
}

const LONG = 'x'.repeat(5000);
const SAMPLES = [
  { name: 'non-ASCII characters', value: 'Grüße aus 東京' },
  { name: 'astral characters', value: '😀 𝒳 𐍈' },
  { name: 'escapes', value: '"quoted" \\ / \b\f\n\r\t \u2028' },
] as const satisfies readonly Choice[];
const NAMES = ['', '__proto__', 'constructor', 'größe', '😀', 'a"b\\c'] as const;

const sample = (index: number): Choice => SAMPLES[index % SAMPLES.length] ?? SAMPLES[0];
const counted = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

// Choice names are part of the ids of variations.
const THEMES: readonly Theme[] = [
  {
    name: 'empty',
    text: () => ({ name: 'empty', value: '' }),
    map: { name: '{}', value: {} },
    array: { name: '[]', value: [] },
  },
  {
    name: 'many',
    text: () => ({ name: '300 characters', value: 'x'.repeat(300) }),
    map: { name: '40 pairs', value: objectOf(counted(40).map((n) => [`key${n}`, `value ${n}`])) },
    array: { name: '20 items', value: counted(20).map((n) => `item ${n}`) },
  },
  {
    name: 'long',
    text: () => ({ name: '5,000 characters', value: LONG }),
    map: { name: '5,000 characters in a pair', value: { key: LONG, ['n'.repeat(129)]: 'plain' } },
    array: { name: '5,000 characters in an item', value: [LONG] },
  },
  {
    name: 'characters',
    text: sample,
    map: { name: 'exotic names and values', value: objectOf(NAMES.map((name, index) => [name, sample(index).value])) },
    array: { name: 'exotic items', value: SAMPLES.map(({ value }) => value) },
  },
  {
    name: 'null-character',
    text: () => ({ name: 'U+0000', value: 'a\u0000b' }),
    map: { name: 'U+0000 in a pair', value: { key: 'a\u0000b' } },
    array: { name: 'U+0000 in an item', value: ['a\u0000b'] },
  },
];

/**
 * Valid bodies of boundary values, at most one for each theme, each under 8 KiB. Every string, and every map and array
 * of strings, takes part unless the caller fixes or excludes it; required members are otherwise typical, optional ones
 * absent.
 */
export function boundaryGroups(schema: JsonSchema, options: GenerateOptions = {}): readonly BoundaryGroup[] {
  const factors = factorsOf(schema, options);
  return THEMES.flatMap((theme) => {
    const choices = factors.flatMap((factor, index): [string, Choice][] => {
      const choice = choiceOf(theme, factor, index, options);
      return choice === undefined ? [] : [[factor.member.pointer, choice]];
    });
    const body = fitting(factors, choices);
    return body === null ? [] : [{ theme: theme.name, ...body }];
  });
}

function choiceOf(theme: Theme, { member }: Factor, index: number, options: GenerateOptions): Choice | undefined {
  const { shape, pointer } = member;
  if (isFixed(pointer, options)) return undefined;
  if (shape.kind === 'string') return theme.text(index);
  return 'inner' in shape && shape.inner.kind === 'string' ? theme[shape.kind] : undefined;
}

/** The body with as many of the boundary values, from the first, as fit into the limit; null without any. */
function fitting(factors: readonly Factor[], choices: readonly [string, Choice][]): LabelledBody | null {
  if (choices.length === 0) return null;
  const features = choices.map(([pointer, { name }]) => ({ pointer, choice: name }));
  const body = bodyOf(factors, withRequired(factors, new Map(choices)), features);
  return sizeOf(body.value) < BODY_LIMIT ? body : fitting(factors, choices.slice(0, -1));
}

function withRequired(factors: readonly Factor[], boundary: Selection): Selection {
  const required = factors.flatMap(({ member, optional, choices: [first] }): [string, Choice][] =>
    optional || first === undefined ? [] : [[member.pointer, first]],
  );
  return new Map([...required, ...boundary]);
}

/** One integer to observe, in the notation in which it is sent. */
export interface IntegerEdge {
  readonly pointer: string;
  /** The number as it is written: `1.0`, for example. */
  readonly literal: string;
  /** The edge in words: `/ring_timeout_seconds is 1e308`. */
  readonly label: string;
  /** The JSON text of the valid body with this number in place. */
  readonly textOf: (valid: JsonObject) => string;
}

const LITERALS = [
  ...['0', '-1', '2147483647', '2147483648', '-2147483649', '9007199254740993', '9223372036854775808'],
  ...['18446744073709551616', '1e308', '1e400', '1.0'],
] as const;

/** Marks the place of a number whose notation `JSON.stringify` would not keep; no body contains this text. */
const MARK = '\u0001here\u0001';

/** The limits of what implementations store, for every integer of a schema; each is valid by the schema. */
export function integerEdges(schema: JsonSchema, options: GenerateOptions = {}): readonly IntegerEdge[] {
  return placesOf(schema).flatMap((place) => {
    const { pointer, due } = place;
    if (due.kind !== 'integer' || isFixed(pointer, options) || isExcluded(pointer, options)) return [];
    return LITERALS.map((literal) => ({
      pointer,
      literal,
      label: `${pointer} is ${literal}`,
      textOf: (valid) => JSON.stringify(putAt(place, valid, MARK)).replace(JSON.stringify(MARK), literal),
    }));
  });
}
