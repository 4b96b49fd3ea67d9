/** A second opinion on generated values: ajv, which shares no code with the generator. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../../src/contract/schemas.ts';
import type { Violation, ViolationKind } from '../../../src/generate/violations.ts';
import { NO_UUID_KINDS } from './due.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Where and why ajv rejects a value. */
export interface Rejection {
  readonly pointer: string;
  readonly keyword: string;
}

/** A validator for one schema that reports every rejection; none for a valid value. */
export function oracle(schema: JsonSchema): (value: unknown) => readonly Rejection[] {
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

/** Whether a pointer of the generator means this place of a value: `-` is any item, `*` any pair. */
function isMeant(place: string, pointer: string): boolean {
  const meant = pointer.split('/');
  const steps = place.split('/');
  return (
    steps.length === meant.length &&
    meant.every(
      (step, index) => step === '*' || step === steps[index] || (step === '-' && /^\d+$/.test(steps[index] ?? '')),
    )
  );
}

/** The keyword of JSON Schema that such a violation breaks. */
function keywordOf(kind: ViolationKind): string {
  if (kind === 'missing') return 'required';
  return NO_UUID_KINDS.includes(kind) ? 'format' : 'type';
}

/** What contradicts the claim that a value has that violation and no other; empty if it holds. */
export function misnamed(rejections: readonly Rejection[], { pointer, kind }: Violation): readonly Rejection[] {
  if (rejections.length === 0) return [{ pointer, keyword: 'none: the value is valid' }];
  const places = new Set(rejections.map((rejection) => rejection.pointer));
  const isNamed = (one: Rejection): boolean => one.keyword === keywordOf(kind) && isMeant(one.pointer, pointer);
  return rejections.some(isNamed) && places.size === 1 ? [] : rejections;
}

/** A value after serialization. */
export function serialized(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
