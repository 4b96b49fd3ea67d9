/** A few of the thousand drawn gateways and of those that needed a change of the suite; test/long proves all of them. */

import { sampled } from '../sampled.ts';
import { proveDrawnGateways } from './gateways.ts';

const TELLING: readonly number[] = [107, 122, 157, 186, 205, 229, 245, 302, 486, 511, 565, 571, 697, 877, 889];
const SPREAD = Array.from({ length: 20 }, (_, seed) => seed * 50);

proveDrawnGateways([...sampled(SPREAD, 10).items, ...sampled(TELLING, 8).items]);
