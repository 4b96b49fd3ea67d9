/** The exchanges of the run: each in full, the list of them, and links to them. */

import { SHOWN } from '../../contract/limits.ts';
import type { Exchange, RecordedBody, RecordedHeader, RecordedResponse } from '../../exchange/exchange.ts';
import { operationOf } from '../../verdict/answer.ts';
import { curlLine, outcomeLine } from '../causes.ts';
import { bodyFacts, type CaseOfRequirement, operationName, type RunArtefacts } from '../model.ts';
import { counted, cut } from '../text.ts';
import { copyable, duration, html, type Markup, phrase } from './markup.ts';

/** Id of the element that shows an exchange. */
export const exchangeAnchor = (seq: number): string => `exchange-${seq}`;

/** Exchanges that the page mentions: examples, siblings, flaky ones, those of open calls, and the last ones. */
export function mentioned(
  run: RunArtefacts,
  cases: readonly CaseOfRequirement[],
  last: readonly Exchange[],
): ReadonlySet<number> {
  const { intermittent, possiblyOpen } = run.results;
  const findings = cases.flatMap(({ one }) => one.findings);
  return new Set([
    ...findings.flatMap(({ example, sibling }) => [example, ...(sibling === undefined ? [] : [sibling.seq])]),
    ...intermittent.flatMap(({ exchanges }) => exchanges),
    ...possiblyOpen.flatMap((sentence) => [...sentence.matchAll(/\brequest (\d+)\b/g)].map(([, seq]) => Number(seq))),
    ...last.map(({ seq }) => seq),
  ]);
}

/** A link to an exchange; `page` leaves only its text if nothing shows the exchange. */
export function exchangeLink(seq: number, text = `exchange ${seq}`): Markup {
  return html`<a href="#${exchangeAnchor(seq)}">${text}</a>`;
}

const MENTIONS = /(\b(?:exchanges?|requests?):? \d+(?:, \d+)*)/;

/** A sentence in which each number of an exchange is a link. */
export function linked(sentence: string): Markup {
  const link = (piece: string): string | Markup => (/^\d+$/.test(piece) ? exchangeLink(Number(piece), piece) : piece);
  // Every other piece is a mention.
  const pieces = phrase(sentence).split(MENTIONS);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : piece.split(/(\d+)/).map(link)))}`;
}

/** What would resolve an open case. */
export function remedyNote(remedy: string | undefined): Markup | null {
  if (remedy === undefined) return null;
  return html`<p class="remedy"><span class="label">To resolve</span> ${linked(remedy)}</p>`;
}

function headerRows(headers: readonly RecordedHeader[], first: readonly Markup[]): Markup | null {
  if (headers.length === 0 && first.length === 0) return null;
  const rows = headers
    .slice(0, SHOWN.entries)
    .map(([name, value]) => html`<dt>${cut(name, SHOWN.word)}</dt><dd>${phrase(value)}</dd>`);
  const rest = headers.length - SHOWN.entries;
  return html`<dl class="fields">${first}${rows}${rest > 0 ? html`<dt>…</dt><dd>${counted(rest, 'more field')}</dd>` : null}</dl>`;
}

/** A success body is recorded without values, so that no customer's data ends up in a report: only its members. */
function membersOf(body: RecordedBody): Markup | null {
  if (body.members.length === 0) return null;
  const shown = body.members.slice(0, SHOWN.lines).map(
    ({ pointer, type }) => html`<li>
    <code>${pointer === '' ? '(the body)' : cut(pointer, SHOWN.line)}</code> ${type}</li>`,
  );
  const rest = body.members.length - SHOWN.lines;
  return html`<ul class="members">${shown}${rest > 0 ? html`<li>and ${rest} more</li>` : null}</ul>`;
}

function bodyBlock(body: RecordedBody | null): Markup {
  if (body === null) return html`<p class="aside">no body</p>`;
  const content =
    body.text === undefined ? membersOf(body) : html`<pre tabindex="0">${cut(body.text, SHOWN.body)}</pre>`;
  return html`${content}<p class="aside">${bodyFacts(body).join(', ')}</p>`;
}

function leaksOf({ leaks }: RecordedResponse): Markup | null {
  if (leaks.length === 0) return null;
  const items = leaks.map(({ secret, encoding, where }) => {
    return html`<li>The ${where} leaks the ${secret.replace('-', ' ')} (${encoding}).</li>`;
  });
  return html`<ul class="leaks">${items}</ul>`;
}

function requestPanel({ request, tag }: Exchange): Markup {
  const credential = html`<dt>Authorization</dt><dd class="made">credential: ${request.credential}</dd>`;
  return html`<div class="message"><h4>Request${tag.about === '' ? '' : `: ${phrase(tag.about)}`}</h4>
