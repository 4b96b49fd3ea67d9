import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';

const SCHEMA = JSON.parse(readFileSync(new URL('../../../schemas/samples.schema.json', import.meta.url), 'utf8'));
const ID = '0b7f4c52-9d0e-4a51-8a53-6f1f6f3c2a10';
const CALL = { from: '+15550100', to: '+15550101' };

const accepts = new Ajv2020({
  strict: true,
  formats: { uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i },
  schemas: Object.values(BODY_SCHEMAS),
}).compile(SCHEMA);

describe('the schema of --samples', () => {
  test('has each operation with a body, and no other', () => {
    const names = OPERATIONS.flatMap(({ id, body }) => (body === null ? [] : id));
    expect(Object.keys(SCHEMA.properties).toSorted()).toEqual(['$schema', ...names].toSorted());
    for (const { id, body } of OPERATIONS) {
      if (body !== null) expect(SCHEMA.properties[id].$ref).toBe(`${body}.schema.json`);
    }
  });

  test.each([
    ['no sample', {}],
    ['a call with members that the interface does not name', { createCall: { ...CALL, trunk_id: ID, region: 'eu' } }],
    ['an update and the address of the schema', { $schema: './samples.schema.json', updateTrunk: { name: 'a' } }],
    ['an assignment', { assignNumber: { carrier_connection_id: ID } }],
  ])('accepts %s', (_what, value) => {
    expect(accepts(value)).toBe(true);
  });

  test.each([
    ['an operation without a body', { getTrunk: {} }],
    ['a call without to', { createCall: { from: '+15550100' } }],
    ['a called number that is not a string', { createCall: { ...CALL, to: 911 } }],
    ['an update that is not an object', { updateTrunk: 5 }],
    ['an update with a member of the wrong type', { updateVoiceApplication: { ring_timeout_seconds: '30' } }],
    ['an id that is not a UUID', { assignNumber: { carrier_connection_id: 'main' } }],
    ['a list', []],
  ])('rejects %s', (_what, value) => {
    expect(accepts(value)).toBe(false);
  });
});
