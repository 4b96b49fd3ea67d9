/** `pcs-conformance list`: every requirement in a line. */

import type { Requirement } from '../../contract/requirements/requirement.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import type { Parts } from '../parts.ts';
import type { Terminal } from '../terminal.ts';

/** Prints id, level, section and statement of each requirement, in the order of the catalogue. */
export async function list(parts: Parts, terminal: Terminal): Promise<ExitCode> {
  const requirements = await parts.requirements();
  const widest = (text: (requirement: Requirement) => string): number =>
    Math.max(...requirements.map((requirement) => text(requirement).length));
  const [ids, levels, sections] = [
    widest(({ id }) => id),
    widest(({ level }) => level),
    widest(({ section }) => section),
  ];
  for (const { id, level, section, statement } of requirements) {
    terminal.out([id.padEnd(ids), level.padEnd(levels), section.padEnd(sections), statement].join('  '));
  }
  return EXIT_CODES.conformant;
}
