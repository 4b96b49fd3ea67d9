/** `pcs-conformance list` and `explain`: the requirements, gaps and readings of the contract. */

import type { Level } from '../../contract/levels.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { explainedIds, explanationOf, listJson, listLines } from '../../report/traceability/lines.ts';
import { nearest } from '../../settings/near-miss.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { traceOfPackage } from '../trace.ts';

/** Which requirements to list, and how. */
export interface ListOptions {
  readonly level?: Level;
  readonly json?: true;
}

/** Prints each requirement with its operations, probes and faults, in the order of the catalogue. */
export function list({ level, json }: ListOptions, terminal: Terminal, trace = traceOfPackage()): ExitCode {
  const lines = json === true ? [listJson(trace, level)] : listLines(trace, level);
  for (const line of lines) terminal.out(line);
  return EXIT_CODES.conformant;
}

/** Prints a requirement, one of its cases (`AUTH-SCHEME/createCall`), a gap or a reading. Throws `UsageError`. */
export function explain(id: string, _options: object, terminal: Terminal, trace = traceOfPackage()): ExitCode {
  const lines = explanationOf(id, trace);
  if (lines === undefined) {
    const meant = nearest(id, explainedIds(trace));
    const remedy = meant === undefined ? 'see pcs-conformance list' : `did you mean ${meant}?`;
    throw new UsageError(`Unknown requirement, case, gap or reading ${JSON.stringify(id)}`, remedy);
  }
  for (const line of lines) terminal.out(line);
  return EXIT_CODES.conformant;
}
