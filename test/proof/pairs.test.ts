/** A few pairs of fault and lawful variant; test/long proves a thousand and more. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { provePair } from '../selftest/prove.ts';
import { allPairs, partOf, provePairs } from './samples.ts';

// A 409 because the line is busy says nothing about the credential.
const FREED_LATE = sampled(
  ['null-in-codecs-skipped', 'trunk-of-any-organization', 'application-of-any-organization'],
  2,
);

test.each(FREED_LATE.items)(`%s is caught where a line is freed late (${FREED_LATE.words})`, async (name) => {
  const fault = FAULTS.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no fault is named ${name}`);
  expect(await provePair({ fault, choices: { 'repeated-call': 'line-freed-late' } })).toEqual({ kind: 'holds' });
});

test('a call by another organization through ours that is rejected with 409 after a 429 is judged', async () => {
  const { service, settings } = createReference();
  let asked = 0;
  const limiting: Service = async (request) => {
    const isOther = request.headers['authorization'] === `Bearer ${settings.PCS_OTHER_ORG_ACCESS_TOKEN}`;
    const text = new TextDecoder().decode(request.body);
    const isThroughOurs = [settings.PCS_TRUNK_ID, settings.PCS_VOICE_APPLICATION_ID].some((id) => text.includes(id));
    if (!isOther || request.target !== '/v1/calls/' || !isThroughOurs) return service(request);
    asked += 1;
    return json(asked === 1 ? 429 : 409, ENVELOPE);
  };
  const { results } = await judge(limiting, optionsFrom(settings));
  expect(results.requirements.find(({ id }) => id === 'ORG-CALL')?.verdict).toBe('pass');
  expect(asked).toBeGreaterThan(3);
});

provePairs(partOf(allPairs(), 3, 420), 2);
