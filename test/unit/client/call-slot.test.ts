/** No call is placed while another may be open. */

import { expect, test } from 'vitest';
import { CallSlot } from '../../../src/client/safety/call-slot.ts';

const PLACED = { seq: 1, status: 201, ids: ['a'], credential: 'valid', unsent: false } as const;

test('a call that was hung up makes room for the next', () => {
  const slot = new CallSlot(12);
  slot.settle(PLACED);
  slot.free();
  expect(() => slot.demand()).not.toThrow();
  expect([slot.left, slot.possiblyOpen]).toEqual([11, []]);
});

test('a call that could not be hung up is the last', () => {
  const slot = new CallSlot(12);
  slot.settle(PLACED);
  slot.free('call a may still be open');
  expect(() => slot.demand()).toThrow('a call could not be hung up, so no more calls are placed');
  expect([slot.left, slot.possiblyOpen]).toEqual([0, ['call a may still be open']]);
});

test('no more calls are placed after two of unknown outcome, or as many as are allowed', () => {
  const slot = new CallSlot(3);
  for (const seq of [1, 2]) slot.settle({ ...PLACED, seq, status: null, ids: [] });
  expect(() => slot.demand()).toThrow('the outcome of 2 create-call requests is unknown');
  const spent = new CallSlot(1);
  spent.settle(PLACED);
  spent.free();
  expect(() => spent.demand()).toThrow('1 calls were placed');
});
