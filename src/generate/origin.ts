/** Where a random value comes from, and how a request's label says so. */

/** Where a search begins: a seed, and the path to one value of its search where that one alone is to be tried. */
export interface Origin {
  readonly seed: number;
  readonly path?: string;
}

/** The label of the value at a path. */
export function labelOf(seed: number, path: string): string {
  return `random, seed ${seed}, path ${path}`;
}

/** Seed and path of the random value that a label names, or `undefined` where it names none. */
export function originIn(label: string): Required<Origin> | undefined {
  const [, seed, path] = /^random, seed (\d+), path (\d+(?::\d+)*)$/.exec(label) ?? [];
  return seed === undefined || path === undefined ? undefined : { seed: Number(seed), path };
}
