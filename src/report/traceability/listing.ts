/** What `list` prints: one line for each requirement, or JSON. */

import type { Level } from '../../contract/levels.ts';
import { counted } from '../text.ts';
import { howJudged, type RequirementTrace, readingsOf, type Trace } from '../traceability.ts';
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
