/**
 * The findings of a run as another run would identify them, and what changed between two runs, as a report and as JSON.
 * Pure: the same results give the same comparison.
 */

import { requirementById } from '../../suites/catalogue.ts';
import { counted, groupBy, picked, withoutUndefined } from '../contract/lists.ts';
import type { Document } from '../report/document.ts';
import { type Change, foldedChanges } from '../report/gate.ts';
import { allCases, type Difference, type DifferenceGroup, isFailing } from '../report/model.ts';
import { differenceParts } from '../report/run-document.ts';
import type { Choice } from '../run/choices.ts';
import { type Deviation, deviationPhrase, identityOf, likeness, stable } from '../verdict/identity.ts';
import { caseId, requirementOf } from '../verdict/record.ts';
import type { CaseResult, FoldedFinding, Results } from '../verdict/results.ts';
import type { JudgedRun } from './own-files.ts';

/** A finding of a case, or of the run itself: its end, calls that may be open, values left changed, flaky symptoms. */
export interface KeyedFinding extends Deviation {
  readonly requirement: string;
  readonly operation: string;
  /** `REQUIREMENT/operation`; `RUN/createCall` and the like for the run itself. */
  readonly case: string;
  /** The place among the findings of the case. */
  readonly at: number;
  /** Whether it fails the run; a warning does not. */
  readonly fails: boolean;
  readonly detail: string;
  /** The group of boundary values in which it was sent first. */
  readonly within?: string;
  readonly walk?: string;
  /** Nothing that was sent meets the requirement. */
  readonly everywhere?: true;
  /** The baseline never sent it. */
  readonly first?: true;
}

/** The requirement of findings of the run itself; it is not in the catalogue. */
export const OF_RUN = 'RUN';

/** The end of the run: it is compared with that of the baseline, and no list excuses it. */
export const END_OF_RUN = `${OF_RUN}/end`;

/** The findings of the run itself that a list may excuse, by the operation of its entry. */
export const LISTED_OF_RUN = ['createCall', 'target', 'flaky'] as const;

type FoundDeviation = Deviation & Partial<FoldedFinding>;

function keyedOf(requirement: string, operation: string, found: FoundDeviation, at: number): KeyedFinding {
  const { within, walk } = found;
  const identity = identityOf(found);
  return {
    ...{ requirement, operation, case: caseId(requirement, operation), at, fails: true, ...identity },
    detail: deviationPhrase(identity),
    ...withoutUndefined({ within: within && stable(within), walk }),
  };
}

/** The findings of the run itself. */
function ofRun({
  endedEarly,
  openCalls = [],
  unrestored = [],
  strict,
  intermittent,
}: Results): readonly KeyedFinding[] {
  const keyed = (operation: string, stimulus: string, expected: string, actual: string) =>
    keyedOf(OF_RUN, operation, { stimulus, expected, actual, where: 'the run' }, 0);
  return [
    ...(endedEarly === null ? [] : [keyed('end', 'the plan', 'a run to its end', endedEarly)]),
    ...openCalls.map(({ stimulus, known }) =>
      keyed('createCall', stimulus, 'a call that is closed', `a create call that ${known}`),
    ),
    ...unrestored.map((sentence) =>
      keyed('target', 'the values before the run', 'the values before the run', sentence),
    ),
    ...(strict ? intermittent : []).map(({ symptom }) => keyed('flaky', 'each sending', 'no symptom', symptom)),
  ].map((told, at) => ({ ...told, at }));
}

/** All findings of a run, in the order of its cases; those of the run itself come last. */
export function keyedIn(results: Results): readonly KeyedFinding[] {
  const found = allCases(results).flatMap(({ requirement: { id }, result }) => {
    const { operation, verdict, findings, reason = verdict, everywhere } = result;
    const fails = isFailing(verdict, results);
    const whole = { fails, ...(everywhere && { everywhere }) };
    if (findings.length > 0) return findings.map((each, at) => ({ ...keyedOf(id, operation, each, at), ...whole }));
    // A case without findings fails if the suite itself broke.
    const broken = { stimulus: 'the case', expected: 'a verdict', actual: reason, where: 'the suite' };
    return fails ? [keyedOf(id, operation, broken, 0)] : [];
  });
  return [...found, ...ofRun(results)];
}

/** Equal for the same finding in two runs. */
export const keyOf = (told: KeyedFinding): string => JSON.stringify([told.case, told.stimulus, likeness(told)]);

/** How the request of a finding is identified. */
export type SentAs = Pick<KeyedFinding, 'requirement' | 'operation' | 'stimulus' | 'within' | 'walk'>;

