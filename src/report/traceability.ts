/** Traceability: from a statement of docs/interface.md to requirements, their requests, and the faults that prove them. */

import { GAPS, type Gap } from '../contract/gaps.ts';
import { READINGS, type Reading } from '../contract/readings.ts';
import { REQUIREMENTS, type Requirement } from '../contract/requirements/index.ts';
import type { PageEntry, Statement } from './traceability/interface-page.ts';

/** A sequence of the plan, as far as it says what it asks: `ID`, or `ID#strand`. */
export interface TracedSequence {
  readonly name: string;
  readonly operation: string;
  readonly serves: readonly string[];
  readonly maySettle?: readonly string[];
}

/** A planted fault, as far as it says what it proves. */
export interface TracedFault {
  readonly name: string;
  readonly defect: string;
  readonly breaks: readonly string[];
}

/** Every requirement, gap and reading. */
export interface Contract {
  readonly requirements: readonly Requirement[];
  readonly gaps: readonly Gap[];
  readonly readings: readonly Reading[];
}

/** The contract of this package. */
export const CONTRACT: Contract = { requirements: REQUIREMENTS, gaps: GAPS, readings: READINGS };

/** What docs/interface.md has to name. */
export function pageEntries({ requirements, gaps, readings }: Contract): readonly PageEntry[] {
  const read = readings.map(({ id, sections: [section = ''] }) => ({ id, section }));
  return [...requirements, ...gaps, ...read].map(({ id, section }) => ({ id, section }));
}

/** What is traced: the contract, the interface page, the suites and the faults. */
export interface TraceSources extends Contract {
  readonly statements: readonly Statement[];
  /** The plan of the full profile with every setting there. */
  readonly sequences: readonly TracedSequence[];
  readonly faults: readonly TracedFault[];
  /** Gaps, by the probe of a requirement (`ID`, or `ID#strand`) that shows the choice as well. */
  readonly alsoShown: Readonly<Record<string, string>>;
}

/** A requirement with the statements it rests on, what asks it, and the faults that break it. */
export interface RequirementTrace {
  readonly requirement: Requirement;
  readonly statements: readonly Statement[];
  readonly probes: readonly TracedSequence[];
  readonly faults: readonly TracedFault[];
}

/** A gap with its statement and what asks it; where nothing does, it is read from the answers to everything else. */
export interface GapTrace {
  readonly gap: Gap;
  readonly statements: readonly Statement[];
  readonly probes: readonly TracedSequence[];
  /** Requirements whose probes show the choice as well. */
  readonly beside: readonly string[];
}

/** Everything, traced. */
export interface Trace {
  readonly sources: TraceSources;
  readonly requirements: readonly RequirementTrace[];
  readonly gaps: readonly GapTrace[];
}

/** The id in `ID#strand`. */
export function askedId(ask: string): string {
  return ask.split('#', 1)[0] ?? ask;
}

/** Ids of the readings that a requirement takes. */
export function readingsOf({ reading, furtherReadings = [] }: Requirement): readonly string[] {
  return reading === undefined ? furtherReadings : [reading, ...furtherReadings];
}

/** Every requirement and every gap with what belongs to it, in the order of the contract. */
export function traceOf(sources: TraceSources): Trace {
  const { statements, requirements, gaps, sequences, faults, alsoShown } = sources;
  const naming = (id: string) => statements.filter(({ ids }) => ids.includes(id));
  const asking = (id: string) =>
    sequences.filter(({ serves, maySettle = [] }) => [...serves, ...maySettle].some((ask) => askedId(ask) === id));
  return {
    sources,
    requirements: requirements.map((requirement) => ({
      requirement,
      statements: naming(requirement.id),
      probes: asking(requirement.id),
      faults: faults.filter(({ breaks }) => breaks.includes(requirement.id)),
    })),
    gaps: gaps.map((gap) => ({
      gap,
      statements: naming(gap.id),
      probes: asking(gap.id),
      beside: Object.entries(alsoShown).flatMap(([ask, id]) => (id === gap.id ? [askedId(ask)] : [])),
    })),
  };
}
