/** The matrix of a page with its filter, and below it every requirement with its cases. */

import { counted, groupBy } from '../../contract/lists.ts';
import { OPERATION_IDS, OPERATIONS } from '../../contract/operations.ts';
import { readingById } from '../../contract/readings.ts';
import type { CaseResult, RequirementResult, Results } from '../../verdict/results.ts';
import { LOOKS, operationName, WORST_FIRST } from '../model.ts';
import { linked } from './exchanges.ts';
import { anchorOf, badge, html, type Markup, sectionName } from './markup.ts';

/** The binding sections of the specification, and the recommendations. */
const THEMES = new Map([
  ['1', 'The service'],
  ['2', 'Resources and fields'],
  ['4', 'Operations'],
  ['5', 'Authentication'],
  ['7', 'Errors'],
  ['should', 'Recommendations'],
]);

/** The number of cases with each verdict, which is the legend of the matrix and the filter of every list. */
export function toolbar(results: Results): Markup {
  const counts = results.counts.cases;
  const operations = operationsOf(results).map((id) => html`<option value="${id}">${operationName(id)}</option>`);
  const chips = WORST_FIRST.filter((verdict) => counts[verdict] > 0).map(
    (
      verdict,
    ) => html`<label class="chip" title="${LOOKS[verdict].meaning}"><input class="needs-script" type="checkbox" name="verdict" value="${verdict}">
<span>${badge(verdict)} ${verdict} <b>${counts[verdict]}</b></span></label>`,
  );
  return html`<form class="toolbar" role="search" aria-label="Filter the cases" autocomplete="off">
<fieldset aria-label="Show only these verdicts">${chips}</fieldset>
<input class="needs-script" type="search" name="words" aria-label="Search requirements, operations and reasons" placeholder="Search" spellcheck="false">
<select class="needs-script" name="operation" aria-label="Operation"><option value="">all operations</option>${operations}</select>
<button class="needs-script" type="reset">Clear</button>
<output class="needs-script" id="shown"></output>
</form>`;
}

function columnHead(operation: string): Markup {
  const known = OPERATIONS.find(({ id }) => id === operation);
  const title = known === undefined ? 'requests outside the documented operations' : `${known.method} ${known.path}`;
  return html`<th scope="col" title="${title}"><span>${operationName(operation)}</span></th>`;
}

function cell(result: CaseResult | undefined): Markup {
  if (result === undefined) return html`<td></td>`;
  const { id, verdict } = result;
  const mark = badge(verdict, `${id}: ${verdict}`);
  // Hundreds of passed cases would each be a Tab stop; their requirement links there instead.
  const look = verdict === 'pass' ? mark : html`<a href="#${anchorOf(id)}">${mark}</a>`;
  return html`<td data-case="${id}" data-verdict="${verdict}">${look}</td>`;
}

function requirementRow(requirement: RequirementResult, operations: readonly string[]): Markup {
  const { id, level, section, statement, verdict, cases } = requirement;
  const passed = cases.filter(({ verdict }) => verdict === 'pass').length;
  const where = level === 'must' ? null : html`<span class="aside"> ${sectionName(section)}</span>`;
  return html`<tr data-group><th scope="row">${badge(verdict)}<a href="#req-${id}" title="${statement}"><code>${id}</code></a>${where}</th>
${operations.map((operation) => cell(cases.find((testCase) => testCase.operation === operation)))}<td class="aside">${passed}/${cases.length}</td></tr>`;
}

/** Every case as a square, a row for each operation: the whole at a glance. Marks replace the squares in text. */
export function map(results: Results): Markup {
  const { requirements } = results;
  const rows = operationsOf(results).map((operation) => {
    const verdicts = requirements.map(({ cases }) => cases.find((each) => each.operation === operation)?.verdict);
    const squares = verdicts.map((verdict) => html`<i class="${verdict && `v-${verdict}`}"></i>`);
    const counts = WORST_FIRST.flatMap((verdict) => {
      const count = verdicts.filter((each) => each === verdict).length;
      return count === 0 || verdict === 'pass' ? [] : [`${LOOKS[verdict].mark} ${count}`];
    });
    const words = `${operationName(operation)}: ${counts.join(', ') || 'all passed'}`;
    return html`<li><span>${operationName(operation)}</span><span class="squares" role="img" aria-label="${words}">${squares}</span><span class="aside">${counts.join(' ')}</span></li>`;
  });
  const legend = WORST_FIRST.filter((verdict) => results.counts.cases[verdict] > 0).map(
    (verdict) => html`<span>${badge(verdict)}${results.counts.cases[verdict]} ${verdict}</span> `,
  );
  return html`<p class="legend">${legend}<a href="#matrix">with names</a></p><ul class="map">${rows}</ul>`;
}

