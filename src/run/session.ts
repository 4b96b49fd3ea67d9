/** The session of one attempt at a sequence: learns from answers, and reads a resource before the first write to it. */

import type { Client } from '../client/client.ts';
import { type HangUpAs, segmentOf } from '../client/hang-ups.ts';
import { type Answer, type Place, type PlacedRequest, Skipped, type SuiteRequest } from '../client/request.ts';
import type { Call } from '../client/safety/call-ledger.ts';
import { TRIALS } from '../contract/limits.ts';
import { withoutUndefined } from '../contract/lists.ts';
import { isUpdate, type OperationId, operationById, SAFE_METHODS, type UpdateId } from '../contract/operations.ts';
import { OMIT_RATE } from '../contract/settings.ts';
import { isRetryableStatus, WAITING } from '../contract/waiting.ts';
import { type Ask, CONFIGURED_SECRET, type Exchange, isUnanswered, symptomOf } from '../exchange/exchange.ts';
import { isRejected } from '../verdict/answer.ts';
import { isOfMoment } from '../verdict/boundary.ts';
import type { Judge, Judgements, SkippedNote, SuiteError } from '../verdict/record.ts';
import type { Compared } from '../verdict/sibling.ts';
import type { RequestBuilder } from './builder.ts';
import type { RunOptions } from './options.ts';
import { type Facts, type RunState, SHOWN_BY } from './state.ts';
import { learnApplication, shownIn, showsFields, type WriteLedger } from './written.ts';

/** Number of requests that go out together at most. */
export const MOST_TOGETHER = 8;

/** A run as its sequences see it: shared state, and what they report to the run. */
export interface Course {
  readonly client: Client;
  readonly builder: RequestBuilder;
  /** What the sequences learn for later ones. */
  readonly state: RunState;
  /** What the run wrote until the last phase. */
  readonly ledger: WriteLedger;
  /** Ends the run for that reason; the first reason counts. */
  end(reason: string): void;
  skip(note: SkippedNote): void;
  broke(where: Omit<SuiteError, 'message'>, error: unknown): void;
  /** What the checks said so far. */
  readonly judgements: Judgements;
}

/** What a sequence can use: it sends through the client, at one place of the plan, and learns from every answer. */
export class Session {
  readonly builder: RequestBuilder;
  readonly state: RunState;
  readonly answers: Answer[] = [];
  /** Why a request of the sequence was not sent, although the sequence went on. */
  unsent: Skipped | null = null;
  readonly #run: Course;
  readonly #place: Place;
  readonly #said: Ask[] = [];

  constructor(run: Course, place: Place) {
    this.#run = run;
    this.builder = run.builder;
    this.state = run.state;
    this.#place = place;
  }

  /** How often the sequence was sent before. */
  get attempt(): number {
    return this.#place.attempt;
  }

  /** Sends a request; `null` if no call may be placed, which is noted as a question not asked in full. */
  async sendIfAllowed(request: SuiteRequest): Promise<Answer | null> {
    try {
      return await this.send(request);
    } catch (error) {
      if (!(error instanceof Skipped) || error.skip.why !== 'calls') throw error;
      this.unsent ??= error;
      return null;
    }
  }

  /** Records what an answer shows of one or more variations; the judge is called once the run is over. */
  say(asks: Ask | readonly Ask[], { exchange: { seq } }: Answer, judge: Judge): void {
    for (const { id, variation } of [asks].flat()) this.#run.judgements.note({ id, variation, seq, judge });
    this.#said.push(...[asks].flat());
  }

