/** From settings to the options of the engine. */

import { readFileSync } from 'node:fs';
import { OPERATION_IDS } from '../contract/operations.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { RunOptions } from '../run/options.ts';
import type { Settings } from '../settings/settings.ts';
import { operationsLeft } from './selection.ts';

/** The engine's options; the target is an address by then. Throws `UsageError`. */
export function runOptionsOf(settings: Settings, samples: RunOptions['samples']): RunOptions {
  const { target, call, resources, credentials, inbound, queries, voiceUrl } = settings;
  if (target.kind !== 'url') throw new Error('the reference service was not started');
  const left = operationsLeft(settings.without);
  const { from, to, ringingCallId, callIdPointer } = call;
  const { profile, strict, seed, runs, only, path, concurrency, rate, maxRequests, maxCalls, maxWait } = settings;
  const { maxInvalidCredentials, credentialPause, timeout, callTimeout, fullEvidence } = settings;
  return {
    baseUrl: target.baseUrl,
    credentials,
    numbers: from === undefined || to === undefined ? null : { from, to },
    ...(ringingCallId === undefined ? {} : { ringingCallId }),
    ...(callIdPointer === undefined ? {} : { callIdPointer }),
    resources,
    inbound,
    queries,
    ...(voiceUrl === undefined ? {} : { voiceUrl }),
    samples,
    profile,
    without: OPERATION_IDS.filter((id) => !left.includes(id)),
    ...{ strict, seed, runs, only, concurrency, rate, maxRequests, maxCalls, maxWait },
    ...(path === undefined ? {} : { path }),
    ...(maxInvalidCredentials === undefined ? {} : { maxInvalidCredentials }),
    ...{ credentialPause, timeout, callTimeout, fullEvidence },
    caseHeader: true,
  };
}

/** The bodies in the samples file of the settings. Throws `UsageError`. */
export function samplesOf({ samples: file, call }: Settings): RunOptions['samples'] {
  if (file === undefined) return {};
  const complain = (problem: string): never => {
    throw new UsageError(`--samples ${file} ${problem}.`);
  };
  const samples =
    objectOf(parsed(readFileSync(file, 'utf8'))) ?? complain('is not a JSON object: write one body for each operation');
  for (const [name, body] of Object.entries(samples)) {
    if (!(OPERATION_IDS as readonly string[]).includes(name)) {
      complain(`names the unknown operation ${JSON.stringify(name)}: use ${OPERATION_IDS.join(', ')}`);
    }
    if (objectOf(body) === undefined)
      complain(`gives ${name} ${JSON.stringify(body)}: write a JSON object as its body`);
  }
  const own = [
    ['from', 'PCS_CALL_FROM', call.from],
    ['to', 'PCS_CALL_TO', call.to],
  ] as const;
  // Nothing else is dialled, whatever the file says.
  for (const [member, setting, ours] of own) {
    const given = objectOf(samples['createCall'])?.[member];
    if (given === undefined || ours === undefined || given === ours) continue;
    complain(`gives createCall ${JSON.stringify(given)} for ${member}: write ${setting} (${ours}) there`);
  }
  return samples as RunOptions['samples'];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}
