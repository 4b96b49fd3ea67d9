/** Twenty thousand bundles that were changed at random and signed again. */

import { proveHostileBundles } from '../unit/certificate/hostile-bundles.ts';

proveHostileBundles(20_000, 2);
