/** Forty of the thousand drawn gateways; test/long proves all of them. */

import { proveDrawnGateways } from './gateways.ts';

proveDrawnGateways(Array.from({ length: 40 }, (_, seed) => seed * 25));
