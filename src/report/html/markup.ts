/** The only place where text becomes markup: what a target sent is shown, never obeyed. */

import { asEntity, codePoint } from '../text.ts';

/** Markup of this project; anything else in a template is text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: markup as it is, text and numbers escaped, lists in order, `null` as nothing. */
export type Part = Markup | string | number | null | undefined | readonly Part[];

// A browser would drop, replace or obey control characters, direction marks and lone surrogates.
const INVISIBLE = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/** The text with its invisible characters written as escapes. */
export function spelledOut(text: string): string {
  return text.replace(INVISIBLE, codePoint);
}

/** The text without anything that a browser could take for markup, in content and in quoted attributes. */
export function escapeText(text: string): string {
  return spelledOut(text).replace(/[&<>"']/g, asEntity);
}

function render(part: Part): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return part.map(render).join('');
}

/** A template of markup in which every value is escaped unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((string, at) => string + render(parts[at])).join(''));
}

/** A value for a script of the page: JSON in which nothing can end the element or a line. */
export function jsonIsland(id: string, value: unknown): Markup {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return html`<script type="application/json" id="${id}">${new Markup(text)}</script>`;
}
