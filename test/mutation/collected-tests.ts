/** Stands for vitest in the tests that judge mutants: it keeps them as functions, which run again in no time. */

import { expect } from 'vitest';

export { expect };

/** A test of a file. */
export interface CollectedTest {
  readonly title: string;
  readonly run: () => unknown;
}

let collected: CollectedTest[] = [];
const titles: string[] = [];

/** The tests that were defined since the last time. */
export function takeTests(): readonly CollectedTest[] {
  const taken = collected;
  collected = [];
  return taken;
}

type Work = (...values: readonly unknown[]) => unknown;

function add(title: string, ...rest: readonly unknown[]): void {
  const run = rest.find((one): one is Work => typeof one === 'function');
  if (run !== undefined) collected.push({ title: [...titles, title].join(' > '), run });
}

function within(title: string, work: Work, ...values: readonly unknown[]): void {
  titles.push(title);
  work(...values);
  titles.pop();
}

const valuesOf = (row: unknown): readonly unknown[] => (Array.isArray(row) ? row : [row]);

const nothing = (): void => undefined;

/** As in vitest, as far as the tests of this project use it. */
export const test = Object.assign(add, {
  each:
    (rows: readonly unknown[]) =>
    (title: string, ...rest: readonly unknown[]): void => {
      const run = rest.find((one): one is Work => typeof one === 'function') ?? nothing;
      for (const [at, row] of rows.entries()) add(`${title} (${at + 1})`, () => run(...valuesOf(row)));
    },
  runIf: (isDue: unknown) => (isDue ? add : nothing),
  skipIf: (isLeftOut: unknown) => (isLeftOut ? nothing : add),
  skip: nothing,
});

/** As in vitest. */
export const describe = Object.assign((title: string, work: Work): void => within(title, work), {
  each:
    (rows: readonly unknown[]) =>
    (title: string, work: Work): void => {
      for (const row of rows) within(title, work, ...valuesOf(row));
    },
});

/** The samples of the short project are enough. */
export const inject = (): boolean => false;
