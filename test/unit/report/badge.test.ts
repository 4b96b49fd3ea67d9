import { expect, test } from 'vitest';
import { renderBadge } from '../../../src/report/json-files.ts';
import { casesSentence } from '../../../src/verdict/sentence.ts';
import { RESULTS } from './made-run.ts';

const CASES = casesSentence(RESULTS.counts.cases, RESULTS.strict);

test.each([
  ['conformant', 'yellowgreen'],
  ['non-conformant', 'red'],
  ['incomplete', 'yellow'],
  ['void', 'lightgrey'],
] as const)(
  'the badge of a run that is %s names verdict, profile, what was left out and the number of cases',
  (verdict, color) => {
    expect(JSON.parse(renderBadge({ ...RESULTS, verdict }) ?? '')).toEqual({
      schemaVersion: 1,
      label: 'PCS conformance',
      message: `${verdict} (profile full without muteParticipant): ${CASES}`,
      color,
    });
  },
);

test('a partial run gets no badge', () => {
  expect(renderBadge({ ...RESULTS, verdict: 'conformant', partial: true })).toBeNull();
});

test('the badge is bright green only where every question was answered', () => {
  const questions = { ...RESULTS.questions, planned: 9, answered: 9 };
  const text = renderBadge({ ...RESULTS, verdict: 'conformant', profile: 'read-only', without: [], questions });
  const whole = { message: `conformant (profile read-only): ${CASES}`, color: 'brightgreen' };
  expect(JSON.parse(text ?? '')).toMatchObject(whole);
});
