/** Time and cost: the timeline with a mark for each exchange, and the latency of each operation. */

import { groupBy } from '../../contract/lists.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { operationOf } from '../../verdict/answer.ts';
import { counted, grouped } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { duration, operationName } from './words.ts';

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
