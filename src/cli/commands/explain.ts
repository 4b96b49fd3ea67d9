/** `pcs-conformance explain ID`: everything that the contract says of a requirement, a gap or a reading. */

import { UsageError } from '../../contract/usage-error.ts';
import { explainedIds, explanationOf } from '../../report/traceability/explanation.ts';
import { nearest } from '../../settings/near-miss.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import type { Parts } from '../parts.ts';
import type { Terminal } from '../terminal.ts';

/** Prints a requirement, one of its cases (`AUTH-SCHEME/createCall`), a gap or a reading. Throws `UsageError`. */
export async function explain(
  id: string,
  parts: Pick<Parts, 'trace'>,
  terminal: Pick<Terminal, 'out'>,
): Promise<ExitCode> {
  const trace = await parts.trace();
  const lines = explanationOf(id, trace);
  if (lines === undefined) throw new UsageError(unknown(id, explainedIds(trace)));
  for (const line of lines) terminal.out(line);
  return EXIT_CODES.conformant;
}

function unknown(id: string, known: readonly string[]): string {
  const meant = nearest(id, known);
  const sentence = `There is no requirement, case, gap or reading ${JSON.stringify(id)}`;
  return meant === undefined
    ? `${sentence}: pcs-conformance list shows what there is.`
    : `${sentence}: did you mean ${meant}?`;
}
