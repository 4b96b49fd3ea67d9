/** Failing cases and warnings, by requirement: expected, actual, and the smallest exchange that shows it. */

import type { CaseResult, FoldedFinding, RequirementResult } from '../../verdict/results.ts';
import type { RunArtefacts } from '../artefacts.ts';
import { type CaseOfRequirement, exampleOf } from '../cases.ts';
import { replayCommand } from '../replay.ts';
import { counted, cut } from '../text.ts';
import { exchangeView } from './exchange.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';
import { anchorOf, copyable, operationName, phrase, readingNote, sectionName } from './words.ts';

interface FindingSource {
  readonly run: RunArtefacts;
  /** The findings that the page has room for, by `keyOf`. */
  readonly rendered: ReadonlyMap<string, Markup>;
  /** `true` if the first cases of this list are open. */
  readonly open: boolean;
}

const FINDINGS = 3;

/** Characters of markup for all findings. The worst cases come first and are served first. */
const ROOM = 2_000_000;

/** Most findings are of a size: after so many that do not fit, trying the rest only takes time. */
const MISSES = 20;

const OPEN_REQUIREMENTS = 3;

function keyOf(one: CaseResult, at: number): string {
  return `${anchorOf(one.id)}-${at + 1}`;
}

function contrast(finding: FoldedFinding): Markup {
  return html`<dl class="contrast"><div><dt>Expected</dt><dd>${phrase(finding.expected)}</dd></div>
<div><dt>Actual</dt><dd class="actual">${phrase(finding.actual)}</dd></div>
<div><dt>Where</dt><dd>${phrase(finding.where)}</dd></div></dl>`;
}

function findingView(finding: FoldedFinding, run: RunArtefacts, key: string): Markup {
  const exchange = exampleOf(finding, run);
  const times = finding.count === 1 ? 'once' : `${finding.count} times`;
  const shown =
    exchange === undefined
      ? html`<p class="aside">The record does not hold this exchange.</p>`
      : exchangeView(exchange, run.results, key);
  return html`${contrast(finding)}<p class="aside">Seen ${times}. The smallest example is exchange ${finding.example}.</p>${shown}`;
}

/** The findings that the page has room for, by key: the first of every case, in the order given, then the second. */
export function findingsWithinRoom(cases: readonly CaseOfRequirement[], run: RunArtefacts): FindingSource['rendered'] {
  const rendered = new Map<string, Markup>();
  let left = ROOM;
  let misses = 0;
  for (let at = 0; at < FINDINGS; at += 1) {
    for (const { one } of cases) {
      const finding = one.findings[at];
      if (finding === undefined || misses > MISSES) continue;
      const markup = findingView(finding, run, keyOf(one, at));
      if (markup.text.length > left) {
        misses += 1;
        continue;
      }
      left -= markup.text.length;
      rendered.set(keyOf(one, at), markup);
    }
  }
  return rendered;
}

function leftOut(finding: FoldedFinding): Markup {
  return html`<p>expected ${cut(finding.expected, 80)}, got ${cut(finding.actual, 80)}</p>
<p class="aside">Request and response are left out to keep the page small. The replay command shows them.</p>`;
}

function headline(one: CaseResult): string {
  const [first] = one.findings;
  const text = first === undefined ? (one.reason ?? 'no reason was recorded') : `got ${first.actual}`;
  return cut(text, 160);
}

function caseEntry(one: CaseResult, { run, rendered }: FindingSource, open: boolean): Markup {
  const shown = one.findings.slice(0, FINDINGS).flatMap((finding, at) => {
    const markup = rendered.get(keyOf(one, at)) ?? (at === 0 ? leftOut(finding) : null);
    return markup === null ? [] : [html`<div class="finding">${markup}</div>`];
  });
  const rest = one.findings.length - shown.length;
  const reason = one.findings.length > 0 ? null : html`<p>${phrase(one.reason ?? '')}</p>`;
  return html`<details class="case" id="${anchorOf(one.id)}" data-case="${one.id}"${open ? html` open` : null}>
<summary>${badge(one.verdict)}<span class="unseen">${one.verdict}: </span><b>${operationName(one.operation)}</b> <span class="headline">${headline(one)}</span></summary>
${reason}${shown}${rest > 0 ? html`<p class="aside">And ${counted(rest, 'more finding')} in results.json.</p>` : null}
${copyable('replay', replayCommand(one, run), `replay-${anchorOf(one.id)}`)}</details>`;
}

function card(requirement: RequirementResult, cases: readonly CaseResult[], source: FindingSource, at: number): Markup {
  const isOpen = source.open && at < OPEN_REQUIREMENTS;
  const entries = cases.map((one, index) => caseEntry(one, source, isOpen && index === 0));
  return html`<article class="card" data-group><header><h3><code>${requirement.id}</code></h3>
<p class="marks"><span>${requirement.level}</span> <span>${sectionName(requirement.section)}</span> <span>${counted(cases.length, 'case')}</span></p>
<p class="statement">${requirement.statement}</p>${readingNote(requirement.reading)}</header>${entries}</article>`;
}

/** One card for each requirement of the cases, in the order of the plan. */
export function findingCards(cases: readonly CaseOfRequirement[], source: FindingSource): readonly Markup[] {
  const requirements = [...new Set(cases.map(({ requirement }) => requirement))];
  return requirements.map((requirement, at) => {
    const own = cases.filter((item) => item.requirement === requirement).map(({ one }) => one);
    return card(requirement, own, source, at);
  });
}
