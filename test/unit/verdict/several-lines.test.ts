/** A header field that comes several times says the same as one with all values, in any order (RFC 9110, section 5.3). */

import { expect, test } from 'vitest';
import { allow } from '../../../suites/observations/readers.ts';
import { asks, exchangeOf, opinionOn } from '../rules/exchanges.ts';

const allowing = (...values: readonly string[]): string =>
  allow(exchangeOf({ status: 405, headers: values.map((value) => ['Allow', value]) }, 0));

test('methods in two lines of Allow are read in any order', () => {
  expect(allowing('POST', 'GET')).toBe(allowing('GET', 'POST'));
  expect(allowing('POST', 'GET')).toBe(allowing('GET, POST'));
});

test('a challenge counts in whatever line of WWW-Authenticate it stands', () => {
  const accepted = { tag: { control: true } };
  const rejected = (...values: readonly string[]) => ({
    status: 401,
    tag: { asks: asks('AUTH-CHALLENGE') },
    request: { credential: 'none' } as const,
    headers: values.map((value) => ['WWW-Authenticate', value] as const),
  });
  expect(opinionOn('AUTH-CHALLENGE', [accepted, rejected('', 'Bearer')], 1)?.kind).toBe('pass');
  expect(opinionOn('AUTH-CHALLENGE', [accepted, rejected('', '')], 1)?.kind).toBe('finding');
});
