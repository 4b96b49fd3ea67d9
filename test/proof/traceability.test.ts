/** Traceability: a request asks each requirement of each of its operations, a fault proves it, a gap is observed. */

import { expect, test } from 'vitest';
import {
  type GapTrace,
  type RequirementTrace,
  readingsOf,
  type Trace,
  traceOfPackage,
} from '../../scripts/traceability.ts';
import { BOUNDARY } from '../../src/verdict/boundary.ts';

const TRACE = traceOfPackage();

/** Responses of create call that no request provokes on purpose; they are judged wherever they occur. */
const UNPROVOKED: readonly string[] = ['CALL-CREATE-400', 'CALL-CREATE-409', 'CALL-CREATE-503'];

/** Sections whose gaps may go unobserved for a reason, and the single gaps elsewhere that may. */
const EXCUSED_SECTIONS: readonly string[] = ['1', '6', '9'];
const EXCUSED_GAPS: readonly string[] = ['GAP-AUTH-ISSUING', 'GAP-STATES', 'GAP-STATE-NAMES'];

/** What the traces of requirements and gaps lack, one line for each problem. */
function problemsOf(trace: Trace): readonly string[] {
  const { requirements, gaps, sources } = trace;
  return [
    ...requirements.flatMap(problemsOfRequirement),
    ...gaps.flatMap(problemsOfGap),
    ...sources.readings
      .filter(({ id }) => !sources.requirements.some((requirement) => readingsOf(requirement).includes(id)))
      .map(({ id }) => `${id}: no requirement names this reading`),
    ...unknownNames(trace),
  ];
}

function problemsOfRequirement({ requirement, statements, probes, faults }: RequirementTrace): readonly string[] {
  const { id, invariant, operations } = requirement;
  const isAsked = invariant === true || UNPROVOKED.includes(id);
  const unasked = isAsked ? [] : operations.filter((operation) => !probes.some((one) => one.operation === operation));
  const astray = probes.filter(({ operation }) => !operations.includes(operation));
  return [
    ...astray.map(({ name }) => `${id}: ${name} asks it of an operation that it does not have`),
    ...(statements.length > 0 ? [] : [`${id}: no statement of the interface page names it`]),
    ...(unasked.length === 0 ? [] : [`${id}: no probe asks it of ${unasked.join(', ')}`]),
    ...(faults.length > 0 ? [] : [`${id}: no fault breaks it`]),
  ];
}

function problemsOfGap({ gap, statements }: GapTrace): readonly string[] {
  const isExcused = EXCUSED_SECTIONS.includes(gap.section) || EXCUSED_GAPS.includes(gap.id);
  return [
    ...(statements.length > 0 ? [] : [`${gap.id}: no statement of the interface page names it`]),
    ...('readers' in gap || isExcused ? [] : [`${gap.id}: has a reason where a probe is required`]),
  ];
}

/** Unknown ids in statements, in what sequences ask and in what faults break. */
function unknownNames({ sources }: Trace): readonly string[] {
  const { statements, requirements, gaps, readings, sequences, faults } = sources;
  const known = new Set([BOUNDARY, ...[...requirements, ...gaps, ...readings].map(({ id }) => id)]);
  const uses = [
    ...statements.flatMap(({ quote, ids }) => ids.map((id) => ({ id, user: quote }))),
    ...sequences.flatMap(({ name, asks }) => asks.map(({ id }) => ({ id, user: `the probe ${name}` }))),
    ...faults.flatMap(({ name, breaks }) => breaks.map((id) => ({ id, user: `the fault ${name}` }))),
    ...gaps.flatMap((gap) =>
      ('readers' in gap ? gap.readers.flatMap(({ also }) => also) : []).map((id) => ({ id, user: gap.id })),
    ),
  ];
  return uses.filter(({ id }) => !known.has(id)).map(({ id, user }) => `${id}: unknown, but named by ${user}`);
}

test('every requirement is stated, asked and proved, and every gap opened and observed', () => {
  expect(problemsOf(TRACE)).toEqual([]);
});
