/** Type, spacing and what every part of the page shares. */

/** Styles of the page as a whole. */
export const BASE = `
:root {
  --sans: ui-sans-serif, -apple-system, "Segoe UI", Inter, Roboto, "Helvetica Neue", system-ui, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "JetBrains Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --bar: 3.1rem;
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: calc(var(--bar) + 1.2rem); -webkit-text-size-adjust: 100%; }
html:not(.js) .needs-script { display: none; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 .9375rem/1.55 var(--sans); font-feature-settings: "cv05", "ss03"; }
main, footer { max-width: 74rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
section { margin-top: 4.5rem; }
#matrix { margin-top: 2.5rem; position: relative; }
h1, h2, h3, h4, p, ul, dl, dd, pre, fieldset { margin: 0; padding: 0; border: 0; font-weight: inherit; }
ul { list-style: none; }
h2 { font-size: 1.5rem; line-height: 1.25; font-weight: 640; letter-spacing: -.017em; margin-bottom: .4rem; }
h3 { font-size: 1rem; font-weight: 620; }
.count { font-weight: 450; color: var(--soft); font-variant-numeric: tabular-nums; }
.lead { color: var(--soft); margin-bottom: 1.5rem; max-width: 44rem; }
code, pre { font-family: var(--mono); font-size: .8125rem; font-variant-ligatures: none; }
code { overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
button, input, select { font: inherit; color: inherit; }
.symbol { width: 1em; height: 1em; display: block; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.sheet, .unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.aside { color: var(--soft); font-size: .8125rem; }
.label { color: var(--soft); font-size: .75rem; letter-spacing: .02em; }
.skip { position: absolute; left: 1rem; top: -6rem; z-index: 9; background: var(--ink); color: var(--paper); padding: .5rem 1rem; border-radius: 6px; }
.skip:focus { top: .6rem; }
.scroll { overflow-x: auto; position: relative; }

.badge { display: inline-grid; place-items: center; width: 1.25rem; height: 1.25rem; border-radius: 5px; font-size: .875rem; flex: none; vertical-align: -.3em; }
.v-pass.badge, .v-pass.cell { background: var(--pass-ground); color: var(--pass); }
.v-fail.badge, .v-fail.cell { background: var(--fail-ground); color: var(--fail); }
.v-warning.badge, .v-warning.cell { background: var(--warning-ground); color: var(--warning); }
.v-inconclusive.badge, .v-inconclusive.cell { background: var(--inconclusive-ground); color: var(--inconclusive); }
.v-not-exercised.badge, .v-not-exercised.cell { box-shadow: inset 0 0 0 1px var(--idle-line); color: var(--idle); }
.v-error.badge, .v-error.cell { background: var(--error-ground); color: var(--error); }
.fill-pass { fill: var(--pass-fill); } .fill-fail { fill: var(--fail-fill); } .fill-warning { fill: var(--warning-fill); }
.fill-inconclusive { fill: var(--inconclusive-fill); } .fill-not-exercised { fill: var(--idle-fill); } .fill-error { fill: var(--error-fill); }

.bar { position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 1.5rem; height: var(--bar); padding: 0 clamp(1rem, 4vw, 2.5rem);
  background: color-mix(in srgb, var(--paper) 90%, transparent); backdrop-filter: blur(10px); border-bottom: 1px solid var(--line); font-size: .8125rem; }
.bar ul { display: flex; gap: 1.25rem; overflow-x: auto; white-space: nowrap; flex: 1; scrollbar-width: none; padding: .35rem; }
.bar a { color: var(--ink); text-decoration: none; }
.bar a:hover { text-decoration: underline; }
.bar .brand { font-weight: 640; letter-spacing: -.01em; }
.appearance { display: grid; place-items: center; width: 2rem; height: 2rem; border: 0; border-radius: 6px; background: none; cursor: pointer; }
.appearance:hover { background: var(--sunken); }
.appearance svg { width: 1.1rem; fill: none; stroke: currentColor; stroke-width: 1.5; } .appearance path { fill: currentColor; stroke: none; }

.plain { border-collapse: collapse; width: 100%; font-size: .875rem; }
.plain th, .plain td { text-align: left; vertical-align: top; font-weight: 400; padding: .5rem 1.25rem .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.plain thead th { color: var(--soft); font-size: .75rem; border-color: var(--firm); vertical-align: bottom; white-space: nowrap; }
.plain tbody th { white-space: nowrap; }
.plain .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.plain .operations, .plain .judged { color: var(--soft); }
.plain .judged, .verdict-cell { white-space: nowrap; }
.nothing { margin: 4rem 0; color: var(--soft); text-align: center; }
footer { margin-top: 5rem; padding-block: 1.5rem 3rem; color: var(--soft); font-size: .8125rem; }
footer p { border-top: 1px solid var(--line); padding-top: 1.5rem; }
`;