<p class="line"><b>${request.method}</b> ${phrase(request.path)}</p>
${headerRows(request.headers, request.credential === 'none' ? [] : [credential])}${bodyBlock(request.body)}</div>`;
}

function responsePanel({ response, failure, took, at }: Exchange): Markup {
  const time = `after ${duration(took)}, ${duration(at)} into the run`;
  if (response === null) {
    const status = failure?.status === undefined ? '' : `, after status ${failure.status}`;
    return html`<div class="message"><h4>No complete response ${time}</h4>
<p class="line"><b>${failure?.kind ?? 'unknown'}</b> ${phrase(failure?.detail ?? '')}${status}</p></div>`;
  }
  return html`<div class="message"><h4>Response ${time}</h4><p class="line"><b>${response.status}</b></p>
${headerRows(response.headers, [])}${leaksOf(response)}${bodyBlock(response.body)}</div>`;
}

/** A request and its response side by side, and the curl command. `key` is unique on the page. */
export function exchangeView(exchange: Exchange, run: RunArtefacts, key: string): Markup {
  const line = curlLine(exchange, run);
  const curl =
    line.length > SHOWN.curl
      ? html`<p class="aside">The curl command has ${counted(line.length, 'character')} and is left out. The rerun command sends the request.</p>`
      : copyable('curl', line, `curl-${key}`);
  return html`<div class="exchange">${requestPanel(exchange)}${responsePanel(exchange)}</div>${curl}`;
}

function row(exchange: Exchange, number: Markup | number): Markup {
  const { request, tag, took } = exchange;
  const credential = request.credential === 'valid' ? '' : ` · credential: ${request.credential}`;
  return html`<span class="seq">${number}</span><code>${request.method} ${cut(request.path, SHOWN.word)}</code>
<span class="about">${operationName(operationOf(exchange))} · ${cut(tag.about, SHOWN.word)}${credential}</span><span class="outcome">${cut(outcomeLine(exchange), SHOWN.word)}, ${duration(took)}</span>`;
}

/**
 * The list of the exchanges that the page mentions, and of the first ones, in the order in which they were sent. Those in
 * `placed` are shown in full by a finding, and get a link to it.
 */
export function exchangeList(run: RunArtefacts, named: ReadonlySet<number>, placed: ReadonlySet<number>): Markup {
  let left = SHOWN.exchangesMarkup;
  const inFull = (exchange: Exchange): Markup | null => {
    const view = exchangeView(exchange, run, `sent-${exchange.seq}`);
    if (view.text.length > left) return null;
    left -= view.text.length;
    return view;
  };
  const listed = run.exchanges.filter(({ seq }, at) => at < SHOWN.exchanges || named.has(seq));
  const sent = listed.toSorted((a, b) => a.seq - b.seq);
  const items = sent.map((exchange) => {
    const { seq } = exchange;
    if (placed.has(seq)) return html`<li class="sent">${row(exchange, exchangeLink(seq, String(seq)))}</li>`;
    const view = named.has(seq) ? inFull(exchange) : null;
    if (view === null) return html`<li class="sent" id="${exchangeAnchor(seq)}">${row(exchange, seq)}</li>`;
    return html`<li><details id="${exchangeAnchor(seq)}"><summary class="sent">${row(exchange, seq)}</summary>${view}</details></li>`;
  });
  const rest = run.exchanges.length - sent.length;
  const more = rest > 0 ? html`<p class="aside">And ${counted(rest, 'more exchange')} in evidence.har.</p>` : null;
  return html`<details class="fold"><summary>Show the list of ${counted(sent.length, 'exchange')}</summary><h3 class="unseen">In the order of sending</h3><ol class="exchanges">${items}</ol>${more}</details>`;
}
