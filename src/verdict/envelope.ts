/** The error envelope, judged by its JSON Schema (sections 2 and 7). */

import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ERROR_ENVELOPE } from '../contract/schemas.ts';
import type { RecordedBody } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { Finding } from './opinion.ts';

// A test checks the schema itself; compiling the meta-schema would take a third of the start.
const ajv = new Ajv2020({ strict: false, validateFormats: false, meta: false, validateSchema: false, verbose: true });
const validate = ajv.compile(ERROR_ENVELOPE);

type EnvelopeFault = Pick<Finding, 'expected' | 'actual'>;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function faultPhrase(error: ErrorObject): EnvelopeFault {
  const name = error.instancePath.slice(1).replaceAll('/', '.') || 'the body';
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === 'required') {
    const missing = String(params['missingProperty']);
    return { expected: name === 'the body' ? missing : `${name}.${missing}`, actual: 'none' };
  }
  const expected =
    error.keyword === 'const' ? `${name}: ${String(params['allowedValue'])}` : `${name}: ${error.message}`;
  return {
    expected: expected.replace('must be', 'a value that is'),
    actual: kindOf(error.data),
  };
}

/**
 * The first thing wrong with the body as an error envelope, or `null`; `unreadable` where too little of it is kept to
 * tell. Bodies that are not JSON belong to another check.
 */
export function envelopeFault(body: RecordedBody): EnvelopeFault | 'unreadable' | null {
  if (body.json === 'invalid' || body.text === undefined) return null;
  const value = parsedJson(body.text);
  if (value === undefined) return 'unreadable';
  if (validate(value)) return null;
  const error = validate.errors?.[0];
  return error === undefined ? null : faultPhrase(error);
}
