/** The guards that every request passes before it leaves (conformance model, section 7). */

import type { GuardContext } from '../client-options.ts';
import { GuardRefusal, Skipped, type SuiteRequest } from '../request.ts';
import type { Outgoing } from '../wire.ts';
import { dialGuard } from './dial-guard.ts';
import { writeGuard } from './write-guard.ts';

/** Throws `GuardRefusal` for what the suite must never send, `Skipped` where the target claims a made-up id. */
export function guard(request: SuiteRequest, { wire, below }: Outgoing, context: GuardContext): void {
  const { numbers, createIds, register } = context;
  const guarded = { method: request.method, path: below, headers: wire.headers, body: wire.body };
  const blocked = writeGuard(guarded, register) ?? dialGuard(guarded, numbers, createIds);
  if (blocked?.isClaimed === true) {
    throw new Skipped('a response of the target names the made-up id as one of its own', { why: 'claimed' });
  }
  if (blocked !== null) throw new GuardRefusal(blocked.rule, blocked.sentence);
}
