/** Why a run came out as it did, by likely cause. */

import { requirementById } from '../../suites/catalogue.ts';
import type { RequirementId } from '../../suites/report-order.ts';
import { SHOWN, TRIALS } from '../contract/limits.ts';
import { counted, firstOf, groupBy } from '../contract/lists.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Requirement } from '../run/requirement.ts';
import { isAccepted } from '../verdict/answer.ts';
import { byExample, sentPhrase } from '../verdict/folded.ts';
import { contrast, isOfContent } from '../verdict/identity.ts';
import { suspectsIn } from '../verdict/outage.ts';
import { caseId } from '../verdict/record.ts';
import type { CaseResult, FoldedFinding } from '../verdict/results.ts';
import {
  type CaseOfRequirement,
  exampleOf,
  failingCases,
  gatedOf,
  isFailing,
  openGroups,
  operationName,
  type RunArtefacts,
  warningCases,
} from './model.ts';

/** Findings of one requirement that every reader counts as one defect, as every report prints them. */
export type Cause = ReturnType<typeof sharedCause>;

/** Findings of a case that deviate in the same way: a single one, or all if nothing meets the requirement. */
interface Share {
  readonly testCase: CaseOfRequirement;
  readonly findings: readonly FoldedFinding[];
}

type Rooted = Readonly<Record<'share' | 'root', Share>>;

function sharesOf(testCase: CaseOfRequirement): readonly Share[] {
  const { findings, everywhere } = testCase.result;
  if (findings.length === 0) return [{ testCase, findings }];
  const alike = groupBy(findings, (finding) => (everywhere === undefined ? finding : contrast(finding)));
  return [...alike.values()].map((equal) => ({ testCase, findings: equal }));
}

/**
 * The same deviation after the same stimulus is one defect, on any operation and in any part of the response. Two
 * stimuli are two defects, unless nothing that was sent meets the requirement. If an operation had to reject the
 * caller, the status with which it accepts makes no difference.
 */
function likelyCause({ testCase: { requirement, result }, findings: [finding] }: Share): string {
  const stimulus = result.everywhere ? '' : finding?.stimulus;
  const actual = requirement.section === '5' ? '' : finding?.actual;
  const place = isOfCrash(requirement.id) ? result.operation : '';
  const what =
    finding === undefined ? [result.reason] : [finding.expected, actual, stimulus, result.everywhere && place];
  return JSON.stringify([requirement.id, result.verdict, ...what]);
}

const isOfStatus = ({ findings }: CaseResult): boolean => findings.some(({ where }) => where === 'the status');

/**
 * For each case the failure that explains it, or itself: one of its requirement's `explainedBy` that fails on the same
 * operation. A body that is no envelope does not explain an accepted invalid id, so a finding about a status is only
 * explained by another about a status.
 */
function rootsIn(cases: readonly CaseOfRequirement[]): (testCase: CaseOfRequirement) => CaseOfRequirement {
  const byId = new Map(cases.map((testCase) => [testCase.result.id, testCase]));
  const rootOf = (caseOfRequirement: CaseOfRequirement): CaseOfRequirement => {
    const { explainedBy = [] }: Partial<Requirement> = requirementById(caseOfRequirement.requirement.id) ?? {};
    const reasons = explainedBy.flatMap((id) => byId.get(caseId(id, caseOfRequirement.result.operation)) ?? []);
    const reason = reasons.find(({ result }) => isOfStatus(result) || !isOfStatus(caseOfRequirement.result));
    return reason === undefined ? caseOfRequirement : rootOf(reason);
  };
  return rootOf;
}

