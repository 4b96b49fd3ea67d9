import { expect, test } from 'vitest';
import { renderBadge } from '../../../src/report/json-files.ts';
import { RESULTS } from './made-run.ts';

test.each([
  ['conformant', 'brightgreen'],
  ['non-conformant', 'red'],
  ['incomplete', 'yellow'],
  ['void', 'lightgrey'],
] as const)('the badge of a run that is %s names verdict, profile and what was left out', (verdict, color) => {
  expect(JSON.parse(renderBadge({ ...RESULTS, verdict }) ?? '')).toEqual({
    schemaVersion: 1,
    label: 'PCS conformance',
    message: `${verdict} (full without muteParticipant)`,
    color,
  });
});

test('a partial run gets no badge', () => {
  expect(renderBadge({ ...RESULTS, verdict: 'conformant', partial: true })).toBeNull();
});

test('the badge of a whole profile names only the profile', () => {
  const text = renderBadge({ ...RESULTS, verdict: 'conformant', profile: 'read-only', without: [] });
  expect(JSON.parse(text ?? '')).toMatchObject({ message: 'conformant (read-only)' });
});
