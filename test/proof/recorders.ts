/**
 * Recorders: how one of them writes what it saw of a run. What it keeps, drops, renames, cuts and encodes is drawn, each kind
 * of gap after that of a recorder in use (docs/traffic.md).
 */

import { type Fault, planted } from '../../fixtures/faults/index.ts';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import { createVariant, samplesOf } from '../../fixtures/variants/variant.ts';
import type { Header, WireAnswer, WireOutcome, WireRequest } from '../../src/exchange/message.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';
import type { Choices } from '../selftest/sample.ts';
import { seededRows } from '../selftest/seeded.ts';
import { brokenBy, judgeTexts } from './judged-traffic.ts';

/** What a recorder saw: a request, and what came after it, with their times in milliseconds. */
interface Seen {
  readonly request: WireRequest;
  readonly at: number;
  outcome?: WireOutcome;
  took?: number;
}

/** A run as a recorder beside it sees it. */
export interface SeenRun {
  readonly seen: readonly Seen[];
  /** Requirements that the run itself names: a lawful service need not follow a recommendation. */
  readonly named: readonly string[];
}

/** Runs the suite against a lawful variant, or against the reference with a fault. */
export async function seenRun(choices: Choices, fault?: Fault): Promise<SeenRun> {
  const clock = skippingClock();
  const variant = createVariant(choices, { wait: clock.sleep, now: clock.now, policy: { longList: 20 } });
  const { service, settings } = fault === undefined ? variant : planted(fault, variant);
  const samples = fault === undefined ? (samplesOf(choices) as RunOptions['samples']) : {};
  const seen: Seen[] = [];
  const transport = transportTo(service);
  let moments = 0;
  const { results } = await judge(
    service,
    optionsFrom(settings as ReferenceSettings, { samples }),
    clock,
    async (request) => {
      const one: Seen = { request, at: 10 * ++moments };
      seen.push(one);
      one.outcome = await transport(request);
      one.took = 10 * ++moments - one.at;
      return one.outcome;
    },
  );
  return { seen, named: brokenIn(results) };
}

/** The dimensions of a recorder; the first of each keeps everything. */
const DIMENSIONS = {
  file: ['har', 'har without log', 'list', 'ndjson', 'ndjson of values', 'ndjson of buffers'],
  credentials: ['kept', 'left out', 'masked', 'blank', 'elsewhere'],
  fields: ['all', 'those of a script', 'none', 'all but secret ones', 'an object'],
  bodies: [
    'text',
    'base64',
    'base64 unmarked',
    'marked in vain',
    'left out',
    'empty',
    'cut',
    'cut in chunks',
    'a sentence',
    'quoted',
    'large ones',
    'a mark',
    'in pieces',
  ],
  requests: ['text', 'base64', 'left out', 'an object'],
  spelling: ['as sent', 'lower-case method', 'port', 'upper-case host', 'dot', 'user'],
  order: ['of time', 'newest first', 'without times'],
  silence: [0, -999, 'error', null, undefined],
  caches: ['none', '_fromCache', '_fetchType', 'cache', '_fetchedViaServiceWorker'],
} as const;
const NAMES = Object.keys(DIMENSIONS) as (keyof typeof DIMENSIONS)[];

/** A recorder: its choice in each dimension. */
export type Recorder = { readonly [Name in keyof typeof DIMENSIONS]: (typeof DIMENSIONS)[Name][number] };

const recorderAt = (levels: readonly number[]): Recorder =>
  Object.fromEntries(NAMES.map((name, at) => [name, DIMENSIONS[name][levels[at] ?? 0]])) as Recorder;

/** The recorder that keeps everything. */
export const FAITHFUL = recorderAt([]);

/** Recorders by seed: with a gap in one dimension first, then mixed ones, of which half of the dimensions are faithful. */
export function recorders(count: number, seed: number): readonly Recorder[] {
  const counts = NAMES.map((name) => DIMENSIONS[name].length);
  const single = counts.flatMap((of, at) =>
    Array.from({ length: of - 1 }, (_, choice) => counts.map((__, other) => (other === at ? choice + 1 : 0))),
  );
  const [rows, halves] = [
    seededRows(counts, seed, count),
    seededRows(
      counts.map(() => 2),
      seed + 1,
      count,
    ),
  ];
  const mixed = rows.map((row, at) => row.map((level, of) => (halves[at]?.[of] === 0 ? 0 : level)));
  return [...single, ...mixed].slice(0, count).map(recorderAt);
}

