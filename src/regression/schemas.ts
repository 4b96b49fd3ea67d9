/** The files of the gate against their JSON Schemas. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import certificate from '../../schemas/certificate.schema.json' with { type: 'json' };
import expectations from '../../schemas/expectations.schema.json' with { type: 'json' };
import implementation from '../../schemas/implementation.schema.json' with { type: 'json' };
import results from '../../schemas/results.schema.json' with { type: 'json' };

/** Every schema of the gate, by what it describes. */
const SCHEMAS = {
  results,
  expectations,
  implementation,
  manifest: { $ref: `${certificate.$id}#/$defs/manifest` },
  statement: { $ref: `${certificate.$id}#/$defs/statement` },
  envelope: { $ref: `${certificate.$id}#/$defs/envelope` },
} as const;

/** What a file of the gate can be. */
export type Kind = keyof typeof SCHEMAS;

const compiled = new Map<Kind, ValidateFunction>();

function validatorOf(kind: Kind): ValidateFunction {
  const known = compiled.get(kind);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(certificate);
  ajv.addSchema(implementation);
  const own = SCHEMAS[kind];
  const validate = ('$id' in own ? ajv.getSchema(own.$id) : undefined) ?? ajv.compile(own);
  compiled.set(kind, validate);
  return validate;
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const extra = 'additionalProperty' in params ? ` (${JSON.stringify(params['additionalProperty'])})` : '';
  return `${instancePath === '' ? 'it' : instancePath} ${message ?? 'is wrong'}${extra}`;
}

/** What is wrong with a value, in a phrase, or `null`. */
export function schemaProblem(kind: Kind, value: unknown): string | null {
  const validate = validatorOf(kind);
  if (validate(value)) return null;
  const [first] = validate.errors ?? [];
  return first === undefined ? 'it is wrong' : sentenceOf(first);
}
