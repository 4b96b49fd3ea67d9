/**
 * What came of each question of a case: answered, open, or not asked, and why (conformance model, section 1).
 * The reasons are in docs/design/attribution.md.
 */

import { groupBy, picked } from '../contract/lists.ts';
import { lackOf, OPTIONAL_SETTINGS, type TargetSettingName } from '../contract/settings.ts';
import type { Skip } from '../contract/skipped.ts';
import { type Ask, type Exchange, isUnanswered } from '../exchange/exchange.ts';
import { isAccepted, isRetryable, operationOf } from './answer.ts';
import type { Evidence } from './evidence.ts';
import { type CaseOpinion, caseOf, endedInPreflight } from './opinions.ts';
import { atOnceIn, BOUNDARY, type JudgedRecord, type PlannedCase, type SkippedNote } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';
import type { UnansweredQuestion } from './results.ts';

/**
 * A question without an answer, and its effect on the case. `doubt`: an answer raised a doubt that no other answer removes.
 * `hindrance`: it was not asked, which leaves the case open whatever other answers say. `excused`: a lawful target may give
 * no occasion to ask it, `--rate` does not allow it, or an optional setting is missing.
 */
export interface Unanswered extends UnansweredQuestion {
  readonly effect: 'doubt' | 'hindrance' | 'open' | 'excused';
}

const OPTIONAL: readonly string[] = OPTIONAL_SETTINGS;

function effectOf({ why, needs = [] }: Skip): Unanswered['effect'] {
  if (why === 'claimed') return 'open';
  const isOptional = why === 'setting' && needs.every((name) => OPTIONAL.includes(name));
  return isOptional || why === 'occasion' || why === 'rate' ? 'excused' : 'hindrance';
}

/** The question of an invariant about a boundary value. */
export const boundaryQuestion = (value: string): string => `${BOUNDARY}: ${value}`;

const questionKey = (caseOrOperation: string, variation: string): string => `${caseOrOperation}\n${variation}`;
const isBoundary = ({ id }: Ask): boolean => id === BOUNDARY;

/**
 * Whether the exchange answers the question about a boundary value; `values` is how many it carries. A create call carries
 * several, which count if it was accepted; a single value counts if it was answered at all. A request that was put off or
 * lost does not count as sent at the same moment.
 */
function answersFor(exchange: Exchange, value: string, values: number, evidence: Evidence): boolean {
  const isLate = atOnceIn(value) > 1 && (exchange.tag.resend > 0 || isUnanswered(exchange));
  const isAnswered = exchange.response !== null && !isRetryable(exchange) && !isLate;
  return (isAnswered && (values === 1 || isAccepted(exchange))) || (values === 1 && isFinding(exchange, evidence));
}

/** That no response came is itself what is found. */
function isFinding(exchange: Exchange, evidence: Evidence): boolean {
  return exchange.response === null && evidence.isConfirmed(exchange);
}

/** The questions of a run, and what the record says of each. */
export class Questions {
  readonly #record: JudgedRecord;
  /** By operation and question: the boundary value that was sent, and whether a request with it answered the question. */
  readonly #boundaries = new Map<string, { readonly value: string; readonly isAnswered: boolean }>();
  /** Notes on boundary values by operation and question, those on variations of a requirement by its case and variation. */
  readonly #skipped: ReadonlyMap<string, SkippedNote>;
  /** The notes since the run ended early. */
  readonly #late: ReadonlySet<SkippedNote>;

