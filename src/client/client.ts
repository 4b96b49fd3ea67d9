/** Sends the requests of the suites, and holds the one call slot (conformance model, section 7). */

import { type Exchange, endOf } from '../exchange/exchange.ts';
import { type HangUpAs, HangUps } from './hang-ups.ts';
import { isInvalid } from './invalid-credentials.ts';
import { type Clock, restFor } from './pacing.ts';
import { type Answer, answerOf, type Place, type SuiteRequest, type Target, Unrecorded } from './request.ts';
import type { CallSlot, CreateRequest, OpenCall } from './safety/call-slot.ts';
import { recordedOutcome } from './safety/create-outcome.ts';
import { isCreate } from './wire.ts';

/** What a client works with, and what it reports. */
export interface ClientPorts {
  readonly target: Target;
  readonly slot: CallSlot;
  readonly clock: Clock;
  /** Called before a wait for a busy line, with the status that caused it. */
  readonly onWait?: (milliseconds: number, status: number) => void;
  /** Called when a call was placed, with the candidates for its id (none: no answer showed one), and when it ended. */
  readonly onCall?: (ids: readonly string[], open: boolean) => void;
}

/** Milliseconds after which a call is tried again that found the line busy, and a restore that found a lock. */
const BUSY_WAITS = [500, 1_500, 3_000] as const;

/** The client of a run. */
export class Client {
  readonly #ports: ClientPorts;
  readonly #hangUps: HangUps;
  /** Kinds of create call that are answered 409 however long one waits. */
  readonly #alwaysBusy = new Set<string>();

