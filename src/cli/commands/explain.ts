/** `pcs-conformance explain ID`: everything that the catalogue says of a requirement. */

import { nearest } from '../../config/near-miss.ts';
import type { Requirement } from '../../contract/requirements/requirement.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import type { Parts } from '../parts.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Prints a requirement; `id` may also be a case (`AUTH-SCHEME/createCall`). Throws `UsageError`. */
export async function explain(id: string, parts: Parts, terminal: Terminal): Promise<ExitCode> {
  const requirements = await parts.requirements();
  const wanted = id.split('/', 1)[0] ?? '';
  const requirement = requirements.find((candidate) => candidate.id === wanted);
  if (requirement === undefined) throw new UsageError(unknown(wanted, requirements));
  for (const line of linesOf(requirement)) terminal.out(line);
  return EXIT_CODES.conformant;
}

function linesOf(requirement: Requirement): readonly string[] {
  const { id, level, section, statement, kind, operations, needs, opportunistic, explainedBy, reading } = requirement;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['level', level],
    ['section', section],
    ['kind', kind],
    ['operations', operations.join(', ')],
    ['needs', needs],
    ['not exercised when', opportunistic],
    ['explained by', explainedBy?.join(', ')],
    ['reading', reading],
  ];
  return [id, `  ${statement}`, ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`  ${name}: ${text}`]))];
}

function unknown(id: string, requirements: readonly Requirement[]): string {
  const meant = nearest(
    id,
    requirements.map((requirement) => requirement.id),
  );
  const sentence = `There is no requirement ${JSON.stringify(id)}`;
  return meant === undefined
    ? `${sentence}: pcs-conformance list shows what there is.`
    : `${sentence}: did you mean ${meant}?`;
}
