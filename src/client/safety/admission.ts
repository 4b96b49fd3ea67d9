/** Until the target is known to be the service, nothing but the first reads leaves (conformance model, section 5). */

import { Skipped, type SuiteRequest } from '../request.ts';

/** Decides what may be sent before the preflight has passed, clean-up included. */
export class Admission {
  #isOpen = false;

  /** The target is the service: from now on everything may be sent. */
  open(): void {
    this.#isOpen = true;
  }

  /** Throws `Skipped` for everything but a first read until the target was admitted; `reason` says why it was not. */
  demand({ method, role }: SuiteRequest, reason: string | null): void {
    if (this.#isOpen || (method === 'GET' && role === 'preflight')) return;
    throw new Skipped(reason ?? 'no read has shown yet that the target is the service', undefined, 'stopped');
  }
}
