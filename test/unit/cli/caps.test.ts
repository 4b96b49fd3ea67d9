/** A limit below the plan is wrong usage, with the number to set; the number that is named suffices. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { runTarget } from '../../../src/cli/commands/run.ts';
import { demandLimits } from '../../../src/cli/rehearsal.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { narrowed } from '../../sampled.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { stage } from './stage.ts';

const thrownBy = async (work: () => Promise<unknown>): Promise<string> => {
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof UsageError ? error.message : String(error);
};

/** Some of each kind of request. */
const ASKED = narrowed('SUCCESS-STATUS', 'AUTH-SECRET');

describe('a limit below the plan', () => {
  test.each([
    [
      '--max-calls',
      { 'max-calls': '3' },
      /^--max-calls 3: this run places 12 calls; set it to 12 or more \(a target that accepts boundary values needs more; the default is 40\), or ask/,
    ],
    [
      '--max-requests',
      { 'max-requests': '30', only: 'AUTH-SECRET' },
      /^--max-requests 30: this run sends \d+ requests; set it to \d+/,
    ],
  ])('of %s is rejected before anything is sent', async (_, flags, message) => {
    const { terminal, out } = stage();
    const problem = await thrownBy(() => runTarget({ reference: true, profile: 'full', ...flags }, terminal));
    expect(problem).toMatch(message);
    expect(out).toEqual([]);
  });

  test('of a selection counts that selection alone', async () => {
    const { settings } = createReference();
    const only = { only: ['LIST-STATUS'], maxRequests: 60 };
    expect(await thrownBy(() => demandLimits(optionsFrom(settings, only)))).toBe('null');
  });

  test('is found for a target below the path of a gateway, too', async () => {
    const { settings } = createReference();
    const limit = { maxRequests: 1, only: ['AUTH-SECRET'] };
    const problemAt = (baseUrl: string) => thrownBy(() => demandLimits(optionsFrom(settings, { ...limit, baseUrl })));
    const problem = await problemAt('http://service.invalid');
    expect(await problemAt('http://service.invalid/telephony')).toBe(problem);
  });
});

test('the numbers that are named let every question be asked', async () => {
  const { service, settings } = createReference();
  const problem = await thrownBy(() => demandLimits(optionsFrom(settings, { maxRequests: 1, ...ASKED })));
  const maxRequests = Number(/sends (\d+) requests/.exec(problem)?.[1]);
  const { results } = await judge(service, optionsFrom(settings, { maxRequests, maxCalls: 12, ...ASKED }));
  const whole = await judge(createReference().service, optionsFrom(settings, ASKED));
  expect(results.questions).toEqual(whole.results.questions);
});
