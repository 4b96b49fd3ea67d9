/** Target text in our formats: it is shown, and no terminal, build server, Markdown or XML reader interprets it. */

import { grouped } from '../contract/lists.ts';

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\x1b' };

/** A character as an escape: `\\u{7}`. */
export const codePoint = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A character as Markdown, XML and HTML write it where it could be taken for markup. */
export const asEntity = (character: string): string => `&#${character.codePointAt(0)};`;

const INVISIBLE_ON_SCREEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

const spelled = (text: string): string =>
  text.replace(INVISIBLE_ON_SCREEN, (found) => SHORT_ESCAPES[found] ?? codePoint(found));

// Build servers look for ##[command], ##vso[command] and ##teamcity[command] anywhere in a line.
const LOG_COMMAND = /##(?=[a-z]*\[)/gi;

/** The text on one line, with control characters, direction marks and lone surrogates written as escapes. */
export const visible = (text: string): string => spelled(text).replace(LOG_COMMAND, '#\\x23');

/** The same shell command, without anything that a build server would interpret. */
export function visibleShell(line: string): string {
  // Such a mark can only stand inside single quotes, where closing and opening them changes nothing.
  return spelled(line).replace(LOG_COMMAND, "#''#");
}

/** At most `length` characters of the text, and how many were left out. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // A cut within a surrogate pair would leave half a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}… (${grouped(text.length - end)} more characters)`;
}

/** The text with a capital at its beginning. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The text of a JSON file: with two spaces of indentation and a final newline. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

// Characters that could be markup, a link or a mention. An underscore within a word could not.
const MARKUP = /[\\`*<>[\]&@#|~!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=\/\/)|(?<=www)\./gi;

/** Text in GitHub flavoured Markdown, on one line, with no markup, link or mention. */
export const escaped = (text: string): string => visible(text).replace(MARKUP, asEntity);

/** At most `length` characters of the text as Markdown code, in which GitHub looks for no mention. */
export function code(text: string, length = 300): string {
  const shown = visible(cut(text, length)).trim();
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = shown === '' || /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

// XML 1.0 has no way to write these at all.
const NOT_XML = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text as XML character data. */
export const xmlText = (text: string): string => text.replace(NOT_XML, codePoint).replace(/[&<>]/g, asEntity);

/** An XML element with attributes, in that order, and content that is XML already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[] = [],
): string {
  const value = (text: string): string => text.replace(NOT_XML, codePoint).replace(/[&<>"'\n\t]/g, asEntity);
  const written = Object.entries(attributes).map(([key, text]) => ` ${key}="${value(String(text))}"`);
  const open = `${name}${written.join('')}`;
  return content.length === 0 ? `<${open}/>` : `<${open}>${content.join('')}</${name}>`;
}
