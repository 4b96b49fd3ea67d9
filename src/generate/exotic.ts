/** Systematic valid bodies out of the ordinary: several exotic values of one theme travel in one body. */

import {
  bodyOf,
  type Factor,
  factorsOf,
  type Labelled,
  labelOf,
  type Selection,
  type ValidFeature,
} from './factors.ts';
import { BODY_LIMIT, type JsonValue, objectOf, sizeOf } from './json.ts';
import { type GenerateOptions, isFixed } from './options.ts';
import { type Choice, plainOf } from './plain.ts';
import { itemPointer, valuePointer } from './pointer.ts';
import type { SchemaNode } from './schema.ts';
import { isMap, type Shape, shapeOf } from './shape.ts';

/** A body of exotic values, named by what they have in common. */
export interface ExoticGroup extends Labelled<readonly ValidFeature[]> {
  readonly theme: 'empty' | 'many' | 'long' | 'characters' | 'null-character';
}

/** Exotic values for one theme: of a string (the how-manieth of the body), of a map and of a list. */
interface Theme {
  readonly name: ExoticGroup['theme'];
  readonly text: (index: number) => Choice | undefined;
  readonly pairs: (plain: Fill) => Choice;
  readonly items: (plain: Fill) => Choice;
  /** Which of the two say nothing of the theme unless they hold strings. */
  readonly textual: readonly ('pairs' | 'items')[];
}

/** What a map or list holds: the given text where strings are due, otherwise the plain value. */
type Fill = (text: string) => JsonValue;

const LONG = 'x'.repeat(5000);
const SAMPLES = [
  { name: 'non-ASCII characters', value: 'Grüße aus 東京' },
  { name: 'astral characters', value: '😀 𝒳 𐍈' },
  { name: 'escapes', value: '"quoted" \\ / \b\f\n\r\t \u2028' },
] as const satisfies readonly Choice[];
const NAMES = ['', '__proto__', 'constructor', 'größe', '😀', 'a"b\\c'] as const;

const THEMES: readonly Theme[] = [
  {
    name: 'empty',
    text: () => ({ name: 'empty', value: '' }),
    pairs: () => ({ name: '{}', value: {} }),
    items: () => ({ name: '[]', value: [] }),
    textual: [],
  },
  {
    name: 'many',
    text: () => ({ name: '300 characters', value: 'x'.repeat(300) }),
    pairs: (fill) => ({ name: '40 pairs', value: objectOf(counted(40).map((n) => [`key${n}`, fill(`value ${n}`)])) }),
    items: (fill) => ({ name: '20 items', value: counted(20).map((n) => fill(`item ${n}`)) }),
    textual: [],
  },
  {
    name: 'long',
    text: () => ({ name: '5,000 characters', value: LONG }),
    pairs: (fill) => ({ name: '5,000 characters in a pair', value: { key: fill(LONG) } }),
    items: (fill) => ({ name: '5,000 characters in an item', value: [fill(LONG)] }),
    textual: ['pairs', 'items'],
  },
  {
    name: 'characters',
    text: (index) => SAMPLES[index % SAMPLES.length],
    pairs: (fill) => ({
      name: 'exotic names and values',
      value: objectOf(NAMES.map((name, index) => [name, fill(SAMPLES[index % SAMPLES.length]?.value ?? '')])),
    }),
    items: (fill) => ({ name: 'exotic items', value: SAMPLES.map(({ value }) => fill(value)) }),
    textual: ['items'],
  },
  {
    name: 'null-character',
    text: () => ({ name: 'U+0000', value: 'a\u0000b' }),
    pairs: (fill) => ({ name: 'U+0000 in a pair', value: { key: fill('a\u0000b') } }),
    items: (fill) => ({ name: 'U+0000 in an item', value: [fill('a\u0000b')] }),
    textual: ['pairs', 'items'],
  },
];

/**
 * Valid bodies of exotic values, at most one for each theme, each under 8 KiB. Every string, map and list that the
 * caller neither fixes nor keeps out takes part; all else is plain where required and absent otherwise.
 */
export function exoticGroups(schema: SchemaNode, options: GenerateOptions = {}): readonly ExoticGroup[] {
  const shape = shapeOf(schema);
  const factors = factorsOf(shape, options);
  return THEMES.flatMap((theme): ExoticGroup[] => {
    const exotic = fitting(shape, factors, exoticChoices(theme, factors, options), options);
    if (exotic.size === 0) return [];
    const features = [...exotic].map(([pointer, { name }]) => ({ pointer, choice: name }));
    const value = bodyOf(shape, withRequired(factors, exotic), options);
    return [{ theme: theme.name, value, features, label: labelOf(features) }];
  });
}

function exoticChoices(theme: Theme, factors: readonly Factor[], options: GenerateOptions): Selection {
  const choices = factors.flatMap((factor, index): [string, Choice][] => {
    const choice = isFixed(factor.pointer, options) ? undefined : exoticChoice(theme, factor, index, options);
    return choice === undefined ? [] : [[factor.pointer, choice]];
  });
  return new Map(choices);
}

function exoticChoice(theme: Theme, factor: Factor, index: number, options: GenerateOptions): Choice | undefined {
  const { shape, pointer } = factor;
  if (shape.kind === 'string') return shape.uuid ? undefined : theme.text(index);
  if (shape.kind === 'array') return filled(theme, 'items', shape.items, itemPointer(pointer), options);
  if (shape.kind === 'object' && isMap(shape)) {
    return filled(theme, 'pairs', shape.others, valuePointer(pointer), options);
  }
  return undefined;
}

/** A map or list of the theme, unless its values cannot be made or would say nothing of the theme. */
function filled(
  theme: Theme,
  part: 'pairs' | 'items',
  inner: Shape,
  pointer: string,
  options: GenerateOptions,
): Choice | undefined {
  const takesText = inner.kind === 'any' || (inner.kind === 'string' && !inner.uuid);
  if (takesText && !isFixed(pointer, options)) return theme[part]((text) => text);
  const plain = plainOf(inner, pointer, options);
  return plain === undefined || theme.textual.includes(part) ? undefined : theme[part](() => plain);
}

/** The exotic choices without the last ones, as far as the body would otherwise reach the limit. */
function fitting(shape: Shape, factors: readonly Factor[], exotic: Selection, options: GenerateOptions): Selection {
  const size = sizeOf(bodyOf(shape, withRequired(factors, exotic), options));
  if (size < BODY_LIMIT || exotic.size === 0) return exotic;
  return fitting(shape, factors, new Map([...exotic].slice(0, -1)), options);
}

function withRequired(factors: readonly Factor[], exotic: Selection): Selection {
  return new Map(
    factors.flatMap(({ pointer, optional, choices }): [string, Choice][] => {
      const choice = exotic.get(pointer) ?? (optional ? undefined : choices[0]);
      return choice === undefined ? [] : [[pointer, choice]];
    }),
  );
}

function counted(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
