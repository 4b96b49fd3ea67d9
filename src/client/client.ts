/**
 * The client of a run: it admits each request, sends it again as long as a reason asks for that, and places one call
 * after the other (conformance model, section 7). It is the same in a rerun.
 */

import { TIME } from '../contract/limits.ts';
import { withoutUndefined } from '../contract/lists.ts';
import { isUpdate, SAFE_METHODS } from '../contract/operations.ts';
import { isSuccess, WAITING } from '../contract/waiting.ts';
import { type Exchange, isUnanswered } from '../exchange/exchange.ts';
import { type Again, Budget } from './budget.ts';
import type { ClientOptions } from './client-options.ts';
import { type HangUpAs, HangUps } from './hang-ups.ts';
import { Presence } from './presence.ts';
import { AnnouncedLimit, lowerTo } from './rate.ts';
import { isFinal, nextStep, type Sendings, type Sent, unavailableKey } from './reasons.ts';
import {
  type Answer,
  isCreate,
  isInvalid,
  type Place,
  type PlacedRequest,
  Skipped,
  type SuiteRequest,
} from './request.ts';
import type { Call, CallLedger } from './safety/call-ledger.ts';
import { type Admission, dialsNothing, guard } from './safety/guard.ts';
import { Settlements } from './settlements.ts';
import { type Admitted, Order, outgoing, tagOf, type Wire } from './wire.ts';

/** Whether the service answered: gateways that limit connections write 429, 502, 504 or nothing; uvicorn, a 503. */
const isWritten = (exchange: Exchange): boolean => !isUnanswered(exchange) && exchange.response?.status !== 429;

/** A request of a batch, with its sending or the reason why it was not sent. */
interface Batched {
  readonly admitted: Admitted;
  readonly sent?: Sent;
  readonly reason?: unknown;
}

/** What a client works with. */
export interface ClientPorts extends Omit<ClientOptions, 'recorder' | 'onExchange'> {
  readonly wire: Wire;
  /** The run opens it once the target is known to be the service, and stops it when the run ends. */
  readonly admission: Admission;
  readonly ledger: CallLedger;
}

/** The gate through which every request leaves. */
export class Client {
  readonly ledger: CallLedger;
  readonly admission: Admission;
  readonly hangUps: HangUps;
  readonly budget: Budget;
  readonly #ports: ClientPorts;
  readonly settlements = new Settlements();
  readonly #presence: Presence;
  readonly #begun = new Set<string>();
  readonly limit = new AnnouncedLimit();
  readonly #order = new Order();
  #hasWritten = false;

  constructor(ports: ClientPorts) {
    const { ledger, admission } = ports;
    this.#ports = ports;
    this.ledger = ledger;
    this.admission = admission;
    const budget = new Budget(ports, () => admission.stopped !== null);
    this.budget = budget;
    const send = (request: SuiteRequest, place: Place): Promise<Answer> => this.#deliver({ request, place });
    this.#presence = new Presence({ ...ports, budget, settlements: this.settlements, send });
    const ended = ({ ids, hungUpBy }: Call): void => ports.onCall?.(hungUpBy === null ? ids : [hungUpBy], false);
    this.hangUps = new HangUps({ ledger, budget, send, ended });
  }

  /** Sends a request until it is settled; throws `Skipped` where nothing was sent. */
  async send(request: SuiteRequest, place: Place): Promise<Answer> {
    if (!isCreate(request)) return this.#deliver({ request, place });
    // A call is hung up before the next create call, even before one that has to be rejected.
    await this.#demandCall(request, place);
    return this.#place(request, place);
  }

