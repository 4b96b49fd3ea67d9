/** How long each operation took: figures, and a plot on one logarithmic axis. */

import type { Exchange } from '../../exchange/exchange.ts';
import { html, type Markup } from './markup.ts';
import { operationName } from './page-cases.ts';
import { duration, grouped, quantile } from './quantities.ts';

const WIDTH = 360;
const MARGIN = 20;

interface Axis {
  readonly low: number;
  readonly high: number;
}

const exponent = (took: number): number => Math.log10(Math.max(0.1, took));

function axisOf(exchanges: readonly Exchange[]): Axis {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { took } of exchanges) {
    low = Math.min(low, exponent(took));
    high = Math.max(high, exponent(took));
  }
  if (low > high) return { low: 0, high: 1 };
  return { low: Math.floor(low), high: Math.max(Math.floor(low) + 1, Math.ceil(high)) };
}

function place(took: number, { low, high }: Axis): string {
  return (MARGIN + ((exponent(took) - low) / (high - low)) * (WIDTH - 2 * MARGIN)).toFixed(1);
}

function decades({ low, high }: Axis): readonly number[] {
  return Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
}

function scale(axis: Axis): Markup {
  const labels = decades(axis).map((took) => html`<text x="${place(took, axis)}" y="12">${duration(took)}</text>`);
  return html`<svg class="plot scale" viewBox="0 0 ${WIDTH} 16" aria-hidden="true" focusable="false">${labels}</svg>`;
}

function plot(sorted: readonly number[], axis: Axis): Markup {
  const [low, middle, high, most] = [0.05, 0.5, 0.95, 1].map((share) => place(quantile(sorted, share), axis));
  const grid = decades(axis).map(
    (took) => html`<line class="grid" x1="${place(took, axis)}" x2="${place(took, axis)}" y1="0" y2="22"/>`,
  );
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} 22" aria-hidden="true" focusable="false">${grid}
<line class="range" x1="${low}" x2="${high}" y1="11" y2="11"/><line class="most" x1="${most}" x2="${most}" y1="6" y2="16"/><circle class="median" cx="${middle}" cy="11" r="4.5"/></svg>`;
}

/** One row for each operation that was asked: requests, median, 95th percentile, slowest, and the plot of the same. */
export function latencyTable(exchanges: readonly Exchange[], operations: readonly string[]): Markup {
  const axis = axisOf(exchanges);
  const rows = operations.flatMap((operation) => {
    const own = exchanges.filter(({ tag }) => (tag.operation ?? 'undocumented') === operation);
    if (own.length === 0) return [];
    const sorted = own.map(({ took }) => took).sort((a, b) => a - b);
    const figures = [0.5, 0.95, 1].map((share) => html`<td class="number">${duration(quantile(sorted, share))}</td>`);
    return [
      html`<tr><th scope="row">${operationName(operation)}</th><td class="number">${grouped(own.length)}</td>${figures}<td class="drawn">${plot(sorted, axis)}</td></tr>`,
    ];
  });
  return html`<div class="scroll" role="region" aria-label="Latency by operation" tabindex="0"><table class="plain latency"><caption class="unseen">Requests and latency of each operation</caption>
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Median</th><th scope="col" class="number">95 %</th><th scope="col" class="number">Slowest</th>
<th scope="col" class="drawn"><span class="unseen">Plot: from 5 % to 95 % as a bar, the median as a dot, the slowest as a tick</span>${scale(axis)}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
