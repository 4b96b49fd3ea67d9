/** What every report is made of, and what a reporter is. */

import type { Exchange } from '../exchange/exchange.ts';
import type { Choice } from '../verdict/choices.ts';
import type { Results } from '../verdict/results.ts';
import type { Difference } from './difference.ts';

/** A judged run: its results, and the exchanges that they refer to by `seq`. */
export interface RunArtefacts {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** What the target chose where the specification says nothing, where that was read off the record. */
  readonly choices?: readonly Choice[];
  /** What changed since a baseline, where there is one. */
  readonly difference?: Difference;
  /**
   * When the run began, milliseconds since the epoch: for the formats that ask for a date (HAR, CTRF). Nothing that is
   * compared between runs holds it.
   */
  readonly startedAt?: number;
}

/** Makes one file of the report folder. Pure: equal runs give equal bytes. */
export interface Reporter {
  readonly name: string;
  /** Name of the file in the report folder. */
  readonly file: string;
  /** The file's text, or `null` where this run makes no such file (a badge of a partial run). */
  readonly render: (run: RunArtefacts) => string | null;
}
