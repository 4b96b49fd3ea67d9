/** Whether the target still accepts the credential, and answers within bounds: if not, the run ends (model, section 5). */

import type { Answer } from '../client/request.ts';
import { COLLECTIONS } from '../contract/operations.ts';

/** This many health checks in a row are rejected although the operation accepted the credential before. */
const MOST_REJECTED = 2;
/** After this many rejections in a row by operations that accepted the credential before, a health check is due. */
const MOST_SUSPICIOUS = 5;

/** A longer body (bytes) is unusual, unless it is a list. */
const HEAVY = 1_048_576;
/** After so many heavy bodies the run ends: each one costs a good part of a second. */
const MOST_HEAVY = 4;
const LISTS: ReadonlySet<string | null> = new Set(COLLECTIONS);

const REJECTIONS: ReadonlySet<number | null> = new Set([401, 403, 429]);

/** Watches the answers of one lane. */
export class Health {
  #rejected = 0;
  #suspicious = 0;
  /** Operations that accepted the credential. */
  readonly accepted: Set<string>;
  /** How many heavy bodies came, in earlier phases and in this lane. */
  heavy: number;

  /** `accepted`: operations that accepted the credential in an earlier phase; `heavy`: bodies in earlier phases. */
  constructor(accepted: Iterable<string> = [], heavy = 0) {
    this.accepted = new Set(accepted);
    this.heavy = heavy;
  }

  /** Whether a health check is due, which distinguishes an expired credential from a strict target. */
  get isSuspicious(): boolean {
    return this.#suspicious >= MOST_SUSPICIOUS;
  }

  /** Notes an answer; returns the sentence that ends the run, or `null`. */
  note({ status, accepted, exchange }: Answer): string | null {
    const { tag, request } = exchange;
    if (!LISTS.has(tag.operation) && (exchange.response?.body?.length ?? 0) >= HEAVY) this.heavy += 1;
    if (this.heavy >= MOST_HEAVY) {
      return `the target sends bodies of more than 1 MiB where no list was asked for (${request.method} ${request.path}), which cannot be judged in a reasonable time`;
    }
    if (request.credential !== 'valid') return null;
    const operation = tag.operation ?? '';
    if (accepted) {
      this.accepted.add(operation);
      this.#rejected = 0;
      this.#suspicious = 0;
    }
    if (!this.accepted.has(operation)) return null;
    if (REJECTIONS.has(status)) {
      this.#suspicious += 1;
      if (tag.role === 'health-check') this.#rejected += 1;
    }
    return this.#rejected >= MOST_REJECTED ? lockedOut(status) : null;
  }
}

function lockedOut(status: number | null): string {
  if (status === 429) {
    return 'the target is still rate-limiting this caller (status 429): try later, lower --rate or --concurrency, set --credential-pause, or raise --max-wait';
  }
  return `the target rejects the credential that it accepted before (status ${status}): it expired or was locked out; check PCS_ACCESS_TOKEN, set --credential-pause or raise --max-wait`;
}
