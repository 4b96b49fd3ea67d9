/** The filter, and the matrix: requirements down, operations across, a symbol that leads to each case; narrow, a list. */

import { OPERATIONS } from '../../contract/operations.ts';
import type { CaseResult, RequirementResult, Results } from '../../verdict/results.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { WORST_FIRST } from '../looks.ts';
import { counted } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { badge, MEANINGS, symbol } from './verdicts.ts';
import { anchorOf, operationName, operationsOf, sectionName } from './words.ts';

const SECTIONS = new Map([
  ['1', 'The service'],
  ['2', 'Resources and fields'],
  ['3', 'States'],
  ['4', 'Operations'],
  ['5', 'Authentication'],
  ['7', 'Errors'],
  ['8', 'Limits'],
]);

const BAR = 1_000;

/** A strip of all cases, each verdict as wide as its share; a single case stays wide enough to be seen. */
function tallyBar(counts: Results['counts']['cases'], total: number): Markup {
  const shown = WORST_FIRST.filter((verdict) => counts[verdict] > 0);
  const raw = shown.map((verdict) => Math.max(8, (counts[verdict] / Math.max(1, total)) * BAR));
  const scale = BAR / raw.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const parts = shown.map((verdict, at) => {
    const width = (raw[at] ?? 0) * scale;
    const gap = at === shown.length - 1 ? 0 : 3;
    const part = html`<rect class="fill-${verdict}" x="${x.toFixed(1)}" y="0" width="${Math.max(1, width - gap).toFixed(1)}" height="10"/>`;
    x += width;
    return part;
  });
  return html`<svg class="tally" viewBox="0 0 ${BAR} 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}

function chip(verdict: Verdict, count: number): Markup {
  return html`<label class="chip" title="${MEANINGS[verdict]}"><input type="checkbox" name="verdict" value="${verdict}">
<span>${badge(verdict)} ${verdict} <b>${count}</b></span></label>`;
}

/** The number of cases with each verdict, which is the legend of the matrix and the filter of every list. */
export function toolbar(results: Results): Markup {
  const counts = results.counts.cases;
  const total = WORST_FIRST.reduce((sum, verdict) => sum + counts[verdict], 0);
  const operations = operationsOf(results).map((id) => html`<option value="${id}">${operationName(id)}</option>`);
  return html`${tallyBar(counts, total)}
<form class="toolbar" role="search" aria-label="Filter the cases">
<fieldset><legend class="unseen">Show only these verdicts</legend>
${WORST_FIRST.filter((verdict) => counts[verdict] > 0).map((verdict) => chip(verdict, counts[verdict]))}</fieldset>
<div class="finders needs-script">
<label class="unseen" for="search">Search requirements, operations and reasons</label>
<input type="search" id="search" placeholder="Search  ( / )" autocomplete="off" spellcheck="false">
<label class="unseen" for="operation">Operation</label>
<select id="operation"><option value="">all operations</option>${operations}</select>
<button type="reset">Clear</button>
</div>
<p class="shown needs-script" id="shown" role="status" aria-live="polite">${counted(total, 'case')}</p>
</form>`;
}

interface Theme {
  readonly title: string;
  readonly level: string;
  readonly requirements: readonly RequirementResult[];
}

/** Requirements by section of the specification; recommendations come after everything that binds. */
function themesOf(requirements: readonly RequirementResult[]): readonly Theme[] {
  const musts = requirements.filter(({ level }) => level === 'must');
  const shoulds = requirements.filter(({ level }) => level === 'should');
  const sections = [...new Set(musts.map(({ section }) => section))].sort();
  const themes = sections.map((section) => {
    const title = SECTIONS.get(section) ?? `Section ${section}`;
    return { title, level: sectionName(section), requirements: musts.filter((one) => one.section === section) };
  });
  return shoulds.length === 0
    ? themes
    : [...themes, { title: 'Recommendations', level: 'should', requirements: shoulds }];
}

function columnHead(operation: string): Markup {
  const known = OPERATIONS.find(({ id }) => id === operation);
  const title = known === undefined ? 'requests outside the documented operations' : `${known.method} ${known.path}`;
  return html`<th scope="col" class="operation" title="${title}"><span>${operationName(operation)}</span></th>`;
}

function cell(one: CaseResult | undefined): Markup {
  if (one === undefined) return html`<td class="none"></td>`;
  const label = `${one.id}: ${one.verdict}`;
  return html`<td data-cell="${one.id}"><a class="cell v-${one.verdict}" href="#${anchorOf(one.id)}" aria-label="${label}">${symbol(one.verdict)}<span class="name">${one.operation}</span></a></td>`;
}

function row(
  { id, level, section, statement, verdict, cases }: RequirementResult,
  operations: readonly string[],
): Markup {
  const passed = cases.filter(({ verdict }) => verdict === 'pass').length;
  const where = level === 'must' ? null : html`<span class="section">${sectionName(section)}</span>`;
  return html`<tr><th scope="row">${badge(verdict)}<a href="#req-${id}" title="${statement}"><code>${id}</code></a>${where}</th>
${operations.map((operation) => cell(cases.find((one) => one.operation === operation)))}<td class="sum">${passed}/${cases.length}</td></tr>`;
}

/** The matrix with its headings, and the line that describes the current cell. */
export function matrix(results: Results): Markup {
  const operations = operationsOf(results);
  const bodies = themesOf(results.requirements).map(({ title, level, requirements }) => {
    const heading = html`<tr class="theme"><th scope="rowgroup" colspan="${operations.length + 2}">${title}<span class="level">${level}</span></th></tr>`;
    return html`<tbody>${heading}${requirements.map((one) => row(one, operations))}</tbody>`;
  });
  return html`<div class="scroll" role="region" aria-label="Matrix" tabindex="0"><table class="matrix">
<caption class="unseen">Verdict of each requirement on each operation. The arrow keys move between the cells.</caption>
<thead><tr><th scope="col" class="corner">Requirement</th>${operations.map(columnHead)}<th scope="col" class="sum">passed</th></tr></thead>
${bodies}</table></div>
<p class="readout needs-script" id="readout" aria-hidden="true">Point at a cell for its reason. Click it for its case.</p>`;
}
