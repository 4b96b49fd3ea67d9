/** Schemas to test the generator on: ours, and small made-up ones with what ours lack. */

import { BODY_SCHEMAS, type JsonSchema } from '../../../src/contract/schemas.ts';
import type { JsonObject } from '../../../src/generate/json.ts';
import { bothCases, type GenerateOptions } from '../../../src/generate/options.ts';

/** A schema with options and one valid body. */
export interface Subject {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly options: GenerateOptions;
  readonly base: JsonObject;
}

/** A made-up application. */
export const APPLICATION = '1a0c2b9e-7d34-4a51-9c68-5e2a10f3b7c4';

/** A made-up trunk. */
export const TRUNK = 'c0ffee00-1234-4abc-8def-0123456789ab';

/** The options for create call: numbers fixed, ids from pools. */
export const CALL_OPTIONS = {
  fixed: { '/from': '+15550100', '/to': '+15550101' },
  typical: { '/dtmf_mode': 'rfc2833', '/codecs/-': 'PCMU' },
  pool: { '/application_id': bothCases(APPLICATION), '/trunk_id': bothCases(TRUNK) },
} as const satisfies GenerateOptions;

const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };

const ours = (name: keyof typeof BODY_SCHEMAS, options: GenerateOptions = {}, base: JsonObject = {}): Subject => {
  return { name, schema: BODY_SCHEMAS[name], options, base };
};

const OURS: readonly Subject[] = [
  ours('call-create', CALL_OPTIONS, { from: '+15550100', to: '+15550101' }),
  ...(['voice-application-update', 'inbound-auth', 'trunk-update'] as const).map((name) => ours(name)),
  ours('number-assignment', { pool: { '/carrier_connection_id': bothCases(TRUNK) } }, { carrier_connection_id: TRUNK }),
];

const SCALARS = [['word', 'string'] as const, ['flag', 'boolean'] as const, ['count', 'integer'] as const];

const MADE_UP: readonly Subject[] = [
  {
    name: 'nullable scalars',
    schema: {
      type: 'object',
      required: ['word'],
      properties: Object.fromEntries(SCALARS.map(([name, type]) => [name, { type: [type, 'null'] }])),
    },
    ...{ options: {}, base: { word: 'a' } },
  },
  {
    name: 'arrays and maps of every scalar',
    schema: {
      type: 'object',
      required: ['integers', 'ids'],
      properties: {
        integers: { type: 'array', items: { type: 'integer' } },
        ids: { type: 'array', items: { type: 'string', format: 'uuid' } },
        flags: { type: ['object', 'null'], additionalProperties: { type: 'boolean' } },
        words: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      },
    },
    options: { pool: { '/ids/-': bothCases(APPLICATION) } },
    base: { integers: [1], ids: [] },
  },
  {
    name: 'names that objects inherit or pointers escape',
    schema: {
      type: 'object',
      required: ['b/~c'],
      properties: { 'b/~c': text, constructor: texts, n: { type: 'integer' } },
    },
    options: { typical: { '/n': 4 } },
    base: { 'b/~c': 'a' },
  },
];

/** All of them. */
export const SUBJECTS: readonly Subject[] = [...OURS, ...MADE_UP];
