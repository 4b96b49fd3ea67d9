/** Verdicts as the page shows them: a word, a symbol that reads without colour, an order. */

import type { RunVerdict, Verdict } from '../../verdict/verdict.ts';
import { html, Markup } from './markup.ts';

/** Verdicts of a case, the gravest first. */
export const VERDICTS: readonly Verdict[] = ['error', 'fail', 'warning', 'inconclusive', 'not-exercised', 'pass'];

/** Words for the verdict of a run. */
export const RUN_WORDS = {
  conformant: 'Conformant',
  'non-conformant': 'Non-conformant',
  incomplete: 'Incomplete',
  void: 'Void',
} as const satisfies Readonly<Record<RunVerdict, string>>;

/** The verdict of a case whose colour and symbol the verdict of a run takes. */
export const KIN = {
  conformant: 'pass',
  'non-conformant': 'fail',
  incomplete: 'inconclusive',
  void: 'error',
} as const satisfies Readonly<Record<RunVerdict, Verdict>>;

/** What each verdict means, in a phrase for the legend. */
export const MEANINGS = {
  error: 'the suite itself broke',
  fail: 'the target breaks it',
  warning: 'a should that is not kept',
  inconclusive: 'asked, and not to be judged',
  'not-exercised': 'nothing came up to judge',
  pass: 'holds',
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
  const symbols = VERDICTS.map((verdict) => {
    return html`<symbol id="s-${verdict}" viewBox="0 0 20 20">${new Markup(DRAWINGS[verdict])}</symbol>`;
  });
  return html`<svg class="sheet" aria-hidden="true" focusable="false">${symbols}</svg>`;
}

/** The symbol of a verdict; the word stands beside it or in a label. */
export function symbol(verdict: Verdict): Markup {
  return html`<svg class="symbol" aria-hidden="true" focusable="false"><use href="#s-${verdict}"/></svg>`;
}

/** A small badge: symbol on the verdict's colour. */
export function badge(verdict: Verdict): Markup {
  return html`<span class="badge v-${verdict}">${symbol(verdict)}</span>`;
}
