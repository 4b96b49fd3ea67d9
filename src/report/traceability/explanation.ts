/** What `explain` prints: everything that the contract says of a requirement, a gap or a reading, in lines. */

import type { Gap } from '../../contract/gaps.ts';
import type { Reading } from '../../contract/readings.ts';
import {
  type GapTrace,
  type RequirementTrace,
  readingsOf,
  type Trace,
  type TracedFault,
  type TracedSequence,
} from '../traceability.ts';
import { helpFor } from './help.ts';
import { placeOf, type Statement } from './interface-page.ts';
import { howJudged, howObserved, probeLines } from './phrases.ts';

const field = (name: string, text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : [`  ${name}: ${text}`];

const block = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${name}:`, ...lines.map((line) => `    ${line}`)];

const quoted = (statements: readonly Statement[]): readonly string[] => block('rests on', statements.map(placeOf));

const proving = (faults: readonly TracedFault[]): readonly string[] =>
  block(
    'faults that prove it',
    faults.map(({ name, defect }) => `${name}: ${defect}`),
  );

const probing = (how: string, probes: readonly TracedSequence[]): readonly string[] =>
  probes.length === 0 ? field('judged', how) : block(`judged by ${how}`, probeLines(probes));

/** A reading in lines: the question, both readings, and why the one was taken. */
function readingLines({ id, sections, question, readings: [taken, other], why }: Reading): readonly string[] {
  return [
    `${id} (section${sections.length === 1 ? '' : 's'} ${sections.join(', ')}): ${question}`,
    `  taken: ${taken}`,
    `  not taken: ${other}`,
    `  why: ${why}`,
  ];
}

function requirementLines(id: string, row: RequirementTrace, trace: Trace): readonly string[] {
  const { requirement, statements, probes, faults } = row;
  const { level, section, statement, operations, needs, opportunistic, explainedBy } = requirement;
  const taken = trace.sources.readings.filter((reading) => readingsOf(requirement).includes(reading.id));
  return [
    id,
    `  ${statement}`,
    ...field('level', level),
    ...field('section', section),
    ...quoted(statements),
    ...block('readings', taken.flatMap(readingLines)),
    ...field('operations', operations.join(', ')),
    ...probing(howJudged(row), probes),
    ...proving(faults),
    ...field('needs', needs),
    ...field('not exercised when', opportunistic),
    ...field('explained by a failure of', explainedBy?.join(', ')),
    ...field('helps when inconclusive', helpFor(requirement).join('; ')),
  ];
}

function gapLines(row: GapTrace): readonly string[] {
  const { gap, statements, probes } = row;
  const how = howObserved(row);
  return [
    gap.id,
    `  ${gap.question}`,
    ...field('level', 'observe: noted, never judged'),
    ...field('section', gap.section),
    ...quoted(statements),
    ...observation(gap),
    ...('reason' in gap || probes.length > 0 ? [] : field('seen', how)),
    ...block(`seen by ${how}`, probeLines(probes)),
  ];
}

function observation(gap: Gap): readonly string[] {
  return 'probe' in gap ? field('observed by', gap.probe) : field('not observed because', gap.reason);
}

/** Ids that `explain` knows, in the order of the contract. */
export function explainedIds({ sources: { requirements, gaps, readings } }: Trace): readonly string[] {
  const cases = requirements.flatMap(({ id, operations }) => [id, ...operations.map((one) => `${id}/${one}`)]);
  return [...cases, ...gaps.map(({ id }) => id), ...readings.map(({ id }) => id)];
}

/** Lines about a requirement, one of its cases, a gap or a reading; `undefined` where the contract has no such id. */
export function explanationOf(id: string, trace: Trace): readonly string[] | undefined {
  if (!explainedIds(trace).includes(id)) return undefined;
  const gap = trace.gaps.find((row) => row.gap.id === id);
  if (gap !== undefined) return gapLines(gap);
  const reading = trace.sources.readings.find((one) => one.id === id);
  if (reading !== undefined) {
    const users = trace.sources.requirements.filter((requirement) => readingsOf(requirement).includes(id));
    return [...readingLines(reading), ...field('taken by', users.map((requirement) => requirement.id).join(', '))];
  }
  const [wanted, operation] = id.split('/');
  const row = trace.requirements.find(({ requirement }) => requirement.id === wanted);
  return row === undefined ? undefined : requirementLines(id, caseOf(row, operation), trace);
}

/** The part of a requirement's trace that is about one operation. */
function caseOf(row: RequirementTrace, operation: string | undefined): RequirementTrace {
  if (operation === undefined) return row;
  const { requirement, probes } = row;
  return {
    ...row,
    requirement: { ...requirement, operations: requirement.operations.filter((one) => one === operation) },
    probes: probes.filter((probe) => probe.operation === operation),
  };
}
