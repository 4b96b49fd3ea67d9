/** The commands that a reader can paste to see a finding again, and to take it off the list. */

import { ON_USED_CONNECTION } from '../../suites/expect/rejection.ts';
import { ON_CALLS, SAFE_METHODS, WRITES } from '../contract/operations.ts';
import { RUN_DEFAULTS } from '../contract/settings.ts';
import { curlCommand } from '../exchange/curl.ts';
import { type Exchange, endOf, type RecordedHeader, type RecordedRequest, symptomOf } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import { isAccepted, isRejected, isRetryable, operationOf, statusOf } from '../verdict/answer.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { commandLine, flagWords, targetWords } from './command-line.ts';
import type { Fact } from './document.ts';
import type { GoneFailure } from './gate.ts';
import { exampleOf, exitOf, type RunArtefacts } from './model.ts';
import { visibleShell } from './text.ts';

const DEFAULT_FOLDER = 'conformance-report';

/** The command that repeats a run with the same settings, of all cases or of these alone; `path` is that of a walk. */
function runCommand({ results, repeated = [] }: RunArtefacts, only: readonly string[], path?: string, folder?: string) {
  const { without, strict, requireComplete, seed, explore, traffic } = results;
  if (traffic !== undefined && only.length === 0) return commandLine(['judge', ...traffic.files], repeated);
  const isReference = repeated.some(({ flag }) => flag === 'reference');
  const isExploring = traffic === undefined && path === undefined && explore !== RUN_DEFAULTS.explore;
  const flags = {
    // Whether the target does it still, only a run can tell.
    profile: traffic === undefined ? results.profile : 'full',
    without: without.join(','),
    only: only.join(','),
    seed: traffic === undefined ? String(seed) : '',
    path: path ?? '',
    explore: isExploring ? String(explore) : '',
  };
  const words = [
    ...['run', ...(isReference ? [] : targetWords(results.target))],
    ...Object.entries(flags).flatMap(([name, text]) => (text === '' ? [] : [`--${name}`, text])),
    ...(strict ? ['--strict'] : []),
    ...(requireComplete === true ? ['--require-complete'] : []),
    ...(folder === undefined ? [] : ['--report-dir', folder]),
  ];
  return commandLine(words, repeated);
}

/** A known failure that is gone, with what takes it off the list. As a baseline a run that fails would make what is new known. */
export function gonePhrase({ detail, remove, file }: GoneFailure, run: RunArtefacts): string {
  const reports = run.folder ?? DEFAULT_FOLDER;
  const isFit = exitOf(run) === 0;
  return remove === 'baseline'
    ? `${detail} and passes now${isFit ? `: use the folder "${reports}" as the next baseline` : ''}`
    : `${detail}: no longer so; remove the entry with ${commandLine(['expect', 'prune', reports, ...(file === undefined ? [] : ['--file', file])])}`;
}

/** Whether a field names the run or the suite. A line is shorter without; an agent of the user may open a gateway. */
const isOfRun = (field: RecordedHeader): boolean =>
  /^(x-conformance-case|traceparent): |^user-agent: pcs-conformance\//i.test(field.join(': '));

/** The id under which the service's own traces show a request, or nothing in a certification. */
export const traceOf = ({ request }: Exchange): string | undefined =>
  headerValue(request.headers, 'traceparent')?.split('-')[1];

const byHand = ({ request }: Exchange): RecordedRequest => ({
  ...request,
  headers: request.headers.filter((field) => !isOfRun(field)),
});

/**
 * Whether the target would answer as in the run. A 503 passes; a line sends nothing beside it at the same moment, so a symptom
 * has to have shown alone; a call that the run hung up or answered is over, so only a rejection stays; and what got two statuses
 * depends on more than itself: the second of two calls with one body, answered 200 and not 201, in whatever form their header
 * fields are.
 */
function isRepeatable(exchange: Exchange, exchanges: readonly Exchange[]): boolean {
  const { tag, request } = exchange;
  const isOnCall =
    ON_CALLS.some((id) => id === tag.operation) &&
    exchanges.some((call) => isOfCall(call) && lenientPath(call) === lenientPath(exchange));
  if (isRetryable(exchange) || tag.role === 'beside' || (isOnCall && !isRejected(exchange))) return false;
  const keyOf = (exchange: Exchange): string => {
    const { headers, ...rest } = byHand(exchange);
    const isDone = isAccepted(exchange) && !SAFE_METHODS.has(rest.method);
    return JSON.stringify({ ...rest, body: rest.body?.text, headers: isDone ? 'accepted' : headers });
  };
  const sent = keyOf(exchange);
  const isSame = (exchange: Exchange): boolean =>
    exchange.request.path === request.path && !isRetryable(exchange) && keyOf(exchange) === sent;
  const same = exchanges.filter(isSame);
  if (symptomOf(exchange) !== null && !same.some((repeat) => isAlone(repeat, exchanges))) return false;
  return same.every((repeat) => statusOf(repeat) === statusOf(exchange));
}

