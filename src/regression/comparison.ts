/** What changed between two runs, as a report and as JSON. Pure: the same results give the same comparison. */

import { requirementById } from '../../suites/catalogue.ts';
import { groupBy, picked } from '../contract/lists.ts';
import type { Document } from '../report/document.ts';
import { foldedPhrases } from '../report/gate.ts';
import { allCases, type Difference, type DifferenceGroup, isFailing } from '../report/model.ts';
import { differenceParts } from '../report/run-document.ts';
import { counted } from '../report/text.ts';
import type { Choice } from '../run/choices.ts';
import { requirementOf } from '../verdict/record.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { askedIn, type KeyedFinding, keyedIn, keyOf, OF_RUN } from './keyed.ts';
import type { JudgedRun } from './own-files.ts';

/** A finding that is new, known or gone, or a case that is judged otherwise than before. */
export interface Change {
  readonly case: string;
  /** What was sent; a case as a whole has none. */
  readonly stimulus?: string;
  /** The place among the findings of the case in the current run. */
  readonly at?: number;
  /** The finding or the reason, or what the case was before. */
  readonly detail: string;
  /** The baseline never sent it. */
  readonly first?: true;
  /** Nothing that was sent meets the requirement. */
  readonly everywhere?: true;
}

/** A gap in which the target's choices changed. */
export interface Drift {
  readonly gap: string;
  readonly operation: string;
  /** Choices that are gone. */
  readonly before: readonly string[];
  /** Choices that are new. */
  readonly now: readonly string[];
}

type RunLine = Pick<Results, 'verdict' | 'target' | 'profile'> & { readonly version: string };

/** The lists of a comparison in order, with their titles; `inGate` are those whose entries a gate lists itself. */
const LISTS = [
  { name: 'new', title: 'New', inGate: true },
  { name: 'noLongerJudged', title: 'No longer judged', inGate: true },
  { name: 'newWarnings', title: 'New warnings', inGate: false },
  { name: 'known', title: 'Known', inGate: true },
  { name: 'gone', title: 'Gone', inGate: true },
  { name: 'notAskedAgain', title: 'Found before, and not asked again', inGate: false },
  { name: 'newlyJudged', title: 'Newly judged', inGate: false },
] as const;

type List = (typeof LISTS)[number]['name'];

/** The difference between two runs, as comparison.json holds it; lists follow the order of the plan. */
export interface Comparison extends Readonly<Record<List, readonly Change[]>> {
  readonly format: 'pcs-conformance/comparison@2';
  readonly baseline: RunLine;
  readonly current: RunLine;
  /** Choices that changed, by gap and operation. */
  readonly drift: readonly Drift[];
  /** `false` if one of the runs recorded no choices. */
  readonly choicesCompared: boolean;
  /** Phrases: how the plan of the current run differs. */
  readonly plan: readonly string[];
  /** Whether there is a finding that the baseline does not have, or a case is not judged that was. */
  readonly worse: boolean;
}

const changeOf = (told: KeyedFinding): Change => picked(told, ['case', 'stimulus', 'at', 'detail', 'everywhere']);

/** The findings of two runs: those of the current one that are new and known, those that only warn, and those that are gone. */
function findingLists(baseline: Results, current: Results, now: ReadonlyMap<string, CaseResult>) {
  const [before, told] = [keyedIn(baseline), keyedIn(current)];
  const [old, keys] = [new Set(before.map(keyOf)), new Set(told.map(keyOf))];
  const [wasAsked, isAsked] = [askedIn(baseline, current), askedIn(current, baseline)];
  const fresh = told.filter((one) => !old.has(keyOf(one)));
  const first = (one: KeyedFinding): Change => ({ ...changeOf(one), ...(wasAsked(one) ? {} : { first: true }) });
  const isJudged = ({ requirement, case: id }: KeyedFinding): boolean =>
    requirement === OF_RUN || standingOf(now.get(id), current) !== 'not judged';
  const ended = before.filter((one) => one.fails && !keys.has(keyOf(one)) && isJudged(one));
  return {
    new: fresh.filter(({ fails }) => fails).map(first),
    newWarnings: fresh.filter(({ fails }) => !fails).map(first),
    known: told.filter((one) => one.fails && old.has(keyOf(one))).map(changeOf),
    gone: ended.filter(isAsked).map(changeOf),
    notAskedAgain: ended.filter((one) => !isAsked(one)).map(changeOf),
  };
}

/** Compares two runs. */
export function compareRuns(baseline: JudgedRun, current: JudgedRun): Comparison {
  const [before, now] = [casesById(baseline.results), casesById(current.results)];
  const lineOf = (results: Results): RunLine => {
    return { ...picked(results, ['verdict', 'target', 'profile']), version: results.suite.version };
  };
  const found = findingLists(baseline.results, current.results, now);
  const ids = [...new Set([...now.keys(), ...before.keys()])];
  const moved = ids.map((id) => {
    const [was, is] = [standingOf(before.get(id), baseline.results), standingOf(now.get(id), current.results)];
    return { id, was, is, isLost: is === 'not judged' && (now.has(id) || !isLeftOut(id, current.results)) };
  });
  const noLongerJudged = moved
    .filter(({ was, isLost }) => was !== 'not judged' && isLost)
    .map(({ id }) => ({ case: id, detail: now.has(id) ? reasonIn(now, id) : 'no longer in the plan' }));
  const newlyJudged = moved
    .filter(({ was, is }) => was === 'not judged' && is === 'passing')
    .map(({ id }) => ({ case: id, detail: `was ${before.has(id) ? reasonIn(before, id) : 'not in the plan'}` }));
  return {
    format: 'pcs-conformance/comparison@2',
    baseline: lineOf(baseline.results),
    current: lineOf(current.results),
    ...{ ...found, noLongerJudged, newlyJudged },
    drift: driftOf(baseline.choices ?? [], current.choices ?? []),
    choicesCompared: baseline.choices !== undefined && current.choices !== undefined,
    plan: planChanges(baseline.results, current.results),
    worse: found.new.length + noLongerJudged.length > 0,
  };
}

