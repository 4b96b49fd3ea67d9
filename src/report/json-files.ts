/** The small JSON files of the report folder: results.json, choices.json and badge.json. */

import { renderChoices } from '../run/choices.ts';
import type { Results } from '../verdict/results.ts';
import type { RunVerdict } from '../verdict/verdict.ts';
import type { RunArtefacts } from './artefacts.ts';
import { profileOf } from './cases.ts';

/** results.json: the facts of the run and what the gate says, if they are known, and the results in the order of the plan. */
export function renderResults({ results, facts: run, gate }: Pick<RunArtefacts, 'results' | 'facts' | 'gate'>): string {
  const { format, ...rest } = results;
  // An undefined member is left out.
  return `${JSON.stringify({ format, run, gate, ...rest }, null, 2)}\n`;
}

/** choices.json: what the target chose where the specification is silent, sorted; `null` if it was not read. */
export function renderChoiceFile({ choices }: RunArtefacts): string | null {
  return choices === undefined ? null : renderChoices(choices);
}

const COLORS: Readonly<Record<RunVerdict, string>> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  incomplete: 'yellow',
  void: 'lightgrey',
};

/**
 * badge.json, as shields.io reads it: verdict, profile, what was left out, and how many questions were answered; bright
 * green only if all of them were. `null` for a partial run.
 */
export function renderBadge(results: Results): string | null {
  if (results.partial) return null;
  const { verdict, questions } = results;
  const isWhole = questions.answered === questions.planned;
  const badge = {
    schemaVersion: 1,
    label: 'PCS conformance',
    message: `${verdict} (${profileOf(results)}): ${questions.answered} of ${questions.planned} questions`,
    color: verdict === 'conformant' && !isWhole ? 'yellowgreen' : COLORS[verdict],
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
