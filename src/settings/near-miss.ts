/** Variables that are probably misspelt settings, and would otherwise be ignored silently. */

/** One sentence for each variable with the prefix `PCS_` that is at most two letters away from a setting's name. */
export function nearMisses(present: readonly string[], known: readonly string[]): readonly string[] {
  return present
    .filter((name) => /^PCS_/i.test(name) && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });
}

/** The nearest known name at most two letters away, ignoring letter case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = 3;
  for (const candidate of known) {
    const away = distance(name.toUpperCase(), candidate.toUpperCase());
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
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
