/** The figures that pages repeat: what runs against the reference service send and answer, and how much is planted. */

import { caseFaults } from '../fixtures/faults/cases.ts';
import { FAULTS } from '../fixtures/faults/index.ts';
import { createReference } from '../fixtures/service/reference.ts';
import { grouped } from '../src/contract/lists.ts';
import { OPERATIONS, type Profile } from '../src/contract/operations.ts';
import { DEFAULTS, type RunOptions } from '../src/run/options.ts';
import type { Results } from '../src/verdict/results.ts';
import { questionsSentence } from '../src/verdict/sentence.ts';
import { REQUIREMENTS } from '../suites/catalogue.ts';
import { judge, optionsFrom } from '../test/selftest/harness.ts';

/** Results of the runs that the pages tell of: both profiles, and a read-only run that lacks settings. */
export interface Figures {
  readonly full: Results;
  readonly readOnly: Results;
  readonly lacking: Results;
}

/** Runs the suite for the figures, as the command does by default. */
export async function figuresOfRuns(): Promise<Figures> {
  const results = async (profile: Profile, change = (options: RunOptions) => options): Promise<Results> => {
    const { service, settings } = createReference();
    const { seed, explore } = DEFAULTS;
    return (await judge(service, change(optionsFrom(settings, { profile, seed, explore })))).results;
  };
  return {
    full: await results('full'),
    readOnly: await results('read-only'),
    lacking: await results('read-only', ({ credentials, ...options }) => {
      return { ...options, credentials: { access: credentials.access } };
    }),
  };
}

/** A figure in the text of a page; the groups of the pattern stay. */
type Rule = readonly [pattern: RegExp, replacement: (figures: Figures) => string];

const sent: Rule = [
  /[\d,]+ (requests(?:,| and places)) \d+ calls/g,
  ({ full: { counts } }) => `${grouped(counts.requests)} $1 ${counts.calls} calls`,
];
const sentReadOnly: Rule = [/\b(about) \d+ requests/gi, ({ readOnly: { counts } }) => `$1 ${counts.requests} requests`];
const answered: Rule = [/CONFORMANT \(profile full\): [\d,]+ passed, .+?(?=\.?$)/gm, ({ full }) => full.summary];
const computed: Rule = [
  /\d+ verdicts computed again from [\d,]+ exchanges; .+(?=\.$)/gm,
  ({ full: { counts, questions } }) => {
    const verdicts = Object.values(counts.cases).reduce((sum, count) => sum + count, 0);
    const exchanges = `${grouped(counts.requests)} exchanges`;
    return `${verdicts} verdicts computed again from ${exchanges}; ${questionsSentence(questions)}`;
  },
];
const ANSWERED = /(seed \d+; \S+ to \S+); .+/g;
const questions: Rule = [ANSWERED, ({ full }) => `$1; ${questionsSentence(full.questions)}`];
const limits: Rule = [/CONFORMANT but for .+ \(profile read-only\): .+/g, ({ lacking }) => lacking.summary];
const cost: Rule = [/\d+ (requests, 0 calls)/g, ({ lacking: { counts } }) => `${counts.requests} $1`];
const lacking: Rule = [ANSWERED, ({ lacking: { questions: totals } }) => `$1; ${questionsSentence(totals)}`];
const ALL_FAULTS = FAULTS.length + caseFaults(REQUIREMENTS).length;
const planted: Rule = [
  /(more than) [\d,]+ faults/g,
  () => `$1 ${grouped(Math.floor((ALL_FAULTS - 1) / 50) * 50)} faults`,
];
const exercised: Rule = [
  /of \d+ operations, (\d+) of \d+ requirements exercised/g,
  () => `of ${OPERATIONS.length} operations, $1 of ${REQUIREMENTS.length} requirements exercised`,
];

/** The figures of each page that has any. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'README.md': [sent, sentReadOnly, answered, questions, planted],
  'docs/certification.md': [sent, answered, questions, computed],
  'docs/data-protection.md': [sent, sentReadOnly],
  'docs/results.md': [limits, cost, lacking],
  'docs/traffic.md': [exercised],
};

/** The pages with figures. */
export const PAGES_WITH_FIGURES: readonly string[] = Object.keys(RULES);

/** The text of the page with these figures; throws `RangeError` where it has no place for one that belongs there. */
export function withFigures(page: string, text: string, figures: Figures): string {
  return (RULES[page] ?? []).reduce((told, [pattern, replacement]) => {
    if (told.search(pattern) === -1) throw new RangeError(`${page} has nothing like ${pattern.source}`);
    return told.replace(pattern, replacement(figures));
  }, text);
}
