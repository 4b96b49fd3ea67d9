/** On a target that knows a new call late, a 404 to others says nothing, so they are asked once it is known. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { replicating } from '../../fixtures/gateways/gateways.ts';
import { sampled } from '../sampled.ts';
import { expectNamed } from './broken-by.ts';
import { judgeBehind } from './gateways.ts';

const OF_A_CALL: readonly string[] = [
  'anonymous-hang-up',
  'bare-credential-hangs-up',
  'foreign-call-hung-up',
  'foreign-hang-up-happens',
  'hang-up-alias-open',
  'rejection-names-the-callee',
  'spring-annotation-not-seen',
];

const faults = FAULTS.filter(({ name }) => OF_A_CALL.includes(name));

const HERE = sampled(
  faults.map((fault) => [fault.name, fault] as const),
  4,
);

test.each(HERE.items)(`%s shows on calls that are known late (${HERE.words})`, async (_, { inject, breaks }) => {
  const { results } = await judgeBehind({
    gateways: [replicating(1_949)],
    within: (service, { settings }) => inject(service, settings),
  });
  expectNamed(results, { breaks });
});

test('every fault of the list is planted', () => {
  expect(faults).toHaveLength(OF_A_CALL.length);
});
