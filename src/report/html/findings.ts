/** Failing cases and warnings, by requirement: what was expected, what came, the request that shows it. */

import type { CaseResult, FoldedFinding, RequirementResult } from '../../verdict/results.ts';
import type { RunArtefacts } from '../artefacts.ts';
import type { CaseOfRequirement } from '../cases.ts';
import { randomOf, replayCommand } from '../replay.ts';
import { copyable } from './copyable.ts';
import { keyOf } from './finding.ts';
import { FINDINGS, PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { sectionName } from './matrix.ts';
import { anchorOf, operationName } from './page-cases.ts';
import { counted } from './quantities.ts';
import { readingNote } from './reading-note.ts';
import { badge } from './verdicts.ts';

/** What a list of findings is told from. */
export interface Telling {
  readonly run: RunArtefacts;
  /** Findings that the page has room for, by `keyOf`. */
  readonly told: ReadonlyMap<string, Markup>;
  /** `true` for the list whose first cases are laid open. */
  readonly open: boolean;
}

/** Requirements whose first case is laid open; the others open with a click. */
const LAID_OPEN = 3;

function leftOut(finding: FoldedFinding): Markup {
  return html`<p>expected ${shortened(finding.expected, 80)}, got ${shortened(finding.actual, 80)}</p>
<p class="aside">Request and answer are left out to keep the page small; the replay command shows them again.</p>`;
}

function headline(one: CaseResult): string {
  const [first] = one.findings;
  const text = first === undefined ? (one.reason ?? 'no reason is known') : `got ${first.actual}`;
  return shortened(text, 160);
}

function caseEntry(one: CaseResult, telling: Telling, open: boolean): Markup {
  const shown = one.findings.slice(0, FINDINGS).flatMap((finding, at) => {
    const told = telling.told.get(keyOf(one, at)) ?? (at === 0 ? leftOut(finding) : null);
    return told === null ? [] : [html`<div class="finding">${told}</div>`];
  });
  const rest = one.findings.length - shown.length;
  const reason = one.findings.length > 0 ? null : html`<p>${shortened(one.reason ?? '', PHRASE_CHARACTERS)}</p>`;
  return html`<details class="case" id="${anchorOf(one.id)}" data-case="${one.id}"${open ? html` open` : null}>
<summary>${badge(one.verdict)}<span class="unseen">${one.verdict}: </span><b>${operationName(one.operation)}</b> <span class="headline">${headline(one)}</span></summary>
${reason}${shown}${rest > 0 ? html`<p class="aside">and ${counted(rest, 'further finding')} in results.json</p>` : null}
${copyable('replay', replayCommand(telling.run.results, [one.id], randomOf(one, telling.run)), `replay-${anchorOf(one.id)}`)}</details>`;
}

function card(requirement: RequirementResult, cases: readonly CaseResult[], telling: Telling, first: boolean): Markup {
  const entries = cases.map((one, at) => caseEntry(one, telling, telling.open && first && at === 0));
  return html`<article class="card" data-group><header><h3><code>${requirement.id}</code></h3>
<p class="marks"><span>${requirement.level}</span> <span>${sectionName(requirement.section)}</span> <span>${counted(cases.length, 'case')}</span></p>
<p class="statement">${requirement.statement}</p>${readingNote(requirement.reading)}</header>${entries}</article>`;
}

/** Cards of the cases, one for each requirement, in the order of the plan. */
export function findingCards(cases: readonly CaseOfRequirement[], telling: Telling): readonly Markup[] {
  const requirements = [...new Set(cases.map(({ requirement }) => requirement))];
  return requirements.map((requirement, at) => {
    const own = cases.filter((item) => item.requirement === requirement).map(({ one }) => one);
    return card(requirement, own, telling, at < LAID_OPEN);
  });
}
