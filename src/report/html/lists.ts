/** The matrix with its filter, and the lists of the page: open cases, choices, changes since the baseline, every case. */

import { gapById } from '../../../suites/observations/index.ts';
import { SHOWN } from '../../contract/limits.ts';
import { OPERATION_IDS, OPERATIONS } from '../../contract/operations.ts';
import type { Choice } from '../../run/choices.ts';
import type { CaseResult, RequirementResult, Results } from '../../verdict/results.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import {
  choicesIn,
  type DifferenceGroup,
  LOOKS,
  type OpenCases,
  openGroups,
  operationName,
  WORST_FIRST,
} from '../model.ts';
import { counted } from '../text.ts';
import { linked, remedyNote } from './exchanges.ts';
import {
  anchorOf,
  badge,
  basisOf,
  html,
  type Markup,
  operationsOf,
  phrase,
  readingNote,
  sectionName,
  symbol,
} from './markup.ts';

const SECTIONS = new Map([
  ['1', 'The service'],
  ['2', 'Resources and fields'],
  ['3', 'States'],
  ['4', 'Operations'],
  ['5', 'Authentication'],
  ['7', 'Errors'],
  ['8', 'Limits'],
]);

function chip(verdict: Verdict, count: number): Markup {
  return html`<label class="chip" title="${LOOKS[verdict].meaning}"><input type="checkbox" name="verdict" value="${verdict}">
<span>${badge(verdict)} ${verdict} <b>${count}</b></span></label>`;
}

/** The number of cases with each verdict, which is the legend of the matrix and the filter of every list. */
export function toolbar(results: Results): Markup {
  const counts = results.counts.cases;
  const total = WORST_FIRST.reduce((sum, verdict) => sum + counts[verdict], 0);
  const operations = operationsOf(results).map((id) => html`<option value="${id}">${operationName(id)}</option>`);
  return html`<form class="toolbar" role="search" aria-label="Filter the cases">
<fieldset><legend class="unseen">Show only these verdicts</legend>
${WORST_FIRST.filter((verdict) => counts[verdict] > 0).map((verdict) => chip(verdict, counts[verdict]))}</fieldset>
<div class="finders needs-script">
<label class="unseen" for="search">Search requirements, operations and reasons</label>
<input type="search" id="search" placeholder="Search" autocomplete="off" spellcheck="false">
<label class="unseen" for="operation">Operation</label>
<select id="operation"><option value="">all operations</option>${operations}</select>
<button type="reset">Clear</button>
</div>
<p class="shown needs-script" id="shown" role="status" aria-live="polite">${counted(total, 'case')}</p>
</form>`;
}

