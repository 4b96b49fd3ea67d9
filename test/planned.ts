/** What the plan asks, counted apart from any run: what a report says of a run is compared with it. */

import { type RunOptions, settingsPresent } from '../src/run/options.ts';
import { type Plan, planRun } from '../src/run/plan.ts';
import { plannerFor, SUITE } from '../suites/index.ts';

const countedIn = ({ cases }: Pick<Plan, 'cases'>): number =>
  cases.reduce((sum, { questions }) => sum + questions.length, 0);

/** How many questions the plan asks, and how many of them lack a setting: of their requirement, or of the sequences that ask. */
function plannedQuestions(options: RunOptions): { readonly all: number; readonly lacking: number } {
  const builder = plannerFor(options);
  const plan = planRun(SUITE, builder);
  const all = countedIn(plan);
  const present: readonly string[] = settingsPresent(options);
  const { cases } = planRun({ ...SUITE, sequences: () => plan.sequences }, builder);
  const needs = new Map(SUITE.requirements.map((requirement) => [requirement.id, requirement.needs]));
  const isAnswered = ({ requirement }: Plan['cases'][number]): boolean => {
    const needed = needs.get(requirement);
    return needed === undefined || present.includes(needed);
  };
  return { all, lacking: all - countedIn({ cases: cases.filter(isAnswered) }) };
}

const written = (count: number): string => count.toLocaleString('en-US');

/** What a run with these options says that answered every question but those that lack a setting. */
export function allAnswered(options: RunOptions): string {
  const { all, lacking } = plannedQuestions(options);
  return `${written(all - lacking)} of ${written(all)} questions answered`;
}
