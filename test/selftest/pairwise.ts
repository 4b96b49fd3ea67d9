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
  const rows = newestFirst(greedyRows(varying.map((factor) => counts[factor] ?? 1)));
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

const levels = (count: number): readonly number[] => Array.from({ length: count }, (_, level) => level);

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
