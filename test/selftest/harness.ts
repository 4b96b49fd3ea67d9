/** The options of the runs of a proof, which are judged in this process, without sockets. */

import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import { targetOf } from '../../src/cli/in-process.ts';
import { DEFAULTS, type RunOptions } from '../../src/run/options.ts';

export { judge, redactorOf, skippingClock, transportTo } from '../../src/cli/in-process.ts';

/** Options for judging a service with these settings. */
export function optionsFrom(settings: ReferenceSettings, changes: Partial<RunOptions> = {}): RunOptions {
  return {
    ...DEFAULTS,
    baseUrl: 'http://service.invalid',
    ...targetOf(settings),
    profile: 'full',
    seed: 1,
    // The systematic part is proved by itself.
    explore: 0,
    ...changes,
  };
}
