/** Traceability: from a statement of docs/interface.md to requirements, their probes, and the faults that prove them. */

import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { OBSERVATIONS as GAPS } from '../../suites/observations/index.ts';
import { groupBy } from '../contract/lists.ts';
import { READINGS, type Reading } from '../contract/readings.ts';
import type { Observation, Requirement } from '../run/requirement.ts';
import type { Sequence } from '../run/sequence.ts';
import { counted } from './text.ts';
import type { Statement } from './traceability/interface-page.ts';

type TracedSequence = Pick<Sequence, 'name' | 'operation' | 'asks' | 'mayAsk'>;

interface TracedFault {
  readonly name: string;
  readonly defect: string;
  readonly breaks: readonly string[];
}

/** Every requirement, gap and reading. */
export interface Contract {
  readonly requirements: readonly Requirement[];
  readonly gaps: readonly Observation[];
  readonly readings: readonly Reading[];
}

/** The contract of this package. */
export const CONTRACT: Contract = { requirements: REQUIREMENTS, gaps: GAPS, readings: READINGS };

/** What is traced: the contract, the interface page, the suites and the faults. */
export interface TraceSources extends Contract {
  readonly statements: readonly Statement[];
  /** The plan of the full profile with every setting. */
  readonly sequences: readonly TracedSequence[];
  readonly faults: readonly TracedFault[];
}

interface Traced {
  readonly statements: readonly Statement[];
  readonly probes: readonly TracedSequence[];
}

/** A requirement with its statements, its probes, and the faults that break it. */
export interface RequirementTrace extends Traced {
  readonly requirement: Requirement;
  readonly faults: readonly TracedFault[];
}

/** A gap with its statements and probes; without a probe it is read from the responses to all other requests. */
export interface GapTrace extends Traced {
  readonly gap: Observation;
  /** Requirements whose probes show the choice too. */
  readonly beside: readonly string[];
}

/** Every requirement and gap with its trace. */
export interface Trace {
  readonly sources: TraceSources;
  readonly requirements: readonly RequirementTrace[];
  readonly gaps: readonly GapTrace[];
}

/** Ids of the readings that a requirement takes. */
export function readingsOf({ reading, furtherReadings = [] }: Requirement): readonly string[] {
  return reading === undefined ? furtherReadings : [reading, ...furtherReadings];
}

/** The trace of every requirement and gap, in the order of the contract. */
export function traceOf(sources: TraceSources): Trace {
  const { statements, requirements, gaps, sequences, faults } = sources;
  const traced = (id: string): Traced => ({
    statements: statements.filter(({ ids }) => ids.includes(id)),
    probes: sequences.filter(({ asks, mayAsk = [] }) => [...asks, ...mayAsk].some((ask) => ask.id === id)),
  });
  return {
    sources,
    requirements: requirements.map((requirement) => ({
      requirement,
      ...traced(requirement.id),
      faults: faults.filter(({ breaks }) => breaks.includes(requirement.id)),
    })),
    gaps: gaps.map((gap) => ({
      gap,
      ...traced(gap.id),
      beside: 'also' in gap ? (gap.also ?? []).map(({ id }) => id) : [],
    })),
  };
}

/** How a requirement is judged, in a few words. */
export function howJudged({ requirement, probes }: RequirementTrace): string {
  if (requirement.invariant === true) return 'invariant of every exchange';
  return probes.length === 0 ? 'any matching response' : counted(probes.length, 'probe');
}

/** How a gap is observed, in a few words. */
export function howObserved({ gap, probes, beside }: GapTrace): string {
  if ('reason' in gap) return 'not observed';
  const own = probes.length === 0 ? [] : [counted(probes.length, 'probe')];
  const phrases = [...own, ...beside.map((id) => `with ${id}`)];
  return phrases.length === 0 ? 'in the responses to all other requests' : phrases.join(', ');
}

/** The names of probes, one line for each operation: `createCall: control before; valid 1`. */
export function probeLines(probes: readonly TracedSequence[]): readonly string[] {
  return [...groupBy(probes, ({ operation }) => operation)].map(([operation, own]) => {
    const names = own.map(({ name }) => (name.startsWith(`${operation}/`) ? name.slice(operation.length + 1) : name));
    return `${operation}: ${names.join('; ')}`;
  });
}
