/** Records the runs that judge the mutants of the suite, before any mutant is switched on. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { TestProject } from 'vitest/node';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { NULLS } from '../../fixtures/null/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { judged } from '../selftest/judged.ts';
import { unsuspected } from '../selftest/prove.ts';
import { pairwiseVariants } from '../selftest/sample.ts';
import { demandOn, type RecordedRun } from './demands.ts';

/** Of faults, lawful variants and null services, each of these is recorded. */
const EVERY = { faults: 20, variants: 60, nulls: 40 } as const;

const every = <T>(items: readonly T[], step: number): readonly T[] => items.filter((_, at) => at % step === 0);

async function recorded(): Promise<readonly RecordedRun[]> {
  const runs: RecordedRun[] = [];
  const add = (name: string, record: RunRecord): void => {
    runs.push({ name, record, demand: demandOn(record) });
  };
  add('the reference service', (await judged({})).record);
  for (const fault of every(FAULTS, EVERY.faults)) add(fault.name, (await judged({}, {}, fault)).record);
  for (const choices of every(pairwiseVariants(), EVERY.variants))
    add(JSON.stringify(choices), (await judged(choices)).record);
  for (const { name, make } of every(NULLS, EVERY.nulls)) {
    const { settings } = createReference();
    add(name, (await judge(unsuspected(make(settings)), optionsFrom(settings))).record);
  }
  return runs;
}

/** Writes the runs into a file that the tests read. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-runs-'));
  const file = join(folder, 'runs');
  writeFileSync(file, serialize(await recorded()));
  provide('runs', file);
  return () => rmSync(folder, { recursive: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file with the recorded runs. */
    runs: string;
  }
}
