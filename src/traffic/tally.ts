/** Opinions added up as they come: an exchange without a finding is not kept. */

import type { Exchange } from '../exchange/exchange.ts';
import type { Finding } from '../verdict/opinion.ts';

/** Equal findings of a case, and the smallest exchange that shows them. */
export interface Found {
  readonly finding: Finding;
  count: number;
  /** The exchange as it is kept. */
  readonly example: Exchange;
  readonly weight: number;
}

/** So many different findings of a case are kept apart; a target may put anything into one. */
const MOST_KINDS = 20;
const keyOf = ({ expected, actual, where }: Finding): string => `${expected}\n${actual}\n${where}`;

/** What the traffic says of one case. */
export class CaseTally {
  judged = 0;
  passes = 0;
  readonly #found = new Map<string, Found>();

  /** Findings, the first seen first. */
  get found(): readonly Found[] {
    return [...this.#found.values()];
  }

  /** Adds a finding; `keep` makes the exchange that is kept, and is called only if it is. */
  add(finding: Finding, weight: number, keep: () => Exchange, count = 1): void {
    const whole = this.#found.size < MOST_KINDS || this.#found.has(keyOf(finding));
    const kind = whole ? finding : { ...finding, actual: 'something else again' };
    const known = this.#found.get(keyOf(kind));
    if (known === undefined || weight < known.weight) {
      this.#found.set(keyOf(kind), { finding: kind, weight, example: keep(), count: count + (known?.count ?? 0) });
    } else known.count += count;
  }
}
