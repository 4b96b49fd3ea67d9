/** What every request passes before it leaves: the admission of the target, and the guards (conformance model, sections 5 and 7). */

import type { GuardContext } from '../client-options.ts';
import { GuardRefusal, Skipped, type SuiteRequest } from '../request.ts';
import type { Outgoing } from '../wire.ts';
import { dialGuard } from './dial-guard.ts';
import { writeGuard } from './write-guard.ts';

/** Throws `GuardRefusal` for what the suite must never send, `Skipped` where the target claims a made-up id. */
export function guard(request: SuiteRequest, { wire, below }: Outgoing, context: GuardContext): void {
  const { numbers, ids } = request.credential === 'other-organization' ? context.ofOthers : context.ours;
  const guarded = { method: request.method, path: below, headers: wire.headers, body: wire.body };
  const blocked = writeGuard(guarded, context.register) ?? dialGuard(guarded, numbers, ids);
  if (blocked?.isClaimed === true) {
    throw new Skipped('a response of the target names the made-up id as one of its own', { why: 'claimed' });
  }
  if (blocked !== null) throw new GuardRefusal(blocked.rule, blocked.sentence);
}

/**
 * How far a target is admitted: nothing but first reads leaves until it is known to be the service, and nothing but
 * clean-up after the end.
 */
export class Admission {
  #isOpen = false;
  #stopped: string | null = null;

  /** Why the run has ended: from then on, only clean-up is sent; `null` as long as it goes on. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** The run has ended; the first reason counts. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** The target is the service: from now on everything may be sent. */
  open(): void {
    this.#isOpen = true;
  }

  /** Throws `Skipped` for everything but a first read, clean-up included, until the target was admitted. */
  demand({ method, role }: SuiteRequest): void {
    if (this.#isOpen || (method === 'GET' && role === 'preflight')) return;
    const reason = this.#stopped ?? 'no read has shown yet that the target is the service';
    throw new Skipped(reason, { why: 'stopped' });
  }
}