/** Makes a function that says whether these results sent what shows a finding of another run, of any seed. */
export function askedIn(results: Results, compared: Results): (told: SentAs) => boolean {
  const asked = new Set(
    results.sent.flatMap(({ operation, stimuli }) => stimuli.map((stimulus) => `${operation}: ${stable(stimulus)}`)),
  );
  const isSameDraw = results.seed === compared.seed && results.explore === compared.explore;
  return ({ requirement, operation, stimulus, within, walk }) => {
    if (requirement === OF_RUN || results.traffic !== undefined) return true;
    if (walk !== undefined) return isSameDraw;
    // A stimulus of another operation names that operation.
    return [stimulus, within].some((text) => asked.has(`${operation}: ${text}`) || asked.has(`${text}`));
  };
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

type RunLine = Pick<Results, 'verdict' | 'target' | 'profile' | 'seed' | 'explore'> & { readonly version: string };

/** The lists of a comparison in order, with their titles; `inGate` are those whose entries a gate lists itself. */
const COMPARED_LISTS = [
  { name: 'new', title: 'New findings', inGate: true },
  { name: 'noLongerJudged', title: 'No longer judged', inGate: true },
  { name: 'newWarnings', title: 'New warnings', inGate: false },
  { name: 'known', title: 'Known findings', inGate: true },
  { name: 'gone', title: 'Gone', inGate: true },
  { name: 'notAskedAgain', title: 'Found before, and not asked again', inGate: false },
  { name: 'newlyJudged', title: 'Newly judged', inGate: false },
] as const;

/** The lists of findings among them; the others list cases. */
type FindingList = Exclude<(typeof COMPARED_LISTS)[number]['name'], 'noLongerJudged' | 'newlyJudged'>;

/** The difference between two runs, as comparison.json holds it; lists follow the order of the plan. */
export interface Comparison extends Readonly<Record<FindingList, readonly KeyedFinding[]>> {
  readonly format: 'pcs-conformance/comparison@2';
  readonly baseline: RunLine;
  readonly current: RunLine;
  readonly noLongerJudged: readonly Change[];
  readonly newlyJudged: readonly Change[];
  /** Choices that changed, by gap and operation. */
  readonly drift: readonly Drift[];
  /** `false` if one of the runs recorded no choices. */
  readonly choicesCompared: boolean;
  /** Phrases: how the plan of the current run differs. */
  readonly plan: readonly string[];
  /** Whether there is a finding that the baseline does not have, or a case that is no longer judged. */
  readonly worse: boolean;
}

/** Whether a finding replaces an earlier one: the same stimulus, or part of the group of values that failed before. */
const hasBecome = (old: KeyedFinding, keyedFinding: KeyedFinding): boolean =>
  old.case === keyedFinding.case &&
  (old.stimulus === keyedFinding.stimulus ||
    (old.within === keyedFinding.stimulus && old.detail === keyedFinding.detail));

/** The former answer, and to which part of the stimuli, unless to all of them. */
const wasPhrase = (was: readonly KeyedFinding[]): string =>
  was.map(({ actual, stimulus, within }) => (within === undefined ? actual : `${actual} (${stimulus})`)).join('; ');

/** The findings of two runs: new and known findings of the current run, mere warnings, and those that are gone. */
function findingLists(
  baseline: Results,
  current: Results,
  now: ReadonlyMap<string, CaseResult>,
): Pick<Comparison, FindingList> {
  const [before, told] = [keyedIn(baseline), keyedIn(current)];
  const [old, keys] = [new Set(before.map(keyOf)), new Set(told.map(keyOf))];
  const [wasAsked, isAsked] = [askedIn(baseline, current), askedIn(current, baseline)];
  const fresh = told.flatMap((finding) =>
    old.has(keyOf(finding)) ? [] : [{ ...finding, ...(wasAsked(finding) ? {} : { first: true as const }) }],
  );
  const isJudged = ({ requirement, case: id }: KeyedFinding): boolean =>
    requirement === OF_RUN || standingOf(now.get(id), current) !== 'not judged';
  const over = before.filter((finding) => finding.fails && !keys.has(keyOf(finding)) && isJudged(finding));
  // The same stimulus shows more or something else: that is new, and nothing is gone.
  const changed = fresh
    .filter(({ fails }) => fails)
    .map((finding) => ({ finding, was: over.filter((old) => hasBecome(old, finding)) }));
  const ended = over.filter((old) => !changed.some(({ was }) => was.includes(old)));
  return {
    new: changed.map(({ finding, was }) =>
      was.length === 0 ? finding : { ...finding, detail: `${finding.detail}; before ${wasPhrase(was)}` },
    ),
    newWarnings: fresh.filter(({ fails }) => !fails),
    known: told.filter((finding) => finding.fails && old.has(keyOf(finding))),
    gone: ended.filter(isAsked),
    notAskedAgain: ended.filter((finding) => !isAsked(finding)),
  };
}

/** Compares two runs. */
export function compareRuns(baseline: JudgedRun, current: JudgedRun): Comparison {
  const [before, now] = [casesById(baseline.results), casesById(current.results)];
  const lineOf = (results: Results): RunLine => {
    return { ...picked(results, ['verdict', 'target', 'profile', 'seed', 'explore']), version: results.suite.version };
  };
  const found = findingLists(baseline.results, current.results, now);
  const ids = [...new Set([...now.keys(), ...before.keys()])];
  const moved = ids.map((id) => {
    const [was, is] = [standingOf(before.get(id), baseline.results), standingOf(now.get(id), current.results)];
    return { id, was, is, isLost: is === 'not judged' && (now.has(id) || !mayLeavePlan(id, current.results)) };
  });
  const noLongerJudged = moved
    .filter(({ was, isLost }) => was !== 'not judged' && isLost)
    .map(({ id }) => ({ case: id, detail: reasonIn(now.get(id), 'no longer in the plan') }));
  const newlyJudged = moved
    .filter(({ was, is }) => was === 'not judged' && is === 'passing')
    .map(({ id }) => ({ case: id, detail: `was ${reasonIn(before.get(id), 'not in the plan')}` }));
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

const reasonIn = (result: CaseResult | undefined, absent: string): string =>
  result?.reason ?? result?.verdict ?? absent;

/** Whether a case may leave the plan: recordings differ in content, and this version may lack the requirement. */
const mayLeavePlan = (id: string, { traffic }: Results): boolean =>
  traffic !== undefined || requirementById(requirementOf(id)) === undefined;

/** A gap that only one of the runs observed is not drift: nothing says that the target chose differently before. */
function driftOf(baseline: readonly Choice[], current: readonly Choice[]): readonly Drift[] {
  const placeOf = ({ gap, operation }: Choice): string => `${gap}/${operation}`;
  const earlier = groupBy(baseline, placeOf);
  return [...groupBy(current, placeOf)].flatMap(([place, choices]): readonly Drift[] => {
    const was = (earlier.get(place) ?? []).map(({ choice }) => choice);
    const is = choices.map(({ choice }) => choice);
    const [before, now] = [was.filter((choice) => !is.includes(choice)), is.filter((choice) => !was.includes(choice))];
    if (was.length === 0 || before.length + now.length === 0) return [];
    return [{ ...picked(choices[0], ['gap', 'operation']), before, now }];
  });
}

/**
 * How the two runs were asked differently, by the names of results.json. A case that only the baseline has is listed as
 * no longer judged.
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

function comparisonSummary({ new: fresh, noLongerJudged, newWarnings, drift, choicesCompared }: Comparison): string {
  const lost = noLongerJudged.length === 0 ? '' : `, ${counted(noLongerJudged.length, 'case')} no longer judged`;
  const warns = newWarnings.length === 0 ? '' : `, ${counted(newWarnings.length, 'new warning')}`;
  const choices = drift.length === 0 ? '' : `, ${counted(drift.length, 'choice')} changed`;
  const summary = `${fresh.length === 0 ? 'Nothing new' : counted(fresh.length, 'new finding')}${lost}${warns}${choices}.`;
  return choicesCompared ? summary : `${summary} Choices were not compared: one of the runs has no choices.json.`;
}

/** The comparison in groups for the reports; operations that changed their choice in the same way share an entry. */
export function differenceOf(comparison: Comparison): Difference {
  const joined = (words: readonly string[]): string => words.join(', ') || 'not recorded';
  const alike = groupBy(comparison.drift, ({ gap, before, now }) => JSON.stringify([gap, before, now]));
  const drift = [...alike.values()].map((drifts) => {
    const [{ gap, before, now }] = drifts;
    const operations = drifts.map(({ operation }) => operation).join(', ');
    return { name: gap, detail: `was ${joined(before)}, is ${joined(now)} (${operations})` };
  });
  const plan = comparison.plan.map((name) => ({ name, detail: '' }));
  const groups: readonly DifferenceGroup[] = [
    ...COMPARED_LISTS.map(({ name: list, title, inGate }) => {
      const entries = [...groupBy(comparison[list], (entry) => entry.case)].flatMap(([name, equal]) =>
        foldedChanges<Change>(equal).map(({ phrase: detail }) => ({ name, detail })),
      );
      return { title, inGate, count: comparison[list].length, entries };
    }),
    { title: 'Changed choices', inGate: false, count: comparison.drift.length, entries: drift },
    { title: 'Changed plan', inGate: false, count: plan.length, entries: plan },
  ];
  const { newWarnings } = comparison;
  return {
    summary: comparisonSummary(comparison),
    groups: groups.filter(({ entries }) => entries.length > 0),
    newWarnings,
  };
}

/** What changed, as a separate report. */
export const comparisonDocument = ({ summary, groups }: Difference): Document => ({
  title: 'Changes since the baseline',
  lead: [[summary]],
  parts: differenceParts(groups),
});

/** Where a case stands; a warning counts as passing unless the run is strict. */
export type Standing = 'failing' | 'passing' | 'not judged';

/** The standing of a case; one that is not in the plan is not judged. */
export function standingOf(result: CaseResult | undefined, results: Results): Standing {
  if (result === undefined) return 'not judged';
  if (isFailing(result.verdict, results)) return 'failing';
  return result.verdict === 'pass' || result.verdict === 'warning' ? 'passing' : 'not judged';
}

/** The cases of the results by id. */
export const casesById = (results: Results): ReadonlyMap<string, CaseResult> =>
  new Map(allCases(results).map(({ result }) => [result.id, result]));
