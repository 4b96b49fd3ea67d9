/** Why a run came out as it did, by likely cause. */

import { type RequirementId, requirementById } from '../../suites/catalogue.ts';
import { SHOWN, TRIALS } from '../contract/limits.ts';
import { firstOf, groupBy } from '../contract/lists.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Requirement } from '../run/requirement.ts';
import { byExample } from '../verdict/folded.ts';
import { suspectsIn } from '../verdict/outage.ts';
import { caseId } from '../verdict/record.ts';
import type { CaseResult, FoldedFinding, Results } from '../verdict/results.ts';
import {
  type CaseOfRequirement,
  exampleOf,
  failingCases,
  isFailing,
  knownIn,
  type OpenGroup,
  openGroups,
  operationName,
  type RunArtefacts,
  warningCases,
} from './model.ts';
import { counted } from './text.ts';

/** Cases of one requirement that probably have one cause, as every report prints them. */
export interface Cause {
  /** The first of the cases in the order of the plan. */
  readonly first: CaseOfRequirement;
  /** Where it was seen: `getTrunk and 3 more operations`. */
  readonly places: string;
  /** Of findings that say the same, the one whose example shows it best; absent if the suite itself broke. */
  readonly finding: FoldedFinding | undefined;
  /** How much it explains: `one cause, 12 cases; with AUTH-SECRET, AUTH-SCHEME`. */
  readonly extent: string;
  /** Cases. */
  readonly size: number;
  /** `true` under a gate, where known failures are no cause. */
  readonly isNew: boolean;
}

/** Responses that deviate in the same way probably have one cause, on whatever operation and in whatever part. */
function likelyCause({ requirement, one }: CaseOfRequirement): string {
  const [finding] = one.findings;
  const what = finding === undefined ? [one.reason ?? ''] : [finding.expected, finding.actual];
  return JSON.stringify([requirement.id, one.verdict, ...what]);
}

const isOfStatus = ({ findings }: CaseResult): boolean => findings.some(({ where }) => where === 'the status');

/**
 * For each case the failure from which it follows, or itself: the requirement names it in `explainedBy`, and it fails on
 * the same operation. A body that is no envelope does not explain that an invalid id was accepted, so what a status shows
 * follows from another status alone.
 */
function rootsOf(cases: readonly CaseOfRequirement[]): ReadonlyMap<CaseOfRequirement, CaseOfRequirement> {
  const byId = new Map(cases.map((own) => [own.one.id, own]));
  const rootOf = (own: CaseOfRequirement): CaseOfRequirement => {
    const { explainedBy = [] }: Partial<Requirement> = requirementById(own.requirement.id) ?? {};
    const reasons = explainedBy.flatMap((id) => byId.get(caseId(id, own.one.operation)) ?? []);
    const reason = reasons.find(({ one }) => isOfStatus(one) || !isOfStatus(own.one));
    return reason === undefined ? own : rootOf(reason);
  };
  return new Map(cases.map((own) => [own, rootOf(own)]));
}

/** The cause of these failures, of which the first are equal and the others follow from them. */
function causeOf(
  roots: readonly [CaseOfRequirement, ...CaseOfRequirement[]],
  all: readonly CaseOfRequirement[],
  run: RunArtefacts,
): Cause {
  const [first] = roots;
  const operations = [...new Set(roots.map(({ one }) => one.operation))];
  const others = operations.length > 1 ? ` and ${counted(operations.length - 1, 'more operation')}` : '';
  const finding = clearestOf(
    roots.flatMap(({ one }) => one.findings.slice(0, 1)),
    run,
  );
  const following = [...new Set(all.map(({ requirement }) => requirement.id))].filter(
    (id) => id !== first.requirement.id,
  );
  const follow = following.length === 0 ? '' : `; with ${firstOf(following, SHOWN.named)}`;
  return {
    first,
    places: `${operationName(first.one.operation)}${others}`,
    finding,
    extent: `${all.length > 1 ? 'one cause, ' : ''}${counted(all.length, 'case')}${follow}`,
    size: all.length,
    isNew: run.gate !== undefined && isFailing(first.one.verdict, run.results),
  };
}

