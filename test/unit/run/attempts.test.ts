/** How often a sequence may be sent, as the schema of exchanges and the run have it. */

import { expect, test } from 'vitest';
import schema from '../../../schemas/exchange.schema.json' with { type: 'json' };
import { TRIALS } from '../../../src/contract/limits.ts';
import { MOST_REPETITIONS } from '../../../src/verdict/repetition.ts';

test('the schema of an exchange allows each attempt that a run makes, and no more', () => {
  const { attempt } = schema.$defs.tag.properties;
  const most = (TRIALS.rule + 1) * (MOST_REPETITIONS + 1);
  expect([attempt.minimum, attempt.maximum]).toEqual([0, most - 1]);
});
