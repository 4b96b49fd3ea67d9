/** What `list` prints of all requirements, and `explain` about a requirement, a gap or a reading. */

import type { Level } from '../../contract/levels.ts';
import { FREE_UPDATES, type OperationId, operationById } from '../../contract/operations.ts';
import type { Reading } from '../../contract/readings.ts';
import { SETTING_OF } from '../../contract/settings.ts';
import type { Requirement } from '../../run/requirement.ts';
import { counted } from '../text.ts';
import {
  type GapTrace,
  howJudged,
  howObserved,
  probeLines,
  type RequirementTrace,
  readingsOf,
  type Trace,
} from '../traceability.ts';
import { placeOf } from './interface-page.ts';

function rowsOf(trace: Trace, level: Level | undefined): readonly RequirementTrace[] {
  return trace.requirements.filter(({ requirement }) => level === undefined || requirement.level === level);
}

/** Id, level, section, operations, probes, faults and statement of each requirement of the level, in columns. */
export function listLines(trace: Trace, level?: Level): readonly string[] {
  const rows = rowsOf(trace, level).map((row) => {
    const { id, level: own, section, operations, statement } = row.requirement;
    const faults = counted(row.faults.length, 'fault');
    return [id, own, section, counted(operations.length, 'operation'), howJudged(row), faults, statement];
  });
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The same as a JSON array with an object for each requirement. */
export function listJson(trace: Trace, level?: Level): string {
  const rows = rowsOf(trace, level).map(({ requirement, statements, probes, faults }) => ({
    id: requirement.id,
    level: requirement.level,
    section: requirement.section,
    statement: requirement.statement,
    kind: requirement.invariant === true ? 'invariant' : 'probe',
    operations: requirement.operations,
    readings: readingsOf(requirement),
    restsOn: statements.map(placeOf),
    probes: probes.map(({ name }) => name),
    faults: faults.map(({ name }) => name),
  }));
  return JSON.stringify(rows, null, 2);
}

const field = (name: string, text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : [`  ${name}: ${text}`];

const block = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${name}:`, ...lines.map((line) => `    ${line}`)];

const NUMBERS: readonly string[] = ['PCS_CALL_FROM', 'PCS_CALL_TO'];

function settingsOf(id: OperationId): readonly string[] {
  // The run creates and hangs up its own call.
  if (id === 'createCall' || id === 'hangUpCall') return NUMBERS;
  if (id === 'searchAvailableNumbers') return ['PCS_AVAILABLE_NUMBERS_QUERY'];
  const own = operationById(id).resources.map((kind) => SETTING_OF[kind]);
  return id === 'assignNumber' ? [...own, SETTING_OF.carrierConnection] : own;
}

/** What helps if a requirement is inconclusive: the settings of its operations, then the rest. */
function helpFor({ id, operations, needs }: Requirement): readonly string[] {
  const shown = operations.filter((operation): operation is OperationId => operation !== 'undocumented');
  const inBody = id === 'CALL-CREATE-IDS' ? [SETTING_OF.voiceApplication, SETTING_OF.trunk] : [];
  const settings = [...new Set([...(needs === undefined ? [] : [needs]), ...shown.flatMap(settingsOf), ...inBody])];
  return [
    ...(settings.length === 0 ? [] : [`set ${settings.join(', ')}`]),
    ...(shown.some((operation) => FREE_UPDATES.some((id) => id === operation))
      ? ['give request bodies that the target accepts with --samples']
      : []),
    ...(settings.length === 0 ? ['allow PCS_ACCESS_TOKEN to use the operation'] : []),
  ];
}

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
  const how = howJudged(row);
  const proofs = faults.map(({ name, defect }) => `${name}: ${defect}`);
  return [
    id,
    `  ${statement}`,
    ...field('level', level),
    ...field('section', section),
    ...block('based on', statements.map(placeOf)),
    ...block('readings', taken.flatMap(readingLines)),
    ...field('operations', operations.join(', ')),
    ...(probes.length === 0 ? field('judged by', how) : block(`judged by ${how}`, probeLines(probes))),
    ...block('proved by the faults', proofs),
    ...field('needs', needs),
    ...field('not exercised when', opportunistic),
    ...field('explained by a failure of', explainedBy?.join(', ')),
    ...field('if inconclusive', helpFor(requirement).join('; ')),
  ];
}

function gapLines(row: GapTrace): readonly string[] {
  const { gap, statements, probes } = row;
  const how = howObserved(row);
  return [
    gap.id,
    `  ${gap.question}`,
    ...field('level', 'observe (recorded, never judged)'),
    ...field('section', gap.section),
    ...block('based on', statements.map(placeOf)),
    ...('probe' in gap ? field('observed by', gap.probe) : field('not observed because', gap.reason)),
    ...('reason' in gap || probes.length > 0 ? [] : field('observed', how)),
    ...block(`observed by ${how}`, probeLines(probes)),
  ];
}

/** Ids that `explain` knows, in the order of the contract. */
export function explainedIds({ sources: { requirements, gaps, readings } }: Trace): readonly string[] {
  const cases = requirements.flatMap(({ id, operations }) => [id, ...operations.map((one) => `${id}/${one}`)]);
  return [...cases, ...gaps.map(({ id }) => id), ...readings.map(({ id }) => id)];
}

/** Lines about a requirement, one of its cases, a gap or a reading; `undefined` for an unknown id. */
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

function caseOf(row: RequirementTrace, operation: string | undefined): RequirementTrace {
  if (operation === undefined) return row;
  const { requirement, probes } = row;
  return {
    ...row,
    requirement: { ...requirement, operations: requirement.operations.filter((one) => one === operation) },
    probes: probes.filter((probe) => probe.operation === operation),
  };
}
