/** Forty of the thousand drawn gateways; test/long proves all of them. */

import { describe } from 'vitest';
import { OPERATION_IDS } from '../../src/contract/operations.ts';
import { isWhole } from '../sampled.ts';
import { proveDrawnGateways } from './gateways.ts';

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed * 25);
/** Calls are placed behind each gateway; of the other operations, the next third behind the next gateway. */
const OTHERS = OPERATION_IDS.filter((id) => id !== 'createCall' && id !== 'hangUpCall');
const withoutAt = (at: number) => OTHERS.filter((_, place) => (place + at) % 3 !== 0);

const WORDS = 'calls and a third of the other operations here, all in npm run test:long';
describe(isWhole() ? 'all operations' : WORDS, () => {
  proveDrawnGateways(SEEDS, isWhole() ? undefined : withoutAt);
});
