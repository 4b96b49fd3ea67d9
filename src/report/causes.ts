/** Why a run came out as it did, by likely cause, and the commands that a reader can paste to see it again. */

import { requirementById } from '../../suites/catalogue.ts';
import { ON_USED_CONNECTION } from '../../suites/expect/rejection.ts';
import { SHOWN, TRIALS } from '../contract/limits.ts';
import { firstOf, groupBy } from '../contract/lists.ts';
import { RUN_DEFAULTS } from '../contract/settings.ts';
import { curlCommand } from '../exchange/curl.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import type { Requirement } from '../run/requirement.ts';
import { byExample } from '../verdict/case.ts';
import { suspectsIn } from '../verdict/outage.ts';
import { caseId } from '../verdict/record.ts';
import type { CaseResult, FoldedFinding, Results } from '../verdict/results.ts';
import { COMMAND, shellWord } from './command-line.ts';
import type { GoneFailure } from './gate.ts';
import {
  type CaseOfRequirement,
  exampleOf,
  failingCases,
  isFailing,
  knownIn,
  type OpenCases,
  openGroups,
  operationName,
  type RunArtefacts,
  reasonOf,
  warningCases,
} from './model.ts';
import { counted, cut, visible, visibleShell } from './text.ts';

const DEFAULT_FOLDER = 'conformance-report';

function shellLine(words: readonly string[]): string {
  return visibleShell([COMMAND, ...words.map(shellWord)].join(' '));
}

/** What a command says besides: a walk instead of the whole exploration, a folder for its reports, a file of settings. */
type More = Partial<Readonly<Record<'path' | 'reportDir' | 'settingsFile', string | undefined>>>;

/** The command that repeats a run with the same settings, of all cases or of these alone. */
export function runCommand(results: Results, only: readonly string[], more: More = {}): string {
  const { path, reportDir, settingsFile } = more;
  const { without, strict, requireComplete, seed, explore, traffic } = results;
  if (traffic !== undefined && only.length === 0) return shellLine(['judge', ...traffic.files]);
  // Whether the target does it still, only a run can tell.
  const profile = traffic === undefined ? results.profile : 'full';
  return shellLine([
    ...['run', ...targetOf(results), '--profile', profile],
    ...(without.length === 0 ? [] : ['--without', without.join(',')]),
    ...(only.length === 0 ? [] : ['--only', only.join(',')]),
    ...(traffic === undefined ? ['--seed', String(seed)] : []),
    ...(path === undefined ? [] : ['--path', path]),
    ...(path !== undefined || explore === RUN_DEFAULTS.explore || traffic !== undefined
      ? []
      : ['--explore', String(explore)]),
    ...(strict ? ['--strict'] : []),
    ...(requireComplete === true ? ['--require-complete'] : []),
    ...(reportDir === undefined ? [] : ['--report-dir', reportDir]),
    ...(settingsFile === undefined ? [] : ['--settings', settingsFile]),
  ]);
}

/** A pasted command needs no settings but the credential; a token in the address was redacted, and must be configured. */
const targetOf = ({ target }: Results): readonly string[] => (target.includes('⟦') ? [] : ['--base-url', target]);

/** The command that judges a case again, by the walk that failed if it was one; the reports of the run stay as they are. */
export function rerunCommand(one: CaseResult, run: RunArtefacts): string {
  const { results, settingsFile } = run;
  const folder = (run.folder ?? DEFAULT_FOLDER).replace(/(?<=.)\/+$/, '');
  const path = exampleOf(one.findings[0], run)?.tag.origin?.path;
  return runCommand(results, [one.id], { path, reportDir: `${folder}/rerun`, settingsFile });
}

/** A known failure that is gone, with the line that takes it off the list. */
export function gonePhrase({ detail, remove, file }: GoneFailure, { folder }: Pick<RunArtefacts, 'folder'>): string {
  const reports = folder ?? DEFAULT_FOLDER;
  return remove === 'baseline'
    ? `${detail} and passes now: make ${reports} the next baseline`
    : `${detail}: no longer so; remove the entry with ${shellLine(['expect', 'prune', reports, ...(file === undefined ? [] : ['--file', file])])}`;
}

/** Header fields that name the run; a line to try by hand is shorter without them. */
const RUN_FIELDS: readonly string[] = ['user-agent', 'x-conformance-case', 'traceparent'];

/** The id under which the service's own traces show a request, or nothing in a certification. */
export const traceOf = ({ request }: Exchange): string | undefined =>
  headerValue(request.headers, 'traceparent')?.split('-')[1];

/**
 * Takes a variable from `.env` where the shell does not have it, without the quotes around it and what follows these; without
 * either nothing is sent, where an empty token would show 401.
 */
function fromFile(name: string, file: string): string {
  const bare = `sed -e "s/^'\\(.*\\)'.*/\\1/" -e t -e 's/^"\\(.*\\)".*/\\1/'`;
  const value = `sed -n 's/^${name}=//p' ${shellWord(file)} 2>/dev/null | tr -d '\\r' | ${bare}`;
  return `: "\${${name}:=$(${value})}" "\${${name}:?is not set}"; `;
}

