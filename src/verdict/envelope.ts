/** The error envelope, judged by its JSON Schema (sections 2 and 7). */

import { type SchemaError, schemaErrors, valueAt } from '../contract/validators.ts';
import type { JsonType, RecordedBody } from '../exchange/exchange.ts';
import type { Finding } from './opinion.ts';

type EnvelopeFault = Pick<Finding, 'expected' | 'actual'>;

function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  return ofType(Array.isArray(value) ? 'array' : typeof value);
}

const ofType = (type: unknown): string => `${/^[ao]/.test(String(type)) ? 'an' : 'a'} ${type}`;

/** One fault, and how it reads among several. */
function faultPhrase(error: SchemaError, body: unknown): EnvelopeFault & { readonly named: string } {
  const name = error.instancePath.slice(1).replaceAll('/', '.') || 'the body';
  if (error.keyword === 'required') {
    const missing = String(error.params['missingProperty']);
    const member = name === 'the body' ? missing : `${name}.${missing}`;
    return { expected: `the member ${member}`, actual: 'none', named: `no ${member}` };
  }
  const expected = error.keyword === 'const' ? String(error.params['allowedValue']) : ofType(error.params['type']);
  const actual = jsonKind(valueAt(body, error.instancePath));
  return { expected: `${name}: ${expected}`, actual, named: `${name}: ${actual}` };
}

/** A value of each type, since only the type of a member and the value of a boolean are judged. */
const VALUE_OF_TYPE: Readonly<Record<JsonType, unknown>> = {
  null: null,
  boolean: true,
  integer: 0,
  number: 0.5,
  string: '',
  array: [],
  object: {},
};

/** The envelope's own members, from the recorded list, whose types redaction does not change. */
function skeletonOf({ members }: RecordedBody): unknown {
  const at = (pointer: string): unknown => {
    const member = members.find((member) => member.pointer === pointer);
    if (member?.type !== 'object') return member && (member.value ?? VALUE_OF_TYPE[member.type]);
    const inside: Record<string, unknown> = {};
    for (const name of ENVELOPE_NAMES[pointer] ?? []) {
      const value = at(`${pointer}/${name}`);
      if (value !== undefined) inside[name] = value;
    }
    return inside;
  };
  return at('');
}

const ENVELOPE_NAMES: Readonly<Record<string, readonly string[]>> = {
  '': ['success', 'error'],
  '/error': ['code', 'message'],
};

/**
 * Everything that is wrong with the body as an error envelope, or `null`: a missing message beside a missing code is a
 * defect of its own. Bodies that are not JSON belong to another check.
 */
export function envelopeFault(body: RecordedBody): EnvelopeFault | null {
  if (body.json === 'invalid') return null;
  const skeleton = skeletonOf(body);
  const errors = schemaErrors('envelope', 'error-envelope', skeleton);
  // A value that is not a boolean is not also reported as not false.
  const faults = errors
    .filter(({ instancePath, keyword }) => instancePath !== '/success' || keyword === 'const')
    .map((error) => faultPhrase(error, skeleton));
  const actual = new Set(faults.map((fault) => fault.actual));
  if (actual.size === 0) return null;
  const expected = faults.map(({ expected }) => expected).join(', and ');
  return { expected, actual: actual.size === 1 ? [...actual].join() : faults.map(({ named }) => named).join(', and ') };
}
