/**
 * Sends the walks of an exploration, and shrinks those that find something.
 * The reasons are in docs/design/exploration.md.
 */

import { DRAWN } from '../contract/limits.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { evaluate } from '../verdict/evaluate.ts';
import { commandOf } from '../verdict/folded.ts';
import { likeness } from '../verdict/identity.ts';
import type { Finding } from '../verdict/opinion.ts';
import { failedBy } from '../verdict/opinions.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';
import type { WalkSequence } from './sequence.ts';

type SendWalk = (sequence: WalkSequence) => Promise<void>;

/** What an exploration needs from its run. */
export interface ExploredRun {
  readonly exchanges: readonly Exchange[];
  readonly requirements: readonly JudgedRequirement[];
  /** The run so far. */
  readonly recorded: () => RunRecord;
  /** Whether no further walk may start. */
  readonly isOver: () => boolean;
}

/** What a request of a walk shows about a case, and has to show again in a smaller walk. */
interface ShownByWalk {
  readonly id: string;
  readonly finding: Finding;
  readonly exchange: Exchange;
}

const isSameShown = (a: ShownByWalk, b: ShownByWalk): boolean =>
  a.id === b.id && likeness(a.finding) === likeness(b.finding) && commandOf(a.exchange) === commandOf(b.exchange);

/** The exploration of one run. */
export class Exploration {
  readonly #run: ExploredRun;
  #trials: number = DRAWN.trialsOfRun;
  /** How many smaller walks each case may still get. */
  readonly #trialsOf = new Map<string, number>();

  constructor(run: ExploredRun) {
    this.#run = run;
  }

  /**
   * Sends a walk. For each finding that nothing else in the run shows, smaller walks follow, down to the smallest that
   * still shows it: a later run recognizes the finding by its commands, also in a case that the plan fails already.
   */
  async walk({ walk: planned }: WalkSequence, send: SendWalk): Promise<void> {
    const { exchanges, isOver } = this.#run;
    if (isOver()) return;
    const from = exchanges.length;
    const sequence = planned.chosen(exchanges);
    const shown = await this.#shownBy(sequence, send);
    const sent = new Set(exchanges.slice(from));
    const tried: ShownByWalk[] = [];
    const next = (): ShownByWalk | undefined =>
      this.#foundIn(sent).find((finding) => !tried.some((known) => isSameShown(finding, known)));
    for (let finding = shown.length === 0 ? undefined : next(); finding !== undefined; finding = next()) {
      tried.push(finding);
      await this.#shrink(finding, sequence, send);
    }
  }

  /**
   * Delta debugging: leaves out ever smaller chunks of a failing walk, the last ones first, as long as the rest still
   * fails. The same answers give the same trials.
   */
  async #shrink(shown: ShownByWalk, { walk }: WalkSequence, send: SendWalk): Promise<void> {
    let places = Array.from({ length: walk.commands }, (_, at) => at);
    for (let size = Math.ceil(places.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let end = places.length; end > 0; end -= size) {
        const rest = [...places.slice(0, Math.max(0, end - size)), ...places.slice(end)];
        const left = this.#trialsOf.get(shown.id) ?? DRAWN.trials;
        if (rest.length === 0 || left === 0 || this.#trials === 0) continue;
        this.#trialsOf.set(shown.id, left - 1);
        this.#trials -= 1;
        const found = await this.#shownBy(walk.part(rest), send);
        if (found.some((again) => isSameShown(again, shown))) places = rest;
      }
    }
  }

  /** Sends a walk, and resolves with what it shows. */
  async #shownBy(sequence: WalkSequence, send: SendWalk): Promise<readonly ShownByWalk[]> {
    const { exchanges, recorded, requirements } = this.#run;
    const from = exchanges.length;
    await send(sequence);
    return failedBy(exchanges.slice(from), recorded(), requirements).flatMap(({ id, opinion, exchange }) =>
      opinion.kind === 'finding' ? [{ id, finding: opinion.finding, exchange }] : [],
    );
  }

  /** The findings of the run so far whose best evidence is in these exchanges of a walk. */
  #foundIn(sent: ReadonlySet<Exchange>): readonly ShownByWalk[] {
    const { recorded, requirements } = this.#run;
    const record = recorded();
    const bySeq = new Map([...sent].map((exchange) => [exchange.seq, exchange]));
    const { requirements: judged } = evaluate(record, { requirements, remedyOf: () => undefined });
    return judged.flatMap(({ cases }) =>
      cases.flatMap(({ id, findings }) =>
        findings.flatMap((finding) => {
          const exchange = bySeq.get(finding.example);
          return exchange === undefined ? [] : [{ id, finding, exchange }];
        }),
      ),
    );
  }
}
