/**
 * The ledger of calls: what is known of each create-call request and the call that it placed, from the announcement to
 * the confirmed end. The client writes it during a run; `clean` and the reports rebuild it from the journal. What the
 * screen shows, what may be open, and why no more calls are placed are views of it. The reasons are in
 * docs/design/calls.md.
 */

import { TRIALS } from '../../contract/limits.ts';
import { withoutUndefined } from '../../contract/lists.ts';
import { remedyOf, toFindIds } from '../../contract/settings.ts';
import { isRetryableStatus, isSuccess, LIMITED, NOT_FOUND, WAITING } from '../../contract/waiting.ts';
import { type CredentialForm, type Exchange, endOf, isUnsent } from '../../exchange/exchange.ts';
import { type Refusal, Skipped } from '../request.ts';
import { type HangUpAttempt, isOfState } from './call-end.ts';
import { dialsNothing } from './guard.ts';

/**
 * `announced`: a create call left, and nothing is known of it. `excusable`: put off, and no later call was accepted.
 * `excused`: put off with a status that a later answer excused. `open`: it has an id and must be hung up. `put off`: it
 * is hung up again at the end. `closed`: its end is confirmed. `lost`: it has no id, or could not be hung up.
 */
export type CallStage = 'announced' | 'excusable' | 'excused' | 'open' | 'put off' | 'closed' | 'lost';

/** One create-call request that may have placed a call. `createdAt` is when its answer came, in milliseconds. */
export interface Call {
  readonly seq: number;
  readonly credential: CredentialForm;
  readonly createdAt: number;
  /** Candidates for the id, the likeliest first. */
  readonly ids: readonly string[];
  /** What is known of a call without an id, in a phrase; where a setting could find the id; the answer's status. */
  readonly detail: string;
  readonly idIn?: string;
  readonly status: number | null;
  readonly stage: CallStage;
  readonly attempts: readonly HangUpAttempt[];
  /** The id whose hang-up was accepted. */
  readonly hungUpBy: string | null;
  /** Whether the answers to its hang-ups can mean that it has ended, so that others can be placed before the end. */
  readonly mayHaveEnded?: boolean;
  /** The answers to its hang-ups, if it was given up. */
  readonly reason?: string;
  /** It already rang when the run answered it: the run did not place it. */
  readonly isOther?: true;
  /** Not counted by the plan: it was placed for a value that the target may reject. */
  readonly isUnplanned?: true;
}

/** A call that may still be open: its request, what is known in a phrase without the call's name, and a sentence. */
interface OpenCall {
  readonly seq: number;
  readonly known: string;
  readonly sentence: string;
}

const CONFLICT = 409;
const LASTING = 'check PCS_CALL_TO: a call to it must last until it is hung up';
const RUN_AGAIN_ONCE_CLEAR = 'run again once create call gets clear responses';
const HANGING_UP = 'run again once the target hangs up each call that it places';

/** Calls by the number of the request that may have placed them. */
export class CallLedger {
  readonly #max: number;
  readonly #calls = new Map<number, Call>();
  /** When the last request was first sent, if it was put off and sent again. */
  #begunAt = 0;
  readonly #refusal: Refusal | null;
  /** Calls that were hung up and turned out not to be of this run, with the request for which they were taken. */
  readonly #ofOthers: OpenCall[] = [];
  readonly #isPointerSet: boolean;
  /** The candidates for the id in each answer, and the position among them of the last id that was hung up. */
  readonly #shown = new Map<number, readonly string[]>();
  #place = 0;
  /** The statuses of create calls that were put off and that a later answer excused. */
  readonly #excusing = new Set<number | null>();
  /** The shapes of accepting answers on undocumented routes, and of create-call answers on the other slash form. */
  readonly #routes = new Set<string>();
  readonly #elsewhere = new Map<number, string>();

  /** At most `max` calls, none with a `refusal`; `isPointerSet`: the settings say where the call id is. */
  constructor(max = Number.POSITIVE_INFINITY, isPointerSet = false, refusal: Refusal | null = null) {
    this.#refusal = refusal;
    this.#max = max;
    this.#isPointerSet = isPointerSet;
  }

  get calls(): readonly Call[] {
    return [...this.#calls.values()].sort((a, b) => a.seq - b.seq);
  }

  get open(): readonly Call[] {
    return this.#in('open');
  }

  /** The calls that are hung up again at the end of the run. */
  get remaining(): readonly Call[] {
    return this.#in('put off');
  }

  /** Whether a call was hung up, which shows that ids are read from the right place. */
  get #isIdKnown(): boolean {
    return this.calls.some(({ hungUpBy }) => hungUpBy !== null);
  }

