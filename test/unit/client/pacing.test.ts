/** How long to wait before a request is sent again. */

import { expect, test, vi } from 'vitest';
import { waitFor } from '../../../src/client/reasons.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const later = (milliseconds: number): string => new Date(NOW + milliseconds).toUTCString();

test.each([
  ['7', 7_000],
  ['0', 0],
  [later(9_000), 9_000],
  [later(-9_000), 0],
  ['Saturday, 21-Nov-26 12:00:05 GMT', 5_000],
  ['Sat Nov 21 12:00:05 2026', 5_000],
  // Values outside the standard count as absent.
  ['-5', 1_000],
  ['1.5', 1_000],
  ['+3', 1_000],
  ['garbage 5', 1_000],
  ['2026', 2_026_000],
  ['', 1_000],
])('Retry-After: %s, whatever the time zone of the run', (value, wait) => {
  vi.stubEnv('TZ', 'America/New_York');
  const waits = waitFor([['Retry-After', value]], 1, NOW);
  vi.unstubAllEnvs();
  expect(waits).toBe(wait > 65_000 ? null : wait);
});

test.each([
  [1, 0],
  [2, 2_000],
  [3, 4_000],
])('"at once" is believed only the first time: resend %i', (resend, wait) => {
  expect(waitFor([['Retry-After', '0']], resend, NOW)).toBe(wait);
  expect(waitFor([['Retry-After', '7']], resend, NOW)).toBe(7_000);
  expect(waitFor([['Retry-After', '5']], resend, NOW)).toBe(5_000);
});

test.each([
  ['11', 11_000],
  [String(NOW / 1_000 + 13), 13_000],
  // That of a longer window.
  ['66', 1_000],
])('X-RateLimit-Reset: %s', (value, wait) => {
  expect(waitFor([['X-RateLimit-Reset', value]], 1, NOW)).toBe(wait);
});

test.each([-300_000, 300_000])('a date is read by the clock of the target, which is %i ms off', (skew) => {
  const headers = [
    ['Date', later(skew)],
    ['Retry-After', later(skew + 9_000)],
  ] as const;
  expect(waitFor(headers, 1, NOW)).toBe(9_000);
});
