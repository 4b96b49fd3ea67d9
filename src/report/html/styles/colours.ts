/** Colours of the page, light and dark; every pair of text and ground has a contrast of 4.5 or more. */

const LIGHT = `
  --paper: #faf9f6; --surface: #ffffff; --sunken: #f3f1ec; --ink: #1d2024; --soft: #565c66; --line: #e3dfd7; --firm: #c9c4b9;
  --accent: #2f5aa8; --focus: #2f5aa8; --shadow: 0 1px 2px rgb(40 35 25 / .05), 0 6px 20px rgb(40 35 25 / .05);
  --pass: #1d7048; --pass-ground: #e1efe6; --pass-fill: #74b893;
  --fail: #ffffff; --fail-ground: #b8322a; --fail-ink: #a82a22; --fail-fill: #b8322a;
  --warning: #43300a; --warning-ground: #f3c860; --warning-fill: #e5b23c;
  --inconclusive: #51449b; --inconclusive-ground: #e4e0f5; --inconclusive-fill: #9a8fd6;
  --idle: #6a6f78; --idle-line: #b9b4aa; --idle-fill: #d5d0c6;
  --error: #ffffff; --error-ground: #1d2024; --error-fill: #1d2024;
  --good: #2f7f9e; --muted-mark: #9aa0a8;
`;

const DARK = `
  --paper: #141618; --surface: #1b1e21; --sunken: #222629; --ink: #e9e6e1; --soft: #a6acb5; --line: #2d3135; --firm: #454a50;
  --accent: #92b4f2; --focus: #92b4f2; --shadow: 0 1px 2px rgb(0 0 0 / .3);
  --pass: #7fd0a4; --pass-ground: #1d3529; --pass-fill: #3f8a64;
  --fail: #ffffff; --fail-ground: #c13c33; --fail-ink: #ff9a90; --fail-fill: #d8483e;
  --warning: #2b1f05; --warning-ground: #e0b24a; --warning-fill: #e0b24a;
  --inconclusive: #c9c0fa; --inconclusive-ground: #322d52; --inconclusive-fill: #7c70c4;
  --idle: #a6acb5; --idle-line: #565c63; --idle-fill: #474c52;
  --error: #141618; --error-ground: #e9e6e1; --error-fill: #e9e6e1;
  --good: #62b4d4; --muted-mark: #737a83;
`;

/** Custom properties of both appearances: the system's choice, unless the reader chose. */
export const COLOURS = `
:root { color-scheme: light; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark; ${DARK} } }
:root[data-theme="dark"] { color-scheme: dark; ${DARK} }
@media print { :root, :root[data-theme="dark"], :root:not([data-theme="light"]) { color-scheme: light; ${LIGHT} } }
`;
