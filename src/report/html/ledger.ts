/** Every case of the run, by requirement: what a cell of the matrix leads to where nothing failed. */

import type { CaseResult, RequirementResult, Results } from '../../verdict/results.ts';
import { PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { sectionName } from './matrix.ts';
import { anchorOf, judgedOn, operationName } from './page-cases.ts';
import { readingNote } from './reading-note.ts';
import { badge } from './verdicts.ts';

function caseRow(one: CaseResult, toldAbove: ReadonlySet<string>): Markup {
  const name = operationName(one.operation);
  const above = toldAbove.has(one.id);
  const head = above ? html`<a href="#${anchorOf(one.id)}">${name}</a>` : name;
  const id = above ? null : html` id="${anchorOf(one.id)}"`;
  const remedy =
    one.remedy === undefined
      ? null
      : html` <span class="remedy">What would help: ${shortened(one.remedy, PHRASE_CHARACTERS)}.</span>`;
  return html`<tr${id} data-case="${one.id}"><th scope="row">${head}</th><td class="verdict-cell">${badge(one.verdict)} ${one.verdict}</td>
<td>${shortened(one.reason ?? '', PHRASE_CHARACTERS)}${remedy}</td><td class="judged">${judgedOn(one)}</td></tr>`;
}

function entry(requirement: RequirementResult, toldAbove: ReadonlySet<string>): Markup {
  const { id, level, section, statement, reading, verdict, cases } = requirement;
  const passed = cases.filter((one) => one.verdict === 'pass').length;
  return html`<details class="requirement" id="req-${id}" data-group><summary>${badge(verdict)}<span class="unseen">${verdict}: </span><code>${id}</code>
<span class="statement">${statement}</span><span class="marks"><span>${level}</span> <span>${sectionName(section)}</span> <span>${passed}/${cases.length}</span></span></summary>
${readingNote(reading)}<div class="scroll" role="group" aria-label="Cases of ${id}" tabindex="0"><table class="plain"><caption class="unseen">Cases of ${id}</caption><thead><tr><th scope="col">Operation</th><th scope="col">Verdict</th><th scope="col">Why</th><th scope="col">Rests on</th></tr></thead>
<tbody>${cases.map((one) => caseRow(one, toldAbove))}</tbody></table></div></details>`;
}

/** All requirements with their cases; `toldAbove` holds the ids of cases that have an entry of their own before. */
export function ledger(results: Results, toldAbove: ReadonlySet<string>): readonly Markup[] {
  return results.requirements.map((requirement) => entry(requirement, toldAbove));
}
