/** The single choices that `npm test` leaves out, and three megabytes of numbers. */

import { test } from 'vitest';
import { demandLongLists, otherChoices, proveSingleChoices } from '../proof/variants-alone.ts';

proveSingleChoices(otherChoices(), 'the others');

test('a service may send three megabytes of numbers over a socket, compressed', async () => {
  await demandLongLists(32_000);
});
