/** From settings to what the engine takes: options, connection and facts; and the names of --without and --only. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { withoutUndefined } from '../contract/lists.ts';
import { OPERATION_IDS, OPERATIONS, type Operation, type OperationId } from '../contract/operations.ts';
import { remedyOf } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { FactSettings } from '../run/facts.ts';
import type { Connection } from '../run/live.ts';
import type { RunOptions } from '../run/options.ts';
import { suggestion } from '../settings/environment.ts';
import { extentOf } from '../settings/kinds.ts';
import type { Settings } from '../settings/table.ts';

/** The part of the exploration that a run is to send; a single shard is a whole run. Throws `UsageError`. */
export function shardOf({ shard, path, baseline, expect }: Settings): Pick<RunOptions, 'shard'> {
  if (shard === undefined || shard.count === 1) return {};
  if (path !== undefined) {
    throw new UsageError('--shard divides an exploration, and --path names one walk of it', 'use only one of them');
  }
  if (baseline !== undefined || expect !== undefined) {
    throw new UsageError(
      '--baseline and --expect need a whole run, and --shard makes a part of one',
      'give them to merge instead',
    );
  }
  return { shard };
}

/** Throws `UsageError` if calls are planned and no number may be dialled. */
export function demandNumbers({ target, profile, call, without, only, shard }: Settings): void {
  const isWhole = only.length === 0 && (shard?.index ?? 1) === 1;
  if (target.kind === 'reference' || profile !== 'full' || !isWhole) return;
  if (!operationsLeft(without).includes('createCall')) return;
  const missing = CALL_NUMBERS.filter(([, key]) => call[key] === undefined).map(([name]) => name);
  if (missing.length === 0) return;
  const set = missing.length === 1 ? 'is not set' : 'are not set';
  throw new UsageError(
    `Profile full places calls, and ${missing.join(' and ')} ${set}`,
    `${remedyOf(...missing)}, or leave calls out with --without calls`,
  );
}

const CALL_NUMBERS = [
  ['PCS_CALL_FROM', 'from'],
  ['PCS_CALL_TO', 'to'],
] as const;

/** The engine's options; the target is an address by then. Throws `UsageError`. */
export function runOptionsOf(settings: Settings, samples: RunOptions['samples']): RunOptions {
  const { target, call, resources, credentials, inbound, queries, voiceUrl, otherConnection } = settings;
  if (target.kind !== 'url') throw new Error('the reference service was not started');
  const left = operationsLeft(settings.without);
  const { from, to, ringingCallId, callIdPointer } = call;
  const {
    profile,
    strict,
    requireComplete,
    seed,
    explore,
    only,
    path,
    concurrency,
    rate,
    maxRequests,
    maxCalls,
    maxWait,
  } = settings;
  const { maxInvalidCredentials, credentialPause, timeout, callTimeout, fullEvidence } = settings;
  return {
    baseUrl: target.baseUrl,
    credentials,
    numbers: from === undefined || to === undefined ? null : { from, to },
    ...withoutUndefined({ ringingCallId, callIdPointer, voiceUrl, otherConnection, path, maxInvalidCredentials }),
    ...{ resources, inbound, queries, samples },
    profile,
    without: OPERATION_IDS.filter((id) => !left.includes(id)),
    ...extentOf(explore),
    ...(requireComplete ? { requireComplete } : {}),
    ...{ strict, seed, only, concurrency, rate, maxRequests, maxCalls, maxWait },
    ...{ credentialPause, timeout, callTimeout, fullEvidence },
    caseHeader: true,
  };
}

/** What the settings say of the run. */
export function statedFacts(settings: Settings): FactSettings {
  const { targetVersion, targetVersionHeader, label, runHost = hostname(), runTime: time } = settings;
  return {
    host: runHost,
    labels: Object.fromEntries(label),
    ...withoutUndefined({ targetVersion, targetVersionHeader, time }),
  };
}

/** The text of a PEM file, and what it holds. */
function read<T>(flag: string, path: string, what: string, parse: (pem: string) => T): { pem: string; value: T } {
  const pem = readFileSync(path, 'utf8');
  try {
    return { pem, value: parse(pem) };
  } catch {
    throw new UsageError(`${flag} (${path}) contains no ${what}`, 'give it as a PEM file');
  }
}

const certificateIn = (flag: string, path: string) =>
  read(flag, path, 'certificate', (pem) => new X509Certificate(pem));

/** A pair that no server could accept is rejected before anything is sent. */
function clientOf(certFile: string, keyFile: string): NonNullable<Connection['client']> {
  const certificate = certificateIn('--cert', certFile);
  const key = read('--key', keyFile, 'private key without a pass phrase', createPrivateKey);
  if (certificate.value.checkPrivateKey(key.value)) return { cert: certificate.pem, key: key.pem };
  throw new UsageError(`--key (${keyFile}) does not belong to the certificate of --cert (${certFile})`, 'give its key');
}

/** The connection that the settings describe, certificates and keys as text. Throws `UsageError`. */
export function connectionOf({ ca, cert, key, header, proxy }: Settings): Connection {
  return withoutUndefined({
    ca: ca && certificateIn('--ca', ca).pem,
    client: cert && key ? clientOf(cert, key) : undefined,
    proxy,
    headers: header.length === 0 ? undefined : header,
  });
}

/** A group is named by the first segment of its paths, or by the last word of it: `voice-applications`, `applications`. */
function groupsOf({ path }: Operation): readonly string[] {
  const group = path.split('/')[2] ?? '';
  return [group, group.replace(/^.*-/, '')];
}

const wordsOf = (operation: Operation): readonly string[] => [operation.alias, operation.id, ...groupsOf(operation)];
const OPERATION_WORDS: readonly string[] = [...new Set(OPERATIONS.flatMap(wordsOf))];
const ALIASES: readonly string[] = OPERATIONS.map(({ alias }) => alias);
const GROUPS: readonly string[] = [...new Set(OPERATIONS.flatMap((operation) => groupsOf(operation).slice(-1)))];

/** The operations that remain, in order; `without` holds ids, short words and groups. Throws `UsageError`. */
export function operationsLeft(without: readonly string[]): readonly OperationId[] {
  const stranger = without.find((word) => !OPERATION_WORDS.includes(word));
  if (stranger !== undefined) {
    const remedy =
      suggestion(stranger, OPERATION_WORDS) ?? `use ${ALIASES.join(', ')}, or the group ${GROUPS.join(', ')}`;
    throw new UsageError(`Unknown operation ${JSON.stringify(stranger)} in --without`, remedy);
  }
  const left = OPERATIONS.filter((operation) => !wordsOf(operation).some((word) => without.includes(word)));
  if (left.length === 0) throw new UsageError('--without excludes every operation', 'keep at least one');
  return left.map(({ id }) => id);
}

/**
 * Checks what `--only` names against the ids of requirements and cases of the plan: `known` is everything that exists,
 * `planned` what the profile and `--without` leave of it. Throws `UsageError`.
 */
export function checkOnly(only: readonly string[], known: readonly string[], planned: readonly string[]): void {
  const stranger = only.find((word) => !known.includes(word));
  if (stranger !== undefined) {
    const remedy = suggestion(stranger, known) ?? 'see pcs-conformance list';
    throw new UsageError(`Unknown requirement or case ${JSON.stringify(stranger)} in --only`, remedy);
  }
  const idle = only.find((word) => !planned.includes(word));
  if (idle !== undefined) {
    throw new UsageError(
      `--only ${idle} selects nothing: the profile and --without exclude all of its cases`,
      'omit one of the three',
    );
  }
}