/** The cause of these findings, each with the finding that explains it, or itself. */
function sharedCause(all: readonly [Rooted, ...Rooted[]], run: RunArtefacts) {
  const roots = [...new Set(all.map(({ root }) => root))];
  const findings = roots.flatMap((share) => share.findings);
  const finding = clearestOf(findings, run);
  // The operation named is that of the request shown: a card on updateVoiceApplication showed a request to a trunk.
  const shown = roots.find((share) => finding !== undefined && share.findings.includes(finding));
  const first = (shown ?? all[0].root).testCase;
  const operations = [...new Set(roots.map(({ testCase }) => testCase.result.operation))];
  const more = operations.length > 1 ? ` and ${counted(operations.length - 1, 'more operation')}` : '';
  const ids = new Set(all.map(({ share }) => share.testCase.requirement.id));
  ids.delete(first.requirement.id);
  const follow = ids.size === 0 ? '' : `; with ${firstOf([...ids], SHOWN.named)}`;
  const size = new Set(all.map(({ share }) => share.testCase.result.id)).size;
  const isNew = run.gate !== undefined && isFailing(first.result.verdict, run.results);
  return {
    /** The case that shows it best. */
    first,
    /** Operations on which it was seen. */
    operations,
    /** The operations in words: `getTrunk and 3 more operations`. */
    places: `${operationName(first.result.operation)}${more}`,
    /** The stimuli by name; `whatever was sent` if nothing meets the requirement. */
    sent: `${first.result.everywhere ? 'whatever was sent, such as ' : ''}${finding === undefined ? '' : sentPhrase(finding)}`,
    /** The finding whose example shows the cause best; absent if the suite itself broke. */
    finding,
    /** How much it explains: `one cause, 12 cases; with AUTH-SECRET, AUTH-SCHEME`. */
    extent: `${size > 1 ? 'one cause, ' : ''}${counted(size, 'case')}${follow}`,
    size,
    /** Equal for causes of a requirement that show the same and are equally new. */
    shows: JSON.stringify([first.requirement.id, finding && contrast(finding), isNew]),
    /** Whether a valid request shows it, too: then the other stimuli explain nothing. */
    isPlain: findings.some((told) => exampleOf(told, run)?.tag.control),
    /** `true` under a gate, where known findings are not causes. */
    isNew,
  };
}

/** Of findings that say the same, the one with the best example. */
function clearestOf(findings: readonly FoldedFinding[], run: RunArtefacts): FoldedFinding | undefined {
  const shown = findings.flatMap((finding) => exampleOf(finding, run) ?? []);
  const [best] = shown.toSorted(byExample);
  return findings.find(({ example }) => example === best?.seq) ?? findings[0];
}

const UNSERVED: RequirementId = 'PATH-SERVED';
const CRASHES: readonly RequirementId[] = ['NO-SERVER-ERROR', 'RESPONSE-COMPLETE'];
const isOfCrash = (id: string): boolean => CRASHES.some((crash) => crash === id);

/** Whether what shows a finding is an answer that accepted the request. */
function isOfAcceptance(finding: FoldedFinding, run: RunArtefacts): boolean {
  const example = exampleOf(finding, run);
  return example !== undefined && isAccepted(example);
}

/**
 * Access control and leaks come first, then the paths without which nothing can be asked, then what breaks the service,
 * then what most cases show.
 */
function causeWeight({ first: { requirement, result }, size: whole }: Cause): number {
  if (result.verdict === 'error') return 100_000;
  const size = Math.min(99, whole);
  if (requirement.level !== 'must') return size;
  const isSecurity = requirement.section === '5' || requirementById(requirement.id)?.seeks !== undefined;
  const rank = isSecurity ? 1_000 : requirement.id === UNSERVED ? 500 : isOfCrash(requirement.id) ? 100 : 0;
  return 10_000 + rank + size;
}

/** Findings by likely cause, the most telling first: one defect, with everything that follows from it. */
export function causesOf(cases: readonly CaseOfRequirement[], run: RunArtefacts): readonly Cause[] {
  const rootIn = rootsIn(cases);
  const shares = new Map(cases.map((testCase) => [testCase, sharesOf(testCase)]));
  const isShared = (a: Share, b: Share): boolean =>
    a.findings.some(({ stimulus, exchanges }) =>
      b.findings.some(
        (finding) => finding.stimulus === stimulus || exchanges.some((seq) => finding.exchanges.includes(seq)),
      ),
    );
  const rootOf = (share: Share): Share => {
    const root = rootIn(share.testCase);
    const of = root === share.testCase ? [] : (shares.get(root) ?? []);
    const shared = of.find((candidate) => isShared(candidate, share));
    // An accepted value was attributed to a 500 to arrays 2,000 deep.
    const isOther = isOfCrash(root.requirement.id) && share.findings.some((finding) => isOfAcceptance(finding, run));
    return shared ?? (isOther ? undefined : of[0]) ?? share;
  };
  const rooted = [...shares.values()].flat().map((share) => ({ share, root: rootOf(share) }));
  const causes = [...groupBy(rooted, ({ root }) => likelyCause(root)).values()].map((equal) => sharedCause(equal, run));
  return causes.toSorted((a, b) => causeWeight(b) - causeWeight(a));
}

