/** What the checks of a run say of the answers to their requests. */

import { groupBy } from '../contract/lists.ts';
import type { Ask, Exchange } from '../exchange/exchange.ts';
import type { Evidence } from './evidence.ts';
import type { Opinion } from './opinion.ts';

/** What an answer shows of a variation, asked once the run is over: what came later may explain it. */
export type Judge = (evidence: Evidence) => Opinion;

/** What a check says of one answer: the requirement and the variation, and its judge. */
export interface Said extends Ask {
  readonly seq: number;
  readonly judge: Judge;
}

/** All that the checks of a run said. It is never written: who reads a record runs the checks on it again. */
export class Judgements {
  readonly #said: Said[] = [];
  #bySeq: ReadonlyMap<number, readonly Said[]> | null = null;

  /** Notes what a check says. */
  note(said: Said): void {
    this.#said.push(said);
    this.#bySeq = null;
  }

  /** What was said of that exchange, in the order in which it was said. */
  of({ seq }: Exchange): readonly Said[] {
    this.#bySeq ??= groupBy(this.#said, (opinion) => opinion.seq);
    return this.#bySeq.get(seq) ?? [];
  }

  toJSON(): undefined {
    return undefined;
  }
}
