/** The record of a run: all that verdicts are computed from. */

import type { CaseOperation } from '../contract/levels.ts';
import type { Skip } from '../contract/skipped.ts';
import type { Waited } from '../contract/waiting.ts';
import type { Ask, Exchange } from '../exchange/exchange.ts';
import type { SettledFacts } from '../exchange/settled.ts';
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

/** What an answer shows of a variation, asked once the run is over: what came later may explain it. */
export type Judge = (evidence: Evidence) => Opinion;

/** What a check says of one answer: the requirement and the variation, and its judge. */
export interface Said extends Ask {
  readonly seq: number;
  readonly judge: Judge;
}

/** All that the checks of a run said. It is never written: who reads a record runs the checks on it again. */
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
  /** Those among them that the interface would have let the run restore; absent for none. */
  readonly unrestored?: readonly string[];
  /** What the run waited for, the longest first; absent for nothing. */
  readonly waits?: readonly Waited[];
  /** What sending has settled; absent for nothing. */
  readonly settled?: SettledFacts;
  /** When the run began, in milliseconds since the epoch: a target may name the time at which a limit ends. */
  readonly startedAt?: number;
  /** Calls that may have rung: those that the target accepted, and those of unknown outcome. */
  readonly calls: number;
  /** Those among them that were for values that the target may reject; absent for none. */
  readonly unplannedCalls?: number;
  /** Those among them that may be open; absent for none. */
  readonly mayBeOpen?: number;
  /** What the checks said of the exchanges; absent in a record that was read, until it is run again. */
  readonly judgements?: Judgements;
}
