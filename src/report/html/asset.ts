/** The frame of a page: its head, and the files that are inlined into it. It loads nothing else. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, Markup } from './markup.ts';
import { symbolSheet } from './verdicts.ts';

/** A text to inline, and its hash as a content security policy names it. */
interface InlineAsset {
  readonly text: string;
  readonly hash: string;
}

/** Reads files beside the calling module (`new URL('./page.css', import.meta.url)`) and joins them, once at load. */
export function inlineAsset(...files: readonly URL[]): InlineAsset {
  // A browser reads CRLF as LF before it compares hashes.
  const text = files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n')).join('');
  return { text, hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` };
}

/** The style sheet with the colours, type and symbols of every page. */
export const BASE = new URL('./base.css', import.meta.url);

/** The style sheet of the report, for pages that look like it. */
export const REPORT_STYLES = new URL('./page.css', import.meta.url);

/** A whole page, on which nothing runs but this style sheet and script. */
export function page(title: string, styles: InlineAsset, script: InlineAsset | null, body: Markup): string {
  const scripts = script === null ? '' : `script-src ${script.hash}; `;
  const policy = `default-src 'none'; style-src ${styles.hash}; ${scripts}base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(styles.text)}</style>
${script === null ? null : html`<script>${new Markup(script.text)}</script>\n`}</head>
<body>
${symbolSheet()}
${body}
</body>
</html>
`.text;
}
