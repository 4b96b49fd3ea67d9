/** The matrix. */

/** Styles of matrix and readout. */
export const MATRIX = `
.matrix { border-collapse: collapse; width: 100%; font-size: .8125rem; }
.matrix th { font-weight: 400; text-align: left; }
.matrix .operation { vertical-align: bottom; text-align: center; padding: .35rem 0 .6rem; height: 11.5rem; width: 3rem; }
.matrix .operation span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; font-family: var(--mono); font-size: .75rem; }
.matrix .corner { vertical-align: bottom; padding-bottom: .6rem; color: var(--soft); font-size: .75rem; }
.matrix .sum { text-align: right; vertical-align: middle; color: var(--soft); font-size: .75rem; font-variant-numeric: tabular-nums; padding-left: .75rem; white-space: nowrap; }
.matrix thead .sum { vertical-align: bottom; padding-bottom: .6rem; }
.matrix thead th { background: var(--paper); box-shadow: inset 0 -1px var(--firm); }
.theme th { padding: 1.35rem 0 .4rem; font-weight: 620; font-size: .875rem; }
.theme .level { margin-left: .6rem; font-weight: 400; color: var(--soft); font-size: .75rem; }
.matrix [scope="row"] { white-space: nowrap; padding-right: 1rem; }
.matrix [scope="row"] a { color: var(--ink); text-decoration: none; }
.matrix [scope="row"] a:hover { text-decoration: underline; }
.matrix .section { float: right; color: var(--soft); font-size: .75rem; padding-left: 1rem; line-height: 1.75; }
.matrix td { padding: 2px; text-align: center; }
.matrix td.none::before { content: ""; display: block; width: 3px; height: 3px; margin: auto; border-radius: 50%; background: var(--line); }
.matrix tbody tr:not(.theme):hover > * { background: var(--sunken); }
.cell { display: grid; place-items: center; width: 100%; min-width: 1.9rem; height: 1.7rem; border-radius: 6px; font-size: 1rem; }
.cell:hover { outline: 2px solid var(--ink); outline-offset: -2px; }
.matrix .dim .cell { opacity: .18; }
.v-inconclusive.cell { background-image: repeating-linear-gradient(135deg, transparent 0 5px, color-mix(in srgb, var(--inconclusive) 14%, transparent) 5px 6px); }
.readout { position: sticky; bottom: 0; margin-top: .9rem; padding: .65rem 0 .75rem; min-height: 2.8rem; font-size: .8125rem; color: var(--soft); background: var(--paper);
  border-top: 1px solid var(--line); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.readout b { color: var(--ink); font-family: var(--mono); font-weight: 560; }
@media (min-width: 62rem) { #matrix .scroll { overflow: visible; } .matrix thead th { position: sticky; top: var(--bar); z-index: 2; } }
@media (max-width: 61.99rem) {
  .matrix .corner, .matrix [scope="row"] { position: sticky; left: 0; z-index: 1; background: var(--paper); }
  .matrix .section { display: none; }
}
@media (max-width: 40rem) { .matrix [scope="row"] code { font-size: .6875rem; } .matrix [scope="row"] { padding-right: .5rem; } }
`;