  /**
   * Sends requests together (none of them a create call), then whatever has to be sent again, one at a time; results
   * come in request order. `isAtOnce`: they leave at the same moment, and so do those that `again` makes if they fail.
   */
  async together(
    requests: readonly PlacedRequest[],
    isAtOnce: boolean,
    again?: () => Promise<readonly PlacedRequest[]>,
  ): Promise<readonly PromiseSettledResult<Answer>[]> {
    if (requests.some(({ request }) => isCreate(request))) throw new Error('a create call goes out alone');
    for (const request of requests.slice(0, 1)) await this.#coverEnd(request, requests.length);
    const admissions = await Promise.allSettled(requests.map(async (request, before) => this.#admit(request, before)));
    const due = admissions.flatMap((admission) => (admission.status === 'fulfilled' ? [admission.value] : []));
    const batches = [await this.#batch(due, isAtOnce)];
    if (again !== undefined) await this.#repeatBatch(batches, again);
    const last = (batches.at(-1) ?? []).values();
    const settled: PromiseSettledResult<Answer>[] = [];
    for (const admission of admissions) {
      if (admission.status === 'rejected') {
        settled.push(admission);
        continue;
      }
      const { admitted, sent, reason } = last.next().value as Batched;
      if (sent === undefined) settled.push({ status: 'rejected', reason });
      else settled.push(...(await Promise.allSettled([this.#deliver(admitted, sent)])));
    }
    return settled;
  }

  async #batch(due: readonly Admitted[], isMoment: boolean): Promise<readonly Batched[]> {
    const sent = await this.#ports.wire.exchange(due, isMoment);
    return due.map((admitted, at) => {
      const result = sent[at] as PromiseSettledResult<Exchange>;
      if (result.status === 'rejected') return { admitted, reason: result.reason };
      return { admitted, sent: this.#learn(admitted, result.value, false) };
    });
  }

  /**
   * Repeats a simultaneous batch, and adds to `batches`, while the service itself answers with symptoms: which request
   * fails is chance. A symptom in every batch is confirmed. A request that a gateway rejects is sent again alone.
   */
  async #repeatBatch(batches: (readonly Batched[])[], again: () => Promise<readonly PlacedRequest[]>): Promise<void> {
    const { waits } = WAITING.symptom;
    const [first] = batches[0] ?? [];
    if (first === undefined) return;
    const troubled = (): readonly Exchange[] => {
      const sent = (batches.at(-1) ?? []).flatMap((batched) => batched.sent ?? []);
      const shown = sent.filter((sending) => !this.settlements.isBelieved(sending)).map(({ exchange }) => exchange);
      return shown.every(isWritten) ? shown : [];
    };
    await this.budget.untilSettled({
      sent: batches,
      operation: first.admitted.request.operation,
      next: ({ length }) => {
        const wait = waits[length - 1];
        return troubled().length > 0 && wait !== undefined ? { reason: 'symptom', wait } : null;
      },
      send: async () => {
        if (batches.length === 1 && (await this.#presence.of(first.admitted)) === 'gone') return null;
        const before = batches.at(-1) ?? [];
        const more = (await again()).map(({ request, place }, at) => {
          const replaced = withoutUndefined({ replaces: before[at]?.sent?.exchange.seq });
          return this.#admit({ request, place: { ...place, ...replaced } }, at);
        });
        return this.#batch(more, true);
      },
    });
    if (batches.length > waits.length) this.settlements.confirm(troubled());
  }

  /**
   * Hangs up the open call, if there is one; a call that does not close is put off to the end. `as` says which case the
   * answer is evidence for. Resolves with the last answer.
   */
  async hangUp(place?: Place, as?: HangUpAs): Promise<Answer | null> {
    let last: Answer | null = null;
    for (const call of this.ledger.open) last = await this.hangUps.end(call, 'run', place, as);
    return last;
  }

  /** Hangs up the open call and, once they are old enough, those that were put off; those that stay open are lost. */
  async closeRemaining(): Promise<void> {
    const { ledger } = this;
    try {
      await this.hangUp();
      await this.hangUps.endRemaining();
    } catch (error) {
      for (const call of [...ledger.open, ...ledger.remaining]) {
        ledger.change(call, { stage: 'lost', reason: 'no recorded answer, since the suite broke' });
      }
      throw error;
    }
  }

  async #place(request: SuiteRequest, place: Place): Promise<Answer> {
    const { ledger } = this;
    const isPlanned = request.control || (place.calls?.planned ?? 0) > 0;
    const answer = await this.#deliver({ request, place: { ...place, resends: ledger.resends } });
    const { exchange } = answer;
    // This answer may have shown that an earlier hang-up ended another client's call instead of ours.
    for (const call of ledger.open) if (call.seq !== exchange.seq) await this.hangUps.end(call, 'run');
    if (!isPlanned) ledger.change(exchange, { isUnplanned: true });
    const ids = ledger.of(exchange)?.ids ?? [];
    this.#ports.onCall?.(ids, ids.length > 0);
    return answer;
  }

  async #demandCall({ control, body }: SuiteRequest, place: Place): Promise<void> {
    const { calls } = place;
    await this.hangUp();
    // If ids are read from the wrong place, every further call would stay open, too.
    if (this.ledger.isIdDoubtful) await this.hangUps.endRemaining();
    await this.hangUps.untilEnded();
    const valid = this.ledger.isValidCallDue ? (this.#ports.validCall?.() ?? null) : null;
    if (valid !== null && !dialsNothing(body)) {
      this.ledger.demand(calls?.ahead, true, true);
      await this.#place(valid, place);
      await this.hangUp();
    }
    this.ledger.demand(calls?.ahead, control, dialsNothing(body));
  }

  /** Sends it, unless `known` is its first sending; then decides what comes next: another sending, or the answer. */
  async #deliver(placed: PlacedRequest, known?: Sent): Promise<Answer> {
    const first = known ?? (await this.#sendOnce(placed));
    const sent: [...Sent[], Sent] = [first];
    const { request, place } = placed;
    if (!isFinal(first))
      await this.budget.untilSettled<Sent>({
        sent,
        operation: request.operation,
        isCleanUp: place.cleanUp === true,
        next: () => this.#next(sent, placed),
        send: (again) => this.#sendAgain(again, placed, sent),
      });
    return this.settlements.settle(sent, placed);
  }

  #next(sent: Sendings, placed: PlacedRequest): Again | null {
    const { wire, check } = this.#ports;
    const { budget, settlements, ledger, admission } = this;
    const { role, operation } = placed.request;
    const said = nextStep(sent, placed, {
      now: budget.now,
      startedAt: wire.startedAt,
      left: budget.left({ isCleanUp: placed.place.cleanUp === true, operation }),
      isCheckable: role !== 'health-check' && (check?.() ?? null) !== null,
      gaveUp: settlements.gaveUp,
      isLineUsed: ledger.placed > 0,
      isBelieved: (sending) => settlements.isBelieved(sending),
      isOver: admission.stopped !== null,
    });
    if (said === null || !('gaveUp' in said)) return said;
    for (const key of said.gaveUp) settlements.gaveUp.add(key);
    return null;
  }

  /** Sends a request once more, after a read if its answer may be about the target as a whole. */
  async #sendAgain(again: Again, placed: PlacedRequest, sent: Sent[]): Promise<Sent | null> {
    const { check, reason, status = null, then = 0 } = again;
    const { request, place } = placed;
    const { operation } = request;
    const { seq, tag, failure } = (sent.at(-1) as Sent).exchange;
    try {
      if (check === 'present') {
        if (!(await this.#presence.isBack(placed, sent))) return null;
        const wait = { reason, operation, milliseconds: then, isCleanUp: place.cleanUp === true, status } as const;
        if (!(await this.budget.wait(wait))) return null;
        if (isCreate(request)) await this.#demandCall(request, place);
      } else if (check !== undefined) {
        if (check === 'late') this.settlements.gaveUp.add(unavailableKey(request));
        const read = await this.#presence.read(placed, operation);
        if (!isSuccess(read?.response?.status ?? null)) return null;
        if (check === 'late' && read?.tag.resend === 0) return null;
      }
      const after = check === 'present' ? { after: failure?.kind === 'timeout' ? 'hang' : 'symptom' } : {};
      const more = { ...place, ...after, replaces: seq, resend: tag.resend + 1 } as Place;
      return await this.#sendOnce({ request, place: more });
    } catch (error) {
      if (error instanceof Skipped) return null;
      throw error;
    }
  }

  /**
   * Sends nothing that has to be undone, and nothing while something has to be, unless the announced rate limit covers
   * the end of the run: a hang-up as request 100 of 15 minutes got 429 for 900 s. Waits for the reset, or ends the run.
   */
  async #coverEnd({ request, place }: PlacedRequest, requests = 1): Promise<void> {
    const milliseconds = this.limit.due(this.budget.now, requests);
    if (milliseconds === 0 || place.cleanUp === true) return;
    const isWrite = !SAFE_METHODS.has(request.method) && !isInvalid(request.credential);
    const isEffective = isCreate(request) ? !dialsNothing(request.body) : isWrite;
    if (!isEffective && !this.#hasWritten && this.ledger.open.length === 0) return;
    const { operation } = request;
    const wait = { reason: 'rate limit', operation, milliseconds, isCleanUp: false, status: 200 } as const;
    if (await this.budget.wait(wait)) return this.limit.waited();
    // Clean-up has a minute of its own.
    if (milliseconds <= TIME.wait) return;
    const seconds = Math.ceil(milliseconds / 1_000);
    const reason = `the rest of the rate limit${this.limit.phrase}, which is reset in ${seconds} s, is kept for the end of the run`;
    this.admission.stop(`${reason}: ${lowerTo(this.limit.rate)}, or raise --max-wait`);
  }

  async #sendOnce(placedRequest: PlacedRequest): Promise<Sent> {
    await this.#coverEnd(placedRequest);
    const admitted = this.#admit(placedRequest, 0);
    const { place, request } = placedRequest;
    const isFresh = place.after !== undefined || place.attempt > 0 || request.fresh === true;
    const alone = isFresh ? { ...admitted, wire: { ...admitted.wire, fresh: true as const } } : admitted;
    const [result] = await this.#ports.wire.exchange([alone], false);
    if (result?.status !== 'fulfilled') throw result?.reason;
    return this.#learn(admitted, result.value, true);
  }

  /** Learns from an answer about the target: the only place where sending learns. */
  #learn({ request, wire }: Admitted, exchange: Exchange, isAlone: boolean): Sent {
    const { tag, response } = exchange;
    if (tag.operation === null || isCreate(request)) this.ledger.learn(exchange);
    if (tag.operation === 'hangUpCall') this.hangUps.learn(exchange, isAlone);
    if (response?.learned !== undefined) this.#ports.register.learn(response.learned);
    this.budget.learn(request, exchange, wire.timeout);
    this.limit.learn(exchange, this.#ports.wire.startedAt);
    this.#hasWritten ||= isUpdate(tag.operation) && isSuccess(response?.status ?? null);
    return this.settlements.learn(request, exchange);
  }

  /** Throws `Skipped` or `GuardRefusal` if the request may not leave; `before` counts those before it in its batch. */
  #admit(placed: PlacedRequest, before: number): Admitted {
    const { request, place } = placed;
    const { admission, wire, register } = this.#ports;
    admission.demand(request);
    if (place.cleanUp !== true) this.#demandLeave(place, wire.sent + before);
    const going = outgoing(placed, this.#ports, this.#order.of(placed));
    const timeout = this.budget.timeoutFor(request, place);
    guard({ ...going.wire, path: wire.guarded?.(going.below) ?? going.below }, request.credential, this.#ports);
    this.#begun.add(place.sequence);
    return { request, place, wire: { ...going.wire, timeout }, tag: tagOf(request, place, register) };
  }

  #demandLeave({ sequence, operation }: Place, sent: number): void {
    const { maxRequests, admission } = this.#ports;
    const { tooSilent } = this.budget;
    if (tooSilent !== null) admission.stop(tooSilent);
    if (admission.stopped !== null) throw new Skipped(admission.stopped, { why: 'stopped' });
    if (sent >= maxRequests) {
      throw new Skipped(`${maxRequests} requests were sent`, { why: 'limit', remedy: 'raise --max-requests' });
    }
    if (operation === undefined || this.#begun.has(sequence) || !this.budget.hangs(operation)) return;
    throw new Skipped('the operation left its last requests without a response', {
      why: 'hang',
      remedy: 'raise --timeout',
    });
  }
}
