/** The session of one attempt of a sequence: it learns from every answer, and sends the siblings that its probes need. */

import { OUTAGE } from '../client/budget.ts';
import type { Client } from '../client/client.ts';
import { type HangUpAs, segmentOf } from '../client/hang-ups.ts';
import { type Answer, type Place, Skipped, type SuiteRequest } from '../client/request.ts';
import type { Call } from '../client/safety/call-ledger.ts';
import { isCreate } from '../client/wire.ts';
import { TRIALS } from '../contract/limits.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Skip } from '../contract/skipped.ts';
import { type Ask, type Exchange, isUnanswered, type Role } from '../exchange/exchange.ts';
import type { JsonValue } from '../generate/json.ts';
import { errorWordingOf, isAboutBody, symptomOf } from '../verdict/answer.ts';
import { isUnsent, OUTAGE_CHECK, showsOutage } from '../verdict/outage.ts';
import { isOfMoment, type SkippedNote, type SuiteError } from '../verdict/record.ts';
import type { RequestBuilder } from './builder.ts';
import { firstReads } from './preflight.ts';
import { type Due, needOf, type Pending, type RunState } from './state.ts';
import { learnValues, readBefore, updateIn, valuesBefore, withoutOurValue } from './values-before.ts';
import type { WriteLedger } from './written.ts';

/** Create calls that are not what their sequence is about. */
const FOR_OTHERS: readonly Role[] = ['sibling', 'occasion'];

/** Number of requests that go out together at most. */
export const MOST_TOGETHER = 8;

/** A run as its sequences see it: what they share, and what they tell it. */
export interface Course {
  readonly client: Client;
  readonly builder: RequestBuilder;
  /** Whether the run has ended early. */
  readonly isOver: boolean;
  /** What the run wrote until the last phase. */
  readonly ledger: WriteLedger;
  /** Ends the run for that reason; the first reason counts. */
  end(reason: string): void;
  skip(note: SkippedNote): void;
  broke(where: Omit<SuiteError, 'message'>, error: unknown): void;
}

/** What a sequence can use: it sends through the client, at one place of the plan, and learns from every answer. */
export class Session {
  readonly builder: RequestBuilder;
  readonly state: RunState;
  readonly answers: Answer[] = [];
  /** Why a request of the sequence was not sent, although the sequence went on. */
  unsent: Skipped | null = null;
  /** Questions that an answer settled, and why. */
  readonly settledAsks: ({ readonly asks: readonly Ask[] } & Pick<Skip, 'why' | 'reason'>)[] = [];
  /** Health checks that were sent since a request got no response. */
  readonly checks: Answer[] = [];
  /** Requests after which the target stopped responding twice. */
  readonly crashes = new Set<Exchange>();
  readonly #run: Course;
  readonly #place: Place;
  #pending: Pending[] = [];

  constructor(run: Course, state: RunState, place: Place) {
    this.#run = run;
    this.builder = run.builder;
    this.state = state;
    this.#place = place;
  }

  /** How often the sequence was sent before. */
  get attempt(): number {
    return this.#place.attempt;
  }

  /** Sends a request, or notes that what the sequence asks was not asked in full: `null`, if no call may be placed. */
  async sendIfAllowed(request: SuiteRequest): Promise<Answer | null> {
    try {
      return await this.send(request);
    } catch (error) {
      if (!(error instanceof Skipped) || error.skip.why !== 'calls') throw error;
      this.unsent ??= error;
      return null;
    }
  }

  /** Notes that these questions are not asked, because of an answer that settles them, or that gives no occasion. */
  settled(asks: readonly Ask[], reason: string, why: 'answered' | 'occasion' | 'step' = 'answered'): void {
    this.settledAsks.push({ asks, why, reason });
  }

  /** Sends a request; throws `Skipped` where a cap or a missing credential forbids it. */
  async send(request: SuiteRequest): Promise<Answer> {
    this.#demandSelected(request);
    await this.#readBefore(request);
    return this.#learned(request, await this.#deliver(request));
  }

