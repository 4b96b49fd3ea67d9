/** The laws of random values over 100,000 values (test/unit checks a sample). */

import { expect, test } from 'vitest';
import { expectRandomValues } from '../unit/generate/laws.ts';
import { SUBJECTS } from '../unit/generate/subjects.ts';

const EACH = Math.ceil(100_000 / SUBJECTS.length / 2);

test.each(SUBJECTS)('random values of $name: valid ones are accepted, invalid ones rejected', (subject) => {
  expectRandomValues(subject, 20_260, EACH);
  expect(EACH).toBeGreaterThan(5000);
});
