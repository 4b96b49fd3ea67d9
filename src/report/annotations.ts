/** Lines that GitHub shows beside a commit; text of a target can neither end nor forge one. */

import type { RunArtefacts } from './artefacts.ts';
import { type FailureGroup, failingCases, foldAlike, warningCases } from './cases.ts';
import { cut, visible } from './text.ts';

const MESSAGE_CHARACTERS = 1_000;

/** `visible` leaves no line end; a percent sign would be read as an escape, and `::` as the mark of a command. */
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
  const more = alike.length === 0 ? '' : ` (the same in ${alike.join(', ')})`;
  const title = property(`${one.id} (${requirement.level}, section ${requirement.section})`);
  return `::${command} title=${title}::${message(`${one.reason ?? requirement.statement}${more}`)}`;
}

/** One workflow command for each failing case and each warning, equal ones folded, and one for the verdict. */
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
