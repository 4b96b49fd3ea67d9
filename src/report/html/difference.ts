/** What changed since the baseline: groups of cases, choices and facts of the plan. */

import type { Difference } from '../difference.ts';
import { PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { counted } from './quantities.ts';

/** So many entries of a group are shown; the rest is in comparison.json. */
const ROWS = 200;

/** A table for each group of changes. */
export function differenceTables({ groups }: Difference): Markup {
  const tables = groups.map(({ title, entries }) => {
    const rows = entries.slice(0, ROWS).map(({ name, detail }) => {
      return html`<tr><td><code>${shortened(name, PHRASE_CHARACTERS)}</code></td><td>${shortened(detail, PHRASE_CHARACTERS)}</td></tr>`;
    });
    const more = entries.length - rows.length;
    const rest =
      more <= 0 ? null : html`<p class="aside">And ${counted(more, 'entry', 'entries')} more, in comparison.json.</p>`;
    return html`<h3>${title} <span class="count">${entries.length}</span></h3><div class="scroll" role="region" tabindex="0" aria-label="${title}"><table class="plain"><thead><tr><th scope="col">What</th><th scope="col">Detail</th></tr></thead><tbody>${rows}</tbody></table></div>${rest}`;
  });
  return html`${tables}`;
}