  /** Records what its requirements expect of the answer, if they expect the same of every answer. */
  #sayOf(asks: readonly Ask[], answer: Answer, request?: SuiteRequest): void {
    for (const ask of asks) {
      const expect = this.builder.expectationOf(ask);
      if (expect === undefined) continue;
      const compared = this.compared(answer, request, ask.id);
      this.say(ask, answer, (evidence) => expect(answer.exchange, evidence, compared));
    }
  }

  /** What the answer to a request is compared with, for that requirement. */
  compared({ exchange }: Answer, request?: SuiteRequest, requirement = ''): Compared {
    return this.state.compared(exchange, this.answers, request, requirement);
  }

  /** The questions that the sequence has neither sent nor answered. */
  unasked(asks: readonly Ask[]): readonly Ask[] {
    const asked = [...this.#said, ...this.answers.flatMap(({ exchange }) => exchange.tag.asks)];
    return asks.filter((ask) => !asked.some(({ id, variation }) => id === ask.id && variation === ask.variation));
  }

  /** Sends a request; throws `Skipped` where a cap or a missing credential forbids it. */
  async send(request: SuiteRequest): Promise<Answer> {
    await this.#prepare(request);
    return this.#deliver(request);
  }

  /**
   * Sends requests together, at most eight and none of them a create call; resolves with their answers in request
   * order. They leave simultaneously if they ask for that, one by one if the target puts off or loses simultaneous
   * requests. A simultaneous batch is repeated only if the service itself answered; `again` makes its requests anew.
   */
  async together(
    requests: readonly SuiteRequest[],
    again: () => Promise<readonly SuiteRequest[]> = async () => requests,
  ): Promise<readonly Answer[]> {
    if (requests.length > MOST_TOGETHER) throw new Error(`${requests.length} requests are too many at once`);
    const isMoment = requests.some(({ asks }) => asks.some(isOfMoment));
    const answers: Answer[] = [];
    if (!isMoment && this.state.isOneByOne) {
      for (const request of requests) answers.push(await this.send(request));
      return answers;
    }
    const { rate } = this.builder.options;
    // With --rate 100 a read without a credential left 10 ms after the valid one, and a service that mixes them passed.
    const isAtOnce = isMoment || requests.some(({ role }) => role === 'beside');
    if (isAtOnce && rate > 0 && rate < requests.length) {
      const reason = `${requests.length} requests at once are more than --rate allows in a second`;
      throw new Skipped(reason, { why: 'rate', remedy: OMIT_RATE });
    }
    const placed = (request: SuiteRequest) => ({ request, place: this.#placeOf(request) });
    const batch = requests.map((request) => [this, request] as const);
    const repeated = isMoment ? async () => (await again()).map(placed) : undefined;
    for (const result of await Session.sendTogether(batch, isAtOnce, repeated)) {
      if (result.status === 'rejected') throw result.reason;
      answers.push(result.value);
    }
    return answers;
  }

  /** Sends one request of each session together; each session notes its answer, in request order. */
  static async sendTogether(
    batch: readonly (readonly [Session, SuiteRequest])[],
    isAtOnce: boolean,
    again?: () => Promise<readonly PlacedRequest[]>,
  ): Promise<readonly PromiseSettledResult<Answer>[]> {
    const [first] = batch;
    if (first === undefined) return [];
    try {
      for (const [session, request] of batch) await session.#prepare(request);
    } catch (reason) {
      return batch.map(() => ({ status: 'rejected', reason }));
    }
    const placed = batch.map(([session, request]) => ({ request, place: session.#placeOf(request) }));
    const results = await first[0].#run.client.together(placed, isAtOnce, again);
    for (const [at, [session, request]] of batch.entries()) {
      const result = results[at];
      if (result?.status !== 'fulfilled') continue;
      if (result.value.attempts.slice(0, 1).some(isLimiting)) session.state.isOneByOne = true;
      session.#learned(request, result.value);
    }
    return results;
  }

  /**
   * Repeats a request whose symptom went away when it was sent alone: it may need the request before it. Both are sent
   * as often as a request alone would be, and a symptom in every sending is believed.
   */
  async repeatBehind(before: SuiteRequest, request: SuiteRequest, { attempts: [first] }: Answer): Promise<void> {
    const symptom = first === undefined ? null : symptomOf(first);
    if (symptom === null) return;
    const { client } = this.#run;
    const { operation } = request;
    const shown: Exchange[] = [];
    // A missing response is waited for only once more.
    const waits = WAITING.symptom.waits.slice(0, first?.failure?.kind === 'timeout' ? 1 : undefined);
    for (const milliseconds of waits) {
      if (!(await client.budget.wait({ reason: 'symptom', operation, milliseconds, isCleanUp: false }))) return;
      const { exchange: behind } = await this.send(before);
      if (symptomOf(behind) !== null) return;
      const { exchange } = await this.send({ ...request, once: true });
      if (symptomOf(exchange) !== symptom) return;
      shown.push(exchange);
    }
    client.settlements.confirm(shown);
  }

  /** Learns from an answer. */
  #learned(request: SuiteRequest, answer: Answer): Answer {
    const { operation, credential, control, origin, contentType, body } = request;
    this.answers.push(answer);
    request.says?.(answer);
    this.#sayOf(request.asks, answer, request);
    learnValues(this.#run, request, answer);
    // Nothing that could build on its bodies follows an exploration.
    const isValid = control && credential === 'valid' && origin === undefined && contentType === 'application/json';
    if (isValid && operation !== null && body !== null)
      this.state.learnBody(operation, new TextDecoder().decode(body), answer.exchange);
    return answer;
  }

  #placeOf({ operation }: SuiteRequest): Place {
    if (!isUpdate(operation)) return this.#place;
    return { ...this.#place, ...valuesToJournal(operation, this.state.facts, this.builder.options) };
  }

  async #deliver(request: SuiteRequest): Promise<Answer> {
    return this.#learned(request, await this.#run.client.send(request, this.#placeOf(request)));
  }

  /**
   * An operation that `--without` leaves out is not sent for another operation either: throws `Skipped`. It is still
   * read before the first write to its resource.
   */
  async #prepare(request: SuiteRequest): Promise<void> {
    const { operation, method } = request;
    if (operation !== null && this.isLeftOut(operation)) {
      const remedy = `do not leave ${operation} out with --without`;
      throw new Skipped(`${operation} is left out`, { why: 'occasion', remedy });
    }
    if (SAFE_METHODS.has(method) || this.#place.cleanUp === true) return;
    if (isUpdate(operation)) await this.#readBefore(operation, request);
  }

  /**
   * Reads a resource before the run's first write to it, whatever the run judges: otherwise it could not be restored.
   * Throws what sending throws, and then the write is not sent either.
   */
  async #readBefore(id: UpdateId, request: SuiteRequest): Promise<void> {
    const { builder, state } = this;
    const [kind] = operationById(id).resources;
    const isNamed = kind !== undefined && builder.named(kind) !== undefined;
    if (state.written.has(id) || builder.options.profile !== 'full' || !isNamed) return;
    // No documented operation reads a voice application.
    for (const read of SHOWN_BY[id] ?? (id === 'updateVoiceApplication' ? ['undocumented' as const] : [])) {
      for (let sent = 0; sent < TRIALS.rule && !state.looked.has(read); sent += 1) {
        const about = 'what is there before the first write';
        const isDocumented = read !== 'undocumented';
        const look = isDocumented
          ? builder.request(read, { role: 'before', about })
          : applicationRead(builder, 'before');
        const { exchange } = await this.#deliver(look);
        if (isDocumented) continue;
        state.looked.add(read);
        if (showsFields(exchange)) state.note({ application: shownIn(exchange) });
      }
      if (state.facts.trunkReadBy === read) break;
    }
    const isEmpty = request.credential === 'valid' && new TextDecoder().decode(request.body ?? undefined) === '{}';
    if (id === 'updateVoiceApplication' && !isEmpty && !this.ledger.applicationShownBy('GET')) {
      // If no read shows the application, the answer to an update that names no field may.
      await this.#deliver(builder.request(id, { json: {}, role: 'before', about: 'an update that changes nothing' }));
    }
    state.written.add(id);
  }

  /** Whether `--without` leaves the operation out; requests that restore the target are sent all the same. */
  isLeftOut(id: OperationId): boolean {
    return this.builder.options.without.includes(id) && this.#place.cleanUp !== true;
  }

  /** Hangs up the open call, if there is one. */
  async hangUp(as?: HangUpAs): Promise<Answer | null> {
    const answer = await this.#run.client.hangUp(this.#place, as);
    if (answer === null) return null;
    this.answers.push(answer);
    // A hang-up that was accepted only with a body passed as one without.
    this.#sayOf(as?.asks ?? [], answer.plain ?? answer);
    return answer;
  }

  /** Hangs up a call that this run did not place, with the same retries as its own. */
  async endOther(id: string, as: HangUpAs): Promise<Answer> {
    const { client } = this.#run;
    const answer = await client.hangUps.endOther(id, this.#place, as, this.state.facts.isRingingAnswered === true);
    this.answers.push(answer);
    this.#sayOf(as.asks ?? [], answer);
    return answer;
  }

  /** The likeliest id of the open call, as it stands in a path, or `null`. */
  openCall(): string | null {
    return segmentOfCall(this.#run.client.ledger.open[0]);
  }

  /** How many calls of the run were hung up. */
  get hungUpCalls(): number {
    return this.#run.client.ledger.calls.filter(({ hungUpBy }) => hungUpBy !== null).length;
  }

  /** Whether hang-ups have shown that the target knows a new call only after a while. */
  get isKnownLate(): boolean {
    return this.#run.client.hangUps.knownAfter > 0;
  }

  /** The open call, once the target has had that time. */
  async knownCall(): Promise<string | null> {
    const { ledger, budget, hangUps } = this.#run.client;
    const [call] = ledger.open;
    if (call === undefined) return null;
    const milliseconds = call.createdAt + hangUps.knownAfter - budget.now;
    await budget.wait({ reason: 'hang-up', operation: 'hangUpCall', milliseconds, isCleanUp: true, status: 404 });
    return segmentOfCall(call);
  }

  /** What the run wrote until the last phase. */
  get ledger(): WriteLedger {
    return this.#run.ledger;
  }

  /** Waits for a target whose reads may show a change only later, after an interruption as well. */
  async waitForReads(milliseconds: number): Promise<void> {
    await this.#run.client.budget.wait({ reason: 'late reads', operation: null, milliseconds, isCleanUp: true });
  }
}

/** Whether a gateway may have put off or lost the request because it was simultaneous. A hang is the service's own. */
const isLimiting = (exchange: Exchange): boolean =>
  isRetryableStatus(exchange.response?.status ?? null) ||
  (isUnanswered(exchange) && exchange.failure?.kind !== 'timeout');

/** The likeliest id of a call as it stands in a path. */
function segmentOfCall(call: Call | undefined): string | null {
  const id = call?.ids[0];
  return id === undefined ? null : segmentOf(id);
}

/** What an operation changes, with the values before the run: for the journal, without the secret. */
function valuesToJournal(
  id: UpdateId,
  { trunk, application, assignment }: Facts,
  { inbound: { secret, ...inbound } }: Pick<RunOptions, 'inbound'>,
): Pick<Place, 'before'> {
  const values = {
    updateTrunk: trunk,
    updateVoiceApplication: application,
    setInboundAuth: withoutUndefined({ ...inbound, secret: secret === undefined ? undefined : CONFIGURED_SECRET }),
    assignNumber: assignment === undefined ? undefined : { carrier_connection_id: assignment },
  };
  return withoutUndefined({ before: values[id] });
}

/** A read of the voice application: a target may serve one at the path of its update. */
export function applicationRead(builder: RequestBuilder, role: SuiteRequest['role']): SuiteRequest {
  const about = 'a read of the voice application, which is not documented';
  return { ...builder.request('updateVoiceApplication', { role, about }), operation: null, method: 'GET' };
}

/** Learns from a read of a trunk or number to which the run has not written yet. */
function learnRead(state: RunState, exchange: Exchange): void {
  const { tag, response } = exchange;
  const { operation } = tag;
  if (isUnanswered(exchange)) return;
  const { assignment, isAnotherNamed } = response?.learned ?? {};
  if (isAnotherNamed === true) state.note({ isAnotherNamed });
  if (operation === 'listNumbers') {
    state.looked.add(operation);
    const isKnown = state.facts.assignment !== undefined || state.written.has('assignNumber');
    if (!isKnown && assignment !== undefined) state.note({ assignment });
  }
  if (operation !== 'listTrunks' && (operation !== 'getTrunk' || tag.ids !== 'named')) return;
  state.looked.add(operation);
  if (!showsFields(exchange) || state.written.has('updateTrunk')) return;
  // The trunk's own read is preferred; the list is used if that shows nothing.
  const isBetter = operation === 'getTrunk' && state.facts.trunkReadBy === 'listTrunks';
  if (state.facts.trunk === undefined || isBetter) state.note({ trunk: shownIn(exchange), trunkReadBy: operation });
}

/** Learns the values before the run from an answer, and whether a value of the run may be stored. */
function learnValues({ state, ledger }: Course, request: SuiteRequest, answer: Answer): void {
  if (request.operation === 'updateVoiceApplication') learnApplication(state, ledger, answer.exchange);
  if (request.operation === 'updateTrunk' && !isRejected(answer.exchange)) state.trunkRead = null;
  if (request.credential !== 'valid') return;
  if (request.method === 'GET') learnRead(state, answer.exchange);
  else learnWrite(state, request, answer);
}

/** Learns whether a value of an update may be stored, or was replaced. */
function learnWrite(state: RunState, { operation, body, role }: SuiteRequest, { status, accepted }: Answer): void {
  // A body no longer than `{}` names nothing that could change.
  if (!isUpdate(operation) || body === null || body.length <= '{}'.length) return;
  if (role === 'restore' && accepted) state.unrestored.delete(operation);
  else if (accepted || status === null || status >= 500) state.unrestored.add(operation);
}