/**
 * Causes by what they all show: the same wrong content of answers, whatever was sent (one leaked credential gave 20
 * cards). Wrong statuses may each have another cause, except for values of the same request (a column of 255 characters
 * gave one card for 300 letters and another for 5,000), or if a valid request shows them, too (an operation that
 * answered 500 to every request with the valid credential gave 43 cards).
 */
export function alikeIn(causes: readonly Cause[]): readonly (readonly [Cause, ...Cause[]])[] {
  const keyOf = (cause: Cause): Cause | string => {
    const { finding, shows, places, operations } = cause;
    if (finding !== undefined && isOfContent(finding)) return shows;
    const plain = causes.find(
      (one) => one.isPlain && one.shows === shows && operations.every((id) => one.operations.includes(id)),
    );
    return plain ?? (finding?.within === undefined ? cause : JSON.stringify([shows, places, finding.within]));
  };
  // The valid request is shown.
  return [...groupBy(causes, keyOf).values()].map((alike) => {
    const [first = alike[0], ...others] = alike.toSorted((a, b) => Number(b.isPlain) - Number(a.isPlain));
    return [first, ...others];
  });
}

/** A failing case with its new findings; without a gate the whole case, and nothing if all are known. */
function newPart(caseOfRequirement: CaseOfRequirement, run: RunArtefacts): readonly CaseOfRequirement[] {
  if (run.gate === undefined || caseOfRequirement.result.findings.length === 0) return [caseOfRequirement];
  const findings = gatedOf(caseOfRequirement.result, run).newFindings;
  return findings.length === 0 ? [] : [{ ...caseOfRequirement, result: { ...caseOfRequirement.result, findings } }];
}

/**
 * What the first screen says about a run: why it has its verdict. The causes follow, so a list of cases would repeat
 * them. A crash always comes first.
 */
export function reasonsOf(run: RunArtefacts) {
  const { results, gate } = run;
  const { verdict, reason, endedEarly } = results;
  const failing = failingCases(results);
  const told = failing.length > 0 ? failing.flatMap((testCase) => newPart(testCase, run)) : warningCases(results);
  const causes = causesOf(told, run);
  const lastRequests = lastRequestsOf(run);
  const open = verdict === 'incomplete' && endedEarly === null ? openGroups(results, 'inconclusive') : [];
  const by = gate === undefined ? `, with ${counted(alikeIn(causes).length, 'likely cause')}` : '';
  const isCrash = lastRequests.length > 0 && reason !== endedEarly;
  // After the names of the cases, the reason says that the run ended early, or that the target looks like a mock.
  const more = isCrash ? '' : reason.replace(/^[^;]*/, '');
  const cases = `${counted(failing.length, 'case fails', 'cases fail')}${by}${more}`;
  const short = failing.length > 0 && verdict === 'non-conformant' ? cases : reason;
  return {
    /** Why the verdict is what it is, without a full stop. */
    sentence: isCrash ? `${endedEarly}; ${short}` : short,
    /** Failures by cause; warnings by cause if nothing fails. All of them, the most telling first. */
    causes,
    /** What an incomplete run could not judge, by remedy, the most cases first. */
    open: open.toSorted((a, b) => b.size - a.size),
    /** The requests around the point at which the target stopped responding; none if it did not. */
    lastRequests,
  };
}

/** The requests from the first suspect on, if the target stopped responding for good. */
function lastRequestsOf({ results, exchanges }: RunArtefacts): readonly Exchange[] {
  if (results.endedEarly === null) return [];
  const sent = exchanges.toSorted((a, b) => a.seq - b.seq);
  const first = sent.findLastIndex(({ response }) => response !== null) + 1;
  if (first === 0 || sent.length - first < TRIALS.rule) return [];
  const [suspect] = suspectsIn(sent);
  const from = suspect === undefined ? first : sent.indexOf(suspect);
  return sent.slice(from, from + SHOWN.lastRequests);
}
