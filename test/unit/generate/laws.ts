/** What holds for every random value of a schema, checked over as many values as the caller wants. */

import { expect } from 'vitest';
import { DRAWN } from '../../../src/contract/limits.ts';
import { sizeOf } from '../../../src/generate/json.ts';
import { validArbitrary } from '../../../src/generate/random.ts';
import { type Violation, violations } from '../../../src/generate/violations.ts';
import { sampled } from '../../selftest/seeded.ts';
import { misnamed, oracle, serialized } from './oracle.ts';
import type { Subject } from './subjects.ts';

/** Draws that many valid values, makes each invalid in turn, and expects ajv to agree, before and after serialization. */
export function expectRandomValues(
  { schema, options }: Pick<Subject, 'schema' | 'options'>,
  seed: number,
  count: number,
) {
  const rejectionsOf = oracle(schema);
  const list = violations(schema, options);
  for (const [at, value] of sampled(validArbitrary(schema, options), seed, count).entries()) {
    const again = serialized(value);
    expect(again).toEqual(value);
    if (rejectionsOf(value).length > 0 || rejectionsOf(again).length > 0)
      expect.fail(`rejected: ${JSON.stringify(value)}`);
    if (sizeOf(value) >= DRAWN.body) expect.fail(`too large: ${sizeOf(value)} bytes`);
    const violation = list[at % list.length] as Violation;
    for (const form of [violation.apply(value), serialized(violation.apply(value))]) {
      const wrong = misnamed(rejectionsOf(form), violation);
      if (wrong.length > 0) expect.fail(`${violation.label}: ${JSON.stringify(form)}: ${JSON.stringify(wrong)}`);
    }
  }
}
