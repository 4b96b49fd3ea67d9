/** A key of repetition (`Idempotency-Key`) that the user gives and that is the same in each request. */

import { DRAWN_UUID } from '../../contract/uuid.ts';
import type { Exchange } from '../../exchange/exchange.ts';

/** Why no more calls are placed, and what would help. */
export interface Refusal {
  readonly reason: string;
  readonly remedy?: string;
}

/**
 * Learns whether a key comes again with another request: then a service takes the second create call for the first one, or
 * rejects it with 422 (draft-ietf-httpapi-idempotency-key-header). A run was told to add such a field, and accused six cases.
 */
export class ConstantKey {
  readonly #keys = new Set<string>();
  refusal: Refusal | null = null;

  /** Takes an exchange; one that is sent again has its key again. */
  learn({ tag, request }: Exchange): void {
    if (tag.replaces !== undefined) return;
    for (const [name, value] of request.headers.filter(([field]) => /idempoten/i.test(field))) {
      if (this.#keys.has(value))
        this.refusal = {
          reason: `${name} is the same in each request, so that no create call is a new one`,
          remedy: `give --header '${name}: ${DRAWN_UUID}', which is drawn anew for each request`,
        };
      this.#keys.add(value);
    }
  }
}
