/** Sends the requests of the suites, and places one call after the other (conformance model, section 7). */

import type { Exchange } from '../exchange/exchange.ts';
import type { Budget } from './budget.ts';
import { Delivery, type DeliveryOptions } from './delivery.ts';
import { type HangUpAs, HangUps } from './hang-ups.ts';
import { type Answer, answerOf, type Place, type PlacedRequest, type SuiteRequest, Unrecorded } from './request.ts';
import type { CallLedger } from './safety/call-ledger.ts';
import { dialsNothing } from './safety/dial-guard.ts';
import type { Admission } from './safety/guard.ts';
import { isCreate } from './wire.ts';

/** What the read says of itself that explains an answer. */
export const DOUBT_CHECK = 'a health check after an answer that may be about the target as a whole';

/** What a client works with, and what it reports. */
export interface ClientPorts extends Omit<DeliveryOptions, 'isLineUsed'> {
  /** It is passed each exchange of the wire. */
  readonly ledger: CallLedger;
  /** Called when a call was placed, with the candidates for its id (none: no answer showed one), and when it ended. */
  readonly onCall?: (ids: readonly string[], open: boolean) => void;
}

/** The client of a run. */
export class Client {
  readonly #ports: ClientPorts;
  readonly #delivery: Delivery;
  readonly ledger: CallLedger;
  /** The run opens it once the target is known to be the service, and stops it where it ends. */
  readonly admission: Admission;
  readonly hangUps: HangUps;

  constructor(ports: ClientPorts) {
    const { ledger, admission } = ports;
    this.#ports = ports;
    this.ledger = ledger;
    this.admission = admission;
    this.#delivery = new Delivery({ ...ports, isLineUsed: () => ledger.placed > 0 });
    this.hangUps = new HangUps({
      ledger,
      budget: this.budget,
      send: (request, place) => this.#send(request, place),
      ended: ({ ids, hungUpBy }) => ports.onCall?.(hungUpBy === null ? ids : [hungUpBy], false),
    });
  }

  /** What is waited for draws on it. */
  get budget(): Budget {
    return this.#delivery.budget;
  }

  /** Sends a request and resolves with its answer; throws `Skipped` where nothing was sent. */
  async send(request: SuiteRequest, place: Place): Promise<Answer> {
    return isCreate(request) ? this.#create(request, place) : answerOf(await this.#send(request, place));
  }

  async #send(request: SuiteRequest, place: Place): Promise<Exchange> {
    const exchange = await this.#delivery.deliver(request, place);
    this.hangUps.learn(exchange, true);
    return exchange;
  }

  /** Sends requests together, none of them a create call; results come in the order of the requests. */
  async together(
    requests: readonly PlacedRequest[],
    isMoment: boolean,
  ): Promise<readonly PromiseSettledResult<Answer>[]> {
    if (requests.some(({ request }) => isCreate(request))) throw new Error('a create call goes out alone');
    const sent = await this.#delivery.together(requests, isMoment);
    return sent.map((result) => {
      if (result.status === 'rejected') return result;
      this.hangUps.learn(result.value, false);
      return { status: 'fulfilled', value: answerOf(result.value) };
    });
  }

  /**
   * Hangs up the open call, if there is one: one that is not closed is put off to the end. `as` says on what the answer bears.
   * Resolves with the last answer.
   */
  async hangUp(place?: Place, as?: HangUpAs): Promise<Answer | null> {
    let last: Answer | null = null;
    for (const call of this.ledger.open) last = await this.hangUps.end(call, 'run', place, as);
    return last;
  }

  /** Hangs up the open call and, once they are old enough, all calls that were put off; the others are lost. */
  async closeRemaining(): Promise<void> {
    const { ledger } = this;
    try {
      await this.hangUp();
      await this.hangUps.endRemaining();
    } catch (error) {
      for (const call of [...ledger.open, ...ledger.remaining]) {
        ledger.lose(call, 'no recorded answer, since the suite broke');
      }
      throw error;
    }
  }

  /** A call is hung up before the next is created, also before a create call that has to be rejected. */
  async #create(request: SuiteRequest, place: Place): Promise<Answer> {
    const { ledger } = this;
    const { onCall } = this.#ports;
    await this.hangUp();
    // If ids are read from the wrong place, each further call would stay open, too.
    if (this.hangUps.isIdDoubtful) await this.hangUps.endRemaining();
    ledger.demand(place.calls?.ahead, request.control, dialsNothing(request.body));
    const isPlanned = request.control || (place.calls?.planned ?? 0) > 0;
    const exchange = await this.#send(request, { ...place, resends: ledger.resends }).catch((error) => {
      if (error instanceof Unrecorded) {
        const { credential } = request;
        ledger.settle(error.create, { seq: error.seq, credential, createdAt: this.budget.now });
        const ids = ledger.of(error)?.ids ?? [];
        if (ids.length > 0) onCall?.(ids, true);
      }
      throw error;
    });
    // Its answer may have shown that an earlier call was not hung up, but somebody else's.
    for (const call of ledger.open) if (call.seq !== exchange.seq) await this.hangUps.end(call, 'run');
    if (!isPlanned) ledger.countUnplanned(exchange.seq);
    const ids = ledger.of(exchange)?.ids ?? [];
    onCall?.(ids, ids.length > 0);
    return answerOf(exchange);
  }
}
