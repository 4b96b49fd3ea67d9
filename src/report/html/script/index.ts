/** The scripts of the page: vanilla, one after the other, and none of them is needed to read it. */

import { APPEARANCE } from './appearance.ts';
import { COPYING, OPENING } from './copying.ts';
import { FILTERING } from './filtering.ts';
import { MATRIX } from './matrix.ts';
import { TIMELINE } from './timeline.ts';

export { FIRST_SCRIPT } from './appearance.ts';

const START = `
(function () {
'use strict';
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
const data = JSON.parse(byId('data').textContent);
`;

const END = `
appearance();
copying();
matrix();
filtering();
timeline();
opening();
})();
`;

/** Runs at the end of the page. */
export const SCRIPT = [START, APPEARANCE, COPYING, OPENING, FILTERING, MATRIX, TIMELINE, END].join('');
