/** Why a run came out as it did: its findings by likely cause, the most telling first, and what happened before a target stopped responding. */

import { groupBy } from '../contract/lists.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { FoldedFinding, Results } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';
import { allCases, type CaseOfRequirement, failingCases, type OpenGroup, openGroups, warningCases } from './cases.ts';
import { counted, cut, visible } from './text.ts';

/** Cases of one requirement that probably have one cause. */
export interface Cause {
  /** The first of the cases in the order of the plan. */
  readonly first: CaseOfRequirement;
  /** What shows the cause; absent if the suite itself broke. */
  readonly finding: FoldedFinding | undefined;
  /** The operations of the cases, in the order of the plan. */
  readonly operations: readonly string[];
  /** Ids of open cases that follow from this cause. */
  readonly explained: readonly string[];
}

/** So many causes stand on the first screen. */
export const MOST_TELLING = 3;

/** Responses that deviate in the same way probably have one cause, on whatever operation and in whatever part. */
function likelyCause({ requirement, one }: CaseOfRequirement): string {
  const [finding] = one.findings;
  const what = finding === undefined ? [one.reason ?? ''] : [finding.expected, finding.actual];
  return JSON.stringify([requirement.id, one.verdict, ...what]);
}

function causeOf(cases: readonly CaseOfRequirement[], open: readonly CaseOfRequirement[]): readonly Cause[] {
  const [first] = cases;
  if (first === undefined) return [];
  const operations = [...new Set(cases.map(({ one }) => one.operation))];
  const explained = open.filter(({ one }) => {
    return one.reason?.startsWith(`explained by ${first.requirement.id}:`) && operations.includes(one.operation);
  });
  const [finding] = first.one.findings;
  return [{ first, finding, operations, explained: explained.map(({ one }) => one.id) }];
}

const CRASHES: readonly string[] = ['NO-SERVER-ERROR', 'RESPONSE-COMPLETE'];

/** Who may act and what leaks comes before everything else, then what breaks the service, then what most cases show. */
function weightOf({ first: { requirement, one }, operations, explained }: Cause): number {
  if (one.verdict === 'error') return 100_000;
  const size = Math.min(99, operations.length + explained.length);
  if (requirement.level !== 'must') return size;
  const isSecurity = requirement.section === '5' || requirement.id.endsWith('-WITHHELD');
  return 10_000 + (isSecurity ? 1_000 : CRASHES.includes(requirement.id) ? 100 : 0) + size;
}

/** Cases by likely cause, the most telling first. */
export function causesOf(cases: readonly CaseOfRequirement[], results: Results): readonly Cause[] {
  const open = allCases(results).filter(({ one }) => one.verdict === 'inconclusive');
  const causes = [...groupBy(cases, likelyCause).values()].flatMap((own) => causeOf(own, open));
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
  const causes = causesOf(failing.length > 0 ? failing : warningCases(results), results);
  const lastRequests = lastRequestsOf(run);
  const isOpen = results.verdict === 'incomplete' && results.endedEarly === null;
  const open = isOpen ? openGroups(results, 'inconclusive') : [];
  return {
    sentence: sentenceOf(results, failing.length, causes.length, lastRequests.length > 0),
    causes,
    open: open.toSorted((a, b) => b.cases.length - a.cases.length),
    lastRequests,
  };
}

/** Below the verdict stand the causes, so that a list of cases would say the same again. A crash is always told first. */
function sentenceOf({ summary, endedEarly }: Results, failing: number, causes: number, isGone: boolean): string {
  const verb = failing === 1 ? 'fails' : 'fail';
  const isList = failing > 0 && /^\d+ cases? fails?: /.test(summary);
  const short = isList ? `${counted(failing, 'case')} ${verb}, with ${counted(causes, 'likely cause')}` : summary;
  return isGone && endedEarly !== null && !summary.startsWith(endedEarly) ? `${endedEarly}; ${short}` : short;
}

/** With so many requests without a response at the end of a run, the target counts as gone. */
const LEAST_SILENT = 3;
const BEFORE = 2;
const AFTER = 3;

/** The last requests that were answered and the first that were not, if the target stopped responding for good. */
function lastRequestsOf({ results, exchanges }: RunArtefacts): readonly Exchange[] {
  if (results.endedEarly === null) return [];
  const sent = exchanges.toSorted((a, b) => a.seq - b.seq);
  const first = sent.findLastIndex(({ response }) => response !== null) + 1;
  if (first === 0 || sent.length - first < LEAST_SILENT) return [];
  return sent.slice(Math.max(0, first - BEFORE), first + AFTER);
}

const BODY_CHARACTERS = 160;

/** A request on one line: method, path, and the beginning of its body. */
export function requestLine({ request: { method, path, body } }: Exchange): string {
  const text = body?.text === undefined ? '' : ` ${cut(body.text, BODY_CHARACTERS)}`;
  return visible(`${method} ${cut(path, BODY_CHARACTERS)}${text}`);
}

/** Where a deviation was seen, in brackets; nothing where the deviation says so itself. */
export function placeOf({ where }: FoldedFinding): string {
  return where === 'the status' || where === 'the response' ? '' : ` (${where})`;
}

/** What came of a request, in some words. */
export function outcomeLine({ response, failure }: Exchange): string {
  return response === null ? visible(`no response: ${failure?.detail ?? 'unknown'}`) : `status ${response.status}`;
}

/** How much a cause explains: `one cause, 12 cases`. */
export function extentOf({ operations, explained }: Cause): string {
  const follow = explained.length === 0 ? '' : `; ${counted(explained.length, 'open case')} explained by it`;
  const cases = counted(operations.length, 'case');
  return `${operations.length > 1 ? 'one cause, ' : ''}${cases}${follow}`;
}

/** Where a cause was seen: `getTrunk and 3 more operations`. */
export function placesOf({ operations: [first = '', ...others] }: Cause): string {
  const name = first === 'undocumented' ? 'other requests' : first;
  return others.length === 0 ? name : `${name} and ${counted(others.length, 'more operation')}`;
}
