/** The exchanges of the run: each in full, the list of them, links to them, their timeline and latency. */

import { groupBy } from '../../contract/lists.ts';
import type { Exchange, RecordedBody, RecordedHeader, RecordedResponse } from '../../exchange/exchange.ts';
import { operationOf } from '../../verdict/answer.ts';
import { curlLine, outcomeLine } from '../causes.ts';
import { bodyFacts, type CaseOfRequirement, operationName, type RunArtefacts } from '../model.ts';
import { counted, cut, grouped } from '../text.ts';
import { copyable, duration, html, type Markup, phrase } from './markup.ts';

/** Most rows of the list; an exchange that the page mentions has a row in any case. */
const ROWS = 1_000;

/** Characters of markup for exchanges that are shown in full although no finding shows them. */
const ROOM = 300_000;

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

const BODY_CHARACTERS = 4_000;
const HEADER_FIELDS = 40;
const MEMBERS = 14;

/** A longer command is not worth pasting. */
export const CURL_CHARACTERS = 12_000;

function headerRows(headers: readonly RecordedHeader[], first: readonly Markup[]): Markup | null {
  if (headers.length === 0 && first.length === 0) return null;
  const rows = headers
    .slice(0, HEADER_FIELDS)
    .map(([name, value]) => html`<dt>${cut(name, 80)}</dt><dd>${phrase(value)}</dd>`);
  const rest = headers.length - HEADER_FIELDS;
  return html`<dl class="fields">${first}${rows}${rest > 0 ? html`<dt>…</dt><dd>${counted(rest, 'more field')}</dd>` : null}</dl>`;
}

/** A success body is recorded without values, so that no customer's data ends up in a report: only its members. */
function membersOf(body: RecordedBody): Markup | null {
  if (body.members.length === 0) return null;
  const shown = body.members.slice(0, MEMBERS).map(
    ({ pointer, type }) => html`<li>
    <code>${pointer === '' ? '(the body)' : cut(pointer, 120)}</code> ${type}</li>`,
  );
  const rest = body.members.length - MEMBERS;
  return html`<ul class="members">${shown}${rest > 0 ? html`<li>and ${rest} more</li>` : null}</ul>`;
}

function bodyBlock(body: RecordedBody | null): Markup {
  if (body === null) return html`<p class="aside">no body</p>`;
  const content =
    body.text === undefined ? membersOf(body) : html`<pre tabindex="0">${cut(body.text, BODY_CHARACTERS)}</pre>`;
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
  return html`<div class="message"><h4>Request${tag.about === '' ? null : html` <span>${phrase(tag.about)}</span>`}</h4>
<p class="line"><b>${request.method}</b> ${phrase(request.path)}</p>
${headerRows(request.headers, request.credential === 'none' ? [] : [credential])}${bodyBlock(request.body)}</div>`;
}

function responsePanel({ response, failure, took, at }: Exchange): Markup {
  const time = html`<span>after ${duration(took)}, ${duration(at)} into the run</span>`;
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
    line.length > CURL_CHARACTERS
      ? html`<p class="aside">The curl command has ${counted(line.length, 'character')} and is left out. The rerun command sends the request.</p>`
      : copyable('curl', line, `curl-${key}`);
  return html`<div class="exchange">${requestPanel(exchange)}${responsePanel(exchange)}</div>${curl}`;
}

function row(exchange: Exchange, number: Markup | number): Markup {
  const { request, tag, took } = exchange;
  const credential = request.credential === 'valid' ? '' : ` · credential: ${request.credential}`;
  return html`<span class="seq">${number}</span><code>${request.method} ${cut(request.path, 100)}</code>
<span class="about">${operationName(operationOf(exchange))} · ${cut(tag.about, 60)}${credential}</span><span class="outcome">${cut(outcomeLine(exchange), 60)}, ${duration(took)}</span>`;
}

/**
 * The list of the exchanges that the page mentions, and of the first ones, in the order in which they were sent. Those in
 * `placed` are shown in full by a finding, and get a link to it.
 */
