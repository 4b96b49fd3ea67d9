/** Hangs up calls, and knows what the target's answers to hang-ups mean (docs/design/calls.md). */

import { operationById, pathOf } from '../contract/operations.ts';
import { WAITING } from '../contract/waiting.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import type { Budget } from './budget.ts';
import { askedTime } from './reasons.ts';
import { type Answer, hangUpSegment, idOfSegment, type Place, type SuiteRequest } from './request.ts';
import {
  answersPhrase,
  type HangUpAnswer,
  type HangUpAttempt,
  type HangUpPhase,
  isEnd,
  isOfState,
  isPatienceSpentOn,
  isUnclear,
  mayHaveEnded,
  nextHangUpStep,
  triesAllIds,
  wordsForEnded,
} from './safety/call-end.ts';
import { type Call, type CallLedger, callOf } from './safety/call-ledger.ts';

const HANG_UP_OPERATION = operationById('hangUpCall');

/** An id as a path segment. */
export const segmentOf = (id: string): string => encodeURIComponent(id).replaceAll('%3A', ':');

/** Statuses that a target may answer if it wants a body or another path. */
const OTHER_FORM_WANTED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 400, 411, 415]);

/** The hang-up of a call, with our credential; `segment` is its id as a path segment. */
function hangUpOf(segment: string): SuiteRequest {
  return {
    operation: 'hangUpCall',
    method: HANG_UP_OPERATION.method,
    path: pathOf(HANG_UP_OPERATION, [segment]),
    credential: 'valid',
    body: null,
    contentType: null,
    role: 'hang-up',
    asks: [],
    control: false,
    about: 'hangs up a call of this run',
  };
}

/** What the same hang-up has if it is sent with a body. */
const HANG_UP_BODY = {
  body: Buffer.from('{}'),
  contentType: 'application/json',
  role: 'with-body',
  about: 'the same action with the body {}',
} as const satisfies Partial<SuiteRequest>;

/** What a target answers to the hang-up of a call that it does not know yet, and of a call that it will end later. */
const [NOT_KNOWN, ACCEPTED] = [404, 202];

/** What the answer to a hang-up concerns. */
export type HangUpAs = Partial<Pick<SuiteRequest, 'asks' | 'control' | 'about' | 'role'>>;

interface HangUpPorts {
  readonly send: (request: SuiteRequest, place: Place) => Promise<Answer>;
  readonly ledger: CallLedger;
  /** The budget for its waits; an interruption does not end such a wait early. */
  readonly budget: Budget;
  readonly ended: (call: Call) => void;
}

/** Ends calls. Its times are those of the record, so that a rerun from the record decides the same. */
export class HangUps {
  readonly #ports: HangUpPorts;
  /** Answers to hang-ups of one id in one form: all with the valid credential, and those accepted with another. */
  readonly #answers = new Map<string, readonly HangUpAnswer[]>();
  /** The form of the accepted hang-up of a call, by the segment of its id; any sender counts. */
  readonly #hungUp = new Map<string, SuiteRequest>();
  /** The last hang-up that got 202; the target may end that call later. */
  #ending: SuiteRequest | null = null;
  /** A call that was hung up repeatedly for 10 s got nothing but 202, so an ended call gets 202 as well. */
  #isAcceptedAgain = false;
  /** The longest time, in ms, until a call that the target did not know at first was hung up. */
  knownAfter = 0;

  constructor(ports: HangUpPorts) {
    this.#ports = ports;
  }

