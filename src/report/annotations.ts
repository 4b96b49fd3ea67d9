/** Lines that GitHub shows beside a commit; a target's text stands in them and can neither end nor forge one. */

import type { RunArtefacts } from './artefacts.ts';
import { failingCases, warningCases } from './cases.ts';
import { type FailureGroup, foldAlike } from './console/failure.ts';
import { cut, visible } from './visible.ts';

const MESSAGE_CHARACTERS = 1_000;

/** Line ends are gone already (`visible`); a percent sign would be read as an escape, and `::` as a command's mark. */
function message(text: string): string {
  return visible(cut(text, MESSAGE_CHARACTERS))
    .replaceAll('%', '%25')
    .replace(/:(?=:)/g, ': ');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function line(command: 'error' | 'warning', { first, alike }: FailureGroup): string {
  const { requirement, one } = first;
  const more = alike.length === 0 ? '' : ` (and ${alike.length} alike: ${alike.join(', ')})`;
  const title = property(`${one.id} (${requirement.level}, section ${requirement.section})`);
  return `::${command} title=${title}::${message(`${one.reason ?? requirement.statement}${more}`)}`;
}

/** A workflow command for each failing case and each warning, those that are alike folded, and one for the verdict. */
export function renderAnnotations(run: RunArtefacts): string {
  const { results } = run;
  const { verdict, summary } = results;
  const lines = [
    ...foldAlike(failingCases(results)).map((group) => line('error', group)),
    ...foldAlike(warningCases(results)).map((group) => line('warning', group)),
    ...(verdict === 'conformant' ? [] : [`::error title=${property(verdict)}::${message(summary)}`]),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
