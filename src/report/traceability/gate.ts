/** The gate: what the traces lack, a line each. An empty list is an open gate. */

import { type PageQuote, placeOf } from '../../contract/register/index.ts';
import { askedId, type GapTrace, type RequirementTrace, readingsOf, type Trace } from '../traceability.ts';

/** Nothing provokes these answers of create call from outside on purpose; they are judged wherever they come. */
const UNPROVOKED: readonly string[] = ['CALL-CREATE-400', 'CALL-CREATE-409', 'CALL-CREATE-503'];

/** Sections whose gaps may go unobserved for a reason, and the single gaps elsewhere that may. */
const EXCUSED_SECTIONS: readonly string[] = ['1', '6', '9'];
const EXCUSED_GAPS: readonly string[] = ['GAP-AUTH-ISSUING', 'GAP-STATES', 'GAP-STATE-NAMES'];

/** What is wrong between the page and the register, both ways. */
export function missingFromRegister(page: readonly PageQuote[], { sources: { statements } }: Trace): readonly string[] {
  const onPage = new Map(page.map((quote) => [placeOf(quote), quote]));
  const registered = new Map(statements.map((statement) => [placeOf(statement), statement]));
  const twice = statements.filter((statement) => registered.get(placeOf(statement)) !== statement);
  const moved = statements.find((statement, at) => placeOf(statement) !== (page[at] && placeOf(page[at])));
  const lines = [
    ...[...onPage.keys()].filter((place) => !registered.has(place)).map((place) => `not classified: ${place}`),
    ...[...registered.keys()].filter((place) => !onPage.has(place)).map((place) => `not on the page: ${place}`),
    ...twice.map((statement) => `registered twice: ${placeOf(statement)}`),
    ...statements.flatMap((statement) => {
      const due = onPage.get(placeOf(statement))?.gap;
      const given = statement.kind === 'gap' ? statement.ids[0] : undefined;
      return due === given || !onPage.has(placeOf(statement))
        ? []
        : [`the page says ${due ?? 'no gap'}, the register ${given ?? 'none'}: ${placeOf(statement)}`];
    }),
  ];
  return lines.length > 0 || moved === undefined ? lines : [`out of the order of the page: ${placeOf(moved)}`];
}

/** What the traces of requirements and gaps lack. */
export function missingFromTrace(trace: Trace): readonly string[] {
  const { requirements, gaps, sources } = trace;
  return [
    ...requirements.flatMap(lackOfRequirement),
    ...gaps.flatMap(lackOfGap),
    ...sources.readings
      .filter(({ id }) => !sources.requirements.some((requirement) => readingsOf(requirement).includes(id)))
      .map(({ id }) => `${id}: no requirement names this reading`),
    ...strangers(trace),
  ];
}

function lackOfRequirement(row: RequirementTrace): readonly string[] {
  const { requirement, statements, probes, faults } = row;
  const { id, kind, operations, section } = requirement;
  const isStandard = section.startsWith('RFC ');
  const isAsked = kind === 'invariant' || UNPROVOKED.includes(id);
  const unasked = isAsked ? [] : operations.filter((operation) => !probes.some((one) => one.operation === operation));
  return [
    ...(statements.length > 0 || isStandard ? [] : [`${id}: no statement of the page is quoted for it`]),
    ...(statements.length === 0 || isStandard || statements.some((one) => one.section === section)
      ? []
      : [`${id}: rests on section ${section}, and no statement of that section is quoted for it`]),
    ...(unasked.length === 0 ? [] : [`${id}: no probe asks it of ${unasked.join(', ')}`]),
    ...(faults.length > 0 ? [] : [`${id}: no fault breaks it`]),
  ];
}

function lackOfGap({ gap, statements }: GapTrace): readonly string[] {
  const isExcused = EXCUSED_SECTIONS.includes(gap.section) || EXCUSED_GAPS.includes(gap.id);
  return [
    ...(statements.length > 0 ? [] : [`${gap.id}: no statement of the page opens it`]),
    ...('probe' in gap || isExcused ? [] : [`${gap.id}: has a reason, and a probe is due`]),
  ];
}

/** Names that stand for nothing: in statements, in what sequences ask and in what faults break. */
function strangers({ sources }: Trace): readonly string[] {
  const { statements, requirements, gaps, sequences, faults, alsoShown } = sources;
  const known = new Set([...requirements, ...gaps].map(({ id }) => id));
  const uses = [
    ...statements.flatMap((one) =>
      one.kind === 'informative' ? [] : one.ids.map((id) => ({ id, user: placeOf(one) })),
    ),
    ...sequences.flatMap(({ name, serves }) => serves.map((ask) => ({ id: askedId(ask), user: `the probe ${name}` }))),
    ...faults.flatMap(({ name, breaks }) => breaks.map((id) => ({ id, user: `the fault ${name}` }))),
    ...Object.entries(alsoShown).flatMap(([ask, gap]) => [askedId(ask), gap].map((id) => ({ id, user: ask }))),
  ];
  return uses.filter(({ id }) => !known.has(id)).map(({ id, user }) => `${id}: named by ${user}, and unknown`);
}
