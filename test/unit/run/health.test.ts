/** What ends a run in its middle. */

import { expect, test } from 'vitest';
import type { Answer } from '../../../src/client/request.ts';
import { Health } from '../../../src/run/sender.ts';
import { RunState } from '../../../src/run/state.ts';

const MEBIBYTE = 1024 * 1024;

function answer(operation: string, length: number): Answer {
  const exchange = {
    tag: { operation, role: 'probe' },
    request: { credential: 'none', method: 'PUT', path: '/v1/x' },
    response: { status: 400, body: { length } },
    failure: null,
  };
  return { status: 400, accepted: false, exchange } as unknown as Answer;
}

/** The sentences after so many bodies of that length. */
const notes = (operation: string, length: number, count: number, heavy = 0): readonly (string | null)[] => {
  const state = new RunState();
  state.heavy = heavy;
  const health = new Health(state);
  return Array.from({ length: count }, () => health.learn(answer(operation, length)));
};

test('four bodies of more than a mebibyte do, counted from earlier phases on', () => {
  const sentence = expect.stringMatching(/bodies of more than 1 MiB .* \(PUT \/v1\/x\)/);
  expect(notes('assignNumber', MEBIBYTE, 4)).toEqual([null, null, null, sentence]);
  expect(notes('assignNumber', MEBIBYTE, 1, 3)).toEqual([sentence]);
});

test('shorter bodies and long lists do not', () => {
  expect(new Set(notes('assignNumber', MEBIBYTE - 1, 20))).toEqual(new Set([null]));
  expect(new Set(notes('listNumbers', 3 * MEBIBYTE, 20))).toEqual(new Set([null]));
});
