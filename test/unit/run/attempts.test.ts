/** How often a sequence may be sent, as the schema of exchanges and the run have it. */

import { expect, test } from 'vitest';
import schema from '../../../schemas/exchange.schema.json' with { type: 'json' };
import { TRIALS } from '../../../src/contract/limits.ts';
import { WAITING } from '../../../src/contract/waiting.ts';

test('the schema of an exchange allows each attempt that a run makes, and no more', () => {
  const { attempt } = schema.$defs.tag.properties;
  // After a lock-out; and a hang-up is tried five times, and twice at the end of the run.
  const most = TRIALS.rule + WAITING.hangUpUnclear.waits.length + 2;
  expect([attempt.minimum, attempt.maximum]).toEqual([0, most]);
});