/** Of findings that say the same, the one whose example shows it best. */
function clearestOf(findings: readonly FoldedFinding[], run: RunArtefacts): FoldedFinding | undefined {
  const shown = findings.map((finding) => ({ finding, exchange: exampleOf(finding, run) }));
  const known = shown.flatMap(({ finding, exchange }) => (exchange === undefined ? [] : [{ finding, exchange }]));
  const [best] = known.toSorted((a, b) => byExample(a.exchange, b.exchange));
  return best?.finding ?? findings[0];
}

const UNSERVED: RequirementId = 'PATH-SERVED';
const CRASHES: readonly RequirementId[] = ['NO-SERVER-ERROR', 'RESPONSE-COMPLETE'];

/**
 * Who may act and what leaks comes before everything else, then the paths without which nothing can be asked, then what
 * breaks the service, then what most cases show.
 */
function weightOf({ first: { requirement, one }, size: whole }: Cause): number {
  if (one.verdict === 'error') return 100_000;
  const size = Math.min(99, whole);
  if (requirement.level !== 'must') return size;
  const isSecurity = requirement.section === '5' || requirementById(requirement.id)?.seeks !== undefined;
  const isCrash = CRASHES.some((id) => id === requirement.id);
  const rank = isSecurity ? 1_000 : requirement.id === UNSERVED ? 500 : isCrash ? 100 : 0;
  return 10_000 + rank + size;
}

/** Cases by likely cause, the most telling first: one defect, with all that follows from it. */
export function causesOf(cases: readonly CaseOfRequirement[], run: RunArtefacts): readonly Cause[] {
  const roots = rootsOf(cases);
  const causes = [...groupBy([...new Set(roots.values())], likelyCause).values()].map((equal) =>
    causeOf(
      equal,
      cases.filter((own) => equal.includes(roots.get(own) ?? own)),
      run,
    ),
  );
  return causes.toSorted((a, b) => weightOf(b) - weightOf(a));
}

/** What the first screen says of a run. */
export interface Reasons {
  /** Why the verdict is what it is, in one sentence without a full stop. */
  readonly sentence: string;
  /** Failures by cause; warnings by cause if nothing fails. All of them, the most telling first. */
  readonly causes: readonly Cause[];
  /** What an incomplete run could not judge, by what would resolve it, the most cases first. */
  readonly open: readonly OpenGroup[];
  /** The requests around the moment at which the target stopped responding; none if it did not. */
  readonly lastRequests: readonly Exchange[];
}

/** The reasons of a run's verdict. */
export function reasonsOf(run: RunArtefacts): Reasons {
  const { results } = run;
  const failing = failingCases(results);
  const known = knownIn(run);
  const fresh = failing.filter(({ one }) => !known.has(one.id));
  const causes = causesOf(failing.length > 0 ? fresh : warningCases(results), run);
  const lastRequests = lastRequestsOf(run);
  const isOpen = results.verdict === 'incomplete' && results.endedEarly === null;
  const open = isOpen ? openGroups(results, 'inconclusive') : [];
  return {
    sentence: sentenceOf(
      results,
      failing.length,
      run.gate === undefined ? causes.length : null,
      lastRequests.length > 0,
    ),
    causes,
    open: open.toSorted((a, b) => b.size - a.size),
    lastRequests,
  };
}

/** Below the verdict stand the causes, so that a list of cases would say the same again. A crash is always told first. */
function sentenceOf(
  { verdict, reason, endedEarly }: Results,
  failing: number,
  causes: number | null,
  isGone: boolean,
): string {
  const verb = failing === 1 ? 'fails' : 'fail';
  const isList = failing > 0 && verdict === 'non-conformant';
  const by = causes === null ? '' : `, with ${counted(causes, 'likely cause')}`;
  const short = isList ? `${counted(failing, 'case')} ${verb}${by}` : reason;
  return isGone && endedEarly !== null && reason !== endedEarly ? `${endedEarly}; ${short}` : short;
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
