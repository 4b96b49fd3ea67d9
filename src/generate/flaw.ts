/** Every way in which a value of some shape can be wrong in exactly one place; which wrong value stands there is open. */

import { edit } from './edit.ts';
import { type JsonValue, valueType } from './json.ts';
import { pointerOf, type Step } from './pointer.ts';
import type { Shape } from './shape.ts';

/**
 * How a value is wrong: it is missing, it has another JSON type (an integer for a string, a fraction for an integer),
 * it is a string but no UUID (a plain word, or of full length with a letter past f), it is not the constant, or its
 * name is one that the object does not allow.
 */
export const FLAW_KINDS = [
  'missing',
  'null',
  'string',
  'integer',
  'fraction',
  'boolean',
  'array',
  'object',
  'word',
  'past-f',
  'other-constant',
  'undeclared',
] as const;

/** One way of being wrong. */
export type FlawKind = (typeof FLAW_KINDS)[number];

/** The keyword of JSON Schema that a flaw offends. */
export type FlawKeyword = 'required' | 'type' | 'format' | 'const' | 'additionalProperties';

/** One place and one way to be wrong there. */
export interface Flaw {
  readonly pointer: string;
  readonly kind: FlawKind;
  readonly keyword: FlawKeyword;
  /** Set where a lawful target may read null as absent or empty: optional members, values of maps, items of arrays. */
  readonly leniency?: 'null';
  /** What is due at the place. */
  readonly shape: Shape;
  /** The valid body with the wrong value in that place (which `missing` takes no notice of), or `undefined` where the body has no such place. */
  readonly put: (valid: JsonValue, wrong: JsonValue) => JsonValue | undefined;
}

/** One place that a value can have: how to get there, and what is due. */
export interface Place {
  readonly steps: readonly Step[];
  readonly shape: Shape;
  /** Whether the place is the body itself, a required member, or something that may also not be there. */
  readonly standing: 'body' | 'required' | 'optional';
}

/** All flaws of a shape, place by place in the order of the schema, the body itself first. */
export function flawsOf(root: Shape): readonly Flaw[] {
  return placesOf(root).flatMap((place) => kindsAt(place).map((kind) => flawAt(root, place, kind)));
}

function flawAt(root: Shape, { steps: own, shape, standing }: Place, kind: FlawKind): Flaw {
  const steps: readonly Step[] = kind === 'undeclared' ? [...own, { to: 'value' }] : own;
  return {
    pointer: pointerOf(steps),
    kind,
    keyword: keywordOf(kind, shape),
    ...(kind === 'null' && standing === 'optional' && { leniency: 'null' }),
    shape,
    put: (valid, value) => edit(valid, root, steps, kind === 'missing' ? { to: 'remove' } : { to: 'put', value }),
  };
}

/** All places of a shape, the body itself first, then in the order of the schema. */
export function placesOf(root: Shape): readonly Place[] {
  return placesFrom({ steps: [], shape: root, standing: 'body' });
}

function placesFrom(place: Place): readonly Place[] {
  const { shape, steps } = place;
  const below = (step: Step, inner: Shape, required: boolean): readonly Place[] =>
    placesFrom({ steps: [...steps, step], shape: inner, standing: required ? 'required' : 'optional' });
  if (shape.kind === 'array') return [place, ...below({ to: 'item' }, shape.items, false)];
  if (shape.kind !== 'object') return [place];
  const members = shape.members.flatMap(({ name, shape: inner, required }) =>
    below({ to: 'member', name }, inner, required),
  );
  const others = shape.others === null ? [] : below({ to: 'value' }, shape.others, false);
  return [place, ...members, ...others];
}

function kindsAt({ shape, standing }: Place): readonly FlawKind[] {
  return FLAW_KINDS.filter((kind) => {
    if (kind === 'missing') return standing === 'required';
    return isWrong(kind, shape);
  });
}

function isWrong(kind: Exclude<FlawKind, 'missing'>, shape: Shape): boolean {
  switch (kind) {
    case 'null':
      return !shape.nullable && !(shape.kind === 'constant' && shape.value === null);
    case 'word':
    case 'past-f':
      return shape.kind === 'string' && shape.uuid;
    case 'other-constant':
      return shape.kind === 'constant' && shape.value !== null;
    case 'undeclared':
      return shape.kind === 'object' && shape.others === null;
    case 'fraction':
      return shape.kind === 'integer';
    default:
      return shape.kind !== 'any' && kind !== typeDue(shape);
  }
}

function typeDue(shape: Exclude<Shape, { kind: 'any' }>): string {
  const due = shape.kind === 'constant' ? valueType(shape.value) : shape.kind;
  return due === 'number' || due === 'fraction' ? 'integer' : due;
}

function keywordOf(kind: FlawKind, shape: Shape): FlawKeyword {
  if (kind === 'missing') return 'required';
  if (kind === 'undeclared') return 'additionalProperties';
  if (shape.kind === 'constant') return 'const';
  return kind === 'word' || kind === 'past-f' ? 'format' : 'type';
}
