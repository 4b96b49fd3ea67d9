/** The lists of the page: open cases, choices of the target, changes since the baseline, and every case. */

import { gapById } from '../../../suites/observations/index.ts';
import { OPERATION_IDS } from '../../contract/operations.ts';
import type { Choice } from '../../run/choices.ts';
import type { CaseResult, RequirementResult, Results } from '../../verdict/results.ts';
import type { Difference, DifferenceGroup } from '../artefacts.ts';
import { choicesIn, type OpenGroup, openGroups } from '../cases.ts';
import { LOOKS } from '../looks.ts';
import { counted } from '../text.ts';
import { linked, type OnPage, remedyNote } from './exchanges.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';
import { anchorOf, basisOf, operationName, phrase, readingNote, sectionName } from './words.ts';

/** Most rows of a list; the files beside the page hold the rest. */
const DIFFERENCES = 200;
const GAPS = 1_000;

function openGroup({ verdict, reason, remedy, cases }: OpenGroup, shown: OnPage): Markup {
  const items = cases.map((id) => html`<li data-case="${id}"><a href="#${anchorOf(id)}"><code>${id}</code></a></li>`);
  return html`<article class="open-group" data-group>${badge(verdict)}<div>
<h3>${linked(reason, shown)}</h3>${remedyNote(remedy, shown)}
<details><summary>${counted(cases.length, 'case')} ${LOOKS[verdict].word}</summary><ul class="names">${items}</ul></details></div></article>`;
}

/** Inconclusive cases, then those that were not exercised, grouped by what would resolve them. */
export function openCases(results: Results, shown: OnPage): readonly Markup[] {
  const groups = [...openGroups(results, 'inconclusive'), ...openGroups(results, 'not-exercised')];
  return groups.map((group) => openGroup(group, shown));
}

/** Operations in a phrase. */
export function operationNames(operations: readonly string[]): string {
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
  const bodies = gaps.slice(0, GAPS).map((gap) => html`<tbody>${gapRows(gap, choices)}</tbody>`);
  return html`<details class="fold"><summary>Show the choices in ${counted(gaps.length, 'gap')}</summary><div class="scroll" role="region" aria-label="Choices" tabindex="0"><table class="plain choices"><caption class="unseen">Choices of the target by gap</caption>
<thead><tr><th scope="col">Gap</th><th scope="col">Choice</th><th scope="col">Operations</th></tr></thead>${bodies}</table></div></details>`;
}

function differenceTable({ title, entries }: DifferenceGroup): Markup {
  const rows = entries.slice(0, DIFFERENCES).map(({ name, detail }) => {
    return html`<tr><td><code>${phrase(name)}</code></td><td>${phrase(detail)}</td></tr>`;
  });
  const rest = entries.length - rows.length;
  const note =
    rest > 0 ? html`<p class="aside">And ${counted(rest, 'more entry', 'more entries')} in comparison.json.</p>` : null;
  return html`<h3>${title} <span class="count">${entries.length}</span></h3><div class="scroll" role="region" tabindex="0" aria-label="${title}"><table class="plain"><thead><tr><th scope="col">What</th><th scope="col">Detail</th></tr></thead><tbody>${rows}</tbody></table></div>${note}`;
}

/** One table for each group of changes since the baseline. */
export function differenceTables({ groups }: Difference): readonly Markup[] {
  return groups.map(differenceTable);
}

/** What the list of cases may link to: cases with an entry higher up, and exchanges. */
interface Elsewhere {
  readonly shownAbove: ReadonlySet<string>;
  readonly shown: OnPage;
}

function caseRow(one: CaseResult, { shownAbove, shown }: Elsewhere): Markup {
  const name = operationName(one.operation);
  const isAbove = shownAbove.has(one.id);
  const head = isAbove ? html`<a href="#${anchorOf(one.id)}">${name}</a>` : name;
  const id = isAbove ? null : html` id="${anchorOf(one.id)}"`;
  const remedy =
    one.remedy === undefined ? null : html` <span class="remedy">To resolve: ${linked(one.remedy, shown)}.</span>`;
  return html`<tr${id} data-case="${one.id}"><th scope="row">${head}</th><td class="verdict-cell">${badge(one.verdict)} ${one.verdict}</td>
<td>${linked(one.reason ?? '', shown)}${remedy}</td><td class="judged">${basisOf(one)}</td></tr>`;
}

function requirementEntry(requirement: RequirementResult, elsewhere: Elsewhere): Markup {
  const { id, level, section, statement, reading, verdict, cases } = requirement;
  const passed = cases.filter((one) => one.verdict === 'pass').length;
  return html`<details class="requirement" id="req-${id}" data-group><summary>${badge(verdict)}<span class="unseen">${verdict}: </span><code>${id}</code>
<span class="statement">${statement}</span><span class="marks"><span>${level}</span> <span>${sectionName(section)}</span> <span>${passed}/${cases.length}</span></span></summary>
${readingNote(reading)}<div class="scroll" role="group" aria-label="Cases of ${id}" tabindex="0"><table class="plain"><caption class="unseen">Cases of ${id}</caption><thead><tr><th scope="col">Operation</th><th scope="col">Verdict</th><th scope="col">Reason</th><th scope="col">Basis</th></tr></thead>
<tbody>${cases.map((one) => caseRow(one, elsewhere))}</tbody></table></div></details>`;
}

/** Every requirement with its cases. */
export function everyCase(results: Results, elsewhere: Elsewhere): readonly Markup[] {
  return results.requirements.map((requirement) => requirementEntry(requirement, elsewhere));
}
