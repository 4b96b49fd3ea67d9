/** The schema of --samples names the bodies of the interface; what a file is rejected for is in test/unit/cli/samples.test.ts. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/contract/operations.ts';

const SCHEMA = JSON.parse(readFileSync(new URL('../../../schemas/samples.schema.json', import.meta.url), 'utf8'));

test('the schema of --samples has each operation with a body, and no other', () => {
  const { $schema: _, ...bodies } = SCHEMA.properties;
  const due = OPERATIONS.flatMap(({ id, body }) => (body === null ? [] : [[id, `${body}.schema.json`] as const]));
  const named = Object.entries(bodies).map(([name, schema]) => [name, Object(schema).$ref]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(due));
  expect([SCHEMA.type, SCHEMA.additionalProperties]).toEqual(['object', false]);
});
