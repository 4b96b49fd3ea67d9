/** What traffic shows, added up as it comes: an exchange without a finding is not kept. */

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

/** Counts by name, and findings by case. */
export class Tally {
  readonly counts = new Map<string, number>();
  readonly #found = new Map<string, Map<string, Found>>();

  /** Counts one more, or several. */
  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  /** The findings of a case, the first seen first. */
  foundIn(id: string): readonly Found[] {
    return [...(this.#found.get(id)?.values() ?? [])];
  }

  /** Adds a finding; `keep` makes the exchange that is kept, and is called only if it is. */
  find(id: string, { finding, weight, count }: Omit<Found, 'example'>, keep: () => Exchange): void {
    const own = this.#found.get(id) ?? new Map<string, Found>();
    this.#found.set(id, own);
    const isApart = own.size < MOST_KINDS || own.has(keyOf(finding));
    const kind = isApart ? finding : { ...finding, actual: 'something else again' };
    const known = own.get(keyOf(kind));
    if (known !== undefined && weight >= known.weight) known.count += count;
    else own.set(keyOf(kind), { finding: kind, weight, example: keep(), count: count + (known?.count ?? 0) });
  }

  /** Adds everything that another tally holds. */
  add(other: Tally): void {
    for (const [name, count] of other.counts) this.count(name, count);
    for (const id of other.#found.keys()) for (const one of other.foundIn(id)) this.find(id, one, () => one.example);
  }
}
