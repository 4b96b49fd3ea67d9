/** Verdicts as the page shows them: a word, and a symbol that reads without colour. */

import type { Verdict } from '../../verdict/verdict.ts';
import { WORST_FIRST } from '../looks.ts';
import { html, Markup } from './markup.ts';

/** What each verdict means. */
export const MEANINGS = {
  error: 'the suite itself broke',
  fail: 'the target violates the requirement',
  warning: 'the target does not follow a recommendation',
  inconclusive: 'tested, but the responses allow no verdict',
  pass: 'the target meets the requirement',
  'not-exercised': 'not tested in this run',
} as const satisfies Readonly<Record<Verdict, string>>;

const DRAWINGS = {
  pass: '<path d="M4.5 10.5l3.6 3.7 7.4-8"/>',
  fail: '<path d="M5.5 5.5l9 9M14.5 5.5l-9 9"/>',
  warning: '<path d="M10 4v8M10 15.4v.6"/>',
  inconclusive: '<path d="M7 7.4a3 3 0 1 1 4.4 2.6c-1 .6-1.4 1.1-1.4 2.2M10 15.6v.4"/>',
  'not-exercised': '<path d="M6 10h8"/>',
  error: '<path d="M7 4.5v7.4M7 15.3v.6M13 4.5v7.4M13 15.3v.6"/>',
} as const satisfies Readonly<Record<Verdict, string>>;

/** The drawings of all symbols, once for the page. */
export function symbolSheet(): Markup {
  const symbols = WORST_FIRST.map((verdict) => {
    return html`<symbol id="s-${verdict}" viewBox="0 0 20 20">${new Markup(DRAWINGS[verdict])}</symbol>`;
  });
  return html`<svg class="sheet" aria-hidden="true" focusable="false">${symbols}</svg>`;
}

/** The symbol of a verdict; the word stands beside it or in a label. */
export function symbol(verdict: Verdict): Markup {
  return html`<svg class="symbol" aria-hidden="true" focusable="false"><use href="#s-${verdict}"/></svg>`;
}

/** The symbol on the colour of the verdict. */
export function badge(verdict: Verdict): Markup {
  return html`<span class="badge v-${verdict}">${symbol(verdict)}</span>`;
}
