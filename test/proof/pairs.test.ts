/** A few pairs of fault and lawful variant; test/long proves a thousand and more. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { sampled } from '../sampled.ts';
import { provePair } from '../selftest/prove.ts';
import { allPairs, partOf, provePairs } from './samples.ts';

// A 409 because the line is busy says nothing about the credential.
const FREED_LATE = sampled(
  ['null-in-codecs-skipped', 'trunk-of-others-in-a-call', 'application-of-others-in-a-call'],
  3,
);

test.each(FREED_LATE.items)(`%s is caught where a line is freed late (${FREED_LATE.words})`, async (name) => {
  const fault = FAULTS.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no fault is named ${name}`);
  expect(await provePair({ fault, choices: { 'repeated-call': 'line-freed-late' } })).toEqual({ kind: 'holds' });
});

provePairs(partOf(allPairs(), 3, 420), 2);
