/** A covering array over requests that are sent anyway: values ride on some of them, so that they cost none. */

/** An item with the features that describe it: `updateTrunk`, `truncated`. */
export interface Described<Item> {
  readonly item: Item;
  readonly features: readonly string[];
}

/**
 * Gives some of the items a value each, so that every feature meets every value on some item; a feature of fewer items
 * than values meets as many as it has. What shows the most new pairs comes first, so that few items get one.
 */
export function spread<Item, Value>(
  described: readonly Described<Item>[],
  values: readonly Value[],
): ReadonlyMap<Item, Value> {
  const chosen = new Map<Item, Value>();
  const shown = new Set<string>();
  const missing = (features: readonly string[], at: number): readonly string[] =>
    features.map((feature) => `${at} ${feature}`).filter((pair) => !shown.has(pair));
  const most = Math.max(0, ...described.map(({ features }) => features.length));
  for (let due = most; due > 0; due -= 1) {
    for (const { item, features } of described) {
      if (chosen.has(item)) continue;
      const news = values.map((_, at) => missing(features, at));
      const best = news.findIndex((pairs) => pairs.length === due);
      const value = values[best];
      if (value === undefined) continue;
      chosen.set(item, value);
      for (const pair of news[best] ?? []) shown.add(pair);
    }
  }
  return chosen;
}
