/** A run against the reference service inside this process, with settings of the same names: what a real run would do. */

import { createReference } from '../../fixtures/service/reference.ts';
import type { RunOptions } from '../run/options.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

/**
 * Rehearses a run: the same plan, seed, profile and limits, and the same optional settings as the real run has. Nothing
 * leaves this process. Addresses, ids, numbers and credentials are those of the reference service.
 */
export async function rehearse(options: RunOptions): ReturnType<typeof judge> {
  const reference = createReference();
  const own = optionsFrom(reference.settings);
  const { ringingCallId: ringing, callIdPointer: _, ...rest } = options;
  return judge(reference.service, {
    ...rest,
    baseUrl: own.baseUrl,
    credentials: likeNamed(own.credentials, options.credentials),
    numbers: options.numbers === null ? null : own.numbers,
    resources: likeNamed(own.resources, options.resources),
    inbound: likeNamed(own.inbound, options.inbound),
    ...(ringing === undefined || own.ringingCallId === undefined ? {} : { ringingCallId: own.ringingCallId }),
    queries: {},
    samples: {},
    rate: 0,
    credentialPause: 0,
  });
}

/** The members of `own` that `given` has, too. */
function likeNamed<Members extends object>(own: Members, given: Members): Members {
  return Object.fromEntries(Object.entries(own).filter(([name]) => name in given)) as Members;
}
