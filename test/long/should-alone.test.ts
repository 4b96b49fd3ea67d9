import { expect, test } from 'vitest';
import { demandPassAlone, firstCases, otherCases } from '../proof/should-alone.ts';

test('the sample of npm test leaves some out', () => {
  expect(otherCases().length).toBeGreaterThan(firstCases().length);
});

test.each(otherCases())('%s passes in a run of its own', demandPassAlone);