export function exchangeList(run: RunArtefacts, named: ReadonlySet<number>, placed: ReadonlySet<number>): Markup {
  let left = ROOM;
  const inFull = (exchange: Exchange): Markup | null => {
    const view = exchangeView(exchange, run, `sent-${exchange.seq}`);
    if (view.text.length > left) return null;
    left -= view.text.length;
    return view;
  };
  const listed = run.exchanges.filter(({ seq }, at) => at < ROWS || named.has(seq));
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

const LEFT = 170;
const WIDTH = 1_000;
const LANE = 20;
const TOP = 8;

/** Outcomes that the timeline tells apart, by their marks' offset in the lane and height, not by colour alone. */
const OUTCOMES = [
  { id: 'success', name: '2xx', offset: 9, height: 8 },
  { id: 'rejection', name: '3xx or 4xx', offset: 12, height: 5 },
  { id: 'server', name: '5xx', offset: 2, height: 15 },
  { id: 'nothing', name: 'no complete response', offset: 2, height: 15 },
] as const;

type Outcome = (typeof OUTCOMES)[number];

function outcomeOf({ response }: Exchange): Outcome['id'] {
  if (response === null) return 'nothing';
  if (response.status >= 500) return 'server';
  return response.status >= 200 && response.status < 300 ? 'success' : 'rejection';
}

/** Lanes of the timeline. */
export function lanesOf(exchanges: readonly Exchange[], operations: readonly string[]): readonly string[] {
  const asked = new Set(exchanges.map(operationOf));
  return [...operations.filter((id) => asked.has(id)), ...[...asked].filter((id) => !operations.includes(id))];
}

/** One path for each outcome, so that 10,000 exchanges are four elements; marks on the same spot are drawn once. */
function pathOf(
  exchanges: readonly Exchange[],
  lanes: readonly string[],
  length: number,
  { id, offset, height }: Outcome,
): Markup {
  const spots = new Set<string>();
  for (const exchange of exchanges) {
    const lane = lanes.indexOf(operationOf(exchange));
    const x = LEFT + (exchange.at / Math.max(1, length)) * (WIDTH - LEFT - 4);
    spots.add(`M${x.toFixed(1)} ${TOP + lane * LANE + offset}v${height}`);
  }
  return html`<path class="o-${id}" d="${[...spots].join('')}"/>`;
}

function axis(length: number, bottom: number): readonly Markup[] {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const x = (LEFT + share * (WIDTH - LEFT - 4)).toFixed(1);
    const side = share === 1 ? 'end' : share === 0 ? 'start' : 'middle';
    return html`<line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/><text x="${x}" y="${bottom + 15}" text-anchor="${side}">${duration(share * length)}</text>`;
  });
}

/** The timeline, its legend, and a slider that describes any exchange. */
export function timeline(exchanges: readonly Exchange[], operations: readonly string[], length: number): Markup {
  const lanes = lanesOf(exchanges, operations);
  const bottom = TOP + lanes.length * LANE;
  const names = lanes.map(
    (id, at) =>
      html`<text class="lane" x="0" y="${TOP + at * LANE + 15}">${operationName(id)}</text><line class="grid" x1="0" x2="${WIDTH}" y1="${TOP + at * LANE + LANE}" y2="${TOP + at * LANE + LANE}"/>`,
  );
  const byOutcome = groupBy(exchanges, outcomeOf);
  const used = OUTCOMES.map((outcome) => ({ outcome, own: byOutcome.get(outcome.id) ?? [] })).filter(
    ({ own }) => own.length > 0,
  );
  const paths = used.map(({ outcome, own }) => pathOf(own, lanes, length, outcome));
  const legend = used.map(({ outcome: { id, name, offset, height }, own }) => {
    return html`<li><svg viewBox="0 0 6 20" aria-hidden="true" focusable="false"><path class="o-${id}" d="M3 ${offset}v${height}"/></svg>${name} <b>${own.length}</b></li>`;
  });
  const label = `${counted(exchanges.length, 'exchange')} in ${duration(length)}, by operation and time`;
  return html`<ul class="legend">${legend}</ul><div class="scroll" role="region" aria-label="Timeline" tabindex="0">
<svg class="timeline" id="timeline" viewBox="0 0 ${WIDTH} ${bottom + 20}" role="img" aria-label="${label}" data-left="${LEFT}" data-right="${WIDTH - 4}" data-top="${TOP}" data-lane="${LANE}">
${names}${axis(length, bottom)}${paths}<line class="cursor" id="cursor" x1="-9" x2="-9" y1="${TOP}" y2="${bottom}"/></svg></div>
<div class="scrubber needs-script"><label for="scrub">Exchange</label><input type="range" id="scrub" min="1" max="${Math.max(1, exchanges.length)}" value="1">
<output id="scrubbed" for="scrub">Move the slider, or point at the timeline, to see an exchange.</output></div>`;
}