const HOST = 'api.example';
const ADDRESSES: Readonly<Record<string, string>> = {
  port: `https://${HOST}:443`,
  'upper-case host': `HTTPS://${HOST.toUpperCase()}`,
  dot: `https://${HOST}.`,
  user: `https://ann:word@${HOST}`,
};
const SCRIPT = /^(?:cache-control|content-(?:language|length|type)|expires|last-modified|pragma)$/i;
const SECRET = /auth|cookie|secret|token|key/i;

function fieldsOf(headers: readonly Header[], { fields }: Recorder): unknown {
  const kept = headers.filter(([name]) =>
    fields === 'those of a script'
      ? SCRIPT.test(name)
      : fields === 'all but secret ones'
        ? !SECRET.test(name)
        : fields !== 'none',
  );
  if (fields !== 'an object') return kept.map(([name, value]) => ({ name, value }));
  return Object.fromEntries(kept);
}

/** The fields of the request: without or beside its credential. */
function sentFields({ headers }: WireRequest, { credentials }: Recorder): readonly Header[] {
  const all: readonly Header[] = [['Host', HOST], ...headers];
  return all.flatMap((field): readonly Header[] => {
    if (field[0].toLowerCase() !== 'authorization' || credentials === 'kept') return [field];
    if (credentials === 'masked') return [[field[0], '[REDACTED]']];
    return credentials === 'blank' ? [[field[0], '']] : [];
  });
}

const SHORT = 41;
const LARGE = 400;

/** What is kept of a body in a HAR, or in a line with `body`. */
function contentOf({ body, status }: WireAnswer, { bodies }: Recorder): Readonly<Record<string, unknown>> {
  const [text, size] = [Buffer.from(body).toString(), body.length];
  const isBinary = Buffer.from(text).compare(body) !== 0;
  const base64 = Buffer.from(body).toString('base64');
  if (size === 0 || status === 204) return { size: 0 };
  switch (bodies) {
    case 'base64':
      return { size, text: base64, encoding: 'base64' };
    case 'base64 unmarked':
      return { size, text: base64 };
    case 'marked in vain':
      return { size, text, encoding: 'base64' };
    case 'left out':
      return { size };
    case 'empty':
      return { size: 0, text: '' };
    case 'cut':
    case 'cut in chunks':
      return { size: Math.min(size, SHORT), text: text.slice(0, SHORT) };
    case 'a sentence':
      return { size, text: '[Body omitted]' };
    case 'quoted':
      return { size, text: JSON.stringify(text) };
    case 'a mark':
      return { size, text: '{"truncated":true}' };
    case 'in pieces':
      return { size, text: JSON.stringify([base64.slice(0, SHORT), base64.slice(SHORT)]), encoding: 'base64' };
    case 'large ones':
      return size > LARGE ? { size, text: `${text.slice(0, LARGE)}… (truncated)` } : { size, text };
    default:
      return isBinary ? { size, text: base64, encoding: 'base64' } : { size, text };
  }
}

