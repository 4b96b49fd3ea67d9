/** The results of a run, as in results.json (schemas/results.schema.json); of verdicts the worst wins (section 5). */

import type { OperationId, Profile } from '../contract/operations.ts';
import type { Waited } from '../contract/waiting.ts';
import type { RunHeader } from './header.ts';
import type { Finding } from './opinion.ts';
import type { JudgedRequirement } from './requirement.ts';

/** What a case shows to one stimulus: requirement, operation, stimulus and deviation are the identity of a finding. */
export interface FoldedFinding extends Finding {
  /** The stimulus: a variation or a boundary value in the generator's words, or the commands of a walk. */
  readonly stimulus: string;
  /** `seq` of the exchange that shows it best. */
  readonly example: number;
  /** `seq` of every exchange that shows it; for recorded traffic only the example, and `count` has their number. */
  readonly exchanges: readonly number[];
  readonly count?: number;
  /** The group of boundary values in which it was first sent, and that was narrowed to it. */
  readonly within?: string;
  /** The form of all requests that deviate in this way: `without Accept`. No other run knows a finding by it. */
  readonly form?: string;
  /** The path of the smallest walk of an exploration that shows it. */
  readonly walk?: string;
  /** The request that was answered differently: its `seq`, and the one element in which it differs. */
  readonly sibling?: { readonly seq: number; readonly difference: string };
}

/** A number of questions, and the number of those that were answered. */
export interface QuestionCount {
  readonly planned: number;
  readonly answered: number;
}

/** A question of the plan without an answer; `open`: it was asked, and nothing settled it. */
export interface UnansweredQuestion {
  readonly question: string;
  readonly status: 'open' | 'not asked';
  readonly reason: string;
  readonly remedy?: string;
  /** The settings without which it is not asked. */
  readonly needs?: readonly string[];
  /** The settings given for it that no accepted request confirms. */
  readonly unshown?: readonly string[];
}

/** How many questions of a run were answered, and why others were not. */
export interface QuestionTotals extends QuestionCount {
  /** Asked, and nothing settled them. */
  readonly open: number;
  readonly notAsked: number;
  /** Questions that lack settings: how many, and which settings. */
  readonly lacking: { readonly questions: number; readonly settings: readonly string[] };
}

/**
 * A family that was not judged in full because a setting is missing or not confirmed by an accepted request, or because
 * `--rate` is low: `isolation`, `no second organization`.
 */
export interface Unjudged {
  readonly family: string;
  readonly lack: string;
  /** The remedy. */
  readonly remedy: string;
}

/** Verdict of one case. */
export interface CaseResult {
  readonly id: string;
  readonly operation: string;
  readonly verdict: Verdict;
  /** One sentence for every verdict that is not a pass. */
  readonly reason?: string;
  /** The remedy. */
  readonly remedy?: string;
  /** The id of the failing case for which it is open: no setting helps as long as that fails. */
  readonly blockedBy?: string;
  readonly findings: readonly FoldedFinding[];
  /** Several stimuli show a finding and no answer of the kind meets the requirement: one defect to all readers. */
  readonly everywhere?: true;
  /** Number of questions that the plan asks, and that were answered. */
  readonly questions: QuestionCount;
  /** The questions of the plan without an answer: asked and not settled, or not asked; absent if there are none. */
  readonly unanswered?: readonly UnansweredQuestion[];
  /** Exchanges on which the verdict rests. */
  readonly judged: number;
}

/** Verdict of a requirement: the worst of its cases. */
export interface RequirementResult
  extends Pick<JudgedRequirement, 'id' | 'level' | 'section' | 'statement' | 'reading'> {
  readonly verdict: Verdict;
  readonly cases: readonly CaseResult[];
}

/** A symptom that a network or gateway can cause, and that did not persist. */
export interface Intermittent {
  readonly symptom: string;
  readonly exchanges: readonly number[];
}

