/** Texts of a target on a screen: they are shown, and never obeyed by a terminal or by the log of a build server. */

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\x1b' };

function escaped(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

// Build servers look for ##[command], ##vso[command] and ##teamcity[command] anywhere in a line.
const LOG_COMMAND = /##(?=[a-z]*\[)/gi;

/** The text on one line: controls, terminal escapes, direction marks and lone surrogates are written as escapes. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped).replace(LOG_COMMAND, '#\\x23');
}

/** A line for a shell, still the same words for it, in which a build server finds no command. */
export function visibleShell(line: string): string {
  // Such a mark can only stand inside single quotes, where closing and opening them changes nothing.
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped).replace(LOG_COMMAND, "#''#");
}

/** At most `length` characters of the text; what was left out is counted. */
export function cut(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  return `${characters.slice(0, length).join('')}… (${characters.length - length} more characters)`;
}

/** The first lines of a text, each visible, in as many characters as are given; what was left out is counted. */
export function visibleLines(text: string, lines: number, characters: number): readonly string[] {
  const all = cut(text, characters).split(/\r\n|\n/);
  const shown = all.slice(0, lines).map(visible);
  return all.length > lines ? [...shown, `… (${all.length - lines} more lines)`] : shown;
}
