/** A thousand services behind gateways drawn by seed. */

import { proveDrawnGateways } from '../proof/gateways.ts';

proveDrawnGateways(Array.from({ length: 1_000 }, (_, seed) => seed));