function reasonIn(cases: ReadonlyMap<string, CaseResult>, id: string): string {
  const one = cases.get(id);
  return one?.reason ?? one?.verdict ?? '';
}

/**
 * Whether a case is gone from the plan for a reason that hides nothing: `--only` left it out, recordings differ in what they
 * hold, or this version of the suite has no such requirement.
 */
function isLeftOut(id: string, { only, traffic }: Results): boolean {
  return only.length > 0 || traffic !== undefined || requirementById(requirementOf(id)) === undefined;
}

const missing = (from: readonly string[], others: readonly string[]): readonly string[] =>
  from.filter((name) => !others.includes(name));

/** A gap that only one of the runs observed is not drift: nothing says that the target chose differently before. */
function driftOf(baseline: readonly Choice[], current: readonly Choice[]): readonly Drift[] {
  const placeOf = ({ gap, operation }: Choice): string => `${gap}/${operation}`;
  const places = [...new Map(current.map((choice) => [placeOf(choice), choice])).values()];
  return places.flatMap((place): readonly Drift[] => {
    const at = (choices: readonly Choice[]): readonly string[] =>
      choices.filter((choice) => placeOf(choice) === placeOf(place)).map(({ choice }) => choice);
    const [before, now] = [missing(at(baseline), at(current)), missing(at(current), at(baseline))];
    if (at(baseline).length === 0 || before.length + now.length === 0) return [];
    return [{ gap: place.gap, operation: place.operation, before, now }];
  });
}

/**
 * What the two runs were asked differently, by the names of results.json. A case of the baseline alone is listed as no longer
 * judged.
 */
function planChanges(baseline: Results, current: Results): readonly string[] {
  const factsOf = ({ suite: { version }, profile, without, only, strict, seed, explore, settings }: Results) =>
    Object.entries({ version, profile, without, only, strict, seed, explore, settings });
  const after = new Map(factsOf(current));
  return factsOf(baseline).flatMap(([name, value]) => {
    const [before, now] = [String(value) || 'none', String(after.get(name)) || 'none'];
    return before === now ? [] : [`${name} changed from ${before} to ${now}`];
  });
}

function summaryOf({ new: fresh, noLongerJudged, newWarnings, drift, choicesCompared }: Comparison): string {
  const lost = noLongerJudged.length === 0 ? '' : `, ${counted(noLongerJudged.length, 'case')} no longer judged`;
  const warns = newWarnings.length === 0 ? '' : `, ${counted(newWarnings.length, 'new warning')}`;
  const choices = drift.length === 0 ? '' : `, ${counted(drift.length, 'choice')} changed`;
  const summary = `${fresh.length === 0 ? 'Nothing new' : counted(fresh.length, 'new finding')}${lost}${warns}${choices}.`;
  return choicesCompared ? summary : `${summary} Choices were not compared: one of the runs has no choices.json.`;
}

/** The comparison in groups for the reports; operations that changed their choice in the same way share an entry. */
export function differenceOf(comparison: Comparison): Difference {
  const joined = (words: readonly string[]): string => words.join(', ') || 'nothing';
  const alike = groupBy(comparison.drift, ({ gap, before, now }) => JSON.stringify([gap, before, now]));
  const drift = [...alike.values()].map((own) => {
    const [{ gap, before, now }] = own;
    const operations = own.map(({ operation }) => operation).join(', ');
    return { name: gap, detail: `was ${joined(before)}, is ${joined(now)} (${operations})` };
  });
  const groups: readonly DifferenceGroup[] = [
    ...LISTS.map(({ name: list, title, inGate }) => {
      const entries = [...groupBy(comparison[list], (one) => one.case)].flatMap(([name, own]) =>
        foldedPhrases(own).map((detail) => ({ name, detail })),
      );
      return { title, inGate, entries };
    }),
    { title: 'Changed choices', inGate: false, entries: drift },
    { title: 'Changed plan', inGate: false, entries: comparison.plan.map((name) => ({ name, detail: '' })) },
  ];
  return { summary: summaryOf(comparison), groups: groups.filter(({ entries }) => entries.length > 0) };
}

/** What changed, as a report by itself. */
export const comparisonDocument = ({ summary, groups }: Difference): Document => ({
  title: 'Changes since the baseline',
  lead: [[summary]],
  parts: differenceParts(groups),
});

/** The comparison as JSON with two spaces of indentation and a final newline. */
export function renderComparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}

/** Where a case stands; a warning counts as passing unless the run is strict. */
export type Standing = 'failing' | 'passing' | 'not judged';

/** The standing of a case; one that is not in the plan is not judged. */
export function standingOf(one: CaseResult | undefined, results: Results): Standing {
  if (one === undefined) return 'not judged';
  if (isFailing(one.verdict, results)) return 'failing';
  return one.verdict === 'pass' || one.verdict === 'warning' ? 'passing' : 'not judged';
}

/** The cases of the results by id. */
export function casesById(results: Results): ReadonlyMap<string, CaseResult> {
  return new Map(allCases(results).map(({ one }) => [one.id, one]));
}