  constructor(ports: ClientPorts) {
    this.#ports = ports;
    this.#hangUps = new HangUps({
      send: (request, place) => this.#send(request, place),
      rest: (milliseconds) => restFor(milliseconds, ports.clock),
    });
  }

  /** The call slot, for reading. */
  get slot(): CallSlot {
    return this.#ports.slot;
  }

  /** The target is the service; until then nothing but the reads of the preflight is sent. */
  admit(): void {
    this.#ports.target.admission.open();
  }

  /** From now on, only clean-up is sent. */
  stop(reason: string): void {
    this.#ports.target.admission.stop(reason);
  }

  /** Sends a request and resolves with its answer; throws `Skipped` where nothing was sent. */
  async send(request: SuiteRequest, place: Place): Promise<Answer> {
    if (isCreate(request)) return this.#create(request, place);
    const answer = answerOf(await this.#send(request, place));
    return request.role === 'restore' ? this.#onceUnlocked(request, place, answer) : answer;
  }

  async #send(request: SuiteRequest, place: Place): Promise<Exchange> {
    const exchange = await this.#ports.target.send(request, place);
    this.#hangUps.note(exchange);
    return exchange;
  }

  /** A resource that is still being changed may reject another change for a moment; a restore is tried again. */
  async #onceUnlocked(request: SuiteRequest, place: Place, rejected: Answer): Promise<Answer> {
    let answer = rejected;
    for (const wait of BUSY_WAITS) {
      if (answer.status !== 409 && answer.status !== 423) break;
      await restFor(wait, this.#ports.clock);
      answer = answerOf(await this.#send(request, place));
    }
    return answer;
  }

  /** Takes over a call that an earlier run placed and did not end. */
  adopt(ids: readonly [string, ...string[]], call: CreateRequest): void {
    this.slot.settle({ kind: 'placed', ids }, call);
  }

  /**
   * Hangs up the open call, if there is one; `as` says on what the answer bears. Resolves with the last answer, and, if
   * another hang-up was sent at the same time, with the answer to that one first.
   */
  hangUp(place?: Place, as: HangUpAs = {}, beside?: HangUpAs): Promise<readonly Answer[]> {
    return this.slot.exclusive(() => this.#end(place, as, beside));
  }

  /** Hangs up a call that this run did not place, with the same retries as its own. */
  endOther(id: string, place: Place, as: HangUpAs): Promise<Answer> {
    return this.#hangUps.endOther(id, place, as);
  }

  /**
   * Hangs up the open call and, once they are old enough, all calls that were put off; those that are not closed then
   * are named. Resolves with them.
   */
  closeRemaining(): Promise<readonly OpenCall[]> {
    return this.slot.exclusive(async () => {
      try {
        await this.#end(undefined, {});
        return await this.#endRemaining();
      } catch (error) {
        const { open } = this.slot;
        for (const call of new Set([...(open === null ? [] : [open]), ...this.#hangUps.remaining])) {
          this.slot.name(call, 'no recorded answer, since the suite broke');
        }
        throw error;
      }
    });
  }

  /** A call is hung up before the next is created; every create call holds the one slot, also one to be rejected. */
  #create(request: SuiteRequest, place: Place): Promise<Answer> {
    return this.slot.exclusive(async () => {
      await this.#end(undefined, {});
      // If ids are read from the wrong place, each further call would stay open, too.
      if (this.#hangUps.isIdDoubtful) await this.#endRemaining();
      return this.#onceFree(request, place, await this.#place(request, place));
    });
  }

  async #place(request: SuiteRequest, place: Place): Promise<Answer> {
    const { slot, onCall } = this.#ports;
    slot.demand(place.calls, request.control);
    const isPlanned = request.control || (place.calls?.planned ?? 0) > 0;
    const exchange = await this.#send(request, place).catch((error) => {
      if (error instanceof Unrecorded) {
        const { credential } = request;
        slot.settle(error.create, { seq: error.seq, credential, createdAt: this.#hangUps.now, isPlanned });
        if (error.create.kind === 'placed') onCall?.(error.create.ids, true);
      }
      throw error;
    });
    const outcome = recordedOutcome(exchange);
    slot.settle(outcome, { seq: exchange.seq, credential: request.credential, createdAt: endOf(exchange), isPlanned });
    onCall?.(outcome.kind === 'placed' ? outcome.ids : [], outcome.kind === 'placed');
    return answerOf(exchange);
  }

  /**
   * The line of a call that was just hung up may be busy for a moment. The 409 that the next call then gets says nothing
   * about its body or its credential, so that call is tried again. A target that always answers 409 is waited for once.
   */
  async #onceFree(request: SuiteRequest, place: Place, rejected: Answer): Promise<Answer> {
    const { clock, onWait, slot } = this.#ports;
    const kind = isInvalid(request.credential) ? 'invalid' : `${request.credential} ${request.control}`;
    if (slot.placed === 0 || this.#alwaysBusy.has(kind)) return rejected;
    let answer = rejected;
    for (const wait of BUSY_WAITS) {
      if (!isBusy(answer)) return answer;
      onWait?.(wait, 409);
      await clock.sleep(wait);
      answer = await this.#place(request, place);
    }
    if (isBusy(answer)) this.#alwaysBusy.add(kind);
    return answer;
  }

  /** Tries to end the open call; one that is not closed is put off to the end. */
  async #end(place: Place | undefined, as: HangUpAs, besideAs?: HangUpAs): Promise<readonly Answer[]> {
    const { slot, onCall } = this.#ports;
    const { open } = slot;
    if (open === null) return [];
    const { step, last, beside } = await this.#hangUps.end(open, 'run', place ?? {}, as, besideAs);
    slot.free();
    if (step.kind === 'closed') onCall?.(open.ids, false);
    else if (!this.#hangUps.mayHaveEnded(open)) slot.block();
    return [beside, last].filter((answer) => answer !== null);
  }

  async #endRemaining(): Promise<readonly OpenCall[]> {
    const { slot, onCall } = this.#ports;
    const calls = this.#hangUps.remaining;
    const givenUp = await this.#hangUps.endRemaining();
    for (const call of calls) {
      const reason = givenUp.get(call);
      if (reason === undefined) onCall?.(call.ids, false);
      else slot.name(call, reason);
    }
    return [...givenUp.keys()];
  }
}

/** Any answer but a clean rejection may have placed a call. */
function isBusy({ status, exchange }: Answer): boolean {
  return status === 409 && recordedOutcome(exchange).kind === 'rejected';
}
