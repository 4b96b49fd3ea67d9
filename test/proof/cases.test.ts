/** Every case of the catalogue can fail: for each there is a fault that fails it on its operation, and on no other one. */

import { expect, test } from 'vitest';
import { faultsByCase } from '../../fixtures/faults/cases.ts';
import { planted } from '../../fixtures/faults/index.ts';
import { spelled } from '../../fixtures/faults/spellings.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { WITH_ID } from '../../src/contract/operations.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { expectAlone, expectNamed } from './broken-by.ts';
import { CASE_FAULTS } from './case-faults.ts';

test('every case has a fault that fails it alone', () => {
  const proofs = faultsByCase(REQUIREMENTS);
  expect([...proofs].flatMap(([id, faults]) => (faults.length === 0 ? [id] : []))).toEqual([]);
  expect(proofs.size).toBe(REQUIREMENTS.reduce((sum, { operations }) => sum + operations.length, 0));
});

// The five readings of each of them are in test/long/faults-*.test.ts.
const HERE = sampled(CASE_FAULTS, 72);

test.each(HERE.items)(`$name fails one case (${HERE.words})`, async (fault) => {
  const { service, settings } = planted(fault, createReference());
  const { results } = await judge(service, optionsFrom(settings));
  expectNamed(results, fault);
  expectAlone(results, fault);
});

test('where no call rings, a hang-up that needs a body fails by the calls of the run', async () => {
  const fault = CASE_FAULTS.find(
    ({ name }) => name === 'ACTION-WITHOUT-BODY/hangUpCall',
  ) as (typeof CASE_FAULTS)[number];
  const { service, settings } = planted(fault, createReference());
  const { PCS_RINGING_CALL_ID: _, ...rest } = settings;
  const { results } = await judge(service, optionsFrom(rest as typeof settings));
  expectNamed(results, fault);
  expectAlone(results, fault);
});

test('a service that merges slashes and knows the owner of every spelling keeps them apart at each', async () => {
  const { service, settings } = createReference();
  const merging = WITH_ID.reduce(
    (inner, id) => spelled(id, 'two slashes around the id', () => false)(inner, settings),
    service,
  );
  const { results, record } = await judge(merging, optionsFrom(settings));
  expect(results.requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []))).toEqual([]);
  const others = record.exchanges.filter(({ tag }) => /two slashes around the id, the credential of/.test(tag.about));
  // Six operations on what is owned, and a hang-up.
  expect(others.map(({ response }) => response?.status)).toEqual(Array.from({ length: 7 }, () => 404));
});
