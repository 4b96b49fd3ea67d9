/** Runs that cost much, in full size. */

import { expect, test } from 'vitest';
import {
  demandDeepErrors,
  demandDeepExploration,
  demandNoAccusation,
  demandNoAccusationOverSockets,
  seedsTo,
} from '../e2e/heavy-runs.ts';
import { proveVariant } from '../selftest/prove.ts';

test('a lawful service behind a network that loses responses fails under none of a hundred seeds', async () => {
  await demandNoAccusation(seedsTo(100));
});

test('a full run over sockets does not fail either', async () => {
  await demandNoAccusationOverSockets(['run', '--profile', 'full', '--timeout', '1', '--call-timeout', '1']);
});

test('a long exploration sends thousands of requests within the cap on calls, and a small heap is enough for it', async () => {
  await demandDeepExploration(10_000);
});

test('a target that fills the memory with errors of 200,000 levels is judged by their envelope', async () => {
  await demandDeepErrors(200_000, ['--profile', 'full']);
});

test('a lawful service may send three megabytes of numbers, uncompressed', async () => {
  expect(await proveVariant({ lists: 'three-megabytes' }, { longList: 32_000 })).toEqual({ kind: 'holds' });
});