  /**
   * Sends requests together, eight at most and none of them a create call, and resolves with their answers in the order of
   * the requests. What has to be at the same moment is repeated so only where the service itself wrote what was wrong: a
   * gateway may let fewer through. The rest goes out one by one where the target puts off or loses what comes together.
   */
  async together(requests: readonly SuiteRequest[]): Promise<readonly Answer[]> {
    if (requests.length > MOST_TOGETHER) throw new Error(`${requests.length} requests are too many at once`);
    const isMoment = requests.some(({ asks }) => asks.some(isOfMoment));
    const answers: Answer[] = [];
    if (this.attempt > 0 ? this.#place.isMomentRepeated !== true : !isMoment && this.state.isOneByOne) {
      for (const request of requests) {
        answers.push(await this.send({ ...request, asks: request.asks.filter((one) => !isOfMoment(one)) }));
      }
      return answers;
    }
    const { rate } = this.builder.options;
    // With --rate 100 a read without a credential left 10 ms after the valid one, and a service that mixes them up passed.
    const isAtOnce = isMoment || requests.some(({ role }) => role === 'beside');
    if (isAtOnce && rate > 0 && rate < requests.length) {
      const reason = `${requests.length} requests at once are more than --rate allows in a second`;
      throw new Skipped(reason, { why: 'occasion', remedy: 'omit --rate' });
    }
    const batch = requests.map((request) => [this, request] as const);
    for (const result of await Session.sendTogether(batch, isAtOnce)) {
      if (result.status === 'rejected') throw result.reason;
      answers.push(result.value);
    }
    return answers;
  }

