/** Marks of other runs: the names that they wrote, and did not restore yet (conformance model, section 7). */

import { MARK } from '../client/learned.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Facts } from './state.ts';

/** A hostile target may show any number of marks. */
const MOST_NAMED = 3;

/** Collects the marks that answers show. */
export class OtherRuns {
  readonly #own: string;
  readonly #marks = new Set<string>();

  /** `own`: the mark of this run, which every run with the same seed has. */
  constructor(own: string) {
    this.#own = own;
  }

  /** The preflight comes before anything is written, so that even a mark like our own is not of this run there. */
  note({ tag, response }: Exchange): void {
    for (const mark of response?.learned?.marks ?? []) {
      if (mark !== this.#own || tag.role === 'preflight') this.#marks.add(mark);
    }
  }

  /** One sentence for each mark; `facts` hold the names as they were before this run. */
  sentences({ trunk, application }: Facts): readonly string[] {
    const names = [trunk?.['name'], application?.['name']].flatMap((name) => String(name ?? '').match(MARK) ?? []);
    const marks = [...new Set([...this.#marks, ...names])].sort().slice(0, MOST_NAMED);
    return marks.map((mark) => `the target shows the mark "${mark}": another run is active, or one was killed`);
  }
}
