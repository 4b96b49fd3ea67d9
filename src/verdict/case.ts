/**
 * The outcome of each question of a case, and the verdict of the case: answered, open, or not asked, and why
 * (conformance model, sections 1 and 5). The reasons are in docs/design/attribution.md.
 */

import { picked } from '../contract/lists.ts';
import { operationById } from '../contract/operations.ts';
import { lackOf, OPTIONAL_SETTINGS, SETTING_OF, type TargetSettingName } from '../contract/settings.ts';
import type { Skip } from '../contract/skipped.ts';
import { isRetryable } from './answer.ts';
import { BOUNDARY, boundaryIn } from './boundary.ts';
import type { Evidence } from './evidence.ts';
import { failureOf, foldFindings } from './folded.ts';
import { type CaseOpinion, endedInPreflight } from './opinions.ts';
import { caseId, type PlannedCase, type RunRecord, type SkippedNote } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';
import type { CaseResult, UnansweredQuestion } from './results.ts';

/**
 * A question without an answer, and its effect on the case. `doubt`: an answer raised a doubt that no other answer
 * removes. `hindrance`: it was not asked, or was put off each time, which leaves the case open whatever other answers
 * say. `excused`: a lawful target may lack its precondition, `--rate` forbids it, or an optional setting is missing.
 */
interface Unanswered extends UnansweredQuestion {
  readonly effect: 'doubt' | 'hindrance' | 'open' | 'excused';
}

const questionKey = (caseOrOperation: string, variation: string): string => `${caseOrOperation}\n${variation}`;

const OPTIONAL_NAMES: readonly string[] = OPTIONAL_SETTINGS;

function skipEffect({ why, needs = [] }: Skip): Unanswered['effect'] {
  if (why === 'claimed') return 'open';
  const isOptional = why === 'setting' && needs.every((name) => OPTIONAL_NAMES.includes(name));
  return isOptional || why === 'occasion' || why === 'rate' ? 'excused' : 'hindrance';
}

type CaseOutcome = Pick<CaseResult, 'verdict' | 'reason' | 'remedy'>;

/** The cases of a run, and what the record says of the questions of each. */
export class Cases {
  readonly #record: RunRecord;
  readonly #evidence: Evidence;
  readonly #opinions: ReadonlyMap<string, readonly CaseOpinion[]>;
  /** Notes by case (or boundary value of an operation) and variation. */
  readonly #skipped: ReadonlyMap<string, SkippedNote>;
  /** The notes made after the run ended early. */
  readonly #late: ReadonlySet<SkippedNote>;

