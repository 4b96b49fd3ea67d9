/** A few bundles of lawful targets; test/long makes more. */

import { CERTIFIED, proveBundles } from './certified-variants.ts';
import { partOf } from './samples.ts';

proveBundles(partOf(CERTIFIED, 3, 23));
