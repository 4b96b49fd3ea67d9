/** What changed between two runs, as a report and as JSON. Pure: the same results give the same comparison. */

import { requirementById } from '../../suites/catalogue.ts';
import { picked } from '../contract/lists.ts';
import type { Document } from '../report/document.ts';
import { allCases, type Difference, type DifferenceGroup, isFailing } from '../report/model.ts';
import { differenceParts } from '../report/run-document.ts';
import { counted } from '../report/text.ts';
import type { Choice } from '../run/choices.ts';
import { requirementOf } from '../verdict/record.ts';
import type { CaseResult, FoldedFinding, Results } from '../verdict/results.ts';
import type { JudgedRun } from './own-files.ts';

/** A case that changed or still fails. */
export interface Change {
  readonly case: string;
  /** Why it fails or is not judged, or what it was before. */
  readonly detail: string;
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
  { name: 'newlyFailing', title: 'Newly failing', inGate: true },
  { name: 'failingDifferently', title: 'Failing differently', inGate: true },
  { name: 'noLongerJudged', title: 'No longer judged', inGate: true },
  { name: 'newlyWarning', title: 'Newly warning', inGate: false },
  { name: 'stillFailing', title: 'Still failing', inGate: true },
  { name: 'newlyPassing', title: 'Newly passing', inGate: true },
  { name: 'newlyJudged', title: 'Newly judged', inGate: false },
] as const;

type List = (typeof LISTS)[number]['name'];

/** The difference between two runs, as comparison.json holds it; lists follow the order of the current plan. */
export interface Comparison extends Readonly<Record<List, readonly Change[]>> {
  readonly format: 'pcs-conformance/comparison@1';
  readonly baseline: RunLine;
  readonly current: RunLine;
  /** Choices that changed, by gap and operation. */
  readonly drift: readonly Drift[];
  /** `false` if one of the runs recorded no choices. */
  readonly choicesCompared: boolean;
  /** Phrases: how the plan of the current run differs. */
  readonly plan: readonly string[];
  /** Whether anything fails that did not fail before, or is not judged that was. */
  readonly worse: boolean;
}

function listOf(before: Standing, now: Standing): List | null {
  if (now === 'failing') return before === 'failing' ? 'stillFailing' : 'newlyFailing';
  if (now === 'not judged') return before === 'not judged' ? null : 'noLongerJudged';
  if (before === 'passing') return null;
  return before === 'failing' ? 'newlyPassing' : 'newlyJudged';
}

function hasNewFinding(before: CaseResult, now: CaseResult): boolean {
  const known = signaturesOf(before);
  return signaturesOf(now).some((signature) => !known.some((one) => isSame(one, signature)));
}

function detailOf(list: List, before: CaseResult | undefined, now: CaseResult | undefined): string {
  if (list === 'newlyPassing' || list === 'newlyJudged') {
    return `was ${before?.verdict ?? 'not in the plan'}${before?.reason === undefined ? '' : `: ${before.reason}`}`;
  }
  return now === undefined ? 'no longer in the plan' : (now.reason ?? now.verdict);
}

/** Compares two runs. */
export function compareRuns(baseline: JudgedRun, current: JudgedRun): Comparison {
  const [before, now] = [casesById(baseline.results), casesById(current.results)];
  const lineOf = (results: Results): RunLine => {
    return { ...picked(results, ['verdict', 'target', 'profile']), version: results.suite.version };
  };
  const lists = Object.fromEntries(LISTS.map(({ name }): [List, Change[]] => [name, []])) as Record<List, Change[]>;
  for (const id of new Set([...now.keys(), ...before.keys()])) {
    const [old, one] = [before.get(id), now.get(id)];
    if (one === undefined && isLeftOut(id, current.results)) continue;
    const isWarning = one?.verdict === 'warning' && old?.verdict !== 'warning' && !current.results.strict;
    const moved = listOf(standingOf(old, baseline.results), standingOf(one, current.results));
    const standing = isWarning ? 'newlyWarning' : moved;
    if (standing === null) continue;
    const differs = standing === 'stillFailing' && old !== undefined && one !== undefined && hasNewFinding(old, one);
    const list = differs ? 'failingDifferently' : standing;
    lists[list].push({ case: id, detail: detailOf(list, old, one) });
  }
  return {
    format: 'pcs-conformance/comparison@1',
    baseline: lineOf(baseline.results),
    current: lineOf(current.results),
    ...lists,
    drift: driftOf(baseline.choices ?? [], current.choices ?? []),
    choicesCompared: baseline.choices !== undefined && current.choices !== undefined,
    plan: planChanges(baseline.results, current.results),
    worse: lists.newlyFailing.length + lists.failingDifferently.length + lists.noLongerJudged.length > 0,
  };
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

function summaryOf(comparison: Comparison): string {
  const { newlyFailing, failingDifferently, noLongerJudged, newlyWarning, drift, choicesCompared } = comparison;
  const fails = newlyFailing.length + failingDifferently.length;
  const lost = noLongerJudged.length === 0 ? '' : `, ${counted(noLongerJudged.length, 'case')} no longer judged`;
  const warns = newlyWarning.length === 0 ? '' : `, ${counted(newlyWarning.length, 'new warning')}`;
  const choices = drift.length === 0 ? '' : `, ${counted(drift.length, 'choice')} changed`;
  const summary = `${fails === 0 ? 'No new failures' : counted(fails, 'new failure')}${lost}${warns}${choices}.`;
  return choicesCompared ? summary : `${summary} Choices were not compared: one of the runs has no choices.json.`;
}

/** The comparison in groups for the reports. */
export function differenceOf(comparison: Comparison): Difference {
  const joined = (words: readonly string[]): string => words.join(', ') || 'nothing';
  const drift = comparison.drift.map(({ gap, operation, before, now }) => {
    return { name: `${gap}/${operation}`, detail: `was ${joined(before)}, is ${joined(now)}` };
  });
  const groups: readonly DifferenceGroup[] = [
    ...LISTS.map(({ name: list, title, inGate }) => {
      return { title, inGate, entries: comparison[list].map(({ case: name, detail }) => ({ name, detail })) };
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

/** What identifies a failure of a case: its finding without ids and positions, which change from run to run. */
export type Signature = Pick<FoldedFinding, 'expected' | 'actual'>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const POSITION = /\b(byte|position|offset|line|column|character|seq|request) \d+/gi;

const stable = (text: string): string => text.replace(UUID, 'an id').replace(POSITION, '$1 N');

/** Whether two signatures are the same failure. */
export function isSame(a: Signature, b: Signature): boolean {
  return a.expected === b.expected && a.actual === b.actual;
}

/** The signatures of a case, each once, in the order of its findings. */
export function signaturesOf(one: CaseResult): readonly Signature[] {
  const all = one.findings.map(({ expected, actual }) => ({ expected: stable(expected), actual: stable(actual) }));
  return all.filter((signature, at) => all.findIndex((other) => isSame(other, signature)) === at);
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