  constructor(record: JudgedRecord, evidence: Evidence, requirements: readonly JudgedRequirement[]) {
    this.#record = record;
    /** Answers within one sequence to one boundary value: `5 at once` needs five of them. */
    const moments = new Map<string, number>();
    for (const exchange of evidence.exchanges) {
      const values = exchange.tag.asks.filter(isBoundary);
      for (const { variation } of values) {
        const key = questionKey(operationOf(exchange), boundaryQuestion(variation));
        const moment = `${key}\n${exchange.tag.sequence} ${exchange.tag.attempt}`;
        if (answersFor(exchange, variation, values.length, evidence))
          moments.set(moment, (moments.get(moment) ?? 0) + 1);
        const isComplete = (moments.get(moment) ?? 0) >= atOnceIn(variation);
        const isAnswered = isComplete || this.#boundaries.get(key)?.isAnswered === true;
        this.#boundaries.set(key, { value: variation, isAnswered });
      }
    }
    const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
    const keysOf = ({ id, variation }: Ask, { operation }: SkippedNote): readonly string[] => {
      if (id === BOUNDARY) return [questionKey(operation, boundaryQuestion(variation))];
      const requirement = byId.get(id);
      return requirement === undefined ? [] : [questionKey(caseOf(requirement, operation), variation)];
    };
    const end = endedInPreflight(record) ? 0 : record.skipped.findIndex(({ why }) => why === 'stopped');
    this.#late = new Set(end < 0 ? [] : record.skipped.slice(end));
    this.#skipped = new Map(
      record.skipped.flatMap((note) =>
        note.asks.flatMap((ask) => keysOf(ask, note).map((key): [string, SkippedNote] => [key, note])),
      ),
    );
  }

  /** Whether the run ended before it had sent everything to the operation that an invariant judges. */
  isCutShort({ operation }: PlannedCase): boolean {
    const { endedEarly, skipped } = this.#record;
    const stopped = skipped.filter(({ why }) => why === 'stopped');
    // A killed run leaves no notes.
    const isEverywhere = stopped.length === 0 || operation === 'undocumented';
    return endedEarly !== null && (isEverywhere || stopped.some((note) => note.operation === operation));
  }

  /** The unanswered questions of a case: those of the plan, and those that only its exchanges raised. */
  unanswered(
    planned: PlannedCase,
    opinions: readonly CaseOpinion[],
    needs: TargetSettingName | undefined,
  ): readonly Unanswered[] {
    const asked = groupBy(opinions, ({ variation }) => variation);
    const all = new Set([...planned.questions, ...asked.keys()]);
    const isLacking = needs !== undefined && !this.#record.header.settings.includes(needs);
    return [...all].flatMap((question) => {
      if (isLacking && !asked.has(question))
        return [{ question, status: 'not asked', effect: 'excused', ...lackOf(needs) }];
      const key = questionKey(planned.operation, question);
      const isOfBoundary = this.#boundaries.has(key) || this.#skipped.has(key);
      const came = isOfBoundary
        ? this.#ofBoundary(key, question)
        : this.#ofVariation(planned, question, asked.get(question) ?? []);
      return came === null ? [] : [came];
    });
  }

  #ofBoundary(key: string, question: string): Unanswered | null {
    const sent = this.#boundaries.get(key);
    if (sent?.isAnswered === true) return null;
    const note = this.#skipped.get(key);
    if (sent === undefined) return this.#notAsked(question, note);
    if (note !== undefined)
      return note.why === 'answered' ? null : { ...this.#notAsked(question, note), status: 'open' };
    if (atOnceIn(sent.value) > 1) return { question, status: 'open', reason: PUT_OFF, effect: 'excused' };
    return { question, status: 'open', reason: `no response to ${sent.value} allows a verdict`, effect: 'open' };
  }

  #ofVariation({ id }: PlannedCase, question: string, opinions: readonly CaseOpinion[]): Unanswered | null {
    const doubt = opinions.find(({ opinion }) => opinion.kind === 'inconclusive')?.opinion;
    if (doubt?.kind === 'inconclusive') return { question, status: 'open', ...reasonOf(doubt), effect: 'doubt' };
    if (opinions.some(({ opinion }) => opinion.kind === 'pass' || opinion.kind === 'finding')) return null;
    const note = this.#skipped.get(questionKey(id, question));
    // The answer to a value sent alone says more about it than the answer to several values together.
    const last = (opinions.findLast(({ exchange }) => exchange.tag.role === 'alone') ?? opinions.at(-1))?.opinion;
    if (last?.kind !== 'none') return note?.why === 'answered' ? null : this.#notAsked(question, note);
    // The opinion on a response says more than a note that a later step found nothing to build on.
    if (note !== undefined && note.why !== 'step' && note.why !== 'occasion')
      return note.why === 'answered' ? null : { ...this.#notAsked(question, note), status: 'open' };
    const effect = last.isLawful === true ? 'excused' : 'open';
    return { question, status: 'open', ...reasonOf(last), ...picked(last, ['unshown']), effect };
  }

  #notAsked(question: string, note: SkippedNote | undefined): Unanswered {
    const { endedEarly } = this.#record;
    // After the end a sequence finds nothing to build on: no call was placed, and no read shows a field.
    const isLate = note !== undefined && ['step', 'occasion'].includes(note.why) && this.#late.has(note);
    if (note === undefined || note.why === 'stopped' || isLate) {
      const why =
        endedEarly === null
          ? { reason: UNSAID }
          : { reason: `the run ended early: ${endedEarly}`, remedy: AFTER_AN_EARLY_END };
      return { question, status: 'not asked', ...why, effect: 'hindrance' };
    }
    const { reason, needs, remedy } = note;
    const more = { ...(needs && { needs }), effect: effectOf(note) };
    return { question, status: 'not asked', ...reasonOf({ reason, remedy }), ...more };
  }
}

const PUT_OFF = 'the target did not accept all simultaneous requests';

/** What would have the rest asked of a run that ended early. */
export const AFTER_AN_EARLY_END = 'run again once the cause of the early end is fixed';

/** The reason of a question that was not asked although neither the run nor a note says why. */
export const UNSAID = 'it was planned and not sent, and nothing says why: a defect of the suite';

const reasonOf = ({ reason, remedy }: { readonly reason: string; readonly remedy?: string | undefined }) =>
  remedy === undefined ? { reason } : { reason, remedy };
