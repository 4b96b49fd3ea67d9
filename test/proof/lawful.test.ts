/** A seventh of the array of lawful services; test/long judges the array 24 times over. */

import { sampled } from '../sampled.ts';
import { ONCE_LOST, RIGHT_REJECTIONS } from './habits.ts';
import { lawfulRows, ONCE_WRONG, proveConformant, proveLawful, proveWithoutWarning } from './lawful.ts';

const HERE = sampled(lawfulRows(1), 11);
proveLawful(HERE.items, HERE.words);
const WRONG = sampled(ONCE_WRONG, 9);
proveLawful(WRONG.items, `once wrong, ${WRONG.words}`);
const LOST = sampled(ONCE_LOST, 6);
proveConformant(LOST.items, LOST.words);

const RIGHT = sampled(RIGHT_REJECTIONS, 3);
proveWithoutWarning(RIGHT.items, RIGHT.words);
