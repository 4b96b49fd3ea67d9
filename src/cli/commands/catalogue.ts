/** `pcs-conformance list` and `explain`: the requirements, gaps and readings of the contract. */

import { readFileSync } from 'node:fs';
import { FAULTS } from '../../../fixtures/faults/index.ts';
import type { Level } from '../../contract/levels.ts';
import {
  CONTRACT,
  explainedIds,
  explanationOf,
  listJson,
  listLines,
  statementsOf,
  type Trace,
  traceOf,
} from '../../report/traceability.ts';
import { variablesOnly } from '../../settings/environment.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { unknownName } from '../../settings/unknown-names.ts';
import { planOf } from '../engine.ts';
import { knownSettings } from '../target.ts';
import { EXIT_CODES, type ExitCode, packageFile, type Terminal } from '../terminal.ts';

interface ListOptions {
  readonly level?: Level;
  readonly json?: true;
}

/**
 * The interface page, the plan against the reference service and the planted faults, traced. They depend on nothing
 * outside: no environment, no `.env`, no target.
 */
export function traceOfPackage(): Trace {
  const { sequences } = planOf(knownSettings(readSettings({ reference: true, profile: 'full' }, variablesOnly({}))));
  const statements = statementsOf(readFileSync(packageFile('docs/interface.md'), 'utf8'));
  return traceOf({ ...CONTRACT, statements, sequences, faults: FAULTS });
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
    const problem = `Unknown requirement, case, gap or reading ${JSON.stringify(id)}`;
    throw unknownName(problem, id, explainedIds(trace), 'see pcs-conformance list');
  }
  for (const line of lines) terminal.out(line);
  return EXIT_CODES.conformant;
}
