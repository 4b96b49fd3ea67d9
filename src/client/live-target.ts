/** A live target: applies the guards, the caps and the retries, and records every exchange. */

import { isSuccess } from '../contract/statuses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { WireOutcome, WireRequest } from '../exchange/message.ts';
import { type LiveExchange, recordExchange } from '../exchange/recorder.ts';
import { textOf } from '../exchange/texts.ts';
import type { Target } from './client.ts';
import type { AnnouncedWrite, ClientOptions } from './client-options.ts';
import { Hangs } from './hangs.ts';
import { InvalidCredentials, isInvalid } from './invalid-credentials.ts';
import { learn } from './learned.ts';
import { type Place, Skipped, type SuiteRequest, Unrecorded } from './request.ts';
import { SAFE_METHODS } from './request-path.ts';
import { type CreateOutcome, createOutcome } from './safety/create-outcome.ts';
import { Admission, guard } from './safety/guard.ts';
import { type Passage, SendGate } from './send-gate.ts';
import { isPostponed, LIMITED, type Patience, Waiting } from './waiting.ts';
import { isCreate, outgoing, tagOf } from './wire.ts';

/** The target cannot serve the request now, perhaps because it serves others. */
const UNAVAILABLE = 503;
/** Number of its own waits after which a request that alone is limited no longer slows down the others. */
const MOST_SHARED = 3;

/** A request that was sent, and how it left. */
type Sent = readonly [Exchange, Passage];

