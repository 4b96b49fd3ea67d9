/** Styles of the certificate: one sheet of paper, on a screen and printed. */

import { COLOURS, inlineAsset } from '../report/html/asset.ts';

/** The style sheet of certificate.html. */
export const CERTIFICATE_STYLES = `${inlineAsset(COLOURS).text}
:root {
  --sans: ui-sans-serif, -apple-system, "Segoe UI", Inter, Roboto, "Helvetica Neue", system-ui, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "JetBrains Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; padding: clamp(0rem, 4vw, 3.5rem) clamp(0rem, 3vw, 1.5rem); background: var(--sunken); color: var(--ink); font: 400 .875rem/1.5 var(--sans); }
main { position: relative; max-width: 52rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4rem); background: var(--surface); border-radius: 14px; box-shadow: var(--shadow); overflow: hidden; }
main::before { content: ""; position: absolute; inset: 0 0 auto; height: 6px; background: var(--pass-fill); }
h1, h2, p, dl, dd, ul { margin: 0; padding: 0; font-weight: inherit; }
ul { list-style: none; }
.kicker { color: var(--soft); font-size: .8125rem; letter-spacing: .01em; }
.head { display: flex; align-items: flex-start; justify-content: space-between; gap: 1.5rem; }
.badge { display: inline-grid; place-items: center; width: 3.5rem; height: 3.5rem; border-radius: 14px; font-size: 2.1rem; flex: none; background: var(--pass-ground); color: var(--pass); }
.symbol { width: 1em; height: 1em; display: block; fill: none; stroke: currentColor; stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.sheet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
h1 { font-size: clamp(2rem, 6vw, 3.1rem); line-height: 1.05; font-weight: 680; letter-spacing: -.03em; margin-top: .6rem; overflow-wrap: anywhere; }
.vendor { font-size: 1.0625rem; color: var(--soft); margin-top: .5rem; overflow-wrap: anywhere; }
.claim { font-size: 1.125rem; line-height: 1.5; margin: 2rem 0 0; max-width: 40rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1.1rem 2rem; margin: 2rem 0 0; padding: 1.25rem 0; border-block: 1px solid var(--line); }
dt, .label { color: var(--soft); font-size: .75rem; }
.facts dd { font-size: 1.0625rem; font-weight: 560; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h2 { font-size: .9375rem; font-weight: 620; margin: 1.75rem 0 .35rem; }
.columns { columns: 2; column-gap: 2rem; }
li { break-inside: avoid; overflow-wrap: anywhere; margin-bottom: .25rem; }
code { font: .75rem/1.6 var(--mono); overflow-wrap: anywhere; }
.proof { margin-top: 2rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.proof dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin-top: .75rem; }
.target { margin-top: 1rem; }
.quiet { color: var(--soft); margin-bottom: .4rem; }
@media (max-width: 36rem) { .columns { columns: 1; } .proof dl { grid-template-columns: 1fr; } main { border-radius: 0; } }
@page { size: A4; margin: 14mm; }
@media print { body { background: none; padding: 0; font-size: 9.5pt; } main { box-shadow: none; padding: 6mm 0 0; max-width: none; } * { print-color-adjust: exact; } }
`;
