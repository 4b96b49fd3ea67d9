/** Sends one request over undici as it is: nothing is tidied, followed or repeated, and everything has an end. */

import type { Dispatcher } from 'undici';
import type { Header, Transport, WireOutcome, WireRequest } from '../exchange/message.ts';
import { type Bounded, codingsOf, collect, decode } from './decode-body.ts';
import { type ConnectionOptions, openDispatchers } from './dispatchers.ts';
import { failureOf } from './transport-failure.ts';

/** Where to and within which bounds. */
export interface TransportOptions extends ConnectionOptions {
  /** Scheme, host and port of the target, without a path. */
  readonly origin: string;
  /** Most bytes of a body that are read, and most that are kept once its coding is removed; 8 MiB if absent. */
  readonly maxBody?: number;
}

/** A transport and the way to end it: `close` drops every connection and whatever is still under way. */
export interface OpenTransport {
  readonly transport: Transport;
  readonly close: () => Promise<void>;
}

const EIGHT_MEBIBYTES = 8 * 1024 * 1024;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A transport to one origin. */
export function undiciTransport(options: TransportOptions): OpenTransport {
  const { origin, maxBody = EIGHT_MEBIBYTES } = options;
  const { reads, writes } = openDispatchers(options);
  return {
    transport: (request) => {
      const agent = SAFE_METHODS.has(request.method) ? reads : writes;
      return timed(request.timeout, (signal, progress) => exchange(agent, origin, request, maxBody, signal, progress));
    },
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

/** How far the answer has come. */
interface Progress {
  status: number | null;
}

/** Aborting alone does not end a request whose connection hangs, so the timer also decides the outcome itself. */
function timed(
  timeout: number,
  work: (signal: AbortSignal, progress: Progress) => Promise<WireOutcome>,
): Promise<WireOutcome> {
  const controller = new AbortController();
  const progress: Progress = { status: null };
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve({ kind: 'failure', failure: 'timeout', ...timeoutPhrase(progress) });
      controller.abort();
    }, timeout);
    const finish = (outcome: WireOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    work(controller.signal, progress).then(finish, (error) => finish(failureOf(error, progress.status)));
  });
}

function timeoutPhrase({ status }: Progress): { readonly detail: string; readonly status?: number } {
  if (status === null) return { detail: 'no answer came in time' };
  return { detail: 'the answer was not complete in time', status };
}

async function exchange(
  agent: Dispatcher,
  origin: string,
  request: WireRequest,
  limit: number,
  signal: AbortSignal,
  progress: Progress,
): Promise<WireOutcome> {
  const { statusCode, headers, body } = await agent.request({
    origin,
    path: request.path,
    method: request.method as Dispatcher.HttpMethod,
    headers: request.headers.flat(),
    body: request.body,
    signal,
    responseHeaders: 'raw',
  });
  progress.status = statusCode;
  const fields = pairs(headers);
  const coded = await read(body, limit);
  const plain = await decode(coded, codingsOf(fields), limit).catch(() => null);
  if (plain === null) {
    return { kind: 'failure', failure: 'malformed', detail: 'the content coding is broken', status: statusCode };
  }
  return { kind: 'answer', status: statusCode, headers: fields, ...plain };
}

/** Leaving a body that is not read to its end destroys it, which it reports as an error of its own. */
function read(body: Dispatcher.ResponseData['body'], limit: number): Promise<Bounded> {
  body.on('error', () => undefined);
  return collect(body, limit);
}

/** With `responseHeaders: 'raw'` the fields come as names and values in turn, whatever the declared type says. */
function pairs(raw: unknown): readonly Header[] {
  const flat: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[String(name), String(flat[at + 1])] as const] : []));
}
