/** The planted faults: each fails what it breaks and nothing else, and each requirement has faults that break it. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../../src/selftest/harness.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import type { RequirementResult, Results } from '../../src/verdict/results.ts';
import { EXIT_OF } from '../../src/verdict/verdict.ts';
import { REQUIREMENTS, requirementById } from '../../suites/catalogue.ts';
import { evaluate } from '../../suites/index.ts';

interface Judged {
  readonly record: RunRecord;
  readonly results: Results;
}

const known = new Map<string, Promise<Judged>>();

function judged(fault: Fault): Promise<Judged> {
  const before = known.get(fault.name);
  if (before !== undefined) return before;
  const { service, settings } = planted(fault, createReference());
  const now = judge(service, optionsFrom(settings));
  known.set(fault.name, now);
  return now;
}

/** Requirements that a run names, in its order: failures, and warnings with them. */
function named({ requirements }: Results): readonly string[] {
  return requirements.filter(({ verdict }) => ['fail', 'warning'].includes(verdict)).map(({ id }) => id);
}

/** What the case of a requirement on an operation says. */
function reasonOf({ requirements }: Results, requirement: string, operation: string): string | undefined {
  const cases = requirements.filter(({ id }) => id === requirement).flatMap((one) => one.cases);
  return cases.find((one) => one.operation === operation)?.reason;
}

function findingsOf(requirements: readonly RequirementResult[]) {
  return requirements.flatMap(({ cases }) => cases).flatMap(({ findings }) => findings);
}

const isMust = (fault: Fault): boolean => fault.breaks.some((id) => requirementById(id)?.level === 'must');

function strictly(record: RunRecord): Results {
  return evaluate({ ...record, header: { ...record.header, strict: true } });
}

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
    const primary = countBy(({ breaks }) => breaks[0]);
    expect(REQUIREMENTS.map(({ id }) => id).filter((id) => (primary.get(id) ?? 0) < 2)).toEqual([]);
  });

  test('says why where one fault breaks two requirements', () => {
    const silent = FAULTS.filter(({ breaks, entails }) => breaks.length > 1 !== (entails !== undefined));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

describe('the reference service', () => {
  test('fails nothing as long as no fault is planted', async () => {
    const { service, settings } = createReference();
    const { results } = await judge(service, optionsFrom(settings));
    expect({ verdict: results.verdict, named: named(results) }).toEqual({ verdict: 'conformant', named: [] });
  });
});

describe('a run against a planted fault', () => {
  test.each(FAULTS)('names exactly what $name breaks', async (fault) => {
    const { record, results } = await judged(fault);
    expect(named(results)).toEqual(fault.breaks);
    if (fault.names !== undefined) expect(reasonOf(results, fault.breaks[0], fault.names[0])).toMatch(fault.names[1]);
    if (isMust(fault)) expect(EXIT_OF[results.verdict]).toBe(1);
    else {
      // A warning never fails a run; it may leave a must case without its control (3).
      expect([0, 3]).toContain(EXIT_OF[results.verdict]);
      expect(EXIT_OF[strictly(record).verdict]).toBe(1);
    }
    expect(results.counts.calls).toBeLessThanOrEqual(12);
  });
});

describe('the diagnosis over all planted faults', () => {
  test('is one requirement in the median run and at most two in 95 of 100', async () => {
    const sizes: number[] = [];
    for (const fault of FAULTS) sizes.push(named((await judged(fault)).results).length);
    sizes.sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBe(1);
    expect(sizes[Math.ceil(sizes.length * 0.95) - 1]).toBeLessThanOrEqual(2);
  });

  test('names the broken requirement first', async () => {
    const misled: string[] = [];
    for (const fault of FAULTS) {
      const [first] = named((await judged(fault)).results);
      if (first !== fault.breaks[0]) misled.push(`${fault.name}: ${first ?? 'nothing'}`);
    }
    expect(misled).toEqual([]);
  });

  test('says what was expected, what came and in which exchange', async () => {
    for (const fault of FAULTS) {
      const { record, results } = await judged(fault);
      const broken = results.requirements.filter(({ id }) => id === fault.breaks[0]);
      const findings = findingsOf(broken);
      expect(findings.length, fault.name).toBeGreaterThan(0);
      for (const { expected, actual, where, example } of findings) {
        expect(
          [expected, actual, where].every((phrase) => phrase.trim() !== ''),
          fault.name,
        ).toBe(true);
        expect(
          record.exchanges.some(({ seq }) => seq === example),
          fault.name,
        ).toBe(true);
      }
    }
  });
});
