/** What would otherwise be ignored silently: variables that name no setting, and lines of a `.env` that set nothing. */

/** Set for fixture commands, which may call this command again. */
const OURS: readonly string[] = ['PCS_FIXTURE'];

/** One sentence for each variable with the prefix `PCS_` that is not a setting, with the one that was probably meant. */
export function nearMisses(present: readonly string[], known: readonly string[]): readonly string[] {
  return present
    .filter((name) => /^PCS_/i.test(name) && !known.includes(name) && !OURS.includes(name))
    .map((name) => [`${name} is not a setting`, suggestion(name, known) ?? []].flat().join('; '));
}

/** A line as dotenv reads it: a name, and a value that may be quoted and then have several lines. */
const LINE =
  /^\s*(?:export\s+)?[\w.-]+(?:\s*=\s*?|:\s+?)(?:\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm;

/** One sentence for each line of the file that sets nothing and is neither empty nor a comment; it quotes none of it. */
export function malformedLines(text: string, file: string): readonly string[] {
  const rest = text.replace(/\r\n?/g, '\n').replace(LINE, (found) => found.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, at) => {
    return /^\s*(?:#|$)/.test(line) ? [] : [`line ${at + 1} of ${file} is not NAME=value, so it is ignored`];
  });
}

/** Suggests the nearest known name at most two letters away, ignoring letter case. */
export function suggestion(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = 3;
  for (const candidate of known) {
    const away = distance(name.toUpperCase(), candidate.toUpperCase());
    if (away < least) [best, least] = [candidate, away];
  }
  return best === undefined ? undefined : `did you mean ${best}?`;
}

/** Letters to insert, delete or replace (Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
