/**
 * Two ways to try many combinations in few rows. A row gives each factor a level; level 0 of an optional factor is
 * its absence. Row 0 is all zeroes.
 */

/** How many levels a factor has, absence included, and whether level 0 is its absence. */
export interface Levels {
  readonly optional: boolean;
  readonly count: number;
}

/** The level of each factor, in the order of the factors. */
export type Row = readonly number[];

/**
 * Rows in which any two optional factors are both absent, both present, and each present without the other, and in
 * which every level occurs. Beside row 0 each factor is present in a set of rows of its own, just over half of them:
 * no such set contains another, and any two meet. No fewer rows can do it (Kleitman and Spencer; Katona), but a factor
 * with more levels than its rows show gets the rest in further rows where everything is present.
 */
export function presenceRows(factors: readonly Levels[]): readonly Row[] {
  const optional = factors.filter((factor) => factor.optional);
  const { designed, sets } = presenceDesign(optional.length);
  const rows = Math.max(designed, ...factors.map((factor) => needed(factor, designed, sets[0]?.length ?? 0)));
  let next = 0;
  const columns = factors.map((factor) => {
    const present = factor.optional ? (sets[next++] ?? []) : null;
    return column(factor, rows, (row) => present === null || row >= designed || present.includes(row - 1));
  });
  return Array.from({ length: rows }, (_, row) => columns.map((levels) => levels[row] ?? 0));
}

/** The least number of rows for so many optional factors, and the rows after row 0 in which each is present. */
function presenceDesign(count: number): { designed: number; sets: readonly (readonly number[])[] } {
  for (let designed = count === 0 ? 1 : 2; ; designed += 1) {
    const sets = combinations(designed - 1, Math.ceil(designed / 2));
    if (sets.length >= count) return { designed, sets };
  }
}

function needed(factor: Levels, designed: number, shown: number): number {
  return factor.optional ? designed + (factor.count - 1 - shown) : factor.count;
}

/** The levels of one factor, row by row: where it is present, it cycles through what it can be. */
function column(factor: Levels, rows: number, isPresent: (row: number) => boolean): Row {
  const kinds = factor.optional ? factor.count - 1 : factor.count;
  const first = factor.optional ? 1 : 0;
  let turn = 0;
  return Array.from({ length: rows }, (_, row) => {
    if (factor.optional && (row === 0 || !isPresent(row))) return 0;
    return first + (turn++ % kinds);
  });
}

/** All sets of `size` of the numbers 0 to `from` - 1, in lexicographic order. */
function combinations(from: number, size: number, least = 0): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, from - least) }, (_, index) => least + index).flatMap((head) =>
    combinations(from, size - 1, head + 1).map((tail) => [head, ...tail]),
  );
}

/** Rows in which any two levels of any two factors meet (pairwise coverage), found greedily. */
export function pairwiseRows(factors: readonly Levels[]): readonly Row[] {
  const missing = allPairs(factors);
  const rows: Row[] = [];
  for (let row: Row = factors.map(() => 0); ; row = nextRow(factors, missing)) {
    rows.push(row);
    for (const key of pairsOf(row)) missing.delete(key);
    if (missing.size === 0) return rows;
  }
}

function nextRow(factors: readonly Levels[], missing: ReadonlySet<string>): Row {
  const [first] = missing;
  const row: (number | undefined)[] = factors.map(() => undefined);
  for (const part of first?.split(' ') ?? []) {
    const [factor, level] = part.split('=').map(Number);
    if (factor !== undefined) row[factor] = level;
  }
  factors.forEach((factor, index) => {
    row[index] ??= best(factor, (level) => gain(row.with(index, level), index, missing));
  });
  return row.map((level) => level ?? 0);
}

function best(factor: Levels, gainOf: (level: number) => number): number {
  const gains = Array.from({ length: factor.count }, (_, level) => gainOf(level));
  return gains.indexOf(Math.max(...gains));
}

function gain(row: readonly (number | undefined)[], index: number, missing: ReadonlySet<string>): number {
  return pairsOf(row).filter((key) => missing.has(key) && key.split(' ').some((part) => part.startsWith(`${index}=`)))
    .length;
}

function allPairs(factors: readonly Levels[]): Set<string> {
  const levels = factors.map((factor, index) =>
    Array.from({ length: factor.count }, (_, level) => `${index}=${level}`),
  );
  const pairs = levels.flatMap((mine, index) =>
    levels.slice(index + 1).flatMap((theirs) => mine.flatMap((a) => theirs.map((b) => `${a} ${b}`))),
  );
  // A single factor meets no other: its levels stand for themselves.
  return new Set(levels.length === 1 ? levels[0] : pairs);
}

function pairsOf(row: readonly (number | undefined)[]): readonly string[] {
  const set = row.flatMap((level, index) => (level === undefined ? [] : [`${index}=${level}`]));
  return row.length === 1 ? set : set.flatMap((a, index) => set.slice(index + 1).map((b) => `${a} ${b}`));
}
