/** Nothing but first reads leaves until the target is known to be the service, and nothing but clean-up after the end. */

import { Skipped, type SuiteRequest } from '../request.ts';

/** How far a target is admitted (conformance model, section 5). */
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

  /**
   * Throws `Skipped` for everything but a first read, clean-up included, until the target was admitted. `end` is why it
   * never is, if that is known.
   */
  demand({ method, role }: SuiteRequest, end: string | null = null): void {
    if (this.#isOpen || (method === 'GET' && role === 'preflight')) return;
    const reason = this.#stopped ?? end ?? 'no read has shown yet that the target is the service';
    throw new Skipped(reason, { why: 'stopped' });
  }
}
