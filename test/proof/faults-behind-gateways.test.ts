/** A fault is named behind a gateway as well: where calls are known late, reads lag, or invalid credentials lock out. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { type Gateway, lockingOut, replicating } from '../../fixtures/gateways/gateways.ts';
import { sampled } from '../sampled.ts';
import { comesOutTheSameToo } from './again.ts';
import { expectNamed } from './broken-by.ts';
import { CASE_FAULTS } from './case-faults.ts';
import { judgeBehind } from './gateways.ts';
import { behindWebSite } from './habits.ts';
import { readsBehind } from './late-reads.ts';

type Behind = readonly [words: string, gateway: Gateway, faults: readonly string[]];

const BEHIND: readonly Behind[] = [
  // A 404 to others says nothing of a call that is not known yet, so they are asked once it is.
  [
    'calls that are known after two seconds',
    replicating(1_949),
    [
      ...['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SCHEME', 'ORG-ISOLATION'].map((id) => `${id}/hangUpCall`),
      'foreign-hang-up-happens',
      ...['hang-up-alias-open', 'rejection-names-the-callee', 'spring-annotation-not-seen'],
    ],
  ],
  // An effect of a rejected request shows later, so it is looked for later.
  [
    'reads that are two seconds behind',
    readsBehind(1_900),
    [
      ...['refused-change-happens', 'change-with-a-wrong-secret-happens', 'foreign-change-happens'],
      ...['refused-change-clears-the-name', 'rejected-name-stored'],
    ],
  ],
  // A rejection during a lock-out is no evidence, so what it hides is asked again after it.
  [
    'a lock-out of ten seconds',
    lockingOut(19, 10_000, 401, 'none'),
    ['credential-under-basic', 'php-token-filtered', 'encoded-path-past-the-gateway'],
  ],
  // No other spelling was asked for the credential where any route is a 200.
  [
    'a web site that gives its page for what it does not know',
    behindWebSite,
    [
      ...['list-alias-of-everyone', 'trunk-alias-any-secret', 'encoded-path-past-the-gateway'],
      ...['ORG-ISOLATION/hangUpCall/the id in capitals', 'AUTH-ALIAS/assignNumber/an encoded character in the id'],
    ],
  ],
];

const ROWS = BEHIND.flatMap(([words, gateway, names]) => names.map((name) => ({ words, gateway, name })));
const HERE = sampled(ROWS, 7, ({ words }) => words);

test.each(HERE.items)(`$name shows behind $words (${HERE.words})`, async ({ gateway, name }) => {
  const fault = [...FAULTS, ...CASE_FAULTS].find((one) => one.name === name);
  expect(fault).toBeDefined();
  const { record, results } = await judgeBehind({
    gateways: [gateway],
    within: (service, { settings }) => fault?.inject(service, settings) ?? service,
  });
  expectNamed(results, fault);
  await comesOutTheSameToo(record);
});
