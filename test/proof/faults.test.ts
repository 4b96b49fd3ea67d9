/** The planted faults: each is run once, and its record is read five times; test/long reads those of all. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { sampled } from '../sampled.ts';
import { plainRun } from '../selftest/judged.ts';
import { CASE_FAULTS } from './case-faults.ts';
import { firstFaults, proveFaults } from './five-readings.ts';

function countBy(key: (fault: Fault) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const fault of FAULTS) counts.set(key(fault), (counts.get(key(fault)) ?? 0) + 1);
  return counts;
}

const repeated = (counts: ReadonlyMap<string, number>, most: number) => [...counts].filter(([, count]) => count > most);

describe('the table of faults', () => {
  test('names each fault once and says in one sentence what is wrong', () => {
    expect(
      repeated(
        countBy(({ name }) => name),
        1,
      ),
    ).toEqual([]);
    expect(FAULTS.filter(({ defect }) => !/^[A-Z].*[^.\s]\.$/.test(defect)).map(({ defect }) => defect)).toEqual([]);
  });

  test('has at least 150 faults of 60 mechanisms, at most three of one mechanism', () => {
    const mechanisms = countBy(({ mechanism }) => mechanism);
    expect(FAULTS.length).toBeGreaterThanOrEqual(150);
    expect(mechanisms.size).toBeGreaterThanOrEqual(60);
    expect(repeated(mechanisms, 3)).toEqual([]);
  });

  test('has several faults for every requirement of the catalogue', () => {
    const primary = [...FAULTS, ...CASE_FAULTS].map(({ breaks }) => breaks[0]);
    expect(REQUIREMENTS.filter(({ id }) => primary.filter((one) => one === id).length < 2)).toEqual([]);
  });

  test('says why where one fault breaks two requirements', () => {
    const silent = FAULTS.filter(({ breaks, entails }) => breaks.length > 1 !== (entails !== undefined));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

describe('the reference service', () => {
  test('fails nothing as long as no fault is planted', async () => {
    const { verdict, requirements } = (await plainRun()).results;
    const named = requirements.filter((one) => ['fail', 'warning'].includes(one.verdict));
    expect({ verdict, named }).toEqual({ verdict: 'conformant', named: [] });
  });
});

const HERE = sampled(firstFaults(), 64);
proveFaults(HERE.items, HERE.words);