const isOfCall = ({ tag }: Exchange): boolean => !['well-formed', 'malformed'].includes(tag.ids);

/** The path by which a lenient target finds the same call: an encoded letter, capitals, doubled slashes. */
const lenientPath = ({ request: { path } }: Exchange): string =>
  path
    .replace(/%([0-9a-f]{2})/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
    .replace(/\/+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase();

/** Whether no other request was under way: a lock that two requests take at once is free for a single one. */
const isAlone = (exchange: Exchange, exchanges: readonly Exchange[]): boolean =>
  !exchanges.some((peer) => peer.seq !== exchange.seq && peer.at < endOf(exchange) && exchange.at < endOf(peer));

/** A command, and beside it what it may do to the target through these operations; without calls, if it accepts them without a credential. */
function commandFact(name: string, line: string, operations: readonly string[], calls: string | null): Fact {
  const deeds = [
    ...(operations.includes('createCall') ? [`place ${calls}`] : []),
    ...(operations.some((id) => id !== 'createCall') ? ['write'] : []),
  ];
  const unarmed =
    'writes are sent without a credential: only a target that accepts those changes anything or places calls';
  const may = calls === null ? unarmed : `may ${deeds.join(' and ')}`;
  return [name, [{ kind: 'command', line }], ...(deeds.length === 0 ? [] : [[may]])];
}

const callsOf = ({ counts, traffic, profile }: Results): string | null =>
  traffic !== undefined ? 'calls' : profile === 'read-only' ? null : `calls (the run placed ${counts.calls})`;

const writtenBy = (sent: readonly Exchange[]): readonly string[] =>
  sent.filter(({ request }) => !SAFE_METHODS.has(request.method)).map(operationOf);

/**
 * The request of an exchange as a shell command; secrets come from the environment, and without one nothing is sent: an
 * empty token would show 401 where the finding was 200. `where` a finding is says whether the valid request has to come first,
 * on the same connection. There is none where it would not do what the run did.
 */
export function curlFacts(exchange: Exchange | undefined, run: RunArtefacts, where?: string): readonly Fact[] {
  if (exchange === undefined || (where !== ON_USED_CONNECTION && !isRepeatable(exchange, run.exchanges))) return [];
  const request = byHand(exchange);
  const valid = { ...request, credential: 'valid' } as const;
  const words = flagWords(run.repeated, 'curl');
  const line = curlCommand(request, run.results.target, where === ON_USED_CONNECTION ? valid : undefined, words);
  if (line === undefined) return [];
  const names = new Set([...line.matchAll(/\$\{?(PCS_[A-Z_]+)/g)].map(([, name = '']) => name));
  const guarded = visibleShell(`${[...names].map((name) => `: "\${${name}:?is not set}"; `).join('')}${line}`);
  return [commandFact('curl', guarded, writtenBy([exchange]), 'a call')];
}

/** The command that judges a case again, by the walk that shows the finding if it was one; the reports of the run stay as they are. */
export function rerunFact(result: CaseResult, run: RunArtefacts, finding = result.findings[0]): Fact {
  const { results, exchanges } = run;
  const folder = (run.folder ?? DEFAULT_FOLDER).replace(/(?<=.)\/+$/, '');
  const path = exampleOf(finding, run)?.tag.origin?.path;
  const line = runCommand(run, [result.id], path, `${folder}/rerun`);
  // Its requests, and those of its operation that show that valid ones are accepted, with what stands around them.
  const related = exchanges.filter((each) => operationOf(each) === result.operation);
  const sequences = new Set(related.map(({ tag }) => tag.sequence));
  const written = writtenBy(exchanges.filter(({ tag }) => sequences.has(tag.sequence)));
  const isWriting = results.profile !== 'read-only' && WRITES.some((id) => id === result.operation);
  // To hang up or answer takes a call.
  const isOnCall = isWriting && ON_CALLS.some((id) => id === result.operation);
  const operations = [...written, ...(isWriting ? [result.operation] : []), ...(isOnCall ? ['createCall'] : [])];
  return commandFact('rerun', line, operations, callsOf(results));
}

/** The command that makes the run again; recorded traffic is read again. */
export function againFact(run: RunArtefacts): Fact {
  const { results, exchanges } = run;
  const written = results.traffic === undefined ? writtenBy(exchanges) : [];
  return commandFact('again', runCommand(run, results.only), written, callsOf(results));
}
