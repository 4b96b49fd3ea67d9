/** Where cases stand over several runs, as a report and as JSON. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { counted, picked } from '../contract/lists.ts';
import { UsageError, withUsageError } from '../contract/usage-error.ts';
import { codeSpan, list, partOf } from '../report/blocks.ts';
import type { Document, Text } from '../report/document.ts';
import { LOOKS } from '../report/model.ts';
import type { RunFacts } from '../run/facts.ts';
import type { Results } from '../verdict/results.ts';
import { casesSentence } from '../verdict/sentence.ts';
import { casesById, type Standing, standingOf } from './comparison.ts';
import { readResults } from './own-files.ts';

/** A run as results.json holds it, and its name: that of its report folder. */
export interface NamedRun {
  readonly name: string;
  readonly results: Results & { readonly run?: RunFacts };
}

/** Where cases stand over runs. Cases that pass, or are not judged, in every run are only counted. */
export type History = ReturnType<typeof historyOf>;

type HistoryCase = ReturnType<typeof caseHistory>;

/** The runs in a folder, if it is a report folder, and in its subfolders. Throws `UsageError` if there are none. */
export function readHistory(folder: string): readonly NamedRun[] {
  const names = withUsageError(() => readdirSync(folder), `--history ${folder} cannot be read`, HOLDER);
  const runs = ['.', ...names].map((name) => join(folder, name)).filter((run) => existsSync(join(run, 'results.json')));
  if (runs.length === 0) throw new UsageError(`--history ${folder} holds no report folder`, HOLDER);
  return runs.map((name) => ({ name, results: readResults(name, `move it out of ${folder}`) }));
}

const HOLDER = 'name the folder in which the report folders of earlier runs lie';

/** Oldest first if every run has its time; otherwise in the given order. */
export function inOrder<Named extends NamedRun>(runs: readonly Named[]): readonly Named[] {
  const begun = ({ results }: NamedRun): number => Date.parse(results.run?.startedAt ?? '');
  return runs.some((run) => Number.isNaN(begun(run))) ? runs : runs.toSorted((a, b) => begun(a) - begun(b));
}

/**
 * The history of a case over the runs, counted from 1: its standing, since which run (runs that did not judge it do not
 * count), and whether it failed again after it had passed again.
 */
function caseHistory(id: string, standings: readonly Standing[]) {
  const judged = standings.flatMap((standing, at) => (standing === 'not judged' ? [] : [{ standing, at }]));
  const changes = judged.filter(({ standing }, at) => at > 0 && standing !== judged[at - 1]?.standing);
  const now = standings.at(-1) ?? 'not judged';
  const periods = judged.filter(({ standing }, at) => standing === 'failing' && judged[at - 1]?.standing !== standing);
  const lastChange = now === 'not judged' ? (judged.at(-1)?.at ?? -1) + 1 : (changes.at(-1) ?? judged[0])?.at;
  return { case: id, standings, now, since: (lastChange ?? 0) + 1, flaky: periods.length > 1 };
}

/** The history of runs, oldest first: failing cases, then flaky ones, then those no longer judged or passing again. */
export function historyOf(runs: readonly NamedRun[]) {
  const byRun = runs.map(({ results }) => ({ results, cases: casesById(results) }));
  const ids = [...new Set(byRun.toReversed().flatMap(({ cases }) => [...cases.keys()]))];
  const standingsOf = (id: string) => byRun.map(({ results, cases }) => standingOf(cases.get(id), results));
  const all = ids.map((id) => caseHistory(id, standingsOf(id)));
  const cases = all.filter(({ standings }) => standings.includes('failing') || new Set(standings).size > 1);
  const rank = ({ now, flaky }: HistoryCase): number => (now === 'failing' ? 0 : flaky ? 1 : now === 'passing' ? 3 : 2);
  return {
    format: 'pcs-conformance/history@1' as const,
    runs: runs.map(({ name, results }) => ({
      name,
      ...picked(results, ['verdict', 'profile', 'target', 'seed']),
      ...(results.run && picked(results.run, ['startedAt'])),
      cases: casesSentence(results.counts.cases, results.strict),
    })),
    cases: cases.toSorted((a, b) => rank(a) - rank(b)),
    steady: all.length - cases.length,
  };
}

/** `failing since run 3`, `passes since run 5`, `failing since run 3; flaky`. */
function sinceOf({ now, since, flaky }: HistoryCase): string {
  const word = now === 'passing' ? 'passes' : now;
  return `${word} since run ${since}${flaky ? '; flaky' : ''}`;
}

function summaryOf({ runs, cases, steady }: History): string {
  const of = (noun: string, count: number): readonly string[] =>
    count === 0 ? [] : [`${counted(count, 'case')} ${noun}`];
  const parts = [
    ...of('failing now', cases.filter(({ now }) => now === 'failing').length),
    ...of('flaky', cases.filter(({ flaky }) => flaky).length),
    ...of('no longer judged', cases.filter(({ now }) => now === 'not judged').length),
    ...of('the same in every run and not failing', steady),
  ];
  return `${counted(runs.length, 'run')}, oldest first: ${parts.join(', ')}.`;
}

const { fail: failing, pass: passing, 'not-exercised': idle } = LOOKS;
const LOOK_OF = { failing, passing, 'not judged': idle } as const satisfies Record<Standing, object>;

/** A run on one line, with the facts that it has. */
function runText({ name, startedAt, verdict, profile, cases }: History['runs'][number], at: number): Text {
  const began = startedAt === undefined ? [] : [startedAt.replace(/\.\d+/, '')];
  const facts = [...began, `${verdict} (${profile})`, cases];
  return [`${at + 1}: `, codeSpan(name), ` ${facts.join(', ')}`];
}

/** The failing cases of each run as a line of bars: `▁▁▅█ (0, 0, 3, 5)`. */
export function sparkline({ runs, cases }: Pick<History, 'runs' | 'cases'>): string {
  const failing = runs.map((_, at) => cases.filter((testCase) => testCase.standings[at] === 'failing').length);
  const most = Math.max(1, ...failing);
  return `${failing.map((count) => '▁▂▃▄▅▆▇█'[Math.round((7 * count) / most)]).join('')} (${failing.join(', ')})`;
}

/** The history as a report: the cases with a column of marks for each run, and the runs. */
export function historyDocument(history: History): Document {
  const { runs, cases } = history;
  const rows = cases.map((testCase): readonly Text[] => [
    ...testCase.standings.map((standing) => [LOOK_OF[standing].mark]),
    [codeSpan(testCase.case)],
    [sinceOf(testCase)],
  ]);
  const head = [...runs.map((_, at) => String(at + 1)), 'case', 'now'];
  const table = cases.length === 0 ? [] : [{ kind: 'table', head, rows } as const];
  return {
    title: 'History',
    lead: [[summaryOf(history)], [`Failing cases by run: ${sparkline(history)}.`]],
    parts: [
      ...partOf('cases', 'Cases that failed or changed', table, { count: cases.length }),
      ...partOf('runs', 'Runs', list(runs.map(runText)), { count: runs.length }),
    ],
  };
}
