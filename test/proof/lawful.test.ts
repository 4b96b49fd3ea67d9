/** A few rows of the array of lawful services; test/long judges the array twelve times over. */

import { sampled } from '../sampled.ts';
import { lawfulRows, proveLawful } from './lawful.ts';

const HERE = sampled(lawfulRows(1), 12);
proveLawful(HERE.items, HERE.words);
