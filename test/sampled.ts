/**
 * What `npm test` proves of a long list of the same proof. `npm run test:long` proves all of it.
 * The reasons are in docs/design/proofs.md.
 */

import { inject, test } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether every sample is whole. */
    readonly whole: boolean;
  }
}

/** Whether this is the long project, which leaves nothing out. */
export const isWhole = (): boolean => inject('whole');

/** What is proved here of a list, and words for a title that say what is not. */
export interface Sample<Item> {
  readonly items: readonly Item[];
  readonly words: string;
}

/**
 * In the short project one item in `oneIn`, spread over the list, and never less than the first of each kind; in the long
 * project all of them. The sample depends on the list alone.
 */
export function sampled<Item>(
  all: readonly Item[],
  oneIn: number,
  kindOf: (item: Item) => unknown = () => '',
): Sample<Item> {
  const counts = new Map<unknown, number>();
  const isTaken = (item: Item): boolean => {
    const kind = kindOf(item);
    const before = counts.get(kind) ?? 0;
    counts.set(kind, before + 1);
    return before % oneIn === 0;
  };
  const items = isWhole() ? all : all.filter(isTaken);
  return { items, words: items.length === all.length ? `all ${all.length}` : wordsOf(items.length, all.length) };
}

/** Options by which a run of the short project judges these requirements alone; in the long one it is whole. */
export const narrowed = (...only: readonly string[]): { readonly only?: readonly string[] } =>
  isWhole() ? {} : { only };

/** The same as words of a command. */
export const narrowedWords = (...only: readonly string[]): readonly string[] =>
  isWhole() ? [] : ['--only', only.join()];

const wordsOf = (here: number, all: number): string => `${here} of ${all} here, all in npm run test:long`;

/** Registers a test of the long project; in the short one its title says where it runs. */
export function inLongAlone(title: string, work: () => void | Promise<void>): void {
  if (isWhole()) test(title, work);
  else test.skip(`${title} (in npm run test:long)`, work);
}