/** The matrix with its headings. */
export function matrix(results: Results): Markup {
  const operations = operationsOf(results);
  // Recommendations follow the binding requirements.
  const themes = groupBy(results.requirements, ({ level, section }) => (level === 'must' ? section : level));
  const bodies = [...themes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([theme, requirements]) => {
      const heading = html`<tr class="theme"><th scope="rowgroup" colspan="${operations.length + 2}">${THEMES.get(theme) ?? 'Section'} <span class="aside">${sectionName(theme)}</span></th></tr>`;
      return html`<tbody data-group>${heading}${requirements.map((requirement) => requirementRow(requirement, operations))}</tbody>`;
    });
  return html`<div class="scroll" role="region" aria-label="Matrix" tabindex="0"><table class="matrix" aria-label="Verdict of each requirement on each operation">
<thead><tr><th scope="col">Requirement</th>${operations.map(columnHead)}<th scope="col">passed</th></tr></thead>
${bodies}</table></div>`;
}

/** Operations that have a case, in the order of the specification; requests outside them come last. */
function operationsOf(results: Results): readonly string[] {
  const present = new Set(results.requirements.flatMap(({ cases }) => cases.map(({ operation }) => operation)));
  return [...OPERATION_IDS, 'undocumented'].filter((id) => present.has(id));
}

/** The reading of the specification that a requirement takes; nothing if the text is unambiguous. */
export function readingNote(id: string | undefined): Markup | null {
  const reading = id === undefined ? undefined : readingById(id);
  if (reading === undefined) return null;
  const [taken, rejected] = reading.readings;
  return html`<div class="reading aside"><p><b>Reading ${id}.</b> ${reading.question} <b>Taken:</b> ${taken}</p>
<details><summary>Why, and the other reading</summary><p>${reading.why}</p><p>The other: ${rejected}</p></details></div>`;
}

/** A case on a line; a failing case or a warning is shown in full above. */
function caseRow(result: CaseResult): Markup {
  const name = operationName(result.operation);
  const isElsewhere = ['error', 'fail', 'warning'].includes(result.verdict);
  const head = isElsewhere ? html`<a href="#${anchorOf(result.id)}">${name}</a>` : name;
  const id = isElsewhere ? null : html` id="${anchorOf(result.id)}"`;
  const remedy = result.remedy === undefined ? null : html` Remedy: ${linked(result.remedy)}.`;
  const basis = result.judged === 0 ? 'no exchange' : `based on ${counted(result.judged, 'exchange')}`;
  return html`<tr${id} data-case="${result.id}"><th scope="row">${head}</th><td>${badge(result.verdict)} ${result.verdict}</td>
<td>${linked(result.reason ?? '')}${remedy}</td><td>${basis}</td></tr>`;
}

/** A requirement with its cases. */
export function requirementEntry(requirement: RequirementResult): Markup {
  const { id, level, section, statement, reading, verdict, cases } = requirement;
  const passed = cases.filter((testCase) => testCase.verdict === 'pass').length;
  return html`<details class="requirement" id="req-${id}" data-group><summary>${badge(verdict, verdict)}<code>${id}</code>
<span>${statement}</span> <span class="aside">${level} · ${sectionName(section)} · ${passed}/${cases.length}</span></summary>
${readingNote(reading)}<div class="scroll" role="group" aria-label="Cases of ${id}" tabindex="0"><table class="plain"><thead><tr><th scope="col">Operation</th><th scope="col">Verdict</th><th scope="col">Reason</th><th scope="col">Basis</th></tr></thead>
<tbody>${cases.map(caseRow)}</tbody></table></div></details>`;
}
