/** The record of a run: everything that verdicts are computed from. */

import type { CaseOperation } from '../contract/operations.ts';
import type { Skip } from '../contract/skipped.ts';
import type { Waited } from '../contract/waiting.ts';
import type { Ask, Exchange, SettledFacts } from '../exchange/exchange.ts';
import type { Evidence } from './evidence.ts';
import type { RunHeader, RunInputs } from './header.ts';
import type { Opinion } from './opinion.ts';

/** One planned judgement: a requirement on an operation. */
export interface PlannedCase {
  /** `REQUIREMENT/operation`. */
  readonly id: string;
  readonly requirement: string;
  readonly operation: CaseOperation;
  /** The variations that planned sequences ask; for an invariant, the boundary values that they send. */
  readonly questions: readonly string[];
}

/** Id of the case of a requirement on an operation. */
export const caseId = (requirement: string, operation: string): string => `${requirement}/${operation}`;

/** The requirement of the case with that id. */
export const requirementOf = (id: string): string => id.slice(0, id.indexOf('/'));

/** What an answer shows of a variation; called once the run is over, since later exchanges may explain it. */
export type Judge = (evidence: Evidence) => Opinion;

/** What a check says of one answer: the requirement and the variation, and its judge. */
export interface Said extends Ask {
  readonly seq: number;
  readonly judge: Judge;
}

/** Everything that the checks of a run said. It is never written: readers of a record run the checks again. */
export class Judgements {
  readonly #said = new Map<number, readonly Said[]>();

  /** Notes what a check says. */
  note(said: Said): void {
    this.#said.set(said.seq, [...this.of(said), said]);
  }

  /** What was said of that exchange, in the order in which it was said. */
  of({ seq }: Pick<Exchange, 'seq'>): readonly Said[] {
    return this.#said.get(seq) ?? [];
  }

  toJSON(): undefined {
    return undefined;
  }
}

/** A sequence, or part of one, that was not sent, and why. */
export interface SkippedNote extends Skip {
  readonly sequence: string;
  readonly operation: CaseOperation;
  /** What it would have asked. */
  readonly asks: readonly Ask[];
}

/** The suite itself broke while it ran a sequence. */
export interface SuiteError extends Pick<SkippedNote, 'sequence' | 'operation' | 'asks'> {
  readonly message: string;
}

/** Everything that happened in a run; `evaluate` makes results of it, now or years later. */
export interface RunRecord {
  readonly header: RunHeader;
  readonly inputs: RunInputs;
  readonly plan: readonly PlannedCase[];
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly SkippedNote[];
  readonly errors: readonly SuiteError[];
  /** One sentence, if the run ended before its plan was complete. */
  readonly endedEarly: string | null;
  /** Sentences: calls that may still be open. */
  readonly possiblyOpen: readonly string[];
  /** The create calls that these are about, and what is known of each in a phrase without ids; absent for none. */
  readonly openCalls?: readonly { readonly seq: number; readonly known: string }[];
  /** Sentences: what was changed on the target and not restored. */
  readonly changed: readonly string[];
  /** The sentences about changes that the interface would have let the run restore; absent if there are none. */
  readonly unrestored?: readonly string[];
  /** The waits of the run, longest first; absent if there are none. */
  readonly waits?: readonly Waited[];
  /** What was settled while sending; absent if nothing. */
  readonly settled?: SettledFacts;
  /** When the run began, in milliseconds since the epoch: a target may name the time at which a limit ends. */
  readonly startedAt?: number;
  /** Calls that may have rung: those that the target accepted, and those of unknown outcome. */
  readonly calls: number;
  /** The calls among them for values that the target may reject; absent if there are none. */
  readonly unplannedCalls?: number;
  /** The calls among them that may be open; absent if there are none. */
  readonly mayBeOpen?: number;
  /** What the checks said of the exchanges; absent in a record read from disk, until it is run again. */
  readonly judgements?: Judgements;
}
