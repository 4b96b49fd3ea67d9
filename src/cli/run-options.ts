/** From settings to the options of the engine. */

import { OPERATION_IDS } from '../contract/operations.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { RunOptions } from '../run/options.ts';
import { extentOf } from '../settings/extent.ts';
import type { Settings } from '../settings/settings.ts';
import { operationsLeft } from './selection.ts';

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

/** The engine's options; the target is an address by then. Throws `UsageError`. */
export function runOptionsOf(settings: Settings, samples: RunOptions['samples']): RunOptions {
  const { target, call, resources, credentials, inbound, queries, voiceUrl } = settings;
  if (target.kind !== 'url') throw new Error('the reference service was not started');
  const left = operationsLeft(settings.without);
  const { from, to, ringingCallId, callIdPointer } = call;
  const { profile, strict, seed, explore, only, path, concurrency, rate, maxRequests, maxCalls, maxWait } = settings;
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
    ...extentOf(explore),
    ...{ strict, seed, only, concurrency, rate, maxRequests, maxCalls, maxWait },
    ...(path === undefined ? {} : { path }),
    ...(maxInvalidCredentials === undefined ? {} : { maxInvalidCredentials }),
    ...{ credentialPause, timeout, callTimeout, fullEvidence },
    caseHeader: true,
  };
}
