/** The verdict at the top, the tally and the filter. */

/** Styles of masthead and toolbar. */
export const MASTHEAD = `
.masthead { padding: clamp(2rem, 4vw, 3rem) 0 0; }
.kicker { color: var(--soft); font-size: .8125rem; margin-bottom: 1rem; }
.verdict { display: flex; align-items: center; gap: clamp(.9rem, 2vw, 1.4rem); }
.verdict .badge { width: clamp(2.75rem, 6vw, 4rem); height: clamp(2.75rem, 6vw, 4rem); font-size: clamp(1.9rem, 4.2vw, 2.9rem); border-radius: 16px; }
.verdict .symbol { stroke-width: 1.8; }
h1 { font-size: clamp(2.5rem, 7vw, 4.25rem); line-height: 1; font-weight: 680; letter-spacing: -.035em; }
.summary { font-size: 1.125rem; line-height: 1.5; margin-top: 1.25rem; max-width: 56rem; overflow-wrap: anywhere; }
.target { margin-top: .35rem; color: var(--soft); } .target .label { font-size: .875rem; } .target code { color: var(--ink); font-size: .875rem; }
.facts { display: flex; flex-wrap: wrap; gap: 1.1rem 2.75rem; margin: 1.5rem 0 0; padding: 1rem 0; border-block: 1px solid var(--line); }
.facts dt { color: var(--soft); font-size: .75rem; }
.facts dd { font-size: 1.0625rem; font-weight: 560; font-variant-numeric: tabular-nums; letter-spacing: -.01em; overflow-wrap: anywhere; }
.notice { margin-top: 1rem; padding: .9rem 1.2rem; border-radius: 10px; background: var(--sunken); }
.notice h2 { font-size: .9375rem; letter-spacing: 0; margin-bottom: .2rem; }
.notice li { overflow-wrap: anywhere; font-size: .875rem; }
.notice.grave { box-shadow: inset 4px 0 0 var(--warning-fill); padding-left: 1.5rem; }

.tally { display: block; width: 100%; height: 10px; border-radius: 5px; margin: 1.25rem 0 1rem; }
.toolbar { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; justify-content: space-between; margin-bottom: 1.75rem; }
.toolbar fieldset { display: flex; flex-wrap: wrap; gap: .4rem; }
.chip { position: relative; font-size: .8125rem; }
.chip input { position: absolute; inset: 0; opacity: 0; margin: 0; width: 100%; height: 100%; cursor: pointer; }
html:not(.js) .chip input { display: none; }
.chip > span { display: inline-flex; align-items: center; gap: .45rem; padding: .3rem .7rem .3rem .35rem; border: 1px solid var(--line); border-radius: 9px; background: var(--surface); }
.chip b { font-weight: 620; font-variant-numeric: tabular-nums; }
.chip input:hover + span { border-color: var(--firm); }
.chip input:checked + span { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
.chip input:focus-visible + span { outline: 2px solid var(--focus); outline-offset: 2px; }
.finders { display: flex; flex-wrap: wrap; gap: .4rem; font-size: .8125rem; }
.finders input, .finders select, .finders button { height: 2.1rem; padding: 0 .75rem; border: 1px solid var(--firm); border-radius: 9px; background: var(--surface); }
.finders input { width: 11rem; } .finders input::placeholder { color: var(--soft); opacity: 1; }
.finders select { max-width: 10rem; }
.finders button { cursor: pointer; } .finders button:hover { background: var(--sunken); }
.shown { position: absolute; top: .6rem; right: 0; color: var(--soft); font-size: .8125rem; font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) { .shown { position: static; } .finders { flex: 1 0 100%; } .finders input { flex: 1 1 9rem; } }
`;
