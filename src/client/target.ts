/** The one port to a target: live over sockets, in this process, or from a record. */

import type { Exchange } from '../exchange/exchange.ts';
import type { Place, SuiteRequest } from './request.ts';
import type { Admission } from './safety/admission.ts';

/** Sends requests and gives back what was recorded of them. */
export interface Target {
  /**
   * Sends a request, again after each retryable answer, and resolves with the last recorded exchange. Throws `Skipped`
   * where nothing may be sent.
   */
  send(request: SuiteRequest, place: Place): Promise<Exchange>;
  /** What of it may be sent. */
  readonly admission: Admission;
}
