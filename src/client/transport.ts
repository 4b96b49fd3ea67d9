/** Sends one request over undici exactly as given: not normalized, redirected or repeated, with bounds everywhere. */

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { READ } from '../contract/limits.ts';
import { READ_FIELDS } from '../exchange/header-fields.ts';
import {
  type Header,
  headerValue,
  headerValues,
  type Transport,
  type WireAnswer,
  type WireOutcome,
  type WireRequest,
} from '../exchange/message.ts';
import { type ConnectionOptions, Connections } from './dispatchers.ts';
import { wireFailure } from './transport-failure.ts';

/** The target and the bounds. */
export interface TransportOptions extends ConnectionOptions {
  /** Scheme, host and port of the target, without a path. */
  readonly origin: string;
  /** The most bytes of a body that are read, and that are kept once its coding is removed; 4 MiB if absent. */
  readonly maxBody?: number;
}

/** The outcome of a request, and whether it was given up. */
interface Attempt {
  status: number | null;
  readonly signal: AbortSignal;
}

/** A transport to one origin, and the way to end it: `close` drops every connection and every request in flight. */
export function undiciTransport(options: TransportOptions) {
  const { origin, proxy, maxBody = READ.body } = options;
  const connections = new Connections(origin, options);
  const exchange = async (way: Dispatcher, request: WireRequest, attempt: Attempt): Promise<WireOutcome> => {
    const { statusCode, headers, body } = await way.request({
      origin,
      path: request.path,
      method: request.method as Dispatcher.HttpMethod,
      ...sentBody(request),
      signal: attempt.signal,
      responseHeaders: 'raw',
    });
    attempt.status = statusCode;
    const fields = bounded(headers);
    // Destroying a body before its end is reported as an error.
    body.on('error', () => undefined);
    // A 304 may state the length of the 200's body (RFC 9110, section 8.6), which undici reports as cut short.
    const coded = statusCode === 304 ? { body: Buffer.alloc(0), cut: false } : await collect(body, maxBody);
    const plain = await decode(coded, codingsOf(fields.headers), maxBody).catch(() => null);
    if (plain !== null) return { kind: 'answer', status: statusCode, ...fields, ...plain };
    return { kind: 'failure', failure: 'malformed', detail: 'the content coding is broken', status: statusCode };
  };
  const transport: Transport = async (request) => {
    // On a connection that the target is closing, the outcome of a write would be unknown, so each write has a new one.
    // The library reuses no connection after HEAD.
    const isOwn = request.fresh === true || request.method !== 'GET';
    const line = await connections.take(isOwn, request.room ?? Number.POSITIVE_INFINITY, request.moment);
    const outcome = await timed(request.timeout, (attempt) =>
      exchange(line.dispatcher, request, attempt).catch((error) =>
        wireFailure(error, attempt.status, proxy !== undefined),
      ),
    );
    connections.release(line, !isOwn && outcome.kind === 'answer');
    // Signals and the other sockets get a turn between two requests.
    await setImmediate();
    return outcome;
  };
  return { transport, close: () => connections.close() };
}

/** Aborting alone does not end a request whose connection hangs, so the timer also decides the outcome itself. */
function timed(timeout: number, work: (attempt: Attempt) => Promise<WireOutcome>): Promise<WireOutcome> {
  const controller = new AbortController();
  const attempt: Attempt = { status: null, signal: controller.signal };
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      const { status } = attempt;
      const detail = status === null ? 'no response came in time' : 'the response was not complete in time';
      resolve({ kind: 'failure', failure: 'timeout', detail, ...(status === null ? {} : { status }) });
      controller.abort();
    }, timeout);
    void work(attempt).then((outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
}

/** undici sends a body in chunks if it does not know its length, and then sets the field itself. */
function sentBody({ headers, body }: WireRequest) {
  const isChunked = headerValue(headers, 'transfer-encoding') === 'chunked' && body !== null;
  if (!isChunked) return { headers: headers.flat(), body };
  const kept = headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
  return { headers: kept.flat(), body: Readable.from([body.subarray(0, 1), body.subarray(1)]) };
}

/** With `responseHeaders: 'raw'` names and values alternate, whatever the declared type says. */
function bounded(raw: unknown): Pick<WireAnswer, 'headers' | 'headersCut'> {
  const flat: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const headers: Header[] = [];
  // The first of each field that the suite reads is always kept.
  const unseen = new Set(READ_FIELDS);
  let room = READ.fieldCharacters;
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const [name, value] = [String(flat[at]), String(flat[at + 1])];
    room -= name.length + value.length;
    if (unseen.delete(name.toLowerCase()) || (headers.length < READ.fields && room >= 0)) headers.push([name, value]);
  }
  return headers.length * 2 === flat.length ? { headers } : { headers, headersCut: true };
}

type Bounded = Pick<WireAnswer, 'body' | 'cut'>;

/** Collects a stream up to the limit, and destroys it there. Rejects as the stream does. */
async function collect(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Bounded> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const part = chunk.subarray(0, limit - length);
    chunks.push(part);
    length += part.length;
    // Leaving the loop early destroys the stream.
    if (part.length < chunk.length) return { body: Buffer.concat(chunks), cut: true };
  }
  return { body: Buffer.concat(chunks), cut: false };
}

/** The codings of an answer that can be removed, the outermost first; the list ends at the first unknown one. */
export function codingsOf(headers: readonly Header[]): readonly string[] {
  const named = headerValues(headers, 'content-encoding')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  const unknown = named.findIndex((coding) => !/^(?:x-gzip|gzip|deflate|br)$/.test(coding));
  return named.length > READ.codings ? [] : named.slice(0, unknown === -1 ? undefined : unknown);
}

/** The first bytes of a body, up to the limit, with the codings removed; rejects if a whole body is not so coded. */
async function decode(coded: Bounded, codings: readonly string[], limit: number): Promise<Bounded> {
  let { body, cut } = coded;
  for (const coding of codings) {
    if (body.length === 0) break;
    const decoder = decoderOf(coding, body, cut);
    // `collect` sees the same error; without a listener it would end the process.
    decoder.on('error', () => undefined);
    decoder.end(body);
    const decoded = await collect(decoder, limit);
    body = decoded.body;
    cut ||= decoded.cut;
  }
  return { body, cut };
}

function decoderOf(coding: string, body: Uint8Array, cut: boolean) {
  // A cut body has no proper end; a flush gives what can be read of it.
  if (coding === 'br') return createBrotliDecompress(cut ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {});
  const options = cut ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  if (coding !== 'deflate') return createGunzip(options);
  // Some servers send bare DEFLATE instead of the zlib format, whose first byte ends in 8.
  return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
}
