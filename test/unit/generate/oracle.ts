/** The second opinion on generated values: ajv, which shares no code with the generator. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaNode } from '../../../src/generate/schema.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Where and why ajv refuses a value; an accepted one has no refusals. */
export interface Refusal {
  readonly pointer: string;
  readonly keyword: string;
}

/** A judge for one schema that reports every refusal. */
export function oracle(schema: SchemaNode): (value: unknown) => readonly Refusal[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, ownProperties: true });
  ajv.addFormat('uuid', UUID);
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, keyword, params }) => {
      const name: unknown = params['missingProperty'] ?? params['additionalProperty'];
      return { pointer: typeof name === 'string' ? `${instancePath}/${escaped(name)}` : instancePath, keyword };
    });
  };
}

/** Whether a place in a value is one that a pointer of the generator means: `-` is any item, `*` any pair. */
export function isMeant(place: string, pointer: string): boolean {
  const meant = pointer.split('/');
  const steps = place.split('/');
  return (
    steps.length === meant.length &&
    meant.every(
      (step, index) => step === '*' || step === steps[index] || (step === '-' && /^\d+$/.test(steps[index] ?? '')),
    )
  );
}

/** What is wrong with the claim that a value is broken there, by that keyword, and nowhere else; empty if it holds. */
export function misnamed(refusals: readonly Refusal[], pointer: string, keyword: string): readonly Refusal[] {
  if (refusals.length === 0) return [{ pointer, keyword: 'none: the value is valid' }];
  const places = new Set(refusals.map((refusal) => refusal.pointer));
  const named = refusals.some((refusal) => refusal.keyword === keyword && isMeant(refusal.pointer, pointer));
  return named && places.size === 1 ? [] : refusals;
}

/** A value after it went over the wire. */
export function serialized(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
