/** Why the run came out as it did: likely causes on the first screen, and below the findings of each case. */

import { SHOWN } from '../../contract/limits.ts';
import { groupBy } from '../../contract/lists.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { CaseResult, FoldedFinding, RequirementResult } from '../../verdict/results.ts';
import { type Cause, outcomeLine, type Reasons, requestLine, rerunCommand } from '../causes.ts';
import {
  actionsOf,
  type CaseOfRequirement,
  exampleOf,
  type FailureGroup,
  foldAlike,
  gateWord,
  type Notice,
  noticesOf,
  type OpenCases,
  operationName,
  type RunArtefacts,
  reasonOf,
  siblingPhrase,
} from '../model.ts';
import { capitalized, counted, cut } from '../text.ts';
import { exchangeAnchor, exchangeLink, exchangeView, linked, remedyNote } from './exchanges.ts';
import {
  anchorOf,
  badge,
  copyable,
  html,
  type Markup,
  phrase,
  readingNote,
  type Section,
  sectionName,
} from './markup.ts';

function causeCard({ first, places, what, example, extent, isNew }: Cause): Markup {
  const { requirement, one } = first;
  const row = (term: string, text: string | Markup): Markup =>
    html`<div><dt>${capitalized(term)}</dt><dd${term === 'got' ? html` class="actual"` : null}>${text}</dd></div>`;
  const request =
    example === undefined
      ? null
      : html`${row('request', html`<code>${phrase(example.request)}</code><span class="where">${phrase(example.about)}</span>`)}${row('response', html`<code>${phrase(example.response)}</code>`)}`;
  const link = example === undefined ? null : html` · ${exchangeLink(example.exchange.seq)}`;
  const curl =
    example === undefined || example.curl.length > SHOWN.curl
      ? null
      : html`<details><summary>Send it again</summary>${copyable('curl', example.curl, `cause-${anchorOf(one.id)}`)}</details>`;
  return html`<article class="cause v-${one.verdict}"><h3>${badge(one.verdict)}<span>${isNew ? 'NEW ' : ''}<a href="#${anchorOf(one.id)}"><code>${requirement.id}</code></a>
<span class="places">${places}</span></span></h3>
<p class="statement">${requirement.statement}</p><dl class="contrast">${what.map(([term, text]) => row(term, phrase(text)))}${request}</dl>
<p class="aside">${capitalized(extent)}${link}</p>${curl}</article>`;
}

/** The requests around the moment at which the target stopped responding. */
function crash(last: readonly Exchange[]): Markup | null {
  if (last.length === 0) return null;
  const items = last.map((exchange) => {
    return html`<li>${exchangeLink(exchange.seq, String(exchange.seq))} <code>${phrase(requestLine(exchange))}</code> <span class="outcome">${phrase(outcomeLine(exchange))}</span></li>`;
  });
  return html`<div class="notice grave"><h3>The target stopped responding</h3>
<p>What may have been the cause, and the requests after it:</p><ol class="last">${items}</ol></div>`;
}

function lackCard({ verdict, title, reason, remedy }: OpenCases): Markup {
  return html`<article class="cause v-${verdict}"><h3>${badge(verdict)}<span><a href="#open">${title}</a></span></h3>
<p class="statement">${linked(reason)}</p>${remedyNote(remedy)}</article>`;
}

/** Title of the first section after the verdict, how many causes there are, and the most telling of them. */
export function why(run: RunArtefacts, { causes, open, lastRequests }: Reasons): Omit<Section, 'id'> | null {
  const total = causes.length + open.length;
  if (total + lastRequests.length === 0) return null;
  const isFailing = causes.some(({ first }) => first.one.verdict !== 'warning') || run.results.strict;
  const cards = [...causes.map(causeCard), ...open.map(lackCard)].slice(0, SHOWN.first);
  const rest = total - cards.length;
  const [list, title, noun] =
    causes.length === 0
      ? ['open', 'What is missing', 'more reason']
      : isFailing
        ? ['failures', 'Likely causes', 'more cause']
        : ['warnings', 'Warnings by cause', 'more cause'];
  const more = rest > 0 ? html`<p class="more"><a href="#${list}">${counted(rest, noun)}</a></p>` : null;
  return {
    title: lastRequests.length > 0 ? 'What happened' : title,
    ...(lastRequests.length > 0 ? {} : { count: total }),
    content: html`${crash(lastRequests)}<div class="causes">${cards}</div>${more}`,
  };
}

function noticeBox({ title, sentences }: Notice, kind: 'grave' | 'plain'): Markup {
  const items = sentences.slice(0, SHOWN.entries).map((one) => html`<li>${linked(one)}</li>`);
  return html`<div class="notice ${kind}"><h3>${title}</h3><ul>${items}</ul></div>`;
}

/** What a person has to do (open calls, changes that were not restored), and what else to know of the run. */
export function action({ results }: RunArtefacts, { lastRequests }: Reasons): Omit<Section, 'id'> | null {
  const { endedEarly, only } = results;
  const isEarly = endedEarly !== null && lastRequests.length === 0;
  const early = isEarly ? [{ title: 'The run ended early', sentences: [endedEarly] }] : [];
  const partial = only.length > 0 ? [{ title: 'Partial run', sentences: ['A filter left cases out.'] }] : [];
  const grave = [...actionsOf(results), ...early].map((notice) => noticeBox(notice, 'grave'));
  const plain = [...partial, ...noticesOf(results)].map((notice) => noticeBox(notice, 'plain'));
  const content = [...grave, ...plain];
  return content.length === 0 ? null : { title: grave.length > 0 ? 'Needs action' : 'Notes', content };
}

