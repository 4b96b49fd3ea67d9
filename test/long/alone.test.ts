import { expect, test } from 'vitest';
import { demandJudgedAlone, firstCases, otherCases } from '../proof/alone.ts';

test('the sample of npm test leaves some out', () => {
  expect(otherCases().length).toBeGreaterThan(firstCases().length);
});

test.each(otherCases())('%s is judged in a run of its own', async (name) => {
  await demandJudgedAlone(name);
});
