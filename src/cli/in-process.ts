/** Judges a service in this process, without sockets and without waiting. */

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import type { Clock } from '../client/client-options.ts';
import { codingsOf } from '../client/transport.ts';
import { keyedDigest } from '../exchange/facts.ts';
import type { Transport, WireFailure } from '../exchange/message.ts';
import { Redactor, type Secret } from '../exchange/redaction.ts';
import { type RunOptions, watchedIds } from '../run/options.ts';
import type { Ports } from '../run/ports.ts';
import { RunInProgress } from '../run/run.ts';
import { variablesOnly } from '../settings/environment.ts';
import { targetOptions } from '../settings/read-settings.ts';
import { layer } from '../settings/sources.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';

/** A transport that calls a service. */
export function transportTo(service: Service): Transport {
  return async (request) => {
    const names = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
    const body = request.body ?? new Uint8Array();
    const headers: Record<string, string> = Object.fromEntries(names);
    const hasLength = headers['transfer-encoding'] === undefined;
    if (hasLength && (request.method !== 'GET' || body.length > 0)) headers['content-length'] = String(body.length);
    const reply = await service({ method: request.method, target: request.path, headers, body });
    const content =
      typeof reply.body === 'string' ? new TextEncoder().encode(reply.body) : (reply.body ?? new Uint8Array());
    const { fate, status } = reply;
    const isBegun = fate === 'cut' || fate === 'beyond';
    if (fate !== undefined) return { ...FAILURES[fate], kind: 'failure', ...(isBegun ? { status } : {}) };
    // A lawful service may use a content coding, which is removed before the body is read, as over sockets.
    const plain = codingsOf(reply.headers).reduce(withoutCoding, content);
    return { kind: 'answer', status, headers: reply.headers, body: plain, cut: false };
  };
}

const FAILURES = {
  hang: { failure: 'timeout', detail: 'no answer in time' },
  reset: { failure: 'reset', detail: 'the connection was closed' },
  cut: { failure: 'short', detail: 'the body is shorter than announced' },
  beyond: { failure: 'short', detail: 'the body is not as long as Content-Length says' },
} as const satisfies Readonly<Record<NonNullable<ServiceReply['fate']>, Pick<WireFailure, 'failure' | 'detail'>>>;

/** Bodies in this process are complete and finite, so no stream is needed. */
function withoutCoding(body: Uint8Array, coding: string): Uint8Array {
  if (body.length === 0) return body;
  if (coding === 'br') return brotliDecompressSync(body);
  return coding === 'deflate' ? inflateSync(body) : gunzipSync(body);
}

/** The options of a run that belong to the target with these settings. */
export function targetOf(settings: Partial<ReferenceSettings>): ReturnType<typeof targetOptions> {
  return targetOptions(layer({}, variablesOnly({ ...settings })));
}

/** A clock that never waits: only sleeps advance it. It starts in 2025: in 1970 epochs look like delays in seconds. */
export function skippingClock(): Clock {
  let now = Date.UTC(2025, 0, 1);
  const pass = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
  };
  return { now: () => now, sleep: pass, rest: pass };
}

/** Shared by all runs of a proof, whose targets show the same ids and numbers. */
const sharedDigest = keyedDigest(new Uint8Array(32));

const REDACTORS = new Map<string, Redactor>();

/** The redactor for these secrets. Making one takes as long as some hundred requests, so proofs share it. */
export function redactorOf(secrets: readonly Secret[]): Redactor {
  const key = JSON.stringify(secrets);
  const redactor = REDACTORS.get(key) ?? new Redactor(secrets);
  REDACTORS.set(key, redactor);
  return redactor;
}

/** The record and the results of judging a service; `transport` leads to it, directly unless given. */
export async function judge(
  service: Service,
  options: RunOptions,
  clock: Clock = skippingClock(),
  transport: Transport = transportTo(service),
): Promise<{ readonly record: RunRecord; readonly results: Results }> {
  let digits = 7;
  const ports: Ports = {
    transport,
    clock,
    random: (bytes) => {
      digits += 1;
      return digits.toString(16).padStart(2, '0').repeat(bytes);
    },
    recorder: (secrets) => ({
      redactor: redactorOf(secrets),
      digest: sharedDigest,
      watch: watchedIds(options),
      fullEvidence: false,
    }),
    version: '0.0.0',
  };
  const record = await new RunInProgress(options, SUITE, ports).record();
  return { record, results: resultsOf(record) };
}
