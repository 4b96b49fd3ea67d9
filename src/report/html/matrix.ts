/** The picture of a run: requirements down, operations across, a symbol for each case that leads to it. */

import { OPERATIONS } from '../../contract/operations.ts';
import type { CaseResult, RequirementResult, Results } from '../../verdict/results.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, operationName, operationsOf } from './page-cases.ts';
import { themesOf } from './themes.ts';
import { symbol } from './verdicts.ts';

function columnHead(operation: string): Markup {
  const known = OPERATIONS.find(({ id }) => id === operation);
  const title = known === undefined ? 'requests outside the documented operations' : `${known.method} ${known.path}`;
  return html`<th scope="col" class="operation" title="${title}"><span>${operationName(operation)}</span></th>`;
}

function cell(one: CaseResult | undefined): Markup {
  if (one === undefined) return html`<td class="none"></td>`;
  const label = `${one.id}: ${one.verdict}`;
  return html`<td data-cell="${one.id}"><a class="cell v-${one.verdict}" href="#${anchorOf(one.id)}" aria-label="${label}">${symbol(one.verdict)}</a></td>`;
}

function row(requirement: RequirementResult, operations: readonly string[]): Markup {
  const { id, section, statement, cases } = requirement;
  const passed = cases.filter(({ verdict }) => verdict === 'pass').length;
  return html`<tr><th scope="row"><a href="#req-${id}" title="${statement}"><code>${id}</code></a><span class="section">${sectionName(section)}</span></th>
${operations.map((operation) => cell(cases.find((one) => one.operation === operation)))}<td class="sum">${passed}/${cases.length}</td></tr>`;
}

/** A section of the specification by its sign; another standard by its name. */
export function sectionName(section: string): string {
  return /^\d/.test(section) ? `§ ${section}` : section;
}

/** The matrix with its headings and the line that tells what the pointer or the focus is on. */
export function matrix(results: Results): Markup {
  const operations = operationsOf(results);
  const bodies = themesOf(results.requirements).map((theme) => {
    const heading = html`<tr class="theme"><th scope="rowgroup" colspan="${operations.length + 2}">${theme.title}<span class="level">${theme.level}</span></th></tr>`;
    return html`<tbody>${heading}${theme.requirements.map((one) => row(one, operations))}</tbody>`;
  });
  return html`<div class="scroll" role="region" aria-label="Matrix" tabindex="0"><table class="matrix">
<caption class="unseen">Verdict of each requirement on each operation. In the cells the arrow keys move.</caption>
<thead><tr><th scope="col" class="corner">Requirement</th>${operations.map(columnHead)}<th scope="col" class="sum">passed</th></tr></thead>
${bodies}</table></div>
<p class="readout needs-script" id="readout" aria-hidden="true">Point at a cell to read it; select it to see its case.</p>`;
}
