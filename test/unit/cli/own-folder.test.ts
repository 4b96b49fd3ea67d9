import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JudgedTarget } from '../../../src/cli/engine.ts';
import { inOwnFolder } from '../../../src/cli/report-folder.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { RESULTS } from '../report/made-run.ts';

/** The temporary folder of a run that ends so, and the outcome. */
async function folderAfter(end: () => Partial<JudgedTarget>): Promise<readonly [folder: string, outcome: unknown]> {
  let folder = '';
  const outcome = await inOwnFolder(async (own) => {
    folder = own;
    return end() as JudgedTarget;
  }).catch((error) => error);
  return [folder, outcome];
}

const judged =
  (possiblyOpen: readonly string[], changed: readonly string[] = []) =>
  () => ({ results: { ...RESULTS, possiblyOpen, changed } });

test('a temporary folder goes with a run that left nothing', async () => {
  const [folder, outcome] = await folderAfter(judged([]));
  expect([existsSync(folder), outcome]).toEqual([false, expect.not.objectContaining({ folder })]);
});

test.each([
  ['a call may be open', ['call c (request 3)'], []],
  ['a change was not restored', [], ['Update trunk: the name']],
])('stays and is named if %s', async (_, possiblyOpen, changed) => {
  const [folder, outcome] = await folderAfter(judged(possiblyOpen, changed));
  expect([existsSync(folder), outcome]).toEqual([true, expect.objectContaining({ folder })]);
});

test('goes with wrong usage, and stays after a defect of the suite', async () => {
  for (const [error, stays] of [
    [new UsageError('wrong', 'do right'), false],
    [new Error('broken'), true],
  ] as const) {
    const [folder, outcome] = await folderAfter(() => {
      throw error;
    });
    expect([existsSync(folder), outcome]).toEqual([stays, error]);
  }
});
