/** Judges recorded runs again: a mutant of an expectation that changes a verdict is killed. */

import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { expect, inject, test } from 'vitest';
import { demandOn, type RecordedRun } from './demands.ts';

const runs: readonly RecordedRun[] = deserialize(readFileSync(inject('runs')));

test.each(runs)('$name', ({ record, demand }) => {
  expect(demandOn(record)).toBe(demand);
});
