/** A few bundles of lawful targets; test/long makes more. */

import { CERTIFIED, proveBundles } from './certified-variants.ts';
import { partOf } from './samples.ts';

// Of two equal requests at once, one may be sent again.
proveBundles([...partOf(CERTIFIED, 1, 116), { shortage: 'every-eleventh-request' }]);
