/** The tally of the cases, which is the legend of the matrix and the filter at the same time. */

import type { Results } from '../../verdict/results.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { html, type Markup } from './markup.ts';
import { operationName, operationsOf } from './page-cases.ts';
import { counted } from './quantities.ts';
import { badge, MEANINGS, VERDICTS } from './verdicts.ts';

const BAR = 1_000;

/** A strip of all cases, each verdict as wide as its share; one case is never too narrow to be seen. */
function tallyBar(counts: Results['counts']['cases'], total: number): Markup {
  const shown = VERDICTS.filter((verdict) => counts[verdict] > 0);
  const raw = shown.map((verdict) => Math.max(8, (counts[verdict] / Math.max(1, total)) * BAR));
  const scale = BAR / raw.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const parts = shown.map((verdict, at) => {
    const width = (raw[at] ?? 0) * scale;
    const part = html`<rect class="fill-${verdict}" x="${x.toFixed(1)}" y="0" width="${Math.max(1, width - 3).toFixed(1)}" height="10"/>`;
    x += width;
    return part;
  });
  return html`<svg class="tally" viewBox="0 0 ${BAR} 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}

function chip(verdict: Verdict, count: number): Markup {
  return html`<label class="chip" title="${MEANINGS[verdict]}"><input type="checkbox" name="verdict" value="${verdict}">
<span>${badge(verdict)} ${verdict} <b>${count}</b></span></label>`;
}

/** Tally, legend, and the filter over every list of the page. */
export function toolbar(results: Results): Markup {
  const counts = results.counts.cases;
  const total = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
  const operations = operationsOf(results).map((id) => html`<option value="${id}">${operationName(id)}</option>`);
  return html`${tallyBar(counts, total)}
<form class="toolbar" role="search" aria-label="Filter the cases">
<fieldset><legend class="unseen">Show only these verdicts</legend>
${VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => chip(verdict, counts[verdict]))}</fieldset>
<div class="finders needs-script">
<label class="unseen" for="search">Search requirements, operations and reasons</label>
<input type="search" id="search" placeholder="Search  ( / )" autocomplete="off" spellcheck="false">
<label class="unseen" for="operation">Operation</label>
<select id="operation"><option value="">every operation</option>${operations}</select>
<button type="reset">Clear</button>
</div>
<p class="shown needs-script" id="shown" role="status" aria-live="polite">${counted(total, 'case')}</p>
</form>`;
}
