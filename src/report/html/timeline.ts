/** The run as it went: a lane for each operation, a mark for each exchange. */

import type { Exchange } from '../../exchange/exchange.ts';
import { html, type Markup } from './markup.ts';
import { operationName } from './page-cases.ts';
import { counted, duration } from './quantities.ts';

const LEFT = 170;
const WIDTH = 1_000;
const LANE = 20;
const TOP = 8;

/** What came of an exchange, as the timeline draws it. */
export const OUTCOMES = ['success', 'refusal', 'server', 'nothing'] as const;

const NAMES = {
  success: '2xx',
  refusal: '3xx or 4xx',
  server: '5xx',
  nothing: 'no complete answer',
} as const satisfies Readonly<Record<(typeof OUTCOMES)[number], string>>;

/** Offset from the top of the lane and height of a mark: outcomes differ in shape, not in colour alone. */
const MARKS = {
  success: [9, 8],
  refusal: [12, 5],
  server: [2, 15],
  nothing: [2, 15],
} as const satisfies Readonly<Record<(typeof OUTCOMES)[number], readonly [number, number]>>;

function outcomeOf({ response }: Exchange): (typeof OUTCOMES)[number] {
  if (response === null) return 'nothing';
  if (response.status >= 500) return 'server';
  return response.status >= 200 && response.status < 300 ? 'success' : 'refusal';
}

/** Lanes of the timeline. */
export function lanesOf(exchanges: readonly Exchange[], operations: readonly string[]): readonly string[] {
  const asked = new Set(exchanges.map(({ tag }) => tag.operation ?? 'undocumented'));
  return [...operations.filter((id) => asked.has(id)), ...[...asked].filter((id) => !operations.includes(id))];
}

/** One path for each outcome: ten thousand exchanges are four elements, and marks on the same spot are drawn once. */
function pathOf(
  exchanges: readonly Exchange[],
  lanes: readonly string[],
  length: number,
  outcome: (typeof OUTCOMES)[number],
): Markup | null {
  const [offset, height] = MARKS[outcome];
  const spots = new Set<string>();
  for (const exchange of exchanges) {
    if (outcomeOf(exchange) !== outcome) continue;
    const lane = lanes.indexOf(exchange.tag.operation ?? 'undocumented');
    const x = LEFT + (exchange.at / Math.max(1, length)) * (WIDTH - LEFT - 4);
    spots.add(`M${x.toFixed(1)} ${TOP + lane * LANE + offset}v${height}`);
  }
  return spots.size === 0 ? null : html`<path class="o-${outcome}" d="${[...spots].join('')}"/>`;
}

function axis(length: number, bottom: number): readonly Markup[] {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const x = (LEFT + share * (WIDTH - LEFT - 4)).toFixed(1);
    const side = share === 1 ? 'end' : share === 0 ? 'start' : 'middle';
    return html`<line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/><text x="${x}" y="${bottom + 15}" text-anchor="${side}">${duration(share * length)}</text>`;
  });
}

/** The drawing, its legend, and a slider that reads out any exchange. */
export function timeline(exchanges: readonly Exchange[], operations: readonly string[], length: number): Markup {
  const lanes = lanesOf(exchanges, operations);
  const bottom = TOP + lanes.length * LANE;
  const names = lanes.map(
    (id, at) =>
      html`<text class="lane" x="0" y="${TOP + at * LANE + 15}">${operationName(id)}</text><line class="grid" x1="0" x2="${WIDTH}" y1="${TOP + at * LANE + LANE}" y2="${TOP + at * LANE + LANE}"/>`,
  );
  const paths = OUTCOMES.map((outcome) => pathOf(exchanges, lanes, length, outcome));
  const used = OUTCOMES.filter((outcome) => exchanges.some((exchange) => outcomeOf(exchange) === outcome));
  const legend = used.map((outcome) => {
    const [offset, height] = MARKS[outcome];
    return html`<li><svg viewBox="0 0 6 20" aria-hidden="true" focusable="false"><path class="o-${outcome}" d="M3 ${offset}v${height}"/></svg>${NAMES[outcome]} <b>${exchanges.filter((exchange) => outcomeOf(exchange) === outcome).length}</b></li>`;
  });
  const label = `${counted(exchanges.length, 'exchange')} in ${duration(length)}, by operation and time`;
  return html`<ul class="legend">${legend}</ul><div class="scroll" role="region" aria-label="Timeline" tabindex="0">
<svg class="timeline" id="timeline" viewBox="0 0 ${WIDTH} ${bottom + 20}" role="img" aria-label="${label}" data-left="${LEFT}" data-right="${WIDTH - 4}" data-top="${TOP}" data-lane="${LANE}">
${names}${axis(length, bottom)}${paths}<line class="cursor" id="cursor" x1="-9" x2="-9" y1="${TOP}" y2="${bottom}"/></svg></div>
<div class="scrubber needs-script"><label for="scrub">Exchange</label><input type="range" id="scrub" min="1" max="${Math.max(1, exchanges.length)}" value="1">
<output id="scrubbed" for="scrub">Move the slider, or point at the timeline, to read an exchange.</output></div>`;
}
