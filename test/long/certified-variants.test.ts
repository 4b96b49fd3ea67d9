/** The bundles of lawful targets of many kinds. */

import { CERTIFIED, proveBundles } from '../proof/certified-variants.ts';

proveBundles(CERTIFIED);