/** What was read of recorded traffic, and what was not judged. */
export interface TrafficFacts {
  readonly files: readonly string[];
  /** Addresses of the service, the busiest first; empty for a recording without addresses. */
  readonly addresses: readonly string[];
  /** Exchanges: all, those that were judged, those of no operation, and those that a cache or the client ended. */
  readonly read: number;
  readonly judged: number;
  readonly others: number;
  readonly silent: number;
  /**
   * How the operations were called, in the order of the specification: exchanges, also by status (0 for no response)
   * and by member of the request body.
   */
  readonly operations: readonly {
    readonly operation: OperationId;
    readonly exchanges: number;
    readonly statuses: Readonly<Record<string, number>>;
    readonly members: Readonly<Record<string, number>>;
  }[];
  /** Exchanges of the interface at another address than `filter`, the address that alone was judged, and its origin. */
  readonly elsewhere: number;
  readonly filter?: string;
  /** Parts of exchanges that the recording does not show, and why. */
  readonly unknown: readonly { readonly what: string; readonly count: number }[];
  /** Secrets for which no response was searched: weak, masked, or too many of them. */
  readonly unsearched: number;
  /** Findings that were not followed up, since their case had too many kinds. */
  readonly unfollowed: number;
  /** Sentences: places that could not be read. */
  readonly problems: readonly string[];
}

/** The colours of a verdict: `green` only for the whole interface, and paler the less was judged. */
export type Colour = 'green' | 'olive' | 'pale' | 'red' | 'yellow' | 'grey';

/** The words about a run, made once: every reader has these words and this colour. */
export interface Told {
  readonly verdict: RunVerdict;
  /** The verdict and what it leaves out: `CONFORMANT but for revocation (no revoked credential) (profile full)`. */
  readonly sentence: string;
  /** Why the verdict is what it is. */
  readonly reason: string;
  /** Sentence and reason: what to quote if there is room for one line. */
  readonly summary: string;
  readonly colour: Colour;
}

/** Results of a run. */
export interface Results extends Omit<RunHeader, 'profile'>, Told {
  readonly profile: Profile | 'traffic';
  /** Present where recorded traffic was judged. */
  readonly traffic?: TrafficFacts;
  readonly format: 'pcs-conformance/results@2';
  readonly partial: boolean;
  /** Everything that decides what the target was asked and how it was reached, in phrases. */
  readonly conditions: readonly string[];
  readonly counts: {
    readonly requests: number;
    readonly calls: number;
    /** Calls that the plan does not count: for values that the target may reject. */
    readonly unplannedCalls: number;
    /** Calls that may be open; absent for none. */
    readonly mayBeOpen?: number;
    readonly cases: Readonly<Record<Verdict, number>>;
  };
  readonly questions: QuestionTotals;
  /** The families that were not judged in full, and why; absent for none. */
  readonly unjudged?: readonly Unjudged[];
  readonly requirements: readonly RequirementResult[];
  /** The stimuli that were sent, by operation, without those of walks: a later run tells by them what is new. */
  readonly sent: readonly { readonly operation: string; readonly stimuli: readonly string[] }[];
  readonly intermittent: readonly Intermittent[];
  readonly possiblyOpen: readonly string[];
  /** The same calls by what was sent and what is known of them, without their ids; absent for none. */
  readonly openCalls?: readonly { readonly stimulus: string; readonly known: string }[];
  readonly changed: readonly string[];
  /** The sentences about changes that the interface would have let the run restore; absent if there are none. */
  readonly unrestored?: readonly string[];
  /** Responses that were not read to their end, and their operations in the order of the record. */
  readonly cut?: { readonly answers: number; readonly operations: readonly string[] };
  /** The waits of the run, longest first; absent if there are none. */
  readonly waits?: readonly Waited[];
  readonly endedEarly: string | null;
}

/** Verdict of a case. A `should` that fails is a warning. */
export type Verdict = 'not-exercised' | 'pass' | 'inconclusive' | 'warning' | 'fail' | 'error';

/** Verdict of a run; the last two are those of recorded traffic, which never shows that a target conforms. */
export type RunVerdict = 'conformant' | 'non-conformant' | 'incomplete' | 'void' | 'no breach' | 'breach';

/** The verdicts of cases, worst last. */
export const LADDER: readonly Verdict[] = ['not-exercised', 'pass', 'inconclusive', 'warning', 'fail', 'error'];

/** The worst of the verdicts; `error` if there are none. */
export function fold(verdicts: readonly Verdict[]): Verdict {
  const top = Math.max(-1, ...verdicts.map((verdict) => LADDER.indexOf(verdict)));
  return LADDER[top] ?? 'error';
}

/** Exit code of a run's verdict. */
export const EXIT_OF: Readonly<Record<RunVerdict, 0 | 1 | 3 | 4>> = {
  conformant: 0,
  'non-conformant': 1,
  incomplete: 3,
  void: 4,
  'no breach': 0,
  breach: 1,
};
