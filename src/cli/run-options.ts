/** From settings to what the engine is told. */

import { readFileSync } from 'node:fs';
import { OPERATION_IDS, type OperationId } from '../contract/operations.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { JsonValue } from '../generate/json.ts';
import type { RunOptions } from '../run/options.ts';
import type { Settings } from '../settings/settings.ts';
import { operationsLeft } from './selection.ts';

/** The options of a run; the target is an address by then. Throws `UsageError`. */
export function runOptionsOf(settings: Settings, samples: RunOptions['samples']): RunOptions {
  const { target, call, resources, credentials, inbound, availableNumbersQuery } = settings;
  if (target.kind !== 'url') throw new Error('the reference service was not started');
  const left = operationsLeft(settings.without);
  const { from, to, ringingCallId } = call;
  const { profile, strict, seed, runs, only, concurrency, rate, maxRequests, maxCalls, maxWait } = settings;
  return {
    baseUrl: target.baseUrl,
    credentials,
    numbers: from === undefined || to === undefined ? null : { from, to },
    ...(ringingCallId === undefined ? {} : { ringingCallId }),
    resources,
    inbound,
    ...(availableNumbersQuery === undefined ? {} : { availableNumbersQuery }),
    samples,
    profile,
    without: OPERATION_IDS.filter((id) => !left.includes(id)),
    ...{ strict, seed, runs, only, concurrency, rate, maxRequests, maxCalls, maxWait },
    ...(settings.path === undefined ? {} : { path: settings.path }),
    timeout: settings.timeout,
    callTimeout: settings.callTimeout,
    fullEvidence: settings.fullEvidence,
    caseHeader: true,
  };
}

type Members = Readonly<Record<string, unknown>>;

/** The samples that the settings name. Throws `UsageError`. */
export function samplesOf({ samplesFile, call }: Settings): RunOptions['samples'] {
  if (samplesFile === undefined) return {};
  const samples = readSamples(readFileSync(samplesFile, 'utf8'), samplesFile);
  demandOurNumbers(Object(samples.createCall), call, samplesFile);
  return samples;
}

/** Nothing else is dialled, whoever wrote it down. */
function demandOurNumbers(sample: Members, { from, to }: Settings['call'], path: string): void {
  for (const [name, setting, ours] of [
    ['from', 'PCS_CALL_FROM', from],
    ['to', 'PCS_CALL_TO', to],
  ] as const) {
    const given = sample[name];
    if (given === undefined || ours === undefined || given === ours) continue;
    throw new UsageError(
      `--samples ${path} gives createCall ${JSON.stringify(given)} for ${name}: write ${setting} (${ours}) there.`,
    );
  }
}

/** Bodies known to be accepted, by operation: the text of a samples file. Throws `UsageError`. */
export function readSamples(text: string, path: string): RunOptions['samples'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`--samples ${path} is no JSON: write an object with a body for each operation.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`--samples ${path} holds no object: write one with a body for each operation.`);
  }
  const bare = Object.entries(value).find(
    ([, body]) => typeof body !== 'object' || body === null || Array.isArray(body),
  );
  if (bare !== undefined) {
    const [name, body] = bare;
    throw new UsageError(
      `--samples ${path} gives ${name} ${JSON.stringify(body)}: write the object that it takes for a body.`,
    );
  }
  const stranger = Object.keys(value).find((name) => !(OPERATION_IDS as readonly string[]).includes(name));
  if (stranger !== undefined) {
    throw new UsageError(
      `--samples ${path} names ${JSON.stringify(stranger)}, and there is no such operation: use ${OPERATION_IDS.join(', ')}.`,
    );
  }
  return value as Readonly<Partial<Record<OperationId, JsonValue>>>;
}