  /** Sends a request of each session together; each session notes its answer, in the order of the requests. */
  static async sendTogether(
    batch: readonly (readonly [Session, SuiteRequest])[],
    isMoment: boolean,
  ): Promise<readonly PromiseSettledResult<Answer>[]> {
    const [first] = batch;
    if (first === undefined) return [];
    for (const [session, request] of batch) session.#demandSelected(request);
    try {
      for (const [session, request] of batch) await session.#readBefore(request);
    } catch (reason) {
      return batch.map(() => ({ status: 'rejected', reason }));
    }
    const placed = batch.map(([session, request]) => ({ request, place: session.#placeOf(request) }));
    const results: PromiseSettledResult<Answer>[] = [];
    for (const [at, result] of (await first[0].#run.client.together(placed, isMoment)).entries()) {
      const [session, request] = batch[at] as readonly [Session, SuiteRequest];
      if (result.status === 'rejected') {
        results.push(result);
        continue;
      }
      if (result.value.exchange.tag.resend > 0) session.state.isOneByOne = true;
      results.push(...(await Promise.allSettled([session.#learned(request, result.value)])));
    }
    return results;
  }

  /** The final answer to a request, once it is clear that the target is there. */
  async #learned(request: SuiteRequest, first: Answer): Promise<Answer> {
    let answer = first;
    try {
      if (this.#isDue(first.exchange)) answer = await this.#examined(request, first);
    } finally {
      this.answers.push(answer);
      learnValues(this.state, request, answer);
      this.#learnBody(request, answer);
    }
    await withoutOurValue(this, request, answer, this.#place.cleanUp === true || this.#run.isOver);
    return answer;
  }

  #isDue(exchange: Exchange): boolean {
    const isOverToo = this.#place.cleanUp === true && this.#run.isOver;
    const isKnown = this.state.confirmed.has(symptomOf(exchange) ?? '');
    return isUnanswered(exchange) && this.state.facts.healthCheck !== undefined && !isKnown && !isOverToo;
  }

  #placeOf({ operation }: SuiteRequest, place = this.#place): Place {
    return { ...place, ...valuesBefore(operation, this.state.facts, this.builder.options) };
  }

  #deliver(request: SuiteRequest, place?: Place): Promise<Answer> {
    return this.#run.client.send(request, this.#placeOf(request, place));
  }

  /**
   * After no response, finds out whether the target is still there, and waits for it (conformance model, section 5, Order).
   * If it went down and came back, the request is sent again: if the target goes down again, that is the cause.
   */
  async #examined(request: SuiteRequest, first: Answer): Promise<Answer> {
    const check = this.#checker(request);
    let falls = 0;
    const sent = [first];
    await this.#run.client.budget.untilSettled<Answer>({
      sent,
      next: () => (isUnanswered((sent.at(-1) as Answer).exchange) ? OUTAGE : null),
      send: async () => {
        const { exchange } = sent.at(-1) as Answer;
        const found = await this.#presence(check);
        const wasSent = !isUnsent(exchange);
        if (found === 'gone' || (found === 'present' && wasSent)) return null;
        if (wasSent) falls += 1;
        if (falls === TRIALS.falls) this.crashes.add(exchange);
        if (falls === TRIALS.falls || isCreate(request) || sent.length > TRIALS.rule) return null;
        return this.#deliver(request, { ...this.#place, resend: exchange.tag.resend + 1, replaces: exchange.seq });
      },
    });
    return sent.at(-1) as Answer;
  }

  /** Sends a health check at each call. */
  #checker({ origin }: SuiteRequest): () => Promise<Exchange> {
    const { healthCheck } = this.state;
    const others = firstReads(this.builder.options).filter((one) => one !== healthCheck);
    let [id, other = id] = [healthCheck, ...others] as [OperationId, OperationId?];
    return async () => {
      const asked = this.builder.healthCheck(id, OUTAGE_CHECK);
      const answer = await this.#run.client.send(origin === undefined ? asked : { ...asked, origin }, this.#place);
      this.checks.push(answer);
      // The target may be there and this read broken for good: another read tells, and takes its place.
      if (isUnanswered(answer.exchange)) [id, other] = [other, id];
      else this.state.note({ healthCheck: id });
      return answer.exchange;
    };
  }

  /** Whether the target responds at once, only after a wait, or not at all any more. */
  async #presence(check: () => Promise<Exchange>): Promise<'present' | 'back' | 'gone'> {
    const { budget } = this.#run.client;
    const checks = await budget.readUntil(this.#place.cleanUp === true, check, (one) => !isUnanswered(one));
    const last = checks.at(-1) as Exchange;
    if (!isUnanswered(last)) return showsOutage(checks) ? 'back' : 'present';
    const detail = last.failure?.detail ?? `status ${last.response?.status}`;
    this.#run.end(`the target stopped responding in the middle of the run: ${detail}`);
    return 'gone';
  }

  /** What a filter leaves out is read all the same before the first write, and where the target is restored. */
  async #readBefore(request: SuiteRequest): Promise<void> {
    const id = updateIn(request);
    if (id === null || this.#place.cleanUp === true) return;
    const send = async (read: SuiteRequest): Promise<Answer> => this.#learned(read, await this.#deliver(read));
    await readBefore(id, this, request, send);
  }

  /** Whether `--without` leaves the operation out; what restores the target is sent all the same. */
  isLeftOut(id: OperationId): boolean {
    return this.builder.options.without.includes(id) && this.#place.cleanUp !== true;
  }

  /** What `--without` leaves out is not sent for the sake of another operation either. */
  #demandSelected({ operation }: SuiteRequest): void {
    if (operation === null || !this.isLeftOut(operation)) return;
    const remedy = `do not leave ${operation} out with --without`;
    throw new Skipped(`${operation} is left out`, { why: 'occasion', remedy });
  }

  /**
   * Sends a request whose body differs from the valid body `sibling` in a single element. If the answer says nothing
   * without the sibling, the sibling follows before the sequence ends, unless the run knows what comes of it.
   */
  async probe(request: SuiteRequest, sibling: JsonValue, due: Due): Promise<Answer> {
    const text = JSON.stringify(sibling);
    const answer = await this.send({ ...request, sibling: text });
    const { operation, path } = request;
    const need = operation === null ? null : needOf(answer, due);
    if (operation === null || need === null) return answer;
    const without = need && typeof due === 'object' && due.without !== null ? JSON.stringify(due.without) : null;
    this.#pending.push({ operation, path, sibling: text, without, isOfState: need });
    return answer;
  }

  /** Sends each sibling that is still needed, once: at the end of the sequence, so that one serves several probes. */
  async settle(): Promise<void> {
    for (const { operation, path, sibling, without, isOfState } of this.#pending.toReversed()) {
      const isTaken = this.state.isAcceptedBody(operation, sibling);
      if (isTaken === false || (isTaken && !isOfState)) continue;
      const valid = async (text: string, about: string): Promise<void> => {
        const json: JsonValue = JSON.parse(text);
        await this.sendIfAllowed(this.builder.control(operation, { json, path, about }));
      };
      if (without !== null && this.state.isAcceptedBody(operation, without) === undefined) {
        await valid(without, 'the valid request without the element');
      }
      await valid(sibling, 'the valid request next to it');
    }
  }

  /** What is known of the body, and what its answer shows of the state: then earlier probes need no other request. */
  #learnBody(
    { operation, credential, control, body, contentType, origin }: SuiteRequest,
    { accepted, exchange }: Answer,
  ): void {
    // Nothing comes after an exploration that could build on its bodies.
    if (origin !== undefined || operation === null || credential !== 'valid' || !control) return;
    if (accepted) {
      this.#pending = this.#pending.map((one) => (one.operation === operation ? { ...one, isOfState: false } : one));
    }
    if (body === null || contentType !== 'application/json') return;
    const said = isAboutBody(exchange) ? null : errorWordingOf(exchange);
    this.state.learnBody(operation, new TextDecoder().decode(body), accepted, said);
  }