/** Requirements by section of the specification; recommendations come after everything that binds. */
function themesOf(requirements: readonly RequirementResult[]) {
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
  return html`<td data-cell="${one.id}" data-verdict="${one.verdict}"><a class="cell v-${one.verdict}" href="#${anchorOf(one.id)}" aria-label="${label}" title="${label}">${symbol(one.verdict)}</a></td>`;
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

/** The matrix with its headings. */
export function matrix(results: Results): Markup {
  const operations = operationsOf(results);
  const bodies = themesOf(results.requirements).map(({ title, level, requirements }) => {
    const heading = html`<tr class="theme"><th scope="rowgroup" colspan="${operations.length + 2}">${title}<span class="level">${level}</span></th></tr>`;
    return html`<tbody>${heading}${requirements.map((one) => row(one, operations))}</tbody>`;
  });
  return html`<div class="scroll" role="region" aria-label="Matrix" tabindex="0"><table class="matrix">
<caption class="unseen">Verdict of each requirement on each operation. The arrow keys move between the cells.</caption>
<thead><tr><th scope="col" class="corner">Requirement</th>${operations.map(columnHead)}<th scope="col" class="sum">passed</th></tr></thead>
${bodies}</table></div>`;
}

function openGroup({ verdict, title, reason, remedy, cases }: OpenCases): Markup {
  const items = cases.map((id) => html`<li data-case="${id}"><a href="#${anchorOf(id)}"><code>${id}</code></a></li>`);
  return html`<article class="open-group" data-group>${badge(verdict)}<div>
<h3>${linked(reason)}</h3>${remedyNote(remedy)}
<details><summary>${title} ${LOOKS[verdict].word}</summary><ul class="names">${items}</ul></details></div></article>`;
}

/** Inconclusive cases, then those that were not exercised, grouped by what would resolve them. */
export function openCases(results: Results): readonly Markup[] {
  return [...openGroups(results, 'inconclusive'), ...openGroups(results, 'not-exercised')].map(openGroup);
}

/** Operations in a phrase. */
function operationNames(operations: readonly string[]): string {
  const distinct = [...new Set(operations)];
  const isEverywhere = OPERATION_IDS.every((id) => distinct.includes(id)) && distinct.length === OPERATION_IDS.length;
  return isEverywhere ? 'all operations' : distinct.map(operationName).join(', ');
}

function gapRows(gap: string, choices: readonly Choice[]): readonly Markup[] {
  const own = choicesIn(gap, choices);
  return own.map(({ choice, operations }, at) => {
    const head = html`<th scope="rowgroup" rowspan="${own.length}">${gapById(gap)?.question ?? null}<code>${gap}</code></th>`;
    return html`<tr>${at === 0 ? head : null}<td>${phrase(choice)}</td><td class="operations">${operationNames(operations)}</td></tr>`;
  });
}

/** Choices by gap; operations with the same choice share a row. */
export function choiceTable(choices: readonly Choice[]): Markup {
  const gaps = [...new Set(choices.map(({ gap }) => gap))];
  const bodies = gaps.map((gap) => html`<tbody>${gapRows(gap, choices)}</tbody>`);
  return html`<details class="fold"><summary>Show the choices in ${counted(gaps.length, 'gap')}</summary><div class="scroll" role="region" aria-label="Choices" tabindex="0"><table class="plain choices"><caption class="unseen">Choices of the target by gap</caption>
<thead><tr><th scope="col">Gap</th><th scope="col">Choice</th><th scope="col">Operations</th></tr></thead>${bodies}</table></div></details>`;
}

/** The table of a group of changes since the baseline. */
export function differenceTable({ title, entries }: DifferenceGroup): Markup {
  const rows = entries.slice(0, SHOWN.changes).map(({ name, detail }) => {
    return html`<tr><td><code>${phrase(name)}</code></td><td>${phrase(detail)}</td></tr>`;
  });
  const rest = entries.length - rows.length;
  const note =
    rest > 0 ? html`<p class="aside">And ${counted(rest, 'more entry', 'more entries')} in comparison.json.</p>` : null;
  return html`<h3>${title} <span class="count">${entries.length}</span></h3><div class="scroll" role="region" tabindex="0" aria-label="${title}"><table class="plain"><thead><tr><th scope="col">What</th><th scope="col">Detail</th></tr></thead><tbody>${rows}</tbody></table></div>${note}`;
}

function caseRow(one: CaseResult, shownAbove: ReadonlySet<string>): Markup {
  const name = operationName(one.operation);
  const isAbove = shownAbove.has(one.id);
  const head = isAbove ? html`<a href="#${anchorOf(one.id)}">${name}</a>` : name;
  const id = isAbove ? null : html` id="${anchorOf(one.id)}"`;
  const remedy =
    one.remedy === undefined ? null : html` <span class="remedy">To resolve: ${linked(one.remedy)}.</span>`;
  return html`<tr${id} data-case="${one.id}"><th scope="row">${head}</th><td class="verdict-cell">${badge(one.verdict)} ${one.verdict}</td>
<td>${linked(one.reason ?? '')}${remedy}</td><td class="judged">${basisOf(one)}</td></tr>`;
}

function requirementEntry(requirement: RequirementResult, shownAbove: ReadonlySet<string>): Markup {
  const { id, level, section, statement, reading, verdict, cases } = requirement;
  const passed = cases.filter((one) => one.verdict === 'pass').length;
  return html`<details class="requirement" id="req-${id}" data-group><summary>${badge(verdict)}<span class="unseen">${verdict}: </span><code>${id}</code>
<span class="statement">${statement}</span><span class="marks"><span>${level}</span> <span>${sectionName(section)}</span> <span>${passed}/${cases.length}</span></span></summary>
${readingNote(reading)}<div class="scroll" role="group" aria-label="Cases of ${id}" tabindex="0"><table class="plain"><caption class="unseen">Cases of ${id}</caption><thead><tr><th scope="col">Operation</th><th scope="col">Verdict</th><th scope="col">Reason</th><th scope="col">Basis</th></tr></thead>
<tbody>${cases.map((one) => caseRow(one, shownAbove))}</tbody></table></div></details>`;
}

/** Every requirement with its cases; those that have an entry higher up lead there. */
export function everyCase(results: Results, shownAbove: ReadonlySet<string>): readonly Markup[] {
  return results.requirements.map((requirement) => requirementEntry(requirement, shownAbove));
}