  /** Whether the ids of the calls that remain may have been read from the wrong place. */
  get isIdDoubtful(): boolean {
    return !this.#isIdKnown && this.remaining.length > 1 && this.remaining.every(gotOnly404);
  }

  get placed(): number {
    return this.calls.filter(isPlaced).length;
  }

  /** How many create calls may have dialled: those that were accepted, and those of unknown outcome. */
  get dialled(): number {
    return this.calls.filter(({ isOther, stage }) => !isOther && stage !== 'excused').length;
  }

  get unplanned(): number {
    return this.calls.filter((call) => call.isUnplanned && isPlaced(call)).length;
  }

  /** How many calls that the run placed may be open now. */
  get mayBeOpen(): number {
    return [...this.open, ...this.#doubtful].filter(({ isOther }) => !isOther).length;
  }

  /** Calls that may be open and cannot be hung up any more. */
  get #doubtful(): readonly Call[] {
    return this.#in('lost', 'announced', 'excusable');
  }

  get #unknown(): readonly Call[] {
    return this.#in('lost', 'announced').filter((call) => !isPlaced(call) && !call.isOther);
  }

  /** Whether the last create calls have an unknown outcome, and none was accepted since. */
  get #isUnknownInARow(): boolean {
    const first = this.#unknown.at(-TRIALS.calls)?.seq ?? Number.POSITIVE_INFINITY;
    return this.#unknown.length >= TRIALS.calls && !this.calls.some((call) => isPlaced(call) && call.seq > first);
  }

  /** Whether a valid call has to be accepted before more follow, since the last calls failed. */
  get isValidCallDue(): boolean {
    return this.#isUnknownInARow && this.#unknown.length < TRIALS.unknownCalls;
  }

  get #putOff(): readonly Call[] {
    return this.#in('excusable', 'excused');
  }

  get resends(): number {
    return Math.max(0, Math.min(WAITING.createCall.waits.length, TRIALS.putOff - 1 - this.#putOff.length));
  }

  get refusal(): Refusal | null {
    if (this.#refusal !== null) return this.#refusal;
    const unknown = this.#unknown;
    const withoutId = this.#in('lost').find((call) => isPlaced(call) && call.ids.length === 0);
    if (withoutId !== undefined)
      return refused('a create call was accepted without an id of its call', this.#toFind(withoutId));
    if (this.#isUnknownInARow || unknown.length >= TRIALS.unknownCalls)
      return refused(`the outcome of ${unknown.length} create-call requests is unknown`, RUN_AGAIN_ONCE_CLEAR);
    const open = [
      ...this.#in('lost').filter(({ ids }) => ids.length > 0),
      ...this.remaining.filter((call) => !call.mayHaveEnded),
    ];
    if (open.length > 0) {
      const isTooLate = open.every((call) => !gotOnly404(call) && call.attempts.at(-1)?.answers.every(isOfState));
      // If their outcome is unknown although ids are read from the right place, the callee may have hung up first.
      const never = this.#isPointerSet ? `${LASTING}, or ${HANGING_UP}` : remedyOf('PCS_CALL_ID_POINTER');
      const found = isTooLate ? LASTING : HANGING_UP;
      return refused('a call could not be hung up', this.calls.every(gotOnly404) ? never : found);
    }
    if (this.#putOff.length < TRIALS.putOff) return null;
    const reason = `${TRIALS.putOff} create calls were put off and none was accepted in between`;
    return refused(reason, 'run again when the target places calls');
  }

  /** What would help to find the id of a call; if a setting says where it is, that setting is wrong. */
  #toFind({ idIn }: Call): string {
    return this.#isPointerSet ? 'check PCS_CALL_ID_POINTER: the response has no id there' : toFindIds(idIn);
  }

  /**
   * Throws `Skipped` if no further call may be placed, or only the calls `ahead` that later sequences place. A request
   * that should be rejected (`isControl` false) may risk one of these until a target has accepted such a request: on a
   * target that rejects what it must, a cap of 12 lets all 12 planned calls through. `isHarmless`: it can dial nothing,
   * so an open call does not block it.
   */
  demand(ahead = 0, isControl = true, isHarmless = false): void {
    const refusal = isHarmless ? null : this.refusal;
    if (refusal !== null) throw new Skipped(refusal.reason, { ...refusal, why: 'calls' });
    const left = Math.max(0, this.#max - this.placed - this.#unknown.length);
    const isRisk = !isControl && this.unplanned === 0;
    if (left > (isRisk ? Math.max(0, ahead - 1) : ahead)) return;
    const reason =
      left === 0 ? `the limit of --max-calls (${this.#max}) is reached` : 'the last calls are kept for later requests';
    // Only sending shows how many more such values the target accepts: twice the limit was not always enough.
    const why = this.unplanned === 0 ? '' : ', since each value that the target accepts and may reject takes a call';
    const remedy = `raise --max-calls above ${this.#max}${why}`;
    throw new Skipped(reason, { why: 'calls', remedy });
  }

  /** The calls that may still be open; advice that applies to several is in the first sentence. */
  get possiblyOpen(): readonly OpenCall[] {
    const given = new Set<string>();
    const ours = this.#doubtful.map((call) => {
      const known = call.ids.length === 0 ? call.detail : hangingUpGot(call);
      const [sentence, advice] = this.#toldOf(call);
      const isNew = !given.has(advice);
      given.add(advice);
      return { seq: call.seq, known, sentence: isNew ? `${sentence}${advice}` : sentence };
    });
    return [...ours, ...this.#ofOthers];
  }

  /** The sentence about a call that may still be open, or `null`. */
  doubtOf(call: Pick<Call, 'seq'>): string | null {
    const known = this.of(call);
    return known === undefined || known.stage === 'closed' ? null : this.#toldOf(known).join('');
  }

  /** The place of a call among all that have an id, from 1. */
  numberOf(call: Pick<Call, 'seq'>): number {
    return this.calls.filter(({ ids, seq }) => ids.length > 0 && seq <= call.seq).length;
  }

  of({ seq }: Pick<Call, 'seq'>): Call | undefined {
    return this.#calls.get(seq);
  }

  /** Takes over a call: of an earlier run, or one that this run has answered. */
  adopt(call: Call): void {
    this.#calls.set(call.seq, call);
  }

  /** Takes what was recorded of a create call; of any other request, nothing. */
  learn(exchange: Exchange): void {
    const isRoute = exchange.tag.role === 'unknown-route' && exchange.request.method === 'GET';
    if (isRoute && isSuccess(exchange.response?.status ?? null)) this.#routes.add(answerShape(exchange));
    if (exchange.tag.operation === 'createCall') this.#learnCreate(exchange);
    // A service that answers every path with its page accepted nothing there, whichever path was requested first.
    for (const [seq, shape] of this.#elsewhere) if (this.#routes.has(shape)) this.#calls.delete(seq);
  }

  #learnCreate(exchange: Exchange): void {
    const { request, response, seq, tag } = exchange;
    const status = response?.status ?? null;
    const { create, callIds = [], again = [], idIn } = response?.learned ?? {};
    if (tag.resend === 0) this.#begunAt = seq;
    // The target repeated an earlier call: model, section 7, "Ids". It was hung up by that id, or is tried by it first.
    const isGivenAgain = this.calls.some(({ hungUpBy, ids }) => callIds.includes(hungUpBy ?? ids[0] ?? ''));
    if (!isGivenAgain) this.#disown(seq, again);
    const ids = create === 'placed' || isGivenAgain ? this.#byLikelihood(seq, callIds) : [];
    const stage = ids.length > 0 ? 'open' : stageWithoutId(exchange, this.#excusing);
    const detail = `got ${stage === 'excusable' ? `status ${status}, and no later call was accepted` : shownBy(exchange)}`;
    const known = { seq, credential: request.credential, createdAt: endOf(exchange), status, ids, detail };
    if (stage === null) this.#calls.delete(seq);
    else this.adopt(callOf({ ...known, ...withoutUndefined({ idIn }), stage }));
    if (stage === 'lost' && !tag.documented) this.#elsewhere.set(seq, answerShape(exchange));
    // An accepted call excuses those put off before it, and so does a rejection of the same request; but a conflict may
    // be with a call that the same request has placed.
    if (isSuccess(status)) this.#excuseFrom(0);
    else if (stage === null && status !== null && status !== CONFLICT) this.#excuseFrom(this.#begunAt);
  }

  /**
   * Puts the id at the position of the last successful id first: where it was the second id of the answer, each of 12
   * calls waited until the first id had got 404 often enough.
   */
  #byLikelihood(seq: number, callIds: readonly string[]): readonly string[] {
    this.#shown.set(seq, callIds);
    const likeliest = callIds[this.#place];
    return likeliest === undefined ? callIds : [likeliest, ...callIds.filter((id) => id !== likeliest)];
  }

  /**
   * A later answer shows these ids again, so they do not belong to the calls for which they were taken: a call that was
   * closed by one of them is open again, with its other ids.
   */
  #disown(seq: number, again: readonly string[]): void {
    for (const call of this.calls) {
      const ids = call.ids.filter((id) => !again.includes(id));
      const isWrong = call.hungUpBy !== null && again.includes(call.hungUpBy);
      if (ids.length === call.ids.length) continue;
      if (isWrong) {
        this.#place = 0;
        const why = `was hung up for the call of request ${call.seq}, and request ${seq} shows it again`;
        const known = "another user's call may have been hung up";
        this.#ofOthers.push({ seq: call.seq, known, sentence: `call ${call.hungUpBy} ${why}: ${known}` });
      }
      const begun = isWrong ? { attempts: [], hungUpBy: null } : {};
      const detail = `got status ${call.status} and only ids that are shown again`;
      const stage = isWrong ? 'open' : call.stage;
      this.adopt({ ...call, ids, ...begun, ...(ids.length > 0 ? { stage } : { stage: 'lost', detail }) });
    }
  }

  #excuseFrom(from: number): void {
    for (const { seq, status } of this.#putOff.filter((call) => call.seq >= from)) {
      this.#excusing.add(status);
      this.#calls.delete(seq);
    }
  }

  change({ seq }: Pick<Call, 'seq'>, known: Partial<Call>): void {
    const call = this.#calls.get(seq);
    if (call !== undefined) this.adopt({ ...call, ...known });
    if (known.hungUpBy) this.#place = Math.max(0, this.#shown.get(seq)?.indexOf(known.hungUpBy) ?? 0);
  }

  /** The sentence about a call that may be open, and the advice at its end. */
  #toldOf(call: Call): readonly [sentence: string, advice: string] {
    const { seq, ids, status, detail } = call;
    const sentence = `request ${seq} (create call) ${detail}: a call may be open`;
    if (ids.length === 0) return [sentence, isSuccess(status) ? `; ${this.#toFind(call)}` : ''];
    const isElsewhere = !this.#isPointerSet && !this.#isIdKnown && gotOnly404(call);
    const advice = `; if another id of the response is that of the call, ${remedyOf('PCS_CALL_ID_POINTER')}`;
    const known = `call ${ids.join(' or ')} (request ${seq}): ${hangingUpGot(call)}: the call may still be open`;
    return [known, isElsewhere ? advice : ''];
  }

  #in(...stages: readonly CallStage[]): readonly Call[] {
    return this.calls.filter(({ stage }) => stages.includes(stage));
  }
}

const refused = (reason: string, remedy: string): Refusal => ({
  reason: `${reason}, so no more calls are placed`,
  remedy,
});

const hangingUpGot = ({ reason }: Call): string => `hanging up got ${reason ?? 'no answer yet'}`;

/** Whether all its hang-ups got 404. */
const gotOnly404 = ({ attempts }: Call): boolean =>
  attempts.length > 0 && attempts.every(({ answers }) => answers.every((answer) => answer === NOT_FOUND));

/** A call about which nothing else is known. */
export const callOf = (known: Pick<Call, 'seq'> & Partial<Call>): Call => ({ ...NOTHING_KNOWN, ...known });

const NOTHING_KNOWN = {
  credential: 'valid',
  createdAt: 0,
  ids: [],
  detail: 'has no recorded answer',
  status: null,
  stage: 'announced',
  attempts: [],
  hungUpBy: null,
} as const satisfies Omit<Call, 'seq'>;

const isPlaced = ({ ids, status, isOther }: Call): boolean => !isOther && (ids.length > 0 || isSuccess(status));

/** The status and the members of an answer: the same for every answer of one route, whatever path or time it shows. */
function answerShape({ response }: Exchange): string {
  const { json, members } = response?.body ?? {};
  return JSON.stringify([response?.status, json, members?.map(({ pointer, type }) => [pointer, type])]);
}

/** The stage of a create call whose answer shows no id; `null` if it placed no call. */
function stageWithoutId(exchange: Exchange, excusing: ReadonlySet<unknown>): CallStage | null {
  const { request, response } = exchange;
  const { status = null, learned } = response ?? {};
  const isRejected = status !== null && learned?.create === 'rejected';
  const isPutOff = isRejected && (status < 400 || isRetryableStatus(status));
  if ((isRejected && !isPutOff) || isUnsent(exchange)) return null;
  // A caller without the valid credential may be rate-limited for long, on every operation.
  const isOfCaller = status === LIMITED && request.credential !== 'valid';
  // Nothing rings where the request names no number to dial.
  const { body } = request;
  const isHarmless = body === null || (body.text !== undefined && dialsNothing(Buffer.from(body.text)));
  if (!isSuccess(status) && (isOfCaller || isHarmless)) return null;
  return isPutOff ? (excusing.has(status) ? 'excused' : 'excusable') : 'lost';
}

/** What came back without a new id, in a phrase. */
function shownBy({ response, failure }: Exchange): string {
  if (response === null) return `no complete response (${failure?.detail})`;
  const isNone = response.learned?.again === undefined;
  return `status ${response.status} and no call id${isNone ? '' : ' that is new'}`;
}