/**
 * The request of an exchange as a shell command; the credential comes from the environment, or from the file of settings.
 * `where` a finding is says whether the valid request has to come first, on the same connection.
 */
export function curlLine(
  exchange: Exchange,
  { results, settingsFile = '.env' }: Pick<RunArtefacts, 'results' | 'settingsFile'>,
  where?: string,
): string {
  const headers = exchange.request.headers.filter(([name]) => !RUN_FIELDS.includes(name.toLowerCase()));
  const request = { ...exchange.request, headers };
  const valid = { ...request, credential: 'valid' } as const;
  const line = curlCommand(request, results.target, where === ON_USED_CONNECTION ? valid : undefined);
  const names = new Set([...line.matchAll(/\$\{?(PCS_[A-Z_]+)/g)].map(([, name = '']) => name));
  return visibleShell(`${[...names].map((name) => fromFile(name, settingsFile)).join('')}${line}`);
}

/** The exchange that shows a cause, in words. */
interface Example {
  readonly exchange: Exchange;
  /** Method, path and the beginning of the body, on one line. */
  readonly request: string;
  /** How the request differs from a valid one. */
  readonly about: string;
  /** The status and the beginning of the body, on one line. */
  readonly response: string;
  readonly curl: string;
}

/** Cases of one requirement that probably have one cause, as every report prints them. */
export interface Cause {
  /** The first of the cases in the order of the plan. */
  readonly first: CaseOfRequirement;
  /** Where it was seen: `getTrunk and 3 more operations`. */
  readonly places: string;
  /** What was expected and what came, or the reason if the suite itself broke. */
  readonly what: readonly (readonly [term: 'expected' | 'got' | 'reason', text: string])[];
  /** The smallest example; absent if the record does not hold it. */
  readonly example: Example | undefined;
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
    what: whatOf(first.one, finding),
    example: exampleIn(finding, run),
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

/** Where a deviation was seen stands in brackets, unless the deviation says so itself. */
function whatOf(one: CaseResult, finding: FoldedFinding | undefined): Cause['what'] {
  if (finding === undefined) return [['reason', reasonOf(one)]];
  const { expected, actual, where } = finding;
  const place = where === 'the status' || where === 'the response' ? '' : ` (${where})`;
  return [
    ['expected', expected],
    ['got', `${actual}${place}`],
  ];
}

function exampleIn(finding: FoldedFinding | undefined, run: RunArtefacts): Example | undefined {
  const exchange = exampleOf(finding, run);
  if (exchange === undefined || finding === undefined) return undefined;
  const text = exchange.response?.body?.text;
  const response = `${outcomeLine(exchange)}${text === undefined ? '' : ` ${visible(cut(text, SHOWN.line))}`}`;
  const { about } = finding;
  return { exchange, request: requestLine(exchange), about, response, curl: curlLine(exchange, run, finding.where) };
}

const CRASHES: readonly string[] = ['NO-SERVER-ERROR', 'RESPONSE-COMPLETE'];

/**
 * Who may act and what leaks comes before everything else, then the paths without which nothing can be asked, then what
 * breaks the service, then what most cases show.
 */
function weightOf({ first: { requirement, one }, size: whole }: Cause): number {
  if (one.verdict === 'error') return 100_000;
  const size = Math.min(99, whole);
  if (requirement.level !== 'must') return size;
  const isSecurity = requirement.section === '5' || requirement.id.endsWith('-WITHHELD');
  const rank = isSecurity ? 1_000 : requirement.id === 'PATH-SERVED' ? 500 : CRASHES.includes(requirement.id) ? 100 : 0;
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
  readonly open: readonly OpenCases[];
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

const UUID_IN_TEXT = /\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** Below the verdict stand the causes, so that a list of cases would say the same again. A crash is always told first. */
function sentenceOf({ summary, endedEarly }: Results, failing: number, causes: number | null, isGone: boolean): string {
  const verb = failing === 1 ? 'fails' : 'fail';
  const isList = failing > 0 && /^\d+ cases? fails?: /.test(summary);
  const by = causes === null ? '' : `, with ${counted(causes, 'likely cause')}`;
  const short = isList ? `${counted(failing, 'case')} ${verb}${by}` : summary;
  const whole = isGone && endedEarly !== null && !summary.startsWith(endedEarly) ? `${endedEarly}; ${short}` : short;
  // The requests stand below with their ids in full.
  return isGone ? whole.replace(UUID_IN_TEXT, '$1…') : whole;
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

/** A request on one line: method, path, and the beginning of its body. */
export function requestLine({ request: { method, path, body } }: Exchange): string {
  const text = body?.text === undefined ? '' : ` ${cut(body.text, SHOWN.line)}`;
  return visible(`${method} ${cut(path, SHOWN.line)}${text}`);
}

/** What came of a request, in some words. */
export function outcomeLine({ response, failure }: Exchange): string {
  return response === null ? visible(`no response: ${failure?.detail ?? 'unknown'}`) : `status ${response.status}`;
}
