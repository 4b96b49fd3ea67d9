/** Replays of one fault in 70, and of a service that was repaired; test/long replays every one. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { optionsFrom } from '../selftest/harness.ts';
import { askAgain, failuresOf, proveReplays } from './replayed-faults.ts';
import { oneIn } from './samples.ts';

proveReplays(oneIn(140, FAULTS));

test('a replay against a repaired service says that the case does not fail any more', async () => {
  const fault = FAULTS.find(({ name }) => name === 'numbers-answer-203-later');
  if (fault === undefined) throw new Error('there is no such fault');
  const { run, failed } = await failuresOf(fault);
  const sound = createReference();
  const left = { service: sound.service, options: optionsFrom(sound.settings) };
  expect((await askAgain(failed[0] ?? '', run, fault, left)).outcome).toBe('passes');
});
