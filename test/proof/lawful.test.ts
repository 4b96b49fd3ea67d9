/** A third of the array of lawful services; test/long judges the array 24 times over. */

import { sampled } from '../sampled.ts';
import { lawfulRows, ONCE_WRONG, proveConformant, proveLawful } from './lawful.ts';

const HERE = sampled(lawfulRows(1), 7);
proveLawful(HERE.items, HERE.words);
proveLawful(ONCE_WRONG, 'once wrong');
proveConformant();
