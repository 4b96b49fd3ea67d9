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

/** GitHub shows ten annotations of a step, and keeps the first ones. */
const MOST = 10;

/** Workflow commands: the verdict unless it is conformant, then failing cases and warnings, equal ones folded. At most ten. */
export function renderAnnotations(run: RunArtefacts): string {
  const { verdict, summary } = run.results;
  const groups = [
    ...foldAlike(failingCases(run.results)).map((group) => line('error', group)),
    ...foldAlike(warningCases(run.results)).map((group) => line('warning', group)),
  ];
  if (verdict === 'conformant') return linesOf(groups.slice(0, MOST));
  const hidden = groups.length - (MOST - 1);
  const more = hidden > 0 ? ` (${hidden} more in the report)` : '';
  return linesOf([`::error title=${property(verdict)}::${message(summary)}${more}`, ...groups.slice(0, MOST - 1)]);
}

const linesOf = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join('');
