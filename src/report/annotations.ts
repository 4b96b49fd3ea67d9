/** Lines that GitHub shows beside a commit; text of a target can neither end nor forge one. */

import type { RunArtefacts } from './artefacts.ts';
import {
  type CaseOfRequirement,
  type FailureGroup,
  failingCases,
  foldAlike,
  knownIn,
  knownPhrase,
  outcomeOf,
  warningCases,
} from './cases.ts';
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

type Command = 'error' | 'warning' | 'notice';

const lineOf = (command: Command, title: string, text: string): string =>
  `::${command} title=${property(title)}::${message(text)}\n`;

function groupLine(command: Command, { first: { requirement, one }, alike }: FailureGroup, run: RunArtefacts): string {
  const known = knownIn(run).get(one.id);
  const title = `${one.id} (${requirement.level}, section ${requirement.section})`;
  const reason = `${known === undefined ? '' : `known failure, ${knownPhrase(known)}: `}${one.reason ?? requirement.statement}`;
  return lineOf(command, title, `${reason}${alike.length === 0 ? '' : ` (the same in ${alike.join(', ')})`}`);
}

/** GitHub shows ten annotations of a step, and keeps the first ones. */
const MOST = 10;

/**
 * Workflow commands: the outcome unless it is conformant, then new failures, warnings and known failures, equal ones folded.
 * At most ten. Only what fails the step is an error.
 */
export function renderAnnotations(run: RunArtefacts): string {
  const { results, gate } = run;
  const known = knownIn(run);
  const failing = failingCases(results);
  const of = (command: Command, cases: readonly CaseOfRequirement[]): readonly string[] =>
    foldAlike(cases).map((group) => groupLine(command, group, run));
  const groups = [
    ...of(
      gate?.code === 0 ? 'notice' : 'error',
      failing.filter(({ one }) => !known.has(one.id)),
    ),
    ...of('warning', warningCases(results)),
    ...of(
      'notice',
      failing.filter(({ one }) => known.has(one.id)),
    ),
  ];
  if (results.verdict === 'conformant' && (gate?.code ?? 0) === 0) return groups.slice(0, MOST).join('');
  const hidden = groups.length - (MOST - 1);
  const more = hidden > 0 ? ` (${hidden} more in the report)` : '';
  const first = `${gate === undefined ? results.summary : [...gate.sentences, results.summary].join('; ')}${more}`;
  return [lineOf(gate?.code === 0 ? 'notice' : 'error', outcomeOf(run), first), ...groups.slice(0, MOST - 1)].join('');
}
