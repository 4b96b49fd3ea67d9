/** GitHub flavoured Markdown in which no text of a target can be markup. */

import { cut, visible } from './visible.ts';

/** These need no escape anywhere in a line; everything else of ASCII becomes a character reference. */
const PLAIN = /[^A-Za-z0-9 ,()/=\-\u0080-\u{10ffff}]/gu;

const reference = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/** Text of the suite or of a target, as text: no markup, no link, no mention, no new line. */
export function escaped(text: string): string {
  return visible(text).replace(PLAIN, reference);
}

/** The text as code, where GitHub looks for no mention either; at most `length` characters. */
export function code(text: string, length = 300): string {
  return `<code>${escaped(cut(text, length))}</code>`;
}

/** A table whose cells are Markdown already; nothing where it would have no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row), ''];
}
