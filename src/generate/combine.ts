/** Many combinations in few rows. A row gives each factor a level; row 0 is all zeroes. */

/** How many levels a factor has, absence included. */
export interface Levels {
  readonly count: number;
}

/** The level of each factor, in the order of the factors. */
export type Row = readonly number[];

/**
 * Rows in which any two levels of any two factors meet (pairwise coverage). Whoever stops early has seen the most: each
 * row shows as many levels as it can that none before it showed.
 */
export function pairwiseRows(factors: readonly Levels[]): readonly Row[] {
  const varying = factors.filter(({ count }) => count > 1);
  const rows = newestFirst(rowsOf(varying));
  return rows.map((row) => factors.map((factor) => row[varying.indexOf(factor)] ?? 0));
}

function newestFirst([first, ...more]: readonly Row[]): readonly Row[] {
  if (first === undefined) return [];
  const [ordered, left] = [[first], [...more]];
  while (left.length > 0) {
    const news = left.map((row) => row.filter((level, at) => ordered.every((seen) => seen[at] !== level)).length);
    ordered.push(...left.splice(news.indexOf(Math.max(...news)), 1));
  }
  return ordered;
}

/** The rows of a square where it takes fewer than whatever is found greedily. */
function rowsOf(factors: readonly Levels[]): readonly Row[] {
  const greedy = greedyRows(factors);
  const order = orderFor(factors);
  return order ** 2 < greedy.length ? squareRows(factors, order) : greedy;
}

/** The least prime that has a level for every level and, with one to spare, a line for every factor. */
function orderFor(factors: readonly Levels[]): number {
  let order = Math.max(2, factors.length - 1, ...factors.map(({ count }) => count));
  while (!isPrime(order)) order += 1;
  return order;
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor ** 2 <= number; divisor += 1) if (number % divisor === 0) return false;
  return true;
}

/**
 * An orthogonal array of strength 2 (Bush): the rows are the points of the plane over the field of that prime order, a
 * factor is one of its pencils of parallel lines, and any two lines of two pencils meet in one point.
 */
function squareRows(factors: readonly Levels[], order: number): readonly Row[] {
  return Array.from({ length: order ** 2 }, (_, point) => {
    const [x, y] = [Math.floor(point / order), point % order];
    return factors.map(({ count }, at) => ((at === 0 ? x : y + (at - 1) * x) % order) % count);
  });
}

/** Each row takes a pair that is missing still and fills up with whatever shows most of the others. */
function greedyRows(factors: readonly Levels[]): readonly Row[] {
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
