/** Markup: the only place where text becomes markup, names and numbers for a page, and the frame of every page. */

import { hash as hashOf } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Colour, Verdict } from '../../verdict/results.ts';
import { COLOURS, LOOKS } from '../model.ts';
import { asEntity, codePoint } from '../text.ts';

/** Markup of this project; anything else in a template is text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may hold: markup as is, text and numbers escaped, lists in order, `null` and `false` as nothing. */
type Content = Markup | string | number | null | undefined | false | readonly Content[];

// A browser would drop, replace or obey control characters, direction marks and lone surrogates.
const INVISIBLE = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/** The text without anything that a browser could take for markup, in content and in quoted attributes. */
export const escapeText = (text: string): string => text.replace(INVISIBLE, codePoint).replace(/[&<>"']/g, asEntity);

function render(part: Content): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return part.map(render).join('');
}

/** A template of markup in which every value is escaped unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Content[]): Markup {
  return new Markup(strings.map((string, at) => string + render(parts[at])).join(''));
}

/** The mark of a verdict on its colour; the label says what no word beside it says. */
export function badge(verdict: Verdict, label?: string): Markup {
  const said = label === undefined ? html`aria-hidden="true"` : html`role="img" aria-label="${label}" title="${label}"`;
  return html`<span class="badge v-${verdict}" ${said}>${LOOKS[verdict].mark}</span>`;
}

/** The mark of a run's verdict in its colour. */
export const seal = (colour: Colour): Markup =>
  html`<span class="badge seal c-${colour}" aria-hidden="true">${COLOURS[colour].mark}</span>`;

/** A term of a list of facts. */
export const fact = (name: string, value: string | Markup): Markup =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** Milliseconds in a unit that suits them. */
export function duration(milliseconds: number): string {
  const [value, unit] = milliseconds >= 1_000 ? [milliseconds / 1_000, 's'] : [milliseconds, 'ms'];
  return `${Number(value.toFixed(value >= 10 ? 0 : 1))} ${unit}`;
}

/** Id of the element that says most about a case. */
export const anchorOf = (id: string): string => `case-${id.replace(/[^A-Za-z0-9-]+/g, '-')}`;

/** A section of the specification by its sign; another standard by name. */
export const sectionName = (section: string): string => (/^\d/.test(section) ? `§ ${section}` : section);

/** Lines as they are sent or pasted, under a title; one click selects a whole command. */
export const panel = (title: string, text: string, style = ''): Markup =>
  html`<div><p class="aside">${title}</p><pre class="${style}" tabindex="0">${text}</pre></div>`;

/** A file to inline, and its hash as a content security policy names it. */
export function inlineAsset(file: string) {
  // A browser reads CRLF as LF before it compares hashes.
  const text = readFileSync(new URL(file, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
  return { markup: new Markup(text), hash: `'sha256-${hashOf('sha256', text, 'base64')}'` };
}

const STYLES = inlineAsset('page.css');

/** The page with links to missing elements reduced to their content: a list may have been shortened. */
function withoutDeadLinks(text: string): string {
  const shown = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  return text.replace(/<a href="#([^"]+)">(.*?)<\/a>/g, (link, id, content) => (shown.has(id) ? link : content));
}

/** A whole page, which applies only the style sheet and this script. */
export function page(title: string, body: Markup, script?: ReturnType<typeof inlineAsset>): string {
  const scripts = script === undefined ? '' : `script-src ${script.hash}; `;
  const policy = `default-src 'none'; style-src ${STYLES.hash}; ${scripts}base-uri 'none'; form-action 'none'`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${STYLES.markup}</style>
${script && html`<script>${script.markup}</script>\n`}</head>
<body>
${body}
</body>
</html>
`;
  return withoutDeadLinks(text);
}
