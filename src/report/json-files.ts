/** JSON files of the report folder: results.json, badge.json and evidence.har. */

import { describedIn, type Exchange, type RecordedBody, type RecordedHeader } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import { operationOf } from '../verdict/answer.ts';
import { stimulusOf } from '../verdict/folded.ts';
import { caseId } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { casesSentence } from '../verdict/sentence.ts';
import { bodyPhrases, COLOURS, namedFacts, type RunArtefacts } from './model.ts';
import { jsonText } from './text.ts';

/** results.json: the facts of the run and the gate's outcome, if known, and the results in the order of the plan. */
export function renderResults({ results, facts: run, gate }: Pick<RunArtefacts, 'results' | 'facts' | 'gate'>): string {
  const { format, ...rest } = results;
  // An undefined member is left out.
  return jsonText({ format, run, gate, ...rest });
}

/** badge.json, as shields.io reads it: the sentence and the number of cases. `null` for partial runs and traffic. */
export function renderBadge({ partial, traffic, sentence, colour, counts, strict }: Results): string | null {
  if (partial || traffic !== undefined) return null;
  const message = `${sentence}: ${casesSentence(counts.cases, strict)}`;
  return jsonText({ schemaVersion: 1, label: 'PCS conformance', message, color: COLOURS[colour].badge });
}

const namedHeaders = (headers: readonly RecordedHeader[]) => headers.map(([name, value]) => ({ name, value }));

/** HAR needs a URI, so other characters are percent-encoded; `_path` holds the path that was sent. */
function urlOf(target: string, path: string): string {
  const whole = path.replace(/\p{Cs}/gu, '\ufffd');
  const safe = whole.replace(/[^!#$%&'()*+,\-./0-9:;=?@A-Z_a-z~]|%(?![0-9a-f]{2})/giu, encodeURIComponent);
  const [before = '', ...fragments] = safe.split('#');
  // A token in the base address is masked.
  return `${target.replace(/[^!-~]/gu, encodeURIComponent)}${[before, ...fragments].join('%23')}`;
}

function commentOn(body: RecordedBody): string {
  const members = body.members.map(({ pointer, type }) => `${pointer || '/'} ${type}`);
  return [...bodyPhrases(body), ...(body.text === undefined ? ['text not recorded'] : []), ...members].join('; ');
}

function requestOf(exchange: Exchange, target: string): object {
  const { method, path, headers, body, credential } = exchange.request;
  const mimeType = headerValue(headers, 'content-type') ?? '';
  return {
    method,
    url: urlOf(target, path),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: namedHeaders(headers),
    queryString: namedHeaders([...new URLSearchParams(path.split(/\?(.*)/s)[1])]),
    ...(body === null ? {} : { postData: { mimeType, text: body.text ?? '', comment: commentOn(body) } }),
    headersSize: -1,
    bodySize: body?.length ?? 0,
    comment: `credential: ${credential}`,
    _path: path,
    _credential: credential,
  };
}

function responseOf({ response, failure }: Exchange): object {
  const headers = response?.headers ?? [];
  const body = response?.body ?? null;
  const mimeType = headerValue(headers, 'content-type') ?? 'x-unknown';
  return {
    // HAR readers expect status 0 if no response came.
    status: response?.status ?? failure?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: namedHeaders(headers),
    content: { size: body?.length ?? 0, mimeType, ...(body && contentOf(body)) },
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: body?.length ?? -1,
    ...(response === null || response.leaks.length === 0 ? {} : { _leaks: response.leaks }),
    ...(failure === null ? {} : { _error: `${failure.kind}: ${failure.detail}`, _failure: failure }),
  };
}

function harEntry(exchange: Exchange, run: RunArtefacts): object {
  const { seq, tag, at, took } = exchange;
  return {
    startedDateTime: new Date(Math.round((run.startedAt ?? 0) + at)).toISOString(),
    time: took,
    request: requestOf(exchange, run.results.target),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    comment: `${seq}: ${tag.sequence}, ${tag.role}${tag.about === '' ? '' : `: ${describedIn(tag)}`}`,
    _seq: seq,
    _stimulus: stimulusOf(exchange),
    _cases: [...new Set(tag.asks.map(({ id }) => caseId(id, operationOf(exchange))))],
  };
}

/** A body; for `judge` also the facts that its text does not show. */
function contentOf(body: RecordedBody): object {
  const { text, ...facts } = body;
  const isPlain = text !== undefined && facts.json === 'valid' && facts.pruned !== true;
  return { text, comment: commentOn(body), _facts: isPlain ? undefined : facts };
}

/** The exchanges of the run as a HAR 1.2 document, one a line: as one value, 6,000 fields each took 60 MiB more. */
export function renderHar(run: RunArtefacts): string {
  const entries = run.exchanges
    .toSorted((a, b) => a.seq - b.seq)
    .map((exchange) => JSON.stringify(harEntry(exchange, run)));
  const { name, version } = run.results.suite;
  const comment =
    namedFacts(run)
      .map((pair) => pair.join(' '))
      .join(', ') || undefined;
  const log = JSON.stringify({ version: '1.2', creator: { name, version }, comment });
  return `{"log":${log.slice(0, -1)},"entries":[\n${entries.join(',\n')}\n]}}\n`;
}
