/** A few hundred hostile bundles; test/long tries many more. */

import { proveHostileBundles } from './hostile-bundles.ts';

proveHostileBundles(500, 1);
