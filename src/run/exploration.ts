/**
 * Sends the walks of an exploration, and shrinks those that find something.
 * The reasons are in docs/design/exploration.md.
 */

import { DRAWN } from '../contract/limits.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { evaluate } from '../verdict/evaluate.ts';
import { failedBy } from '../verdict/opinions.ts';
import type { JudgedRecord } from '../verdict/record.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';
import type { WalkSequence } from './sequence.ts';

type Send = (sequence: WalkSequence) => Promise<void>;

/** What an exploration needs of its run. */
export interface ExploredRun {
  readonly exchanges: readonly Exchange[];
  readonly requirements: readonly JudgedRequirement[];
  /** The run so far. */
  readonly recorded: () => JudgedRecord;
  /** Whether no further walk may begin. */
  readonly isOver: () => boolean;
}

/** The cases that fail by a record. */
function failingCases(record: JudgedRecord, requirements: readonly JudgedRequirement[]): Set<string> {
  const judging = { requirements, remedyOf: () => undefined };
  const cases = evaluate(record, judging).requirements.flatMap((one) => one.cases);
  return new Set(cases.flatMap(({ id, findings }) => (findings.length === 0 ? [] : [id])));
}

/** The exploration of one run. */
export class Exploration {
  readonly #run: ExploredRun;
  #trials = DRAWN.trialsOfRun;
  /** Cases that failed before the first walk that found something, and those found since; `null` until then. */
  #failing: Set<string> | null = null;

  constructor(run: ExploredRun) {
    this.#run = run;
  }

  /**
   * Sends a walk. If it fails a case that nothing has failed before, smaller walks follow, down to the smallest that
   * still does.
   */
  async walk({ walk: planned }: WalkSequence, send: Send): Promise<void> {
    const { exchanges, recorded, requirements, isOver } = this.#run;
    if (isOver()) return;
    const from = exchanges.length;
    const sequence = planned.chosen(exchanges);
    const { walk } = sequence;
    const failed = await this.#failedBy(sequence, send);
    if (failed.length === 0) return;
    this.#failing ??= failingCases({ ...recorded(), exchanges: exchanges.slice(0, from) }, requirements);
    for (const id of failed) {
      if (this.#failing.has(id)) continue;
      const trials = Math.min(DRAWN.trials, this.#trials);
      await smallestPart(
        walk.commands,
        async (places) => {
          this.#trials -= 1;
          return (await this.#failedBy(walk.part(places), send)).includes(id);
        },
        trials,
      );
      this.#failing.add(id);
    }
  }

  /** Sends a walk, and resolves with the cases of the plan that it fails. */
  async #failedBy(sequence: WalkSequence, send: Send): Promise<readonly string[]> {
    const { exchanges, recorded, requirements } = this.#run;
    const from = exchanges.length;
    await send(sequence);
    return failedBy(exchanges.slice(from), recorded(), requirements);
  }
}

/**
 * Delta debugging. Leaves out ever smaller chunks of a failing list of that length, the last ones first, as long as what
 * remains still fails. Resolves with the places that remain, after at most this many trials. The same answers give the same
 * trials.
 */
async function smallestPart(
  length: number,
  fails: (places: readonly number[]) => Promise<boolean>,
  trials: number,
): Promise<readonly number[]> {
  let places = Array.from({ length }, (_, at) => at);
  let left = trials;
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = places.length; end > 0 && left > 0; end -= size) {
      const rest = [...places.slice(0, Math.max(0, end - size)), ...places.slice(end)];
      if (rest.length === 0 || rest.length === places.length) continue;
      left -= 1;
      if (await fails(rest)) places = rest;
    }
  }
  return places;
}
