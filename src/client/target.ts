/** The one port to a target: live over sockets, in this process, or from a record. */

import type { Exchange } from '../exchange/exchange.ts';
import type { Place, SuiteRequest } from './request.ts';

/** Sends requests and gives back what was recorded of them. */
export interface Target {
  /**
   * Sends a request, again after each retryable answer, and resolves with the last recorded exchange. Throws `Skipped`
   * where nothing may be sent.
   */
  send(request: SuiteRequest, place: Place): Promise<Exchange>;
  /** The target is the service: until then nothing but the reads of the preflight is sent, not even clean-up. */
  admit(): void;
  /** From now on, only clean-up is sent. */
  stop(reason: string): void;
}
