/** Commands that a reader can paste to reproduce a finding, and to take it off the list. */

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

/** The command that repeats a run with the same settings, of all cases or only of these; `path` is that of a walk. */
function runCommand({ results, repeated = [] }: RunArtefacts, only: readonly string[], path?: string, folder?: string) {
  const { without, strict, requireComplete, seed, explore, traffic } = results;
  if (traffic !== undefined && only.length === 0) return commandLine(['judge', ...traffic.files], repeated);
  const isReference = repeated.some(({ flag }) => flag === 'reference');
  const isExploring = traffic === undefined && path === undefined && explore !== RUN_DEFAULTS.explore;
  const flags = {
    // Only a run can tell whether the target still does it.
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

/** A known failure that is gone, and how to take it off the list; a failing baseline would make new ones known. */
export function gonePhrase({ detail, remove, file }: GoneFailure, run: RunArtefacts): string {
  const reports = run.folder ?? DEFAULT_FOLDER;
  const isFit = exitOf(run) === 0;
  return remove === 'baseline'
    ? `${detail} and passes now${isFit ? `: use the folder "${reports}" as the next baseline` : ''}`
    : `${detail}: no longer so; remove the entry with ${commandLine(['expect', 'prune', reports, ...(file === undefined ? [] : ['--file', file])])}`;
}

/** Whether a field names the run or the suite, so the line leaves it out; a user's own agent may open a gateway. */
const isOfRun = (field: RecordedHeader): boolean =>
  /^(x-conformance-case|traceparent): |^user-agent: pcs-conformance\//i.test(field.join(': '));

/** The trace id under which the service may have the request; nothing in a certification. */
export const traceOf = ({ request }: Exchange): string | undefined =>
  headerValue(request.headers, 'traceparent')?.split('-')[1];

const byHand = ({ request }: Exchange): RecordedRequest => ({
  ...request,
  headers: request.headers.filter((field) => !isOfRun(field)),
});

/**
 * Whether the target would answer as in the run. A 503 passes; a command sends nothing beside the request, so a symptom
 * must also have appeared alone; a call that the run hung up or answered is over, so only a rejection can be repeated;
 * and a request that got two statuses depends on more than itself (the second of two calls with one body was answered
 * 200, not 201), in whatever form its header fields were.
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

/** The path under which a lenient target finds the same call: an encoded letter, capitals, doubled slashes. */
const lenientPath = ({ request: { path } }: Exchange): string =>
  path
    .replace(/%([0-9a-f]{2})/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
    .replace(/\/+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase();

/** Whether no other request was in flight: a lock that two requests contend for is free for a single one. */
const isAlone = (exchange: Exchange, exchanges: readonly Exchange[]): boolean =>
  !exchanges.some((peer) => peer.seq !== exchange.seq && peer.at < endOf(exchange) && exchange.at < endOf(peer));

/** A command, and what it may do to the target through these operations; `calls` is null without a credential. */
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
 * The request of an exchange as a shell command. Secrets come from the environment, and if one is unset nothing is
 * sent: an empty token would show 401 where the finding was 200. `where` says whether the valid request has to come
 * first, on the same connection. None if the command would not do what the run did.
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

/** The command that judges a case again, by the walk that shows the finding if one does; reports are kept. */
export function rerunFact(result: CaseResult, run: RunArtefacts, finding = result.findings[0]): Fact {
  const { results, exchanges } = run;
  const folder = (run.folder ?? DEFAULT_FOLDER).replace(/(?<=.)\/+$/, '');
  const path = exampleOf(finding, run)?.tag.origin?.path;
  const line = runCommand(run, [result.id], path, `${folder}/rerun`);
  // The case's own requests, and those that show that its operation accepts valid ones, with their context.
  const related = exchanges.filter((each) => operationOf(each) === result.operation);
  const sequences = new Set(related.map(({ tag }) => tag.sequence));
  const written = writtenBy(exchanges.filter(({ tag }) => sequences.has(tag.sequence)));
  const isWriting = results.profile !== 'read-only' && WRITES.some((id) => id === result.operation);
  // A hang-up or an answer needs a call.
  const isOnCall = isWriting && ON_CALLS.some((id) => id === result.operation);
  const operations = [...written, ...(isWriting ? [result.operation] : []), ...(isOnCall ? ['createCall'] : [])];
  return commandFact('rerun', line, operations, callsOf(results));
}

/** The command that repeats the run; recorded traffic is read again. */
export function againFact(run: RunArtefacts): Fact {
  const { results, exchanges } = run;
  const written = results.traffic === undefined ? writtenBy(exchanges) : [];
  return commandFact('again', runCommand(run, results.only), written, callsOf(results));
}
