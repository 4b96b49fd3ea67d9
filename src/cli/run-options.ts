/** From settings to the options of the engine. */

import { OPERATION_IDS } from '../contract/operations.ts';
import type { RunOptions } from '../run/options.ts';
import type { Settings } from '../settings/settings.ts';
import { operationsLeft } from './selection.ts';

/** The engine's options; the target is an address by then. Throws `UsageError`. */
export function runOptionsOf(settings: Settings, samples: RunOptions['samples']): RunOptions {
  const { target, call, resources, credentials, inbound, availableNumbersQuery } = settings;
  if (target.kind !== 'url') throw new Error('the reference service was not started');
  const left = operationsLeft(settings.without);
  const { from, to, ringingCallId } = call;
  const { profile, strict, seed, runs, only, path, concurrency, rate, maxRequests, maxCalls, maxWait } = settings;
  const { timeout, callTimeout, fullEvidence } = settings;
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
    ...(path === undefined ? {} : { path }),
    ...{ timeout, callTimeout, fullEvidence },
    caseHeader: true,
  };
}
