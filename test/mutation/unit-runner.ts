/** Runs tests as functions, with one mutant after the other, and notes which mutants a test notices. */

import { appendFileSync, readFileSync } from 'node:fs';
import { test, vi } from 'vitest';
import type { CollectedTest } from './collected-tests.ts';
import type { UnitNote, UnitOrder } from './judge-units.ts';

const order = JSON.parse(readFileSync(process.env['MUTANTS_ORDER'] ?? '', 'utf8')) as UnitOrder;
const note = (one: UnitNote): void => appendFileSync(order.notes, `${JSON.stringify(one)}\n`);

type Hits = Record<string, number>;
const coverage: { static: Hits; perTest: Record<string, Hits> } = { static: {}, perTest: {} };
const switches: Record<string, unknown> = { mutantCoverage: coverage, hitCount: undefined };
Object.assign(globalThis, { __stryker__: switches });

const PATIENCE_MS = 20_000;
const MOST_ROUNDS = 200;

function activate(mutant: string | undefined, hits = 0): void {
  Object.assign(switches, { activeMutant: mutant, hitCount: 0, hitLimit: 10_000 + MOST_ROUNDS * hits });
}

async function testsOf(file: string): Promise<readonly CollectedTest[]> {
  vi.resetModules();
  // Of the instance that the file imports.
  const { takeTests } = await import('./collected-tests.ts');
  await import(file);
  return takeTests();
}

/** Whether a test notices: it fails, or does not end. */
async function isNoticed({ run }: CollectedTest): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, PATIENCE_MS, new Error('late'));
  });
  try {
    await Promise.race([run(), late]);
    return false;
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}

interface Known extends CollectedTest {
  readonly id: string;
  readonly file: string;
  readonly took: number;
}

/** Every test that passes without a mutant, and the files whose loading passes a mutant. */
async function known(): Promise<{ readonly tests: readonly Known[]; readonly loading: ReadonlyMap<string, string[]> }> {
  const tests: Known[] = [];
  const loading = new Map<string, string[]>();
  for (const file of order.tests) {
    coverage.static = {};
    switches['currentTestId'] = undefined;
    const own = await testsOf(file);
    for (const id of Object.keys(coverage.static)) loading.set(id, [...(loading.get(id) ?? []), file]);
    for (const one of own) {
      const id = `${tests.length}`;
      switches['currentTestId'] = id;
      const began = performance.now();
      const isBroken = await isNoticed(one);
      if (isBroken) note({ broken: `${file}: ${one.title}` });
      else tests.push({ ...one, id, file, took: performance.now() - began });
    }
  }
  switches['currentTestId'] = undefined;
  return { tests, loading };
}

async function judgeLoaded(mutant: string, files: readonly string[]): Promise<string | null> {
  activate(mutant, 1_000);
  for (const file of files) {
    try {
      for (const one of await testsOf(file)) {
        if (await isNoticed(one)) return one.title;
      }
    } catch {
      return `${file} does not load`;
    }
  }
  return null;
}

/** The tests that pass the mutant, the quickest first. */
function covering(tests: readonly Known[], mutant: string): readonly Known[] {
  return tests.filter(({ id }) => coverage.perTest[id]?.[mutant] !== undefined).toSorted((a, b) => a.took - b.took);
}

async function judgeCalled(mutant: string, tests: readonly Known[]): Promise<string | null> {
  for (const one of tests) {
    activate(mutant, coverage.perTest[one.id]?.[mutant]);
    if (await isNoticed(one)) return one.title;
  }
  return null;
}

test('judges mutants', async () => {
  const { tests, loading } = await known();
  for (const mutant of order.mutants) {
    note({ trying: mutant });
    const files = loading.get(mutant);
    const passing = covering(tests, mutant);
    const by = files === undefined ? await judgeCalled(mutant, passing) : await judgeLoaded(mutant, files);
    activate(undefined);
    note({ mutant, by, covering: files?.length ?? passing.length });
  }
  note({ done: true });
});
