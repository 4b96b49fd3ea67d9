/** Forty hostile bundles; test/long tries many more. */

import { proveHostileBundles } from './hostile-bundles.ts';

proveHostileBundles(40, 1);
