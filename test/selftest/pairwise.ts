/** Many combinations in few rows. A row gives each factor a level; row 0 is all zeroes. */

/** The level of each factor, in the order of the factors. */
export type Row = readonly number[];

/** A factor at a level. */
type Setting = readonly [factor: number, level: number];
type Pair = readonly [Setting, Setting];

/**
 * Rows in which any two levels of any two factors meet (pairwise coverage), for factors with that many levels each. To
 * stop early loses the least: each row shows as many levels as it can that no earlier row showed.
 */
export function pairwiseRows(counts: readonly number[]): readonly Row[] {
  const varying = counts.flatMap((count, factor) => (count > 1 ? [factor] : []));
  const rows = newestFirst(rowsOf(varying.map((factor) => counts[factor] ?? 1)));
  return rows.map((row) => counts.map((_, factor) => row[varying.indexOf(factor)] ?? 0));
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

function rowsOf(counts: readonly number[]): readonly Row[] {
  // A single factor has no pairs: its levels stand for themselves.
  if (counts.length === 1) return levels(counts[0] ?? 0).map((level) => [level]);
  const greedy = greedyRows(counts);
  const order = orderFor(counts);
  return order ** 2 < greedy.length ? squareRows(counts, order) : greedy;
}

const levels = (count: number): readonly number[] => Array.from({ length: count }, (_, level) => level);

/** The smallest prime that is at least the number of levels of each factor and the number of factors less one. */
function orderFor(counts: readonly number[]): number {
  let order = Math.max(2, counts.length - 1, ...counts);
  while (levels(order).some((divisor) => divisor > 1 && order % divisor === 0)) order += 1;
  return order;
}

/**
 * An orthogonal array of strength 2 (Bush): the rows are the points of the plane over the field of that prime order, a
 * factor is one of its pencils of parallel lines, and any two lines of two pencils meet in one point.
 */
function squareRows(counts: readonly number[], order: number): readonly Row[] {
  return levels(order ** 2).map((point) => {
    const [x, y] = [Math.floor(point / order), point % order];
    return counts.map((count, at) => ((at === 0 ? x : y + (at - 1) * x) % order) % count);
  });
}

/** Each row takes the first missing pair and fills up with the levels that show most of the others. */
function greedyRows(counts: readonly number[]): readonly Row[] {
  const missing = new Map(allPairs(counts).map((pair) => [pairKey(...pair), pair]));
  const rows: Row[] = [];
  for (let row: Row = counts.map(() => 0); ; row = nextRow(counts, missing)) {
    rows.push(row);
    row.forEach((level, at) => {
      row.slice(0, at).forEach((other, before) => {
        missing.delete(pairKey([before, other], [at, level]));
      });
    });
    if (missing.size === 0) return rows;
  }
}

function nextRow(counts: readonly number[], missing: ReadonlyMap<string, Pair>): Row {
  const [first = []] = missing.values();
  const row: (number | undefined)[] = counts.map(() => undefined);
  for (const [factor, level] of first) row[factor] = level;
  counts.forEach((count, factor) => {
    const gains = levels(count).map((level) => gain(row, [factor, level], missing));
    row[factor] ??= gains.indexOf(Math.max(...gains));
  });
  return row.map((level) => level ?? 0);
}

/** How many missing pairs a level would show with those already in the row. */
function gain(row: readonly (number | undefined)[], mine: Setting, missing: ReadonlyMap<string, Pair>): number {
  return row.filter((level, at) => {
    if (level === undefined || at === mine[0]) return false;
    return missing.has(at < mine[0] ? pairKey([at, level], mine) : pairKey(mine, [at, level]));
  }).length;
}

function allPairs(counts: readonly number[]): readonly Pair[] {
  const settings = counts.map((count, factor) => levels(count).map((level): Setting => [factor, level]));
  return settings.flatMap((mine, at) =>
    settings.slice(at + 1).flatMap((theirs) => mine.flatMap((a) => theirs.map((b): Pair => [a, b]))),
  );
}

const pairKey = ([a, x]: Setting, [b, y]: Setting): string => `${a}=${x} ${b}=${y}`;
