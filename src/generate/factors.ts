/** What can vary in a valid body: each member with its choices, and how a body is built once they are made. */

import { type JsonObject, type JsonValue, objectOf } from './json.ts';
import { type GenerateOptions, isExcluded, isFixed } from './options.ts';
import { type Choice, choicesOf, noPool } from './plain.ts';
import { memberPointer } from './pointer.ts';
import type { Member, ObjectShape, Shape } from './shape.ts';

/** One thing that a valid body does: `/privacy: true`, `/trunk_id: absent`. */
export interface ValidFeature {
  readonly pointer: string;
  readonly choice: string;
}

/** A generated body with what is particular about it; `label` says the same in one line. */
export interface Labelled<Features> {
  readonly value: JsonValue;
  readonly features: Features;
  readonly label: string;
}

/** A member that can vary; an optional one may also be absent. */
export interface Factor {
  readonly pointer: string;
  readonly shape: Shape;
  readonly optional: boolean;
  readonly choices: readonly Choice[];
}

/** What is chosen for each factor; a factor that is not in the map is absent. */
export type Selection = ReadonlyMap<string, Choice>;

/** Everything that can vary in a body of this shape, in the order of the schema. */
export function factorsOf(shape: Shape, options: GenerateOptions, pointer = ''): readonly Factor[] {
  if (shape.kind !== 'object' || shape.members.length === 0) {
    return pointer === '' ? [{ pointer, shape, optional: false, choices: choicesOf(shape, pointer, options) }] : [];
  }
  return shape.members.flatMap((member) => memberFactors(member, memberPointer(pointer, member.name), options));
}

function memberFactors(member: Member, pointer: string, options: GenerateOptions): readonly Factor[] {
  if (isOpened(member, pointer, options)) return factorsOf(member.shape, options, pointer);
  const optional = !member.required && !isFixed(pointer, options);
  if (optional && isExcluded(pointer, options)) return [];
  const choices = choicesOf(member.shape, pointer, options);
  if (choices.length === 0 && optional) return [];
  if (choices.length === 0) throw noPool(pointer);
  return [{ pointer, shape: member.shape, optional, choices }];
}

/** A required object varies member by member; any other member varies as a whole. */
function isOpened(
  member: Member,
  pointer: string,
  options: GenerateOptions,
): member is Member & { shape: ObjectShape } {
  const { shape } = member;
  const whole = shape.kind !== 'object' || shape.members.length === 0 || shape.nullable;
  return member.required && !whole && !isFixed(pointer, options);
}

/** The features of a selection: one for each factor that leaves a choice. */
export function featuresOf(factors: readonly Factor[], selection: Selection): readonly ValidFeature[] {
  return factors
    .filter((factor) => factor.optional || factor.choices.length > 1)
    .map(({ pointer }) => ({ pointer, choice: selection.get(pointer)?.name ?? 'absent' }));
}

/** The body that a selection describes. */
export function bodyOf(shape: Shape, selection: Selection, options: GenerateOptions): JsonValue {
  return build(shape, '', selection, options);
}

/** Features in one line, in the order given. */
export function labelOf(features: readonly ValidFeature[]): string {
  return features.map(({ pointer, choice }) => `${pointer === '' ? 'the body' : pointer}: ${choice}`).join(', ');
}

function build(shape: Shape, pointer: string, selection: Selection, options: GenerateOptions): JsonValue {
  const whole = selection.get(pointer);
  if (whole !== undefined || shape.kind !== 'object') return whole?.value ?? null;
  return buildMembers(shape, pointer, selection, options);
}

function buildMembers(shape: ObjectShape, pointer: string, selection: Selection, options: GenerateOptions): JsonObject {
  return objectOf(
    shape.members.flatMap((member): [string, JsonValue][] => {
      const at = memberPointer(pointer, member.name);
      const there = selection.has(at) || isOpened(member, at, options);
      return there ? [[member.name, build(member.shape, at, selection, options)]] : [];
    }),
  );
}
