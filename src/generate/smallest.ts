/** Delta debugging: the smallest part of a failing list that still fails. */

/**
 * Leaves out ever smaller chunks of a failing list of that length, the last ones first, as long as what remains still
 * fails. Resolves with the places that remain, after at most this many trials. The same answers give the same trials.
 */
export async function smallestPart(
  length: number,
  fails: (places: readonly number[]) => Promise<boolean>,
  trials: number,
): Promise<readonly number[]> {
  let places = Array.from({ length }, (_, at) => at);
  let left = trials;
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = places.length; end > 0 && left > 0; end -= size) {
      const rest = [...places.slice(0, Math.max(0, end - size)), ...places.slice(end)];
      if (rest.length === 0 || rest.length === places.length) continue;
      left -= 1;
      if (await fails(rest)) places = rest;
    }
  }
  return places;
}
