/** What a run says would help does help: it is applied, and the case that was open is judged. */

import { expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { sampled } from '../sampled.ts';
import { judge } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { type Changes, OWN, plain, ROWS } from './remedies.ts';

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

/** Registers the proof, in runs of the open case alone or in whole runs. */
export function proveRemedies(asked: 'alone' | 'in whole runs'): void {
  const rows = sampled(ROWS, 4);

  test.each(rows.items)(`$name (${rows.words})`, async ({ service = plain, mistake, open, says, help }) => {
    const ask = async (from: () => Service, changes: Changes) => {
      const only = asked === 'alone' ? [open, 'LIST-STATUS/listTrunks'] : [];
      const { results } = await judged(from, optionsWith({ ...changes, only }));
      return casesOf(results).find((one) => one.id === open);
    };
    const before = await ask(service, mistake);
    expect(before).toMatchObject({ verdict: expect.stringMatching(/inconclusive|not-exercised/) });
    expect(before?.remedy).toMatch(says);
    const after = 'allowed' in help ? await ask(help.allowed, mistake) : await ask(service, { ...mistake, ...help });
    expect(after).toMatchObject({ id: open, verdict: 'pass' });
  });
}