const PLOT_WIDTH = 360;
const PLOT_MARGIN = 20;

interface Axis {
  readonly low: number;
  readonly high: number;
}

/** The value below which that share of the sorted values lies; 0 if there are none. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const exponent = (took: number): number => Math.log10(Math.max(0.1, took));

function axisOf(exchanges: readonly Exchange[]): Axis {
  const sorted = exchanges.map(({ took }) => exponent(took)).sort((a, b) => a - b);
  const low = Math.floor(sorted[0] ?? 0);
  return { low, high: Math.max(low + 1, Math.ceil(sorted.at(-1) ?? 0)) };
}

function place(took: number, { low, high }: Axis): string {
  return (PLOT_MARGIN + ((exponent(took) - low) / (high - low)) * (PLOT_WIDTH - 2 * PLOT_MARGIN)).toFixed(1);
}

function decades({ low, high }: Axis): readonly number[] {
  return Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
}

function scaleOf(axis: Axis): Markup {
  const labels = decades(axis).map((took) => html`<text x="${place(took, axis)}" y="12">${duration(took)}</text>`);
  return html`<svg class="plot scale" viewBox="0 0 ${PLOT_WIDTH} 16" aria-hidden="true" focusable="false">${labels}</svg>`;
}

function plot(sorted: readonly number[], axis: Axis): Markup {
  const [low, middle, high, most] = [0.05, 0.5, 0.95, 1].map((share) => place(quantile(sorted, share), axis));
  const grid = decades(axis).map(
    (took) => html`<line class="grid" x1="${place(took, axis)}" x2="${place(took, axis)}" y1="0" y2="22"/>`,
  );
  return html`<svg class="plot" viewBox="0 0 ${PLOT_WIDTH} 22" aria-hidden="true" focusable="false">${grid}
<line class="range" x1="${low}" x2="${high}" y1="11" y2="11"/><line class="most" x1="${most}" x2="${most}" y1="6" y2="16"/><circle class="median" cx="${middle}" cy="11" r="4.5"/></svg>`;
}

/** One row for each operation that was called: requests, median, 95th percentile and maximum, with a plot. */
export function latencyTable(exchanges: readonly Exchange[], operations: readonly string[]): Markup {
  const axis = axisOf(exchanges);
  const byOperation = groupBy(exchanges, operationOf);
  const rows = operations.flatMap((operation) => {
    const sorted = (byOperation.get(operation) ?? []).map(({ took }) => took).sort((a, b) => a - b);
    if (sorted.length === 0) return [];
    const figures = [0.5, 0.95, 1].map((share) => html`<td class="number">${duration(quantile(sorted, share))}</td>`);
    return [
      html`<tr><th scope="row">${operationName(operation)}</th><td class="number">${grouped(sorted.length)}</td>${figures}<td class="drawn">${plot(sorted, axis)}</td></tr>`,
    ];
  });
  return html`<div class="scroll" role="region" aria-label="Latency by operation" tabindex="0"><table class="plain latency"><caption class="unseen">Requests and latency of each operation</caption>
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Median</th><th scope="col" class="number">95 %</th><th scope="col" class="number">Slowest</th>
<th scope="col" class="drawn"><span class="unseen">Plot: from 5 % to 95 % as a bar, the median as a dot, the slowest as a tick</span>${scaleOf(axis)}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
