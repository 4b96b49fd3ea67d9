/** The one style sheet of the page. */

import { BASE } from './base.ts';
import { CASES } from './cases.ts';
import { COLOURS } from './colours.ts';
import { MASTHEAD } from './masthead.ts';
import { MATRIX } from './matrix.ts';
import { TIME } from './time.ts';

/** All styles in the order in which they apply. */
export const STYLES = [COLOURS, BASE, MASTHEAD, MATRIX, CASES, TIME].join('');
