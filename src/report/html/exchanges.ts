/** The exchanges of the run, so that each mention of one can be a link, and the links. */

import type { Exchange } from '../../exchange/exchange.ts';
import { operationOf } from '../../verdict/answer.ts';
import type { Results } from '../../verdict/results.ts';
import type { RunArtefacts } from '../artefacts.ts';
import type { CaseOfRequirement } from '../cases.ts';
import { outcomeLine } from '../causes.ts';
import { counted, cut } from '../text.ts';
import { exchangeView } from './exchange.ts';
import { html, type Markup } from './markup.ts';
import { duration, operationName, phrase } from './words.ts';

/** Most rows of the list; an exchange that the page mentions has a row in any case. */
const ROWS = 1_000;

/** Characters of markup for exchanges that are shown in full although no finding shows them. */
const ROOM = 300_000;

/** Id of the element that shows an exchange. */
export const exchangeAnchor = (seq: number): string => `exchange-${seq}`;

/** The exchanges that have an element on the page, by `seq`. */
export type OnPage = ReadonlySet<number>;

/** Exchanges that the page mentions: examples, siblings, flaky ones, those of open calls, and the last ones. */
export function mentioned(run: RunArtefacts, cases: readonly CaseOfRequirement[], last: readonly Exchange[]): OnPage {
  const { intermittent, possiblyOpen } = run.results;
  const findings = cases.flatMap(({ one }) => one.findings);
  return new Set([
    ...findings.flatMap(({ example, sibling }) => [example, ...(sibling === undefined ? [] : [sibling.seq])]),
    ...intermittent.flatMap(({ exchanges }) => exchanges),
    ...possiblyOpen.flatMap((sentence) => [...sentence.matchAll(/\brequest (\d+)\b/g)].map(([, seq]) => Number(seq))),
    ...last.map(({ seq }) => seq),
  ]);
}

/** The exchanges that the page has an element for: those that it mentions, and the first ones. */
export function onPage({ exchanges }: RunArtefacts, named: OnPage): OnPage {
  const shown = exchanges.filter(({ seq }, at) => at < ROWS || named.has(seq));
  return new Set(shown.map(({ seq }) => seq));
}

/** A link to an exchange; only its text if the page does not show it. */
export function exchangeLink(seq: number, shown: OnPage, text = `exchange ${seq}`): Markup {
  return shown.has(seq) ? html`<a href="#${exchangeAnchor(seq)}">${text}</a>` : html`${text}`;
}

const MENTIONS = /\b(?:exchanges?|requests?):? \d+(?:, \d+)*/g;

/** A sentence in which each number of an exchange is a link. */
export function linked(sentence: string, shown: OnPage): Markup {
  const text = phrase(sentence);
  const parts: (string | Markup)[] = [];
  let end = 0;
  for (const { 0: mention, index } of text.matchAll(MENTIONS)) {
    parts.push(text.slice(end, index));
    for (const piece of mention.split(/(\d+)/)) {
      parts.push(/^\d+$/.test(piece) ? exchangeLink(Number(piece), shown, piece) : piece);
    }
    end = index + mention.length;
  }
  return html`${parts}${text.slice(end)}`;
}

function row(exchange: Exchange, number: Markup | number): Markup {
  const { request, tag, took } = exchange;
  const credential = request.credential === 'valid' ? '' : ` · credential: ${request.credential}`;
  return html`<span class="seq">${number}</span><code>${request.method} ${cut(request.path, 100)}</code>
<span class="about">${operationName(operationOf(exchange))} · ${cut(tag.about, 60)}${credential}</span><span class="outcome">${cut(outcomeLine(exchange), 60)}, ${duration(took)}</span>`;
}

/**
 * The list of exchanges in the order in which they were sent. Those in `placed` are shown in full by a finding, and get
 * a link to it.
 */
export function exchangeList(run: RunArtefacts, shown: OnPage, named: OnPage, placed: OnPage): Markup {
  let left = ROOM;
  const inFull = (exchange: Exchange, results: Results): Markup | null => {
    const view = exchangeView(exchange, results, `sent-${exchange.seq}`);
    if (view.text.length > left) return null;
    left -= view.text.length;
    return view;
  };
  const sent = run.exchanges.filter(({ seq }) => shown.has(seq)).toSorted((a, b) => a.seq - b.seq);
  const items = sent.map((exchange) => {
    const { seq } = exchange;
    if (placed.has(seq)) return html`<li class="sent">${row(exchange, exchangeLink(seq, shown, String(seq)))}</li>`;
    const view = named.has(seq) ? inFull(exchange, run.results) : null;
    if (view === null) return html`<li class="sent" id="${exchangeAnchor(seq)}">${row(exchange, seq)}</li>`;
    return html`<li><details id="${exchangeAnchor(seq)}"><summary class="sent">${row(exchange, seq)}</summary>${view}</details></li>`;
  });
  const rest = run.exchanges.length - sent.length;
  const more = rest > 0 ? html`<p class="aside">And ${counted(rest, 'more exchange')} in evidence.har.</p>` : null;
  return html`<details class="fold"><summary>Show the list of ${counted(sent.length, 'exchange')}</summary><h3 class="unseen">In the order of sending</h3><ol class="exchanges">${items}</ol>${more}</details>`;
}
