/** Two hundred hostile bundles; test/long tries many more. */

import { proveHostileBundles } from './hostile-bundles.ts';

proveHostileBundles(200, 1);
