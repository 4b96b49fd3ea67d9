/** A retryable answer that was not followed by its resend shows that something was left out. */

import { describe, expect, test } from 'vitest';
import { missingResend } from '../../../src/certificate/rerun-check.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { certification } from './certified.ts';

const { record } = await certification();
const [first] = record.exchanges;
if (first === undefined) throw new Error('the record is empty');

/** Exchanges of one request, in order; the numbers are the statuses of its answers. */
const answered = (statuses: readonly number[], changes: Partial<Exchange['tag']> = {}): readonly Exchange[] =>
  statuses.map((status, at) => ({
    ...first,
    seq: at + 1,
    at: at * 1_000,
    took: 1,
    tag: { ...first.tag, resend: at, ...(at === 0 ? {} : { replaces: at }), ...changes },
    response: { status, headers: [], body: null, leaks: [] },
  }));

describe('a record', () => {
  test('lacks nothing if every retryable answer was followed by another request', () => {
    expect(missingResend(record.exchanges)).toBeUndefined();
    expect(missingResend(answered([429, 503, 200]))).toBeUndefined();
  });

  test('lacks a resend if the last answer was retryable', () => {
    expect(missingResend(answered([429]))?.seq).toBe(1);
    expect(missingResend(answered([503, 503]))?.seq).toBe(2);
  });

  test('lacks nothing once six resends were answered alike, for other requests of that kind, too', () => {
    const whole = answered(Array(7).fill(503));
    expect(missingResend(whole)).toBeUndefined();
    const [other] = answered([503], { sequence: 'another' });
    expect(missingResend([...whole, ...(other === undefined ? [] : [{ ...other, seq: 8 }])])).toBeUndefined();
  });

  test('lacks a resend although others took long: a wait counts for what was asked', () => {
    const slow = answered([503, 503, 200, 503]).map((one, at) => ({ ...one, at: at * 200_000 }));
    const [last] = answered([503], { sequence: 'another' });
    expect(
      missingResend([...slow.slice(0, 3), ...(last === undefined ? [] : [{ ...last, seq: 4, at: 900_000 }])])?.seq,
    ).toBe(4);
  });

  test('lacks nothing where the target asked for too long a wait', () => {
    const [one] = answered([503]);
    const response = { status: 503, headers: [['Retry-After', '600']] as const, body: null, leaks: [] };
    expect(missingResend(one === undefined ? [] : [{ ...one, response }])).toBeUndefined();
  });
});
