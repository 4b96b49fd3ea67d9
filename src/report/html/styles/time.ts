/** Timeline, latency plot, and the page on paper. */

/** Styles of time and cost. */
export const TIME = `
#cost h3 { margin: 2rem 0 .6rem; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; font-size: .8125rem; color: var(--soft); margin-bottom: .5rem; }
.legend li { display: flex; align-items: center; gap: .3rem; } .legend svg { height: 1.25rem; width: .6rem; } .legend b { color: var(--ink); font-weight: 560; }
.timeline { display: block; width: 100%; min-width: 46rem; }
.timeline text { font: 11px var(--sans); fill: var(--soft); } .timeline .lane { font: 11.5px var(--mono); fill: var(--ink); }
.grid { stroke: var(--line); stroke-width: 1; }
.o-success { stroke: var(--good); stroke-width: 2; } .o-refusal { stroke: var(--muted-mark); stroke-width: 2; }
.o-server { stroke: var(--fail-fill); stroke-width: 3; } .o-nothing { stroke: var(--ink); stroke-width: 3; stroke-dasharray: 3 2; }
.cursor { stroke: var(--ink); stroke-width: 1; }
.scrubber { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; font-size: .8125rem; margin-top: .5rem; }
.scrubber label { color: var(--soft); } .scrubber input { flex: 1 1 14rem; accent-color: var(--accent); } .scrubber output { flex: 1 1 22rem; font-variant-numeric: tabular-nums; }
.latency td, .latency tbody th { vertical-align: middle; } .latency .drawn { width: 24rem; padding-right: 0; }
.plot { display: block; width: 100%; min-width: 14rem; height: auto; } .plot text { font: 10px var(--sans); fill: var(--soft); text-anchor: middle; }
.plot .range { stroke: var(--good); stroke-width: 4; stroke-linecap: round; opacity: .45; } .plot .median { fill: var(--good); stroke: var(--paper); stroke-width: 1.5; } .plot .most { stroke: var(--soft); stroke-width: 1.5; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } .cell { transition: opacity .15s; } }
@media (forced-colors: active) { .cell, .badge { border: 1px solid; forced-color-adjust: auto; } }
@media print {
  @page { margin: 14mm; }
  body { font-size: 9.5pt; background: none; }
  .bar, .skip, .finders, .shown, .readout, .scrubber, .copy { display: none !important; }
  main, footer { max-width: none; padding: 0; } section { margin-top: 2rem; }
  .scroll, #matrix .scroll { overflow: visible; } .matrix thead th { position: static; box-shadow: none; border-bottom: 1px solid var(--firm); }
  .exchange { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .contrast { grid-template-columns: 2fr 2fr 1fr; } .message + .message { border-top: 0; border-left: 1px solid var(--line); } .timeline { min-width: 0; }
  .matrix .operation { width: 1.7rem; } .cell { min-width: 1.2rem; height: 1.15rem; font-size: .8rem; } .matrix [scope="row"] code { font-size: 7pt; }
  .badge, .cell, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .card { box-shadow: none; } .card > header, .contrast, .open-group, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; } pre { white-space: pre-wrap !important; overflow-wrap: anywhere; max-height: none !important; } .copyable pre { white-space: pre-wrap; }
  a { color: inherit; text-decoration: none; }
}
`;
