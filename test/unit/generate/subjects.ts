/** Schemas to try the generator on: ours, and small made-up ones that have what ours lack. */

import { BODY_SCHEMAS, ERROR_ENVELOPE } from '../../../src/contract/schemas.ts';
import type { JsonValue } from '../../../src/generate/json.ts';
import { bothCases, type GenerateOptions } from '../../../src/generate/options.ts';
import type { SchemaNode } from '../../../src/generate/schema.ts';

/** A schema with a caller's decisions and one valid value. */
export interface Subject {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly options: GenerateOptions;
  readonly base: JsonValue;
}

/** A made-up application. */
export const APPLICATION = '1a0c2b9e-7d34-4a51-9c68-5e2a10f3b7c4';

/** A made-up trunk. */
export const TRUNK = 'c0ffee00-1234-4abc-8def-0123456789ab';

/** The decisions that go with create call: numbers fixed, ids from pools. */
export const CALL_OPTIONS = {
  fixed: { '/from': '+15550100', '/to': '+15550101' },
  plain: { '/dtmf_mode': 'rfc2833', '/codecs/-': 'PCMU' },
  pool: { '/application_id': bothCases(APPLICATION), '/trunk_id': bothCases(TRUNK) },
} as const satisfies GenerateOptions;

const text: SchemaNode = { type: 'string' };

const OURS: readonly Subject[] = [
  {
    name: 'call-create',
    schema: BODY_SCHEMAS['call-create'],
    options: CALL_OPTIONS,
    base: { from: '+15550100', to: '+15550101' },
  },
  { name: 'voice-application-update', schema: BODY_SCHEMAS['voice-application-update'], options: {}, base: {} },
  { name: 'inbound-auth', schema: BODY_SCHEMAS['inbound-auth'], options: {}, base: {} },
  { name: 'trunk-update', schema: BODY_SCHEMAS['trunk-update'], options: {}, base: {} },
  {
    name: 'number-assignment',
    schema: BODY_SCHEMAS['number-assignment'],
    options: { pool: { '/carrier_connection_id': bothCases(TRUNK) } },
    base: { carrier_connection_id: TRUNK },
  },
  {
    name: 'error-envelope',
    schema: ERROR_ENVELOPE,
    options: {},
    base: { success: false, error: { code: 'a', message: 'b' } },
  },
];

const MADE_UP: readonly Subject[] = [
  { name: 'a nullable word', schema: { type: ['string', 'null'] }, options: {}, base: 'a' },
  { name: 'a list of integers', schema: { type: 'array', items: { type: 'integer' } }, options: {}, base: [1] },
  {
    name: 'any value',
    schema: { type: 'object', properties: { any: {} }, required: ['any'] },
    options: {},
    base: { any: 1 },
  },
  {
    name: 'closed and nested',
    schema: {
      type: 'object',
      required: ['inner'],
      additionalProperties: false,
      properties: {
        inner: {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'number' }, 'b/~c': { type: ['boolean', 'null'] }, d: { const: 7 } },
        },
        maybe: { type: ['object', 'null'], required: ['x', 'y'], properties: { x: text, y: text } },
        constructor: { type: 'object', properties: { a: text } },
        single: { type: 'object', required: ['x'], properties: { x: text } },
      },
    },
    options: {},
    base: { inner: { a: 1.5 } },
  },
  {
    name: 'maps of lists and lists of objects',
    schema: {
      type: 'object',
      properties: {
        map: { type: 'object', additionalProperties: { type: 'array', items: { type: 'boolean' } } },
        list: { type: 'array', items: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
      },
    },
    options: {},
    base: {},
  },
  {
    name: 'members and pairs together',
    schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } }, additionalProperties: text },
    options: { plain: { '/n': 4 } },
    base: { n: 1, more: 'a' },
  },
];

/** All of them. */
export const SUBJECTS: readonly Subject[] = [...OURS, ...MADE_UP];
