/** Twenty thousand bundles that were changed at random and signed again, in four parts. */

import { proveHostileBundles } from '../unit/certificate/hostile-bundles.ts';

for (const seed of [2, 3, 4, 5]) proveHostileBundles(5_000, seed);