/** The fields of the response as a server on the wire sends them. */
function cameFields({ headers, body }: WireAnswer, { bodies }: Recorder): readonly Header[] {
  const names = headers.map(([name]) => name.toLowerCase());
  const isCoded =
    names.includes('content-encoding') || bodies === 'cut in chunks' || names.includes('transfer-encoding');
  const own = headers.filter(([name]) => bodies !== 'cut in chunks' || name.toLowerCase() !== 'content-length');
  const length: Header = isCoded ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${body.length}`];
  const hasOne = own.some(([name]) => name.toLowerCase() === length[0].toLowerCase());
  return [...own, ['Date', 'Thu, 01 Jan 2026 00:00:00 GMT'], ...(hasOne ? [] : [length])];
}

function requestBody(body: Uint8Array | null, { requests }: Recorder): Readonly<Record<string, unknown>> | undefined {
  if (body === null || requests === 'left out') return undefined;
  const text = Buffer.from(body).toString();
  if (requests === 'base64') return { text: Buffer.from(body).toString('base64'), encoding: 'base64' };
  const value = requests === 'an object' ? jsonOf(text) : undefined;
  return { text: value ?? text };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isLines = ({ file }: Recorder): boolean => file.startsWith('ndjson');

/** What Node makes of a buffer in JSON: its type and its bytes. */
const buffered = (text: unknown, file: Recorder['file']): unknown =>
  file === 'ndjson of buffers' && typeof text === 'string' ? Buffer.from(text) : text;

/** A body of a line: the text, its base64, or the value that it stands for. */
function inLine({ text, encoding }: Readonly<Record<string, unknown>>, { file }: Recorder): object {
  if (typeof text !== 'string' || encoding !== 'base64')
    return { body: file === 'ndjson of values' ? (jsonOf(String(text)) ?? text) : buffered(text, file) };
  return { bodyBase64: text };
}

/** What a cache says of an answer that it gave itself. */
const CACHED: Readonly<Record<string, object>> = {
  _fromCache: { _fromCache: 'disk' },
  _fetchType: { _fetchType: 'Memory Cache' },
  cache: { cache: { afterRequest: { eTag: 'x', hitCount: 1 } } },
};

function entriesOf({ request, at, took = 0, outcome }: Seen, recorder: Recorder): readonly object[] {
  const { spelling, silence, credentials, order, caches } = recorder;
  const url = `${ADDRESSES[spelling] ?? `https://${HOST}`}${request.path}`;
  const method = spelling === 'lower-case method' ? request.method.toLowerCase() : request.method;
  const signed = request.headers.some(([name]) => name.toLowerCase() === 'authorization');
  const elsewhere = credentials === 'elsewhere' && signed ? { auth: { type: 'bearer' } } : {};
  const sent = { method, url, headers: fieldsOf(sentFields(request, recorder), recorder), ...elsewhere };
  const answer = outcome?.kind === 'answer' ? outcome : undefined;
  const kept = requestBody(request.body, recorder);
  const content = answer === undefined ? { size: 0 } : contentOf(answer, recorder);
  const fields = answer === undefined ? [] : fieldsOf(cameFields(answer, recorder), recorder);
  const response =
    answer === undefined
      ? silence === undefined
        ? undefined
        : { status: silence, headers: [], content }
      : { status: answer.status, headers: fields, content };
  const started = order === 'without times' ? undefined : 1_767_225_600_000 + at;
  if (isLines(recorder)) {
    const { content: _, ...line } = { content, ...response };
    return [
      {
        time: started,
        duration: took,
        request: { ...sent, ...(kept === undefined ? {} : inLine(kept, recorder)) },
        response: response && { ...line, ...inLine(content, recorder) },
      },
    ];
  }
  const entry = {
    startedDateTime: started === undefined ? undefined : new Date(started).toISOString(),
    time: took,
    request: { ...sent, postData: kept },
    response,
  };
  // A cache has no more of a request than the script gave.
  const provisional = { ...sent, headers: fieldsOf([['Accept', '*/*']], recorder) };
  const isCached = caches !== 'none' && request.method === 'GET' && answer?.status === 200;
  const worker =
    caches === '_fetchedViaServiceWorker' ? { response: { ...response, _fetchedViaServiceWorker: true } } : {};
  return isCached ? [entry, { ...entry, request: provisional, ...CACHED[caches], ...worker }] : [entry];
}

/** The file that a recorder makes of a run. */
function recorded({ seen }: SeenRun, recorder: Recorder): string {
  const ordered = seen.flatMap((one) => entriesOf(one, recorder));
  const entries = recorder.order === 'newest first' ? ordered.toReversed() : ordered;
  const creator = { name: 'recorder', version: '1' };
  if (isLines(recorder)) return entries.map((one) => `${JSON.stringify(one)}\n`).join('');
  if (recorder.file === 'har without log') return JSON.stringify({ version: '1.2', creator, entries }, null, 1);
  const document = { log: { version: '1.2', creator, entries } };
  return JSON.stringify(recorder.file === 'list' ? [document] : document);
}

/** Requirements that the file shows as broken. */
export async function shownBy(run: SeenRun, recorder: Recorder): Promise<readonly string[]> {
  const judged = await judgeTexts({ recorded: recorded(run, recorder) });
  if (judged.results.traffic?.problems.length !== 0) return [`not read: ${judged.results.traffic?.problems}`];
  return brokenBy(judged);
}
