/** The error envelope, judged by its JSON Schema (sections 2 and 7). */

import { type SchemaError, schemaErrors, valueAt } from '../contract/validators.ts';
import type { JsonType, RecordedBody } from '../exchange/exchange.ts';
import type { Finding } from './opinion.ts';

type EnvelopeFault = Pick<Finding, 'expected' | 'actual'>;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function faultPhrase(error: SchemaError, body: unknown): EnvelopeFault {
  const name = error.instancePath.slice(1).replaceAll('/', '.') || 'the body';
  if (error.keyword === 'required') {
    const missing = String(error.params['missingProperty']);
    return { expected: `the member ${name === 'the body' ? missing : `${name}.${missing}`}`, actual: 'none' };
  }
  const expected =
    error.keyword === 'const' ? `${name}: ${String(error.params['allowedValue'])}` : `${name}: ${error.message}`;
  return {
    expected: expected.replace('must be', 'a value that is'),
    actual: kindOf(valueAt(body, error.instancePath)),
  };
}

/** A value of each type, since only the type of a member and the value of a boolean are judged. */
const SHOWN: Readonly<Record<JsonType, unknown>> = {
  null: null,
  boolean: true,
  integer: 0,
  number: 0.5,
  string: '',
  array: [],
  object: {},
};

/** The members of the envelope alone, from the recorded list, whose types redaction does not change. */
function skeletonOf({ members }: RecordedBody): unknown {
  const at = (pointer: string): unknown => {
    const member = members.find((member) => member.pointer === pointer);
    if (member?.type !== 'object') return member && (member.value ?? SHOWN[member.type]);
    const inside: Record<string, unknown> = {};
    for (const name of NAMES[pointer] ?? []) {
      const value = at(`${pointer}/${name}`);
      if (value !== undefined) inside[name] = value;
    }
    return inside;
  };
  return at('');
}

const NAMES: Readonly<Record<string, readonly string[]>> = { '': ['success', 'error'], '/error': ['code', 'message'] };

/**
 * All that is wrong with the body as an error envelope, or `null`: a message that is lost behind a code that was missing before
 * is a defect of its own. Bodies that are not JSON belong to another check.
 */
export function envelopeFault(body: RecordedBody): EnvelopeFault | null {
  if (body.json === 'invalid') return null;
  const skeleton = skeletonOf(body);
  const faults = schemaErrors('envelope', 'error-envelope', skeleton).map((error) => faultPhrase(error, skeleton));
  if (faults.length === 0) return null;
  const actual = new Set(faults.map((fault) => fault.actual));
  return { expected: faults.map(({ expected }) => expected).join(' and '), actual: [...actual].join(' and ') };
}
