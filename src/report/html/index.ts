/** report.html: one file that opens from disk, asks nobody for anything and runs nothing that a target sent. */

import { createHash } from 'node:crypto';
import type { Reporter, RunArtefacts } from '../artefacts.ts';
import { durationOf } from '../timing.ts';
import { html, jsonIsland, Markup } from './markup.ts';
import { page } from './page.ts';
import { pageData } from './page-data.ts';
import { FIRST_SCRIPT, SCRIPT } from './script/index.ts';
import { STYLES } from './styles/index.ts';
import { RUN_WORDS, symbolSheet } from './verdicts.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded and nothing runs but the styles and scripts of this project, to the letter. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLES)}`,
  `script-src ${hashOf(FIRST_SCRIPT)} ${hashOf(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The page of a run. Pure: equal runs give equal bytes. */
export function renderHtml(run: RunArtefacts): string {
  const { results, exchanges } = run;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${RUN_WORDS[results.verdict]} · ${results.target} · conformance report</title>
<style>${new Markup(STYLES)}</style>
<script>${new Markup(FIRST_SCRIPT)}</script>
</head>
<body>
${symbolSheet()}
${page(run)}
${jsonIsland('data', pageData(run, durationOf(exchanges)))}
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;
}

/** Makes report.html. */
export const HTML_REPORTER: Reporter = { name: 'html', file: 'report.html', render: renderHtml };
