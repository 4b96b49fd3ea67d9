/** Sends requests: admits each one, and sends it again as long as a reason asks for that. It is the same in a rerun. */

import { isSuccess, UNAVAILABLE } from '../contract/statuses.ts';
import type { WaitReason } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Again, sendUntilSettled } from './again.ts';
import { Budget } from './budget.ts';
import type { ClientOptions, GuardContext } from './client-options.ts';
import { Hangs } from './hangs.ts';
import { InvalidCredentials } from './invalid-credentials.ts';
import {
  type Delivered,
  isPutOff,
  type Known,
  LOCKED_OUT,
  nextStep,
  RUN_LIMITED,
  type Sent,
  unavailableKey,
} from './reasons.ts';
import { type Place, type PlacedRequest, Skipped, type SuiteRequest } from './request.ts';
import { type Admission, guard } from './safety/guard.ts';
import { type Outgoing, outgoing, type WireOptions } from './wire.ts';

/** A request that may leave, with the milliseconds in which it has to be answered. */
export interface Admitted extends Delivered {
  readonly going: Outgoing;
  readonly timeout: number;
}

/** How a request leaves: beside how many others, at their very moment, on a connection of its own. */
export interface Leaving {
  readonly room: number;
  readonly isMoment?: boolean;
  readonly fresh?: boolean;
}

/** What lies below the loop: the target over sockets, in this process, or its record. */
export interface Wire {
  /** Number of the request that was sent last. */
  readonly sent: number;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The path as the guards read it. */
  guarded(below: string): string;
  /** Sends requests one beside the other, and records their answers in the order of the requests. */
  exchange(requests: readonly Admitted[], how: Leaving): Promise<readonly PromiseSettledResult<Exchange>[]>;
}

/** What a delivery works with. */
export interface DeliveryOptions
  extends WireOptions,
    GuardContext,
    Pick<ClientOptions, 'clock' | 'maxWait' | 'onWait' | 'timeouts' | 'maxRequests' | 'maxInvalidCredentials'> {
  readonly wire: Wire;
  readonly admission: Admission;
  /** A read that the target accepts, once one is known. */
  readonly check?: () => SuiteRequest | null;
  /** Whether calls were placed, so that the line may be busy. */
  readonly isLineUsed: () => boolean;
}

