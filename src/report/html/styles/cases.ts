/** Cards of findings, exchanges, what stayed open, the list of every case. */

/** Styles of cases. */
export const CASES = `
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); margin-bottom: 1.25rem; overflow: clip; }
.card > header { padding: 1.35rem clamp(1rem, 2.5vw, 1.6rem) 1.1rem; }
.card h3 code { font-size: 1.0625rem; font-weight: 640; letter-spacing: -.01em; }
.marks { display: flex; gap: .9rem; color: var(--soft); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.card .marks { float: right; margin-top: -1.5rem; }
.card .statement { margin-top: .3rem; max-width: 48rem; }
.reading { margin-top: .6rem; padding-left: .9rem; border-left: 2px solid var(--firm); color: var(--soft); font-size: .875rem; max-width: 48rem; }
.reading summary { font-size: .8125rem; margin-top: .15rem; } .reading details p { margin-top: .25rem; }
.reading b { color: var(--ink); font-weight: 560; }
summary { cursor: pointer; }
.case { border-top: 1px solid var(--line); padding: 0 clamp(1rem, 2.5vw, 1.6rem); }
.case > summary { display: flex; gap: .7rem; align-items: center; padding: .65rem 0; list-style: none; }
.case > summary::-webkit-details-marker { display: none; }
.case > summary::after { content: ""; width: .45rem; height: .45rem; margin-left: auto; flex: none; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg) translate(-2px, -2px); }
.case[open] > summary::after { transform: rotate(225deg) translate(-2px, -2px); }
.case summary b { font-weight: 560; white-space: nowrap; }
.headline { color: var(--soft); font-size: .875rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.case[open] > summary .headline { visibility: hidden; }
.case:target { scroll-margin-top: calc(var(--bar) + 1rem); }
.case:target > summary b, tr:target th { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .3em; }
.case > .copyable { margin: 0 0 1.4rem; }
.finding { margin: .35rem 0 1rem; }
.finding + .finding { border-top: 1px dashed var(--line); padding-top: 1.1rem; }
.contrast { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) minmax(0, .6fr); gap: .75rem 2rem; margin-bottom: .9rem; }
.contrast dt { color: var(--soft); font-size: .75rem; }
.contrast dd { font-size: 1rem; line-height: 1.45; overflow-wrap: anywhere; }
.contrast .actual { color: var(--fail-ink); font-weight: 560; }
.exchange { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); border-radius: 10px; background: var(--sunken); margin: .7rem 0; }
.message { padding: .9rem 1.1rem 1rem; min-width: 0; }
.message + .message { border-left: 1px solid var(--line); }
.message h4 { font-size: .75rem; color: var(--ink); font-weight: 620; margin-bottom: .45rem; }
.message h4 span { color: var(--soft); font-weight: 400; margin-left: .35rem; }
.line { font: .8125rem/1.5 var(--mono); overflow-wrap: anywhere; }
.line b { font-weight: 700; }
.fields { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .05rem .9rem; font: .75rem/1.6 var(--mono); margin: .4rem 0 .6rem; }
.fields dt { color: var(--soft); max-width: 16rem; overflow-wrap: anywhere; }
.fields dd { overflow-wrap: anywhere; }
.fields .made { font-style: italic; }
.message pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem; overflow: auto; padding: .65rem .8rem; margin: .5rem 0 .35rem; background: var(--surface); border-radius: 7px; font-size: .75rem; line-height: 1.55; }
.members { font-size: .75rem; color: var(--soft); margin: .4rem 0; columns: 14rem; } .members code { font-size: .75rem; color: var(--ink); }
.leaks { color: var(--fail-ink); font-weight: 560; font-size: .875rem; margin: .4rem 0; }
.copyable { display: grid; grid-template-columns: 3.6rem minmax(0, 1fr) auto; align-items: start; gap: .6rem; margin-top: .5rem; }
.copyable .label { padding-top: .45rem; white-space: nowrap; }
.run-again .copyable { grid-template-columns: 4.6rem minmax(0, 1fr) auto; }
.copyable pre { padding: .4rem .75rem; border-radius: 7px; background: var(--sunken); font-size: .75rem; line-height: 1.6; overflow-x: auto; white-space: pre; scrollbar-width: thin; }
.copy { padding: .25rem .7rem; border: 1px solid var(--firm); border-radius: 7px; background: var(--surface); font-size: .75rem; line-height: 1.5; cursor: pointer; min-width: 4.4rem; }
.copy:hover { background: var(--sunken); }

.open-group { display: flex; gap: .9rem; padding: 1rem 0; border-top: 1px solid var(--line); }
.open-group > div { min-width: 0; flex: 1; }
.open-group h3 { font-weight: 520; font-size: .9375rem; line-height: 1.4; overflow-wrap: anywhere; }
.open-group .remedy { margin-top: .15rem; }
.open-group details { margin-top: .25rem; color: var(--soft); font-size: .8125rem; }
.names { columns: 22rem; margin-top: .4rem; } .names code { font-size: .75rem; }
.fold > summary { color: var(--accent); margin-bottom: .75rem; }
.choices tbody th { white-space: normal; width: 26rem; min-width: 14rem; } .choices tbody th code { display: block; color: var(--soft); font-size: .75rem; overflow-wrap: anywhere; } .choices td { min-width: 9rem; }
.choices tbody tr:not(:last-child) td { border-bottom-color: transparent; }
.requirement { border-bottom: 1px solid var(--line); }
.requirement > summary { display: grid; grid-template-columns: auto 16.5rem minmax(0, 1fr) auto; gap: .8rem; align-items: baseline; padding: .5rem 0; list-style: none; }
.requirement > summary::-webkit-details-marker { display: none; }
.requirement > summary .badge { align-self: center; }
.requirement > summary:hover { background: var(--sunken); }
.requirement > summary .statement { color: var(--soft); font-size: .875rem; }
.requirement > summary code { font-weight: 560; }
.requirement[open] { padding-bottom: 1.5rem; } .requirement .scroll { padding-left: 2.05rem; } .requirement > .reading { margin: .2rem 0 .8rem 2.05rem; }
@media (max-width: 56rem) {
  .exchange, .contrast { grid-template-columns: minmax(0, 1fr); } .message + .message { border-left: 0; border-top: 1px solid var(--line); }
  .requirement > summary { grid-template-columns: auto minmax(0, 1fr) auto; } .requirement > summary .statement { grid-column: 2 / -1; grid-row: 2; }
  .requirement .scroll, .requirement > .reading { margin-left: 0; padding-left: 0; }
  .card .marks { float: none; margin-top: .1rem; }
}
@media (max-width: 40rem) {
  .copyable, .run-again .copyable { grid-template-columns: minmax(0, 1fr) auto; } .copyable .label { grid-column: 1 / -1; padding: 0; }
  .case > summary { flex-wrap: wrap; } .headline { white-space: normal; flex-basis: 90%; } .case[open] .headline { display: none; }
  .fields { grid-template-columns: minmax(0, 1fr); } .fields dd { padding-left: 1rem; }
}
`;
