/** The cost of a whole run compared with that of the judged service itself: `npm run bench`. */

import { bench, describe } from 'vitest';
import { createReference } from '../fixtures/service/reference.ts';
import type { ServiceRequest } from '../fixtures/service/types.ts';
import { resultsOf } from '../suites/index.ts';
import { judge, optionsFrom, skippingClock } from '../test/selftest/harness.ts';
import { judgeOverSocket } from '../test/selftest/judged.ts';

const heard: ServiceRequest[] = [];
const first = createReference();
const { record } = await judge((request) => {
  heard.push(request);
  return first.service(request);
}, optionsFrom(first.settings));

describe('the reference service, judged once', () => {
  bench('a whole run, in process', async () => {
    const { service, settings } = createReference();
    await judge(service, optionsFrom(settings));
  });

  bench('a whole run, over a socket', async () => {
    const { service, settings } = createReference();
    await judgeOverSocket(service, optionsFrom(settings), skippingClock());
  });

  bench('the verdicts of its record alone', () => {
    resultsOf(record);
  });

  bench('the service alone, asked the same', async () => {
    const { service } = createReference();
    for (const request of heard) await service(request);
  });
});