/** The gate through which every request leaves. */
export class Delivery {
  readonly budget: Budget;
  readonly #options: DeliveryOptions;
  readonly #invalid: InvalidCredentials;
  readonly #hangs: Hangs;
  /** Sequences that have sent at least one request. */
  readonly #begun = new Set<string>();
  /** What was waited for in vain. */
  readonly #gaveUp = new Set<string>();
  #isAnswered = false;
  #inVain = 0;
  /** Answers that a lock-out may explain, by their number. */
  readonly #lockedOut = new Set<number>();
  #lockOut = { waited: 0, still: 0, lasted: 0 };

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.budget = new Budget(options, () => options.admission.stopped !== null);
    this.#hangs = new Hangs(options.timeouts);
    this.#invalid = new InvalidCredentials(options.maxInvalidCredentials);
  }

  /** Sends a request until it is settled, and resolves with its last exchange. Throws `Skipped` where nothing may be sent. */
  async deliver(request: SuiteRequest, place: Place): Promise<Exchange> {
    return this.#untilSettled({ request, place }, [await this.#send({ request, place })]);
  }

  /**
   * Sends requests together, and what calls for it again afterwards, one after the other; results come in the order of the
   * requests. `isMoment`: they leave at the same moment, whatever the pace of the run.
   */
  async together(
    requests: readonly PlacedRequest[],
    isMoment: boolean,
  ): Promise<readonly PromiseSettledResult<Exchange>[]> {
    const admitted: (Admitted | PromiseRejectedResult)[] = [];
    for (const one of requests) {
      try {
        admitted.push(this.#admit(one, admitted.length));
      } catch (reason) {
        admitted.push({ status: 'rejected', reason });
      }
    }
    const due = admitted.flatMap((one) => ('status' in one ? [] : [one]));
    const sent = (await this.#options.wire.exchange(due, { room: requests.length, isMoment })).values();
    const first = admitted.map((one) =>
      'status' in one ? one : (sent.next().value as PromiseSettledResult<Exchange>),
    );
    for (const [at, one] of first.entries()) {
      if (one.status === 'fulfilled') this.#learn(admitted[at] as Admitted, one.value);
    }
    const results: PromiseSettledResult<Exchange>[] = [];
    for (const [at, one] of first.entries()) {
      if (one.status === 'rejected') results.push(one);
      else {
        const begun = [this.#sentOf(one.value, true)];
        results.push(...(await Promise.allSettled([this.#untilSettled(requests[at] as PlacedRequest, begun)])));
      }
    }
    return results;
  }

  async #untilSettled(delivered: Delivered, begun: Sent[]): Promise<Exchange> {
    const { operation } = delivered.request;
    const isCleanUp = delivered.place.cleanUp === true;
    const sent = await sendUntilSettled<Sent>({
      sent: begun,
      next: (sent) => this.#next(sent as [...Sent[], Sent], delivered),
      pause: (again) => this.#pause(again, operation, isCleanUp),
      send: (again) => this.#sendAgain(again, delivered, (begun.at(-1) as Sent).exchange),
    });
    return (sent.at(-1) as Sent).exchange;
  }

  #next(sent: readonly [...Sent[], Sent], delivered: Delivered): Again | null {
    const said = nextStep(sent, delivered, this.#known(delivered));
    if (said === null || !('gaveUp' in said)) return said;
    if (said.gaveUp === LOCKED_OUT) this.#invalid.giveUp();
    else this.#gaveUp.add(said.gaveUp);
    return null;
  }

  #known({ request, place }: Delivered): Known {
    const { admission, wire, isLineUsed, check } = this.#options;
    const isRead = request.role === 'health-check' || request.role === 'preflight';
    // Few answers need what the getters say.
    return {
      now: this.budget.now,
      startedAt: wire.startedAt,
      left: this.budget.left(place.cleanUp === true),
      isStopped: admission.stopped !== null,
      get isCheckable() {
        return !isRead && (check?.() ?? null) !== null;
      },
      isAnswered: this.#isAnswered,
      inVain: this.#inVain,
      lockedOutFor: this.#lockOut.waited,
      lastLockOut: this.#lockOut.lasted,
      gaveUp: this.#gaveUp,
      get isLineUsed() {
        return isLineUsed();
      },
    };
  }

  /** Waits for a reason; `false` where the budget of waiting has less left, or the run was stopped meanwhile. */
  async #pause({ reason, wait, status = null }: Again, operation: string | null, isCleanUp: boolean): Promise<boolean> {
    if (!(await this.budget.wait({ reason, operation, milliseconds: wait, isCleanUp, status }))) return false;
    if (reason === 'lock-out') this.#lockOut.waited += wait;
    else if (isPutOffReason(reason)) this.#inVain += wait;
    return true;
  }

  /** Sends a request once more, after a read where its answer may be about the target as a whole. */
  async #sendAgain({ check }: Again, { request, place }: Delivered, last: Exchange): Promise<Sent | null> {
    if (check !== undefined) {
      if (check === 'late') this.#gaveUp.add(unavailableKey(request));
      const { sequence, attempt, cleanUp = false } = place;
      const read = await this.deliver(this.#options.check?.() as SuiteRequest, { sequence, attempt, cleanUp });
      if (!isSuccess(read.response?.status ?? null) || (check === 'late' && read.tag.resend === 0)) return null;
    }
    try {
      return await this.#send({ request, place: { ...place, replaces: last.seq, resend: last.tag.resend + 1 } });
    } catch (error) {
      if (error instanceof Skipped && error.skip.why === 'stopped') return null;
      throw error;
    }
  }

  async #send(one: PlacedRequest): Promise<Sent> {
    const admitted = this.#admit(one, 0);
    const fresh = one.place.attempt > 0 || one.request.fresh === true ? { fresh: true } : {};
    const [result] = await this.#options.wire.exchange([admitted], { room: 1, ...fresh });
    if (result?.status !== 'fulfilled') throw result?.reason;
    this.#learn(admitted, result.value);
    return this.#sentOf(result.value);
  }

  #sentOf(exchange: Exchange, isBeside = false): Sent {
    return { exchange, isLockedOut: this.#lockedOut.has(exchange.seq), isBeside };
  }

  /** Takes what an answer shows of the target: the one place where sending learns. */
  #learn({ request, timeout }: Admitted, exchange: Exchange): void {
    const { response, tag, seq } = exchange;
    this.budget.learn(exchange);
    this.#hangs.learn(request, exchange, timeout);
    const isLockedOut = this.#invalid.learn(request, exchange);
    if (isLockedOut) {
      this.#lockedOut.add(seq);
      this.#lockOut.still = this.#lockOut.waited;
    }
    if (response === null || isLockedOut) return;
    if (response.status !== UNAVAILABLE) this.#gaveUp.delete(unavailableKey(request));
    if (isPutOff({ exchange })) return;
    this.#isAnswered = true;
    this.#gaveUp.delete(RUN_LIMITED);
    this.#inVain = 0;
    if (!isSuccess(response.status) && !this.#lockedOut.has(tag.replaces ?? 0)) return;
    if (this.#lockOut.waited > 0) this.#lockOut.lasted = this.#lockOut.still;
    this.#lockOut.waited = 0;
  }

  /** Throws `Skipped` or `GuardRefusal` where the request may not leave, with so many before it in its batch. */
  #admit({ request, place }: PlacedRequest, before: number): Admitted {
    const { admission, wire } = this.#options;
    this.#invalid.demand(request.credential);
    admission.demand(request);
    if (place.cleanUp !== true) this.#demandLeave(place, wire.sent + before);
    const going = outgoing(request, place, this.#options);
    const timeout = this.#hangs.timeoutFor(request, place);
    guard(request, { ...going, below: wire.guarded(going.below) }, this.#options);
    this.#begun.add(place.sequence);
    return { request, place, going, timeout };
  }

  #demandLeave({ sequence, operation }: Place, sent: number): void {
    const { maxRequests, admission } = this.#options;
    if (this.#hangs.end !== null) admission.stop(this.#hangs.end);
    if (admission.stopped !== null) throw new Skipped(admission.stopped, { why: 'stopped' });
    if (sent >= maxRequests) {
      throw new Skipped(`${maxRequests} requests were sent`, { why: 'limit', remedy: 'raise --max-requests' });
    }
    if (operation === undefined || this.#begun.has(sequence) || !this.#hangs.hangs(operation)) return;
    throw new Skipped('the operation left its last requests without a response', {
      why: 'hang',
      remedy: 'raise --timeout',
    });
  }
}

/** Waits during which nothing but a postponement came. */
const isPutOffReason = (reason: WaitReason): boolean =>
  reason === 'rate limit' || reason === 'unavailable' || reason === 'asked to wait';
