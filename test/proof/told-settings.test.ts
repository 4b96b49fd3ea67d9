/** What a setting of the second organization was to show, and did not: the verdict stays, and no reader is told of a whole. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { RunOptions } from '../../src/run/options.ts';
import type { Results } from '../../src/verdict/results.ts';
import { lessThanAll } from '../../src/verdict/sentence.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';

const MADE_UP = '11111111-2222-4333-8444-555555555555';

async function resultsOf(changes: Partial<RunOptions>, { service, settings } = createReference()): Promise<Results> {
  return (await judge(service, optionsFrom(settings, { ...narrowed('ORG-CALL', 'ORG-ISOLATION'), ...changes })))
    .results;
}

const SETTINGS = [
  ['otherTrunk', 'PCS_OTHER_ORG_TRUNK_ID', 'trunk', MADE_UP, ['ORG-ISOLATION/getTrunk', 'ORG-CALL/createCall']],
  ['otherApplication', 'PCS_OTHER_ORG_VOICE_APPLICATION_ID', 'application', MADE_UP, ['ORG-CALL/createCall']],
  ['otherConnection', 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID', 'connection', MADE_UP, ['ORG-ISOLATION/assignNumber']],
] as const;

test.each(SETTINGS)('%s that is made up is told, and %s is a condition', async (key, name, noun, value, cases) => {
  const results = await resultsOf({ [key]: value });
  const lack = `no ${noun} of a second organization proven`;
  const remedy = expect.stringContaining(`check ${name}`);
  expect([results.verdict, results.unjudged]).toEqual(['conformant', [{ family: 'isolation', lack, remedy }]]);
  const unshown = casesOf(results).flatMap(({ unanswered = [] }) => unanswered.filter((question) => question.unshown));
  expect(unshown.map((question) => question.remedy)).toContain(results.unjudged?.[0]?.remedy);
  expect(results.sentence).toBe(`CONFORMANT but for isolation (${lack}) (profile full, partial)`);
  const given = results.conditions.filter((condition) => condition.startsWith('given'));
  expect(given.toSorted()).toEqual(
    cases.map((id) => `given for ${id}, and shown by no accepted request: ${name}`).toSorted(),
  );
});

test('a made-up caller hides no made-up application, and is not what a read trunk is held against', async () => {
  const lacks = ['caller', 'application'].map((noun) => `no ${noun} of a second organization proven`);
  const only = ['ORG-CALL', 'ORG-ISOLATION'];
  const results = await resultsOf({ ...narrowed(...only), otherFrom: '+15005550199', otherApplication: MADE_UP });
  expect(results.unjudged?.map(({ lack }) => lack)).toEqual(lacks);
  expect(results.conditions).toContain(
    'given for ORG-CALL/createCall, and shown by no accepted request: PCS_OTHER_ORG_CALL_FROM, PCS_OTHER_ORG_VOICE_APPLICATION_ID',
  );
});

test.each([
  ...SETTINGS.map(([key, name, noun]) => [key, name, noun] as const),
  ['otherFrom', 'PCS_OTHER_ORG_CALL_FROM', 'caller'] as const,
])('without %s the sentence is not that of a whole run', async (key, name, noun) => {
  const { sentence, verdict, ...results } = await resultsOf({ [key]: undefined });
  const lack = `no ${noun} of a second organization`;
  expect([verdict, sentence]).toEqual(['conformant', `CONFORMANT but for isolation (${lack}) (profile full, partial)`]);
  expect(lessThanAll({ ...results, only: [] })?.remedies).toEqual([expect.stringMatching(`^set ${name} to `)]);
});

test('a demand for the whole interface takes a run for whole whose target gives no occasion for a question', async () => {
  const reference = createVariant({ 'call-references': 'any' });
  const { verdict, colour, questions } = await resultsOf({ only: [], requireComplete: true }, reference);
  expect([verdict, colour, questions.planned - questions.answered]).toEqual(['conformant', 'green', 2]);
});