  get #known() {
    const isPatienceSpent = this.#ports.ledger.calls.some(isPatienceSpentOn);
    return { words: wordsForEnded([...this.#answers.values()]), isPatienceSpent };
  }

  /** Learns from an answer to a hang-up; `isAlone`: the request was not sent with others. */
  learn(exchange: Exchange, isAlone: boolean): void {
    const { tag, request } = exchange;
    const segment = hangUpSegment(request.path);
    const answer = hangUpAnswer({ exchange });
    const isPlain = request.body === null;
    const form = { ...hangUpOf(segment), ...(isPlain ? {} : HANG_UP_BODY), path: request.path };
    if (isEnd(answer)) this.#hungUp.set(segment, form);
    const { path, credential, body } = this.#ending ?? {};
    const isOfEnding = request.path === path && request.credential === credential && isPlain === (body === null);
    if (isOfEnding && answer !== ACCEPTED && !isUnclear({ answers: [answer] })) this.#ending = null;
    const call = this.#callAt(segment);
    // A target may answer 404 to another caller.
    const isOfCaller = request.credential === (call?.credential ?? 'valid');
    const isOurs = isOfCaller && (tag.control || tag.role === 'hang-up' || tag.role === 'with-body');
    if (!isOurs && !isEnd(answer)) return;
    // Of two simultaneous hang-ups either may close the call. So may a later one in another form: a call was reported
    // as open although it was hung up with a Content-Type, since its hang-ups without one got 500.
    const mayClose = call?.stage === 'put off' || (call?.stage === 'open' && !isAlone);
    if (isEnd(answer) && isOfCaller && tag.documented && call !== undefined && mayClose) {
      this.#ports.ledger.change(call, { hungUpBy: call.ids.find((id) => segmentOf(id) === segment) ?? null });
      this.#close(call, answer);
    }
    // Of two simultaneous hang-ups either may come first.
    if (!isAlone && !isEnd(answer) && !isUnclear({ answers: [answer] })) return;
    // 423 with Retry-After is temporary: taken like 404, it left three ended calls reported as open.
    if (isOfState(answer) && askedTime(exchange) !== null) return;
    // The answer to one form of the request says nothing about another form.
    const key = JSON.stringify([request.path, isPlain]);
    this.#answers.set(key, [...(this.#answers.get(key) ?? []), answer]);
  }

  #callAt(segment: string): Call | undefined {
    return this.#ports.ledger.calls.findLast(({ ids }) => ids.some((id) => segmentOf(id) === segment));
  }

  /**
   * Tries to end a call of this run; `as` says which case the answers are evidence for. The ledger takes the outcome.
   * Resolves with the last answer.
   */
  async end(call: Call, phase: HangUpPhase, place: Partial<Place> = {}, as: HangUpAs = {}): Promise<Answer | null> {
    const { ledger } = this.#ports;
    const sequence = place.sequence ?? `clean-up of call ${ledger.numberOf(call)}`;
    let last: Answer | null = null;
    await this.#ports.budget.untilSettled<HangUpAttempt>({
      operation: HANG_UP_OPERATION.id,
      isCleanUp: true,
      sent: [...current(ledger, call).attempts],
      next: (attempts) => {
        const step = this.#next(call, phase);
        const given = attempts.at(-1)?.answers.at(-1);
        const status = typeof given === 'number' ? given : null;
        return typeof step === 'number' ? { reason: 'hang-up', wait: step, status } : null;
      },
      send: async () => {
        const { attempts } = current(ledger, call);
        const unclear = attempts.filter(isUnclear).length;
        const now = { sequence, attempt: (place.attempt ?? 0) + unclear, cleanUp: true, isOfLedger: true };
        const isAll = triesAllIds({ attempts }, this.#known, phase);
        const given = await this.#tryEach(isAll ? call : { ...call, ids: call.ids.slice(0, 1) }, now, as);
        const attempt = hangUpAttempt(given, phase);
        last = given.at(-1) as Answer;
        // A wrong id gets 404 however late it is tried.
        const { hungUpBy, ids } = current(ledger, call);
        const isLate = attempts.some(({ answers }) => answers.includes(NOT_KNOWN));
        if (last.accepted && hungUpBy === ids[0] && isLate)
          this.knownAfter = Math.max(this.knownAfter, attempt.at - call.createdAt);
        ledger.change(call, { attempts: [...attempts, attempt] });
        return attempt;
      },
    });
    if (this.#next(call, phase) === 'closed') this.#close(call);
    else ledger.change(call, { stage: 'put off', mayHaveEnded: mayHaveEnded(current(ledger, call), this.#known) });
    return last;
  }

  #close(call: Call, answer?: HangUpAnswer): void {
    const { hungUpBy, attempts, credential, stage } = current(this.#ports.ledger, call);
    if (stage === 'closed') return;
    const isAccepted = (answer ?? attempts.at(-1)?.answers.at(-1)) === ACCEPTED;
    const again = this.#hungUp.get(segmentOf(hungUpBy ?? ''));
    if (again !== undefined && isAccepted && !this.#isAcceptedAgain) this.#ending = { ...again, credential };
    this.#ports.ledger.change(call, { stage: 'closed' });
    this.#ports.ended(call);
  }

  /**
   * After a 202, waits until a further hang-up gets this target's answer for an ended call: on a target that ends calls
   * 5 s later, 13 calls of a run rang at the same time.
   */
  async untilEnded(): Promise<void> {
    const { waits } = WAITING.ending;
    const again = this.#ending;
    if (again === null) return;
    const place = { sequence: 'the end of the call before', attempt: 0, cleanUp: true };
    const sent = await this.#ports.budget.untilSettled<Answer>({
      operation: HANG_UP_OPERATION.id,
      isCleanUp: true,
      sent: [],
      next: ({ length }) => {
        const wait = this.#ending === null ? undefined : waits[length];
        return wait === undefined ? null : { reason: 'hang-up', wait, status: ACCEPTED };
      },
      send: () => this.#ports.send(again, place),
    });
    this.#isAcceptedAgain = sent.every(({ status }) => status === ACCEPTED);
    this.#ending = null;
  }

  /** Ends all calls that remain; those that are given up are lost. */
  async endRemaining(): Promise<void> {
    const { ledger } = this.#ports;
    if (ledger.remaining.length > 0) await this.#learnWord();
    for (const call of ledger.remaining) await this.end(call, 'end');
    for (const call of ledger.remaining) {
      // A later call may have shown what the answers meant.
      if (this.#next(call, 'end') === 'closed') this.#close(call);
      else ledger.change(call, { stage: 'lost', reason: answersPhrase(current(ledger, call).attempts) });
    }
  }

  /** Hangs up an ended call again, if none was: the answer tells whether a 404 means the end of another call. */
  async #learnWord(): Promise<void> {
    const [segment, again] = [...this.#hungUp].at(-1) ?? [];
    if (segment === undefined || again === undefined || this.#known.words.size > 0) return;
    // If the last call is the second organization's, our credential gets 404 for it.
    const credential = this.#callAt(segment)?.credential ?? 'valid';
    const place = { sequence: 'clean-up of an ended call', attempt: 0, cleanUp: true };
    await this.#ports.send({ ...again, credential }, place);
  }

  /**
   * Hangs up a call that this run did not place; `segment` is its id in a path. If the run has answered it
   * (`isAnswered`), it is hung up again at the end: a 404 right after answering does not prove that it ended. It has
   * one entry, however often its sequence is repeated: six entries cost a hanging target three timeouts each.
   */
  async endOther(segment: string, place: Place, as: HangUpAs, isAnswered: boolean): Promise<Answer> {
    const { ledger } = this.#ports;
    const answer = await this.#ports.send({ ...hangUpOf(segment), ...as }, { ...place, cleanUp: true });
    if (isAnswered && answer.status === ACCEPTED) this.#ending = hangUpOf(segment);
    if (!isAnswered || answer.accepted || answer.status === 410) return answer;
    const id = idOfSegment(segment);
    const known = ledger.calls.find(({ ids }) => ids.includes(id));
    const { seq = answer.exchange.seq, attempts: before = [] } = known ?? {};
    const attempt = hangUpAttempt([answer], 'run');
    const call = { seq, ids: [id], createdAt: attempt.at, isOther: true, attempts: [...before, attempt] } as const;
    ledger.adopt(callOf({ ...call, stage: 'put off', mayHaveEnded: true }));
    return answer;
  }

  #next(call: Call, phase: HangUpPhase) {
    const { createdAt, attempts, ids } = current(this.#ports.ledger, call);
    const wasHungUp = ids.some((id) => this.#hungUp.has(segmentOf(id)));
    const last = attempts.at(-1);
    const now = last?.phase === phase ? last.at : this.#ports.budget.now;
    return nextHangUpStep({ createdAt, attempts, wasHungUp }, this.#known, now, phase);
  }

  /** Tries each candidate id, with the credential that placed the call, then with ours, until one succeeds. */
  async #tryEach(call: Call, place: Place, as: HangUpAs): Promise<readonly Answer[]> {
    const given: Answer[] = [];
    for (const credential of new Set([call.credential, 'valid' as const])) {
      for (const id of call.ids) {
        const request = { ...hangUpOf(segmentOf(id)), credential };
        const answer = await this.#ports.send({ ...request, ...as }, place);
        const told = await this.#inOtherForms(request, answer, place);
        const isAccepted = told.some(({ accepted }) => accepted);
        // A target may answer 403 or 409 to another caller, whatever it answers to the caller of an ended call.
        if (isAccepted || credential === call.credential) given.push(...told);
        if (isAccepted) this.#ports.ledger.change(call, { hungUpBy: id });
        // Each further timeout would take as long.
        if (isAccepted || answer.exchange.failure?.kind === 'timeout') return given;
      }
    }
    return given;
  }

  /**
   * If a target seems to want a body or another path, tries those forms: a call must not stay open. The answer to the
   * body then counts as the hang-up's; a rejection on the undocumented path says nothing about the call.
   */
  async #inOtherForms(request: SuiteRequest, plain: Answer, place: Place) {
    const isOfForm = ({ status }: Answer): boolean =>
      status !== null && OTHER_FORM_WANTED.has(status) && !this.#known.words.has(status);
    if (!isOfForm(plain)) return [plain];
    const told = await this.#ports.send({ ...request, ...HANG_UP_BODY }, place);
    if (!isOfForm(told)) return [{ ...told, plain }];
    const elsewhere = { path: `${request.path}/`, about: 'the same hang-up on the other slash form' };
    const answer = await this.#ports.send({ ...request, ...elsewhere }, place);
    return [plain, { ...told, plain }, ...(answer.accepted ? [{ ...answer, plain }] : [])];
  }
}

const current = (ledger: CallLedger, call: Call): Call => ledger.of(call) ?? call;

function hangUpAttempt(given: readonly Answer[], phase: HangUpPhase): HangUpAttempt {
  const { exchange } = given.at(-1) as Answer;
  const [at, asked] = [endOf(exchange), askedTime(exchange)];
  return { at, phase, answers: given.map(hangUpAnswer), ...(asked === null ? {} : { retryAfter: asked }) };
}

const hangUpAnswer = ({ exchange: { response, failure } }: Pick<Answer, 'exchange'>): HangUpAnswer =>
  response?.status ?? (failure?.kind === 'timeout' ? 'timeout' : 'no-answer');
