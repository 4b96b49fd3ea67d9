/** `pcs-conformance list`: every requirement in a line. */

import type { Level } from '../../contract/requirements/index.ts';
import { listJson, listLines } from '../../report/traceability/listing.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import type { Parts } from '../parts.ts';
import type { Terminal } from '../terminal.ts';

/** Which requirements, and for whom. */
export interface ListOptions {
  readonly level?: Level;
  readonly json?: true;
}

/** Prints each requirement with its operations, probes and faults, in the order of the catalogue. */
export async function list(
  { level, json }: ListOptions,
  parts: Pick<Parts, 'trace'>,
  terminal: Pick<Terminal, 'out'>,
): Promise<ExitCode> {
  const trace = await parts.trace();
  const lines = json === true ? [listJson(trace, level)] : listLines(trace, level);
  for (const line of lines) terminal.out(line);
  return EXIT_CODES.conformant;
}
