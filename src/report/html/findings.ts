/** Failing cases and warnings, by requirement: expected, actual, and the smallest exchange that shows it. */

import { groupBy } from '../../contract/lists.ts';
import { answerPhrase } from '../../verdict/answer.ts';
import type { CaseResult, FoldedFinding, RequirementResult } from '../../verdict/results.ts';
import type { RunArtefacts } from '../artefacts.ts';
import { type CaseOfRequirement, exampleOf, type FailureGroup, foldAlike, reasonOf, shownFindings } from '../cases.ts';
import { replayCommand } from '../replay.ts';
import { counted, cut } from '../text.ts';
import { exchangeAnchor, exchangeLink, exchangeView, type OnPage } from './exchanges.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';
import { anchorOf, copyable, operationName, phrase, readingNote, sectionName } from './words.ts';

interface FindingSource {
  readonly run: RunArtefacts;
  /** The exchanges that have an element on the page. */
  readonly shown: OnPage;
  /** The findings that the page has room for, by `keyOf`. */
  readonly rendered: ReadonlyMap<string, Markup>;
  /** `true` if the first cases of this list are open. */
  readonly open: boolean;
}

const FINDINGS = 3;

/** Characters of markup for all findings. The worst cases come first and are served first. */
const ROOM = 1_500_000;

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

/** The request that was answered otherwise, with the one element in which it differs. */
function siblingNote({ sibling }: FoldedFinding, run: RunArtefacts, shown: OnPage): Markup | null {
  if (sibling === undefined) return null;
  const other = run.exchanges.find(({ seq }) => seq === sibling.seq);
  const answer = other === undefined ? '' : ` got ${answerPhrase(other)}`;
  return html`<p class="aside">Unlike it, ${exchangeLink(sibling.seq, shown)}${answer}: ${phrase(sibling.difference)}.</p>`;
}

/** The first view of an exchange on the page is where links to the exchange lead. */
function findingView(finding: FoldedFinding, run: RunArtefacts, key: string, shown: OnPage, isFirst: boolean): Markup {
  const exchange = exampleOf(finding, run);
  const times = finding.count === 1 ? 'once' : `${finding.count} times`;
  const view =
    exchange === undefined
      ? html`<p class="aside">The record does not hold this exchange.</p>`
      : exchangeView(exchange, run.results, key);
  const anchor = exchange !== undefined && isFirst ? html` id="${exchangeAnchor(exchange.seq)}"` : null;
  return html`${contrast(finding)}<p class="aside">Seen ${times}. The smallest example is ${exchangeLink(finding.example, shown)}.</p>
${siblingNote(finding, run, shown)}<div${anchor}>${view}</div>`;
}

/** What the page has room for. */
interface WithinRoom extends Pick<FindingSource, 'rendered'> {
  /** The exchanges that these findings show in full. */
  readonly placed: OnPage;
}

/** The findings that the page has room for, by key: the first of every case, in the order given, then the second. */
export function findingsWithinRoom(cases: readonly CaseOfRequirement[], run: RunArtefacts, shown: OnPage): WithinRoom {
  const rendered = new Map<string, Markup>();
  const placed = new Set<number>();
  let left = ROOM;
  let misses = 0;
  for (let at = 0; at < FINDINGS; at += 1) {
    for (const { one } of cases) {
      const finding = shownFindings(one)[at];
      if (finding === undefined || misses > MISSES) continue;
      const markup = findingView(finding, run, keyOf(one, at), shown, !placed.has(finding.example));
      if (markup.text.length > left) {
        misses += 1;
        continue;
      }
      left -= markup.text.length;
      rendered.set(keyOf(one, at), markup);
      if (shown.has(finding.example)) placed.add(finding.example);
    }
  }
  return { rendered, placed };
}

function leftOut(finding: FoldedFinding): Markup {
  return html`<p>expected ${cut(finding.expected, 80)}, got ${cut(finding.actual, 80)}</p>
<p class="aside">Request and response are left out to keep the page small. The replay command shows them.</p>`;
}

function headline(one: CaseResult): string {
  const [first] = shownFindings(one);
  const text = first === undefined ? reasonOf(one) : `got ${first.actual}`;
  return cut(text, 160);
}

function caseEntry(one: CaseResult, { run, rendered }: FindingSource, open: boolean): Markup {
  const shown = shownFindings(one)
    .slice(0, FINDINGS)
    .flatMap((finding, at) => {
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

/** The cases that fail alike stand below the first of them, closed. */
function groupEntry(
  { first, alike }: FailureGroup,
  own: readonly CaseResult[],
  source: FindingSource,
  open: boolean,
): Markup {
  const others = own.filter(({ id }) => alike.includes(id)).map((one) => caseEntry(one, source, false));
  const entry = caseEntry(first.one, source, open);
  if (others.length === 0) return entry;
  return html`${entry}<details class="alike" data-group><summary>The same in ${counted(others.length, 'more case')}</summary>${others}</details>`;
}

function card(
  { id, level, section, statement, reading }: RequirementResult,
  cases: readonly CaseOfRequirement[],
  source: FindingSource,
  at: number,
): Markup {
  const own = cases.map(({ one }) => one);
  const isOpen = source.open && at < OPEN_REQUIREMENTS;
  const entries = foldAlike(cases).map((group, index) => groupEntry(group, own, source, isOpen && index === 0));
  return html`<article class="card" data-group><header><h3><code>${id}</code></h3>
<p class="marks"><span>${level}</span> <span>${sectionName(section)}</span> <span>${counted(cases.length, 'case')}</span></p>
<p class="statement">${statement}</p>${readingNote(reading)}</header>${entries}</article>`;
}

/** One card for each requirement of the cases, in the order of the plan. */
export function findingCards(cases: readonly CaseOfRequirement[], source: FindingSource): readonly Markup[] {
  return [...groupBy(cases, ({ requirement }) => requirement)].map(([one, own], at) => card(one, own, source, at));
}