  constructor(record: RunRecord, opinions: ReadonlyMap<string, readonly CaseOpinion[]>, evidence: Evidence) {
    this.#record = record;
    this.#evidence = evidence;
    this.#opinions = opinions;
    const end = endedInPreflight(record) ? 0 : record.skipped.findIndex(({ why }) => why === 'stopped');
    this.#late = new Set(end < 0 ? [] : record.skipped.slice(end));
    this.#skipped = new Map(
      record.skipped.flatMap((note) =>
        note.asks.map(({ id, variation }): [string, SkippedNote] => [
          questionKey(caseId(id, note.operation), variation),
          note,
        ]),
      ),
    );
  }

  /** The verdict of one case. */
  judge(planned: PlannedCase, requirement: JudgedRequirement): CaseResult {
    const { id, operation } = planned;
    const { errors, exchanges } = this.#record;
    const opinions = this.#of(id);
    const unanswered = this.#unanswered(planned, requirement.needs);
    const ofCase = unanswered.filter(({ question }) => planned.questions.includes(question));
    const base = {
      ...{ id, operation, judged: opinions.length },
      questions: { planned: planned.questions.length, answered: planned.questions.length - ofCase.length },
      ...(ofCase.length === 0 ? {} : { unanswered: ofCase.map(({ effect: _, ...shown }) => shown) }),
    };
    const broken = errors.find(
      (error) => error.operation === operation && error.asks.some((ask) => ask.id === requirement.id),
    );
    if (broken !== undefined) return { ...base, verdict: 'error', reason: broken.message, findings: [] };
    const { findings, ...extent } = foldFindings(opinions, operation, exchanges);
    const failure = failureOf(requirement, findings, extent);
    if (failure !== null) return { ...base, ...failure, findings, ...extent };
    const isCutShort = requirement.invariant === true && this.#isCutShort(planned);
    const passes = !isCutShort && opinions.some(({ opinion }) => opinion.kind === 'pass');
    return { ...base, ...this.#withoutFinding(planned, requirement, passes, unanswered), findings };
  }

  #withoutFinding(
    planned: PlannedCase,
    { needs, opportunistic }: JudgedRequirement,
    passes: boolean,
    unanswered: readonly Unanswered[],
  ): CaseOutcome {
    const { header } = this.#record;
    if (needs !== undefined && !header.settings.includes(needs)) {
      const { reason, remedy } = lackOf(needs);
      return { verdict: 'not-exercised', reason, remedy };
    }
    const [first] = unanswered;
    const outcome = (verdict: CaseOutcome['verdict'], reason: string, from = first): CaseOutcome => {
      return { verdict, reason: from?.reason ?? reason, ...(from?.remedy && { remedy: from.remedy }) };
    };
    const isBeyond = isBeyondProfile(planned, this.#record);
    const hindrance =
      unanswered.find(({ effect }) => effect === 'doubt') ??
      unanswered.find(({ effect }) => effect === 'hindrance' && !isBeyond);
    if (hindrance !== undefined) return outcome('inconclusive', '', hindrance);
    const isSettled = isBeyond || opportunistic !== undefined || unanswered.every(({ effect }) => effect === 'excused');
    if (passes && isSettled) return { verdict: 'pass' };
    if (this.#early !== null) return { verdict: 'inconclusive', ...this.#early };
    if (opportunistic !== undefined && !isBeyond) return outcome('not-exercised', opportunistic);
    if (isSettled && (isBeyond || first !== undefined)) {
      return outcome('not-exercised', 'the read-only profile does not test it');
    }
    return outcome('inconclusive', 'no response allows a verdict');
  }

  /** Whether the run ended before it had sent everything to the operation that an invariant judges. */
  #isCutShort({ operation }: PlannedCase): boolean {
    const { endedEarly, skipped } = this.#record;
    const stopped = skipped.filter(({ why }) => why === 'stopped');
    // A killed run has no notes.
    const isEverywhere = stopped.length === 0 || operation === 'undocumented';
    return endedEarly !== null && (isEverywhere || stopped.some((note) => note.operation === operation));
  }

  /** The unanswered questions of a case: those of the plan, and those that only its exchanges raised. */
  #unanswered(planned: PlannedCase, needs: TargetSettingName | undefined): readonly Unanswered[] {
    const raised = this.#of(planned.id).map(({ variation }) => variation);
    const isLacking = needs !== undefined && !this.#record.header.settings.includes(needs);
    return [...new Set([...planned.questions, ...raised])].flatMap((question) => {
      if (isLacking && !raised.includes(question))
        return [{ question, status: 'not asked', effect: 'excused', ...lackOf(needs) }];
      const value = boundaryIn(question);
      const [id, variation] =
        value === undefined ? [planned.id, question] : [caseId(BOUNDARY, planned.operation), value];
      const came = this.#came(question, id, variation);
      return came === null ? [] : [came];
    });
  }

  #of(id: string, variation?: string): readonly CaseOpinion[] {
    const all = this.#opinions.get(id) ?? [];
    return variation === undefined ? all : all.filter((opinion) => opinion.variation === variation);
  }

  /** The outcome of a question; `null` if it was answered. */
  #came(question: string, id: string, variation: string): Unanswered | null {
    const opinions = this.#of(id, variation);
    const doubt = opinions.find(({ opinion }) => opinion.kind === 'inconclusive')?.opinion;
    // For a question not sent yet, a killed run blamed PCS_OTHER_ORG_ACCESS_TOKEN.
    if (doubt?.kind === 'inconclusive')
      return { question, status: 'open', ...(this.#early ?? picked(doubt, ['reason', 'remedy'])), effect: 'doubt' };
    if (opinions.some(({ opinion }) => opinion.kind === 'pass' || opinion.kind === 'finding')) return null;
    const note = this.#skipped.get(questionKey(id, variation));
    if (note?.why === 'answered') return null;
    // The answer to a value sent alone says more about it than the answer to several values together.
    const said = opinions.findLast(({ exchange }) => exchange.tag.role === 'alone') ?? opinions.at(-1);
    if (said?.opinion.kind !== 'none') return this.#notAsked(question, note);
    const { opinion: last, exchange } = said;
    // An opinion on a response says more than a note that a precondition was missing; for a boundary value it does not.
    const isLess = (note?.why === 'step' || note?.why === 'occasion') && boundaryIn(question) === undefined;
    if (note !== undefined && !isLess) return { ...this.#notAsked(question, note), status: 'open' };
    if (last.isLawful !== true && this.#early !== null)
      return { question, status: 'open', ...this.#early, effect: 'open' };
    // A proxy that turned each 500 into a 429 got a certificate, so a value that is put off each time is not judged. If
    // valid requests are put off as well, as in a search without inventory, the operation itself reports that.
    const isServed = this.#evidence.hasAcceptedControl(exchange.tag.operation);
    const isPutOff = boundaryIn(question) !== undefined && isRetryable(exchange) && isServed;
    const effect = last.isLawful === true ? 'excused' : isPutOff ? 'hindrance' : 'open';
    return { question, status: 'open', ...picked(last, ['reason', 'remedy', 'unshown']), effect };
  }

  /** The reason for questions that a later answer might have settled, if the run ended early. */
  get #early(): Pick<Unanswered, 'reason' | 'remedy'> | null {
    const { endedEarly } = this.#record;
    return endedEarly === null ? null : { reason: `the run ended early: ${endedEarly}`, remedy: AFTER_AN_EARLY_END };
  }

  #notAsked(question: string, note: SkippedNote | undefined): Unanswered {
    // After the end, sequences lack preconditions: no call was placed, and no read shows a field.
    const isLate = note !== undefined && ['step', 'occasion'].includes(note.why) && this.#late.has(note);
    if (note === undefined || note.why === 'stopped' || isLate) {
      return { question, status: 'not asked', ...(this.#early ?? { reason: UNSAID }), effect: 'hindrance' };
    }
    return { question, status: 'not asked', ...picked(note, ['reason', 'remedy', 'needs']), effect: skipEffect(note) };
  }
}

/** The remedy for questions that a run did not ask because it ended early. */
const AFTER_AN_EARLY_END = 'run again once the cause of the early end is fixed';

/** The reason of a question that was not asked although neither the run nor a note says why. */
export const UNSAID = 'it was planned and not sent, and nothing says why: a defect of the suite';

/** Whether the read-only profile leaves the case open: a write, or a read of a resource that nothing names. */
function isBeyondProfile({ operation }: PlannedCase, { header, exchanges }: RunRecord): boolean {
  if (header.profile !== 'read-only' || operation === 'undocumented') return false;
  const { method, resources } = operationById(operation);
  if (operation === 'getTrunk' && exchanges.some(({ response }) => response?.learned?.trunk !== undefined))
    return false;
  return method !== 'GET' || resources.some((kind) => !header.settings.includes(SETTING_OF[kind]));
}
