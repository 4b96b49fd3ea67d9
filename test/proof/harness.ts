/** The proof's way to judge a service in this process. */

export { judge, optionsFrom, skippingClock, transportTo } from '../../src/selftest/harness.ts';