/** The gate through which every request leaves. */
export class LiveTarget implements Target {
  readonly #options: ClientOptions;
  readonly #startedAt: number;
  readonly #invalid: InvalidCredentials;
  readonly #hangs: Hangs;
  readonly #waiting: Waiting;
  readonly #gate: SendGate;
  readonly admission = new Admission();
  #seq = 0;
  /** Sequences that have sent at least one request. */
  readonly #begun = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#hangs = new Hangs(options.timeouts);
    this.#invalid = new InvalidCredentials(options);
    this.#gate = new SendGate(options);
    this.#waiting = new Waiting(options, this.#invalid, () => this.admission.stopped !== null);
  }

  async send(request: SuiteRequest, place: Place): Promise<Exchange> {
    while (place.cleanUp !== true && this.#invalid.lockOut !== null) await this.#invalid.lockOut;
    const patience: Patience = { letOthersGo: null, waits: 0, answered: null };
    try {
      return await this.#sendPatiently(request, place, patience);
    } finally {
      patience.letOthersGo?.();
    }
  }

  async #sendPatiently(request: SuiteRequest, place: Place, patience: Patience): Promise<Exchange> {
    const { clock, onWait } = this.#options;
    const cleanUp = place.cleanUp === true;
    let last: Exchange | null = null;
    /** How many were under way when the target could not serve the request. */
    let crowd = 0;
    /** How often the target put the request off for a reason other than the caller. */
    let putOffs = 0;
    for (let resend = place.resend ?? 0; ; resend += 1) {
      const again: Partial<Place> = last === null ? {} : { replaces: last.seq };
      const [exchange, passage]: Sent = await this.#once(request, { ...place, ...again, resend }, crowd > 1);
      last = exchange;
      const { response } = exchange;
      if (crowd > 1 && response !== null && response.status !== UNAVAILABLE) this.#gate.noteCrowd(crowd);
      crowd = response?.status === UNAVAILABLE ? passage.crowd : 0;
      const isLockedOut = this.#invalid.noteAnswer(request, response?.status ?? null);
      const isPutOff = isLockedOut || isPostponed(exchange);
      const holdsOthers = patience.letOthersGo !== null;
      if (!isPutOff && (response !== null || holdsOthers)) {
        this.#waiting.noteAnswer(holdsOthers || isSuccess(response?.status ?? null));
      }
      // Sent again after any other answer, a create call might place a second call.
      const mayBeSentAgain = !isCreate(request) || response?.learned?.create === 'rejected';
      if (response === null || !isPutOff || !mayBeSentAgain) return exchange;
      // A 429 and a lock-out are about the caller, so they do not count towards the create calls that a run may have put off.
      if (isCreate(request) && response.status !== LIMITED && !isLockedOut) putOffs += 1;
      if (putOffs > (place.resends ?? Infinity)) return exchange;
      if (isLockedOut && patience.letOthersGo === null) {
        const { lockOut } = this.#invalid;
        if (lockOut === null) patience.letOthersGo = this.#invalid.holdOthers();
        else {
          await lockOut;
          continue;
        }
      }
      const wait = this.#waiting.of({ request, response, resend, isLockedOut, cleanUp, patience });
      if (wait === null) return exchange;
      onWait?.(wait.milliseconds, response.status, wait.most);
      if (response.status === LIMITED && patience.waits < MOST_SHARED) {
        // What comes of too many invalid credentials does not slow down the others.
        const isTelling = resend === 0 && !isInvalid(request.credential);
        this.#gate.noteLimit(passage, wait.milliseconds, isTelling);
      }
      // What the whole run waits for is waited for at the gate, where clean-up comes first.
      if (!wait.isOfRun) await (cleanUp ? clock.rest(wait.milliseconds) : clock.sleep(wait.milliseconds));
    }
  }

  async #once(request: SuiteRequest, place: Place & { readonly resend: number }, wasCrowded: boolean): Promise<Sent> {
    await this.#invalid.turn(request.credential);
    // What is repeated goes out alone, and what was put off before what was not.
    const isAlone = place.attempt > 0;
    const rank = place.cleanUp === true ? 0 : place.resend > 0 ? 1 : 2;
    const group = isAlone ? place.sequence : wasCrowded ? `${place.sequence}, put off` : null;
    const isTogether = request.together === true && rank === 2 && (!isAlone || place.isCrowdRepeated === true);
    const ticket = { rank, group, isDelicate: isCreate(request), isTogether } as const;
    const passage = await this.#gate.enter(ticket);
    try {
      const exchange = await this.#leave(request, place, { room: passage.room, ...(isAlone ? { fresh: true } : {}) });
      const { response, failure } = exchange;
      if (failure?.kind === 'refused' || failure?.kind === 'reset') this.#gate.noteLoss(passage);
      else if (response !== null && response.status !== LIMITED) this.#gate.noteAnswer(passage);
      return [exchange, passage];
    } finally {
      this.#gate.leave(ticket);
    }
  }

  async #leave(
    request: SuiteRequest,
    place: Place,
    connection: Pick<WireRequest, 'fresh' | 'room'>,
  ): Promise<Exchange> {
    const { transport, clock, register } = this.#options;
    this.admission.demand(request);
    if (place.cleanUp !== true) this.#demandLeave(place);
    const going = outgoing(request, place, this.#options);
    const timeout = this.#hangs.timeoutFor(request, place);
    const wire = { ...going.wire, ...connection, timeout };
    if (place.cleanUp !== true) this.#demandTime(request, timeout);
    guard(request, going, this.#options);
    const seq = this.#seq + 1;
    const tag = tagOf(request, place, register);
    // Announced once nothing else can stop it: an announced create call without an answer may have placed a call.
    if (isCreate(request)) this.#options.beforeCreate?.(seq);
    else if (!SAFE_METHODS.has(request.method)) this.#announce({ seq, ...tag }, request, place);
    this.#seq = seq;
    this.#begun.add(place.sequence);
    const sentAt = clock.now();
    let outcome: WireOutcome | null = null;
    try {
      outcome = await transport(wire);
      const { path, credential } = request;
      const [at, took] = [sentAt - this.#startedAt, clock.now() - sentAt];
      const exchange = this.#record(request, { seq, tag, request: wire, path, credential, outcome, at, took });
      this.#hangs.note(request, exchange, timeout);
      return exchange;
    } catch (error) {
      throw new Unrecorded(error, seq, this.#createOutcome(request, wire, outcome));
    }
  }

  #announce(
    { seq, operation, ids }: Pick<AnnouncedWrite, 'seq' | 'operation' | 'ids'>,
    request: SuiteRequest,
    place: Place,
  ) {
    const { beforeWrite, recorder } = this.#options;
    if (beforeWrite === undefined) return;
    const redact = (text: string): string => recorder.redactor.redact(text).text;
    const { method, path, body } = request;
    const written = body === null ? {} : { body: redact(new TextDecoder().decode(body)) };
    const before = place.before === undefined ? {} : { before: place.before };
    const write = { seq, operation, ids, method, path: redact(path), ...written, ...before };
    beforeWrite(write, place.cleanUp === true || operation === 'hangUpCall');
  }

  #record(request: SuiteRequest, live: LiveExchange): Exchange {
    const { recorder, onExchange, register } = this.#options;
    const { outcome } = live;
    const recorded = recordExchange(live, recorder);
    const { response } = recorded;
    const known = register.knownBefore(live.request);
    const learned = learn(request, outcome, { ...this.#options, ...recorder, known });
    const exchange = { ...recorded, response: response && { ...response, ...(learned && { learned }) } };
    onExchange(exchange);
    register.noteLearned(exchange.response?.learned);
    // From then on what a list shows is only read.
    if (outcome.kind === 'answer' && isSuccess(outcome.status) && !isCreate(request)) {
      register.sawInAnswer(textOf(outcome.body));
    }
    return exchange;
  }

  /** What came of a create call whose answer could not be recorded: its call must be hung up all the same. */
  #createOutcome(request: SuiteRequest, wire: WireRequest, outcome: WireOutcome | null): CreateOutcome {
    const { register, callIdPointer } = this.#options;
    const unclear = { kind: 'unclear', status: null, detail: 'no recorded answer', ids: [] } as const;
    if (outcome === null || !isCreate(request)) return unclear;
    try {
      const create = createOutcome(outcome, request.path, register.knownBefore(wire), callIdPointer);
      if ('ids' in create) for (const id of create.ids) register.addCall(id);
      return create;
    } catch {
      return unclear;
    }
  }

  /** Throws where no time is left for a request with this timeout, or the run was stopped. */
  #demandTime(request?: SuiteRequest, timeout?: number): void {
    const end = this.#hangs.endBefore(request, timeout);
    if (end !== null) this.admission.stop(end);
    const { stopped } = this.admission;
    if (stopped !== null) throw new Skipped(stopped, { why: 'stopped' });
  }

  #demandLeave({ sequence, operation, kept = 0 }: Place): void {
    const { maxRequests } = this.#options;
    this.#demandTime();
    if (this.#seq >= maxRequests - kept) {
      const kind = this.#seq >= maxRequests ? 'were sent' : 'but for those kept for credentials were sent';
      throw new Skipped(`${maxRequests} requests ${kind}`, { why: 'limit', remedy: 'raise --max-requests' });
    }
    if (operation === undefined || this.#begun.has(sequence) || !this.#hangs.hangs(operation)) return;
    throw new Skipped('the operation left its last requests without a response', {
      why: 'hang',
      remedy: 'raise --timeout',
    });
  }
}