  /** Hangs up the open call, if there is one. */
  async hangUp(as?: HangUpAs): Promise<Answer | null> {
    const answer = await this.#run.client.hangUp(this.#place, as);
    if (answer !== null) this.answers.push(answer);
    return answer;
  }

  /** Hangs up a call that this run did not place, with the same retries as its own. */
  async endOther(id: string, as: HangUpAs): Promise<Answer> {
    const { client } = this.#run;
    const answer = await client.hangUps.endOther(id, this.#place, as, this.state.facts.isRingingAnswered === true);
    this.answers.push(answer);
    return answer;
  }

  /**
   * Whether no symptom is left that repeating the sequence could confirm. An accepted call is never repeated; one
   * that was placed for the sake of others does not keep the rest of its sequence from it.
   */
  isSettled(confirmed: ReadonlySet<string>): boolean {
    const isOpen = (one: Exchange): boolean => {
      const symptom = symptomOf(one);
      return symptom !== null && !confirmed.has(symptom) && !this.crashes.has(one);
    };
    const placed = ({ exchange: { tag }, accepted }: Answer): boolean =>
      tag.operation === 'createCall' && !FOR_OTHERS.includes(tag.role) && accepted;
    const open = this.answers.map(({ exchange }) => exchange).filter(isOpen);
    // A call that was placed is not repeated for what its hang-up met, but one that was lost is, whatever came after it.
    const isLost = open.some(({ tag }) => tag.operation === 'createCall');
    return open.length === 0 || (!isLost && this.answers.some(placed));
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
    return this.#run.client.hangUps.isKnownLate;
  }

  /** The open call, after that while. */
  async knownCall(): Promise<string | null> {
    return segmentOfCall(await this.#run.client.hangUps.knownCall());
  }

  /** What the run wrote until the last phase. */
  ledger(): WriteLedger {
    return this.#run.ledger;
  }

  /** Waits for a target whose reads may show a change only later, after an interruption as well. */
  async waitForReads(milliseconds: number): Promise<void> {
    await this.#run.client.budget.wait({ reason: 'late reads', operation: null, milliseconds, isCleanUp: true });
  }
}

/** The likeliest id of a call as it stands in a path. */
function segmentOfCall(call: Call | undefined): string | null {
  const id = call?.ids[0];
  return id === undefined ? null : segmentOf(id);
}
