import { expect, test } from 'vitest';
import { isRetryable, isSuccess } from '../../../src/contract/statuses.ts';

test('408, 425, 429 and 503 are retryable, other statuses and a missing answer are not', () => {
  expect([408, 425, 429, 503].every(isRetryable)).toBe(true);
  expect([null, 200, 400, 404, 409, 500, 502, 504].some(isRetryable)).toBe(false);
});

test('2xx is success, other statuses and a missing answer are not', () => {
  expect([200, 201, 204, 299].every(isSuccess)).toBe(true);
  expect([null, 100, 199, 300, 400, 503].some(isSuccess)).toBe(false);
});
