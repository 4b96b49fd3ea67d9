/** What a run says would help does help: it is applied, and the case that was open is judged. */

import { describe, expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { judge } from '../../src/selftest/harness.ts';
import { casesOf } from '../../src/selftest/judged.ts';
import { type Changes, OWN, plain, ROWS, rejecting } from './remedies.ts';

/** The options with the changes; a setting that is `undefined` is left out. */
function optionsWith(changes: Changes): RunOptions {
  const all = Object.entries({ ...OWN, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as unknown as RunOptions;
}

/** Runs against the reference service: with most of the mistakes removed, the options are the same. */
const known = new Map<string, ReturnType<typeof judge>>();

function judged(service: () => Service, options: RunOptions): ReturnType<typeof judge> {
  if (service !== plain) return judge(service(), options);
  const key = JSON.stringify(options);
  const run = known.get(key) ?? judge(service(), options);
  known.set(key, run);
  return run;
}

async function caseOf(id: string, service: () => Service, options: RunOptions) {
  const { results } = await judged(service, options);
  return casesOf(results).find((one) => one.id === id);
}

describe('a remedy', () => {
  test.each(ROWS)('$name', async ({ service = plain, mistake, open, says, help }) => {
    const before = await caseOf(open, service, optionsWith(mistake));
    expect(before).toMatchObject({ verdict: expect.stringMatching(/inconclusive|not-exercised/) });
    expect(before?.remedy).toMatch(says);
    const after =
      'allowed' in help
        ? await caseOf(open, help.allowed, optionsWith(mistake))
        : await caseOf(open, service, optionsWith({ ...mistake, ...help }));
    expect(after).toMatchObject({ id: open, verdict: 'pass' });
  });

  test('is never to raise --max-calls where a call may still be open', async () => {
    const hangsNever = rejecting(500, ({ target }) => target.endsWith('/hangup'));
    const { results } = await judge(hangsNever(), OWN);
    const remedies = new Set(casesOf(results).map(({ remedy }) => remedy));
    expect([...remedies].filter((remedy) => remedy?.includes('--max-calls'))).toEqual([]);
    const reasons = casesOf(results).map(({ reason }) => reason);
    expect(reasons).toContain('a call could not be hung up, so no more calls are placed');
    expect(reasons).not.toContain('the last calls are kept for controls');
  });
});
