/** What was not judged, and what would help. */

import type { Results } from '../../verdict/results.ts';
import { type OpenGroup, openGroups } from '../cases.ts';
import { PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf } from './page-cases.ts';
import { counted } from './quantities.ts';
import { badge } from './verdicts.ts';

function groupEntry(group: OpenGroup): Markup {
  const cases = group.cases.map(
    (id) => html`<li data-case="${id}"><a href="#${anchorOf(id)}"><code>${id}</code></a></li>`,
  );
  const help =
    group.remedy === undefined
      ? null
      : html`<p class="remedy"><span class="label">What would help</span> ${shortened(group.remedy, PHRASE_CHARACTERS)}</p>`;
  return html`<article class="open-group" data-group>${badge(group.verdict)}<div>
<h3>${shortened(group.reason, PHRASE_CHARACTERS)}</h3>${help}
<details><summary>${group.verdict}: ${counted(group.cases.length, 'case')}</summary><ul class="names">${cases}</ul></details></div></article>`;
}

/** Inconclusive cases first, then those that nothing came up for; grouped by what would help. */
export function openCases(results: Results): readonly Markup[] {
  return [...openGroups(results, 'inconclusive'), ...openGroups(results, 'not-exercised')].map(groupEntry);
}
