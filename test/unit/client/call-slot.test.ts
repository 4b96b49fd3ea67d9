/** No call is placed while another may be open. */

import { expect, test } from 'vitest';
import { CallSlot } from '../../../src/client/safety/call-slot.ts';

const PLACED = { kind: 'placed', ids: ['a'] } as const;
const UNCLEAR = { kind: 'unclear', detail: 'status 201 and no call id' } as const;
const request = (seq: number) => ({ seq, credential: 'valid', createdAt: 0 }) as const;

test('a call that was hung up makes room for the next', () => {
  const slot = new CallSlot(12);
  slot.settle(PLACED, request(1));
  slot.free();
  expect(() => slot.demand()).not.toThrow();
  expect([slot.left, slot.possiblyOpen]).toEqual([11, []]);
});

test('a call that could not be hung up is the last, and is named', () => {
  const slot = new CallSlot(12);
  slot.settle(PLACED, request(1));
  const { open } = slot;
  slot.free();
  if (open !== null) slot.name(open, 'status 500');
  expect(() => slot.demand()).toThrow('a call could not be hung up, so no more calls are placed');
  expect([slot.left, slot.possiblyOpen]).toEqual([
    0,
    ['call a (request 1): hanging up got status 500: the call may still be open'],
  ]);
});

test('no more calls are placed after two of unknown outcome, or as many as are allowed', () => {
  const slot = new CallSlot(3);
  for (const seq of [1, 2]) slot.settle(UNCLEAR, request(seq));
  expect(() => slot.demand()).toThrow('the outcome of 2 create-call requests is unknown');
  expect(slot.possiblyOpen[1]).toBe('request 2 (create call) got status 201 and no call id: a call may be open');
  const spent = new CallSlot(1);
  spent.settle(PLACED, request(1));
  spent.free();
  expect(() => spent.demand()).toThrow('the limit of --max-calls (1) is reached');
});

test('every create call that was not cleanly rejected counts', () => {
  const slot = new CallSlot(12);
  slot.settle({ kind: 'rejected' }, request(1));
  slot.settle({ kind: 'unsent' }, request(2));
  expect([slot.left, slot.placed]).toEqual([12, 0]);
  slot.settle(UNCLEAR, request(3));
  slot.settle(PLACED, request(4));
  expect([slot.left, slot.placed]).toEqual([10, 1]);
});