interface FindingSource {
  readonly run: RunArtefacts;
  /** The findings that the page has room for, by `keyOf`. */
  readonly rendered: ReadonlyMap<string, Markup>;
  /** `true` if the first cases of this list are open. */
  readonly open: boolean;
}

function keyOf(one: CaseResult, at: number): string {
  return `${anchorOf(one.id)}-${at + 1}`;
}

function contrast(finding: FoldedFinding): Markup {
  return html`<dl class="contrast"><div><dt>Expected</dt><dd>${phrase(finding.expected)}</dd></div>
<div><dt>Actual</dt><dd class="actual">${phrase(finding.actual)}</dd></div>
<div><dt>Where</dt><dd>${phrase(finding.where)}</dd></div></dl>`;
}

/** The first view of an exchange on the page is where links to the exchange lead. */
function findingView(finding: FoldedFinding, run: RunArtefacts, key: string, isFirst: boolean): Markup {
  const exchange = exampleOf(finding, run);
  const { sibling } = finding;
  const times = finding.count === 1 ? 'once' : `${finding.count} times`;
  // The request that was answered otherwise.
  const unlike =
    sibling &&
    html`<p class="aside">Unlike it, ${exchangeLink(sibling.seq)}${phrase(siblingPhrase(sibling, run))}.</p>`;
  const view =
    exchange === undefined
      ? html`<p class="aside">The record does not hold this exchange.</p>`
      : exchangeView(exchange, run, key);
  const anchor = exchange !== undefined && isFirst ? html` id="${exchangeAnchor(exchange.seq)}"` : null;
  return html`${contrast(finding)}<p class="aside">Seen ${times}. The smallest example is ${exchangeLink(finding.example)}.</p>
${unlike}<div${anchor}>${view}</div>`;
}

/**
 * The findings that the page has room for, by key: the first of every case, in the order given, then the second. `placed`
 * are the exchanges that these findings show in full.
 */
export function findingsWithinRoom(cases: readonly CaseOfRequirement[], run: RunArtefacts) {
  const rendered = new Map<string, Markup>();
  const placed = new Set<number>();
  let left = SHOWN.findingsMarkup;
  let misses = 0;
  for (let at = 0; at < SHOWN.first; at += 1) {
    for (const { one } of cases) {
      const finding = one.findings[at];
      if (finding === undefined || misses > SHOWN.entries) continue;
      const markup = findingView(finding, run, keyOf(one, at), !placed.has(finding.example));
      if (markup.text.length > left) {
        misses += 1;
        continue;
      }
      left -= markup.text.length;
      rendered.set(keyOf(one, at), markup);
      placed.add(finding.example);
    }
  }
  return { rendered, placed };
}

function leftOut(finding: FoldedFinding): Markup {
  return html`<p>expected ${cut(finding.expected, SHOWN.word)}, got ${cut(finding.actual, SHOWN.word)}</p>
<p class="aside">Request and response are left out to keep the page small. The rerun command shows them.</p>`;
}

function caseEntry(one: CaseResult, { run, rendered }: FindingSource, open: boolean): Markup {
  const shown = one.findings.slice(0, SHOWN.first).flatMap((finding, at) => {
    const markup = rendered.get(keyOf(one, at)) ?? (at === 0 ? leftOut(finding) : null);
    return markup === null ? [] : [html`<div class="finding">${markup}</div>`];
  });
  const rest = one.findings.length - shown.length;
  const [first] = one.findings;
  const headline = cut(first === undefined ? reasonOf(one) : `got ${first.actual}`, SHOWN.line);
  const reason = first === undefined ? html`<p>${phrase(one.reason ?? '')}</p>` : null;
  return html`<details class="case" id="${anchorOf(one.id)}" data-case="${one.id}"${open ? html` open` : null}>
<summary>${badge(one.verdict)}<span class="unseen">${one.verdict}: </span>${gateWord(one, run)}<b>${operationName(one.operation)}</b> <span class="headline">${headline}</span></summary>
${reason}${shown}${rest > 0 ? html`<p class="aside">And ${counted(rest, 'more finding')} in results.json.</p>` : null}
${copyable('rerun', rerunCommand(one, run), `rerun-${anchorOf(one.id)}`)}</details>`;
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
  const isOpen = source.open && at < SHOWN.first;
  const entries = foldAlike(cases).map((group, index) => groupEntry(group, own, source, isOpen && index === 0));
  return html`<article class="card" data-group><header><h3><code>${id}</code></h3>
<p class="marks"><span>${level}</span> <span>${sectionName(section)}</span> <span>${counted(cases.length, 'case')}</span></p>
<p class="statement">${statement}</p>${readingNote(reading)}</header>${entries}</article>`;
}

/** One card for each requirement of the cases, in the order of the plan. */
export function findingCards(cases: readonly CaseOfRequirement[], source: FindingSource): readonly Markup[] {
  return [...groupBy(cases, ({ requirement }) => requirement)].map(([one, own], at) => card(one, own, source, at));
}
