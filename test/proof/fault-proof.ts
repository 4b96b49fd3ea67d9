/** A run against each planted fault: it names what the fault breaks, first and exactly, and says where. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { RequirementResult, Results } from '../../src/verdict/results.ts';
import { EXIT_OF } from '../../src/verdict/verdict.ts';
import { requirementById } from '../../suites/catalogue.ts';
import { resultsOf } from '../../suites/index.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

/** The first fault of each requirement: test/proof proves one in three of them, and all in the long project. */
export function sampledFaults(): readonly Fault[] {
  return FAULTS.filter((fault, at) => FAULTS.findIndex(({ breaks }) => breaks[0] === fault.breaks[0]) === at);
}

/** The faults that the sample leaves out. */
export const otherFaults = (): readonly Fault[] => {
  const sample = new Set(sampledFaults());
  return FAULTS.filter((fault) => !sample.has(fault));
};

/** What is kept of a run: five hundred records would not fit into memory with ease. */
interface Judged {
  readonly results: Results;
  readonly seqs: ReadonlySet<number>;
  /** The exit code under `--strict`. */
  readonly strict: number;
}

const known = new Map<string, Promise<Judged>>();

async function run(fault: Fault): Promise<Judged> {
  const { service, settings } = planted(fault, createReference());
  const { record, results } = await judge(service, optionsFrom(settings));
  const strictly = isMust(fault) ? results : resultsOf({ ...record, header: { ...record.header, strict: true } });
  return { results, seqs: new Set(record.exchanges.map(({ seq }) => seq)), strict: EXIT_OF[strictly.verdict] };
}

function judged(fault: Fault): Promise<Judged> {
  const now = known.get(fault.name) ?? run(fault);
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

/** A valid body that a fault rejects is taken apart, and each part that is accepted is a call, as planned. */
const MOST_PLANNED = 19;

const plannedCalls = ({ counts }: Results): number => counts.calls - counts.unplannedCalls;

const isMust = (fault: Fault): boolean => fault.breaks.some((id) => requirementById(id)?.level === 'must');

/** Registers the tests of these faults; `words` say how many of a list they are. */
export function proveFaults(faults: readonly Fault[], words: string): void {
  describe(`a run against a planted fault (${words})`, () => {
    test.each(faults)('names exactly what $name breaks', async (fault) => {
      const { results, strict } = await judged(fault);
      expect(named(results)).toEqual(fault.breaks);
      if (fault.names !== undefined) expect(reasonOf(results, fault.breaks[0], fault.names[0])).toMatch(fault.names[1]);
      if (isMust(fault)) expect(EXIT_OF[results.verdict]).toBe(1);
      else {
        // A warning never fails a run; it may leave a must case without its control (3).
        expect([0, 3]).toContain(EXIT_OF[results.verdict]);
        expect(strict).toBe(1);
      }
      expect(plannedCalls(results)).toBeLessThanOrEqual(MOST_PLANNED);
    });
  });

  describe('the diagnosis over all planted faults', () => {
    test('places one call more than planned at most in nine of ten runs', async () => {
      const calls: number[] = [];
      for (const fault of faults) calls.push(plannedCalls((await judged(fault)).results));
      calls.sort((a, b) => a - b);
      expect(calls[Math.floor(calls.length * 0.9)]).toBeLessThanOrEqual(13);
    });

    test('is one requirement in the median run and at most two in 95 of 100', async () => {
      const sizes: number[] = [];
      for (const fault of faults) sizes.push(named((await judged(fault)).results).length);
      sizes.sort((a, b) => a - b);
      expect(sizes[Math.floor(sizes.length / 2)]).toBe(1);
      expect(sizes[Math.ceil(sizes.length * 0.95) - 1]).toBeLessThanOrEqual(2);
    });

    test('names the broken requirement first', async () => {
      const misled: string[] = [];
      for (const fault of faults) {
        const [first] = named((await judged(fault)).results);
        if (first !== fault.breaks[0]) misled.push(`${fault.name}: ${first ?? 'nothing'}`);
      }
      expect(misled).toEqual([]);
    });

    test('says what was expected, what came and in which exchange', async () => {
      for (const fault of faults) {
        const { seqs, results } = await judged(fault);
        const broken = results.requirements.filter(({ id }) => id === fault.breaks[0]);
        const findings = findingsOf(broken);
        expect(findings.length, fault.name).toBeGreaterThan(0);
        for (const { expected, actual, where, example } of findings) {
          expect(
            [expected, actual, where].every((phrase) => phrase.trim() !== ''),
            fault.name,
          ).toBe(true);
          expect(seqs.has(example), fault.name).toBe(true);
        }
      }
    });
  });
}
