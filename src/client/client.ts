/** Sends the requests of the suites, and places one call after the other (conformance model, section 7). */

import { WAITING } from '../contract/waiting.ts';
import { type Exchange, isUnanswered } from '../exchange/exchange.ts';
import type { ClientOptions } from './client-options.ts';
import { askedWait, type HangUpAs, HangUps } from './hang-ups.ts';
import { isInvalid } from './invalid-credentials.ts';
import { type Answer, answerOf, type Place, type PlacedRequest, type SuiteRequest, Unrecorded } from './request.ts';
import type { CallLedger } from './safety/call-ledger.ts';
import { recordedOutcome } from './safety/create-outcome.ts';
import { dialsNothing } from './safety/dial-guard.ts';
import type { Admission } from './safety/guard.ts';
import { MOST_WAIT_TO_CLEAN_UP, UNAVAILABLE } from './waiting.ts';
import { isCreate } from './wire.ts';

/** How long a line is waited for in all, if the target does not say when it is free. */
const LONGEST_BUSY = WAITING.busyLine.waits.reduce((sum, wait) => sum + wait, 0);

/** The one port to a target: live over sockets, in this process, or from a record. */
export interface Target {
  /**
   * Sends a request, again after each retryable answer, and resolves with the last recorded exchange. Throws `Skipped`
   * where nothing may be sent.
   */
  send(request: SuiteRequest, place: Place): Promise<Exchange>;
  /**
   * Sends requests together, each again after retryable answers once all are answered; results come in the order of the
   * requests. `isMoment`: they have to leave at the same moment, whatever the pace of the run.
   */
  together(requests: readonly PlacedRequest[], isMoment: boolean): Promise<readonly PromiseSettledResult<Exchange>[]>;
  /** Whether the answer says something of the target as a whole that a read has to explain before it is believed. */
  isDoubtful(exchange: Exchange): boolean;
  readonly admission: Admission;
}

/** What the read says of itself that explains an answer. */
export const DOUBT_CHECK = 'a health check after an answer that may be about the target as a whole';

/** What a client works with, and what it reports. */
export interface ClientPorts extends Pick<ClientOptions, 'clock' | 'onWait'> {
  readonly target: Target;
  /** It is passed each exchange of the target. */
  readonly ledger: CallLedger;
  /** Called when a call was placed, with the candidates for its id (none: no answer showed one), and when it ended. */
  readonly onCall?: (ids: readonly string[], open: boolean) => void;
  /** A read that the target accepts, once one is known. */
  readonly check?: () => SuiteRequest | null;
}

/** The client of a run. */
export class Client {
  readonly #ports: ClientPorts;
  readonly ledger: CallLedger;
  /** The run opens it once the target is known to be the service, and stops it where it ends. */
  readonly admission: Admission;
  readonly hangUps: HangUps;
  /** Kinds of create call that are answered alike however long one waits. */
  readonly #alwaysBusy = new Set<string>();

  constructor(ports: ClientPorts) {
    this.#ports = ports;
    this.ledger = ports.ledger;
    this.admission = ports.target.admission;
    this.hangUps = new HangUps({
      ledger: ports.ledger,
      send: (request, place) => this.#send(request, place),
      together: (requests) => this.together(requests, true),
      rest: (milliseconds, status) => {
        ports.onWait?.(milliseconds, status, MOST_WAIT_TO_CLEAN_UP);
        return ports.clock.rest(milliseconds);
      },
      ended: ({ ids, hungUpBy }) => ports.onCall?.(hungUpBy === null ? ids : [hungUpBy], false),
    });
  }

  /** Sends a request and resolves with its answer; throws `Skipped` where nothing was sent. */
  async send(request: SuiteRequest, place: Place): Promise<Answer> {
    if (isCreate(request)) return this.#create(request, place);
    const answer = answerOf(await this.#send(request, place));
    return request.role === 'restore' ? this.#onceUnlocked(request, place, answer) : answer;
  }

  async #send(request: SuiteRequest, place: Place): Promise<Exchange> {
    const exchange = await this.#sendOnce(request, { ...place, ...this.#mayBeChecked(request) });
    return this.#explained(request, place, exchange);
  }

  async #sendOnce(request: SuiteRequest, place: Place): Promise<Exchange> {
    const exchange = await this.#ports.target.send(request, place);
    this.hangUps.note(exchange);
    return exchange;
  }

  #mayBeChecked({ role }: SuiteRequest): Pick<Place, 'isChecked'> {
    const isCheck = role === 'health-check' || role === 'preflight';
    return isCheck || (this.#ports.check?.() ?? null) === null ? {} : { isChecked: 'first' };
  }

  /**
   * A rejection that may be a lock-out, and a 503 that stays: a read tells. It waits for the end of a lock-out or an outage,
   * and then the request is sent again. If it is accepted at once, the answer is about the request: one error route that
   * wanted the credential anew had cost 301 seconds, and an inventory that was not configured 130.
   */
  async #explained(request: SuiteRequest, place: Place, first: Exchange): Promise<Exchange> {
    const check = this.#ports.target.isDoubtful(first) ? (this.#ports.check?.() ?? null) : null;
    if (check === null) return first;
    const { sequence, attempt, cleanUp = false } = place;
    const read = await this.#sendOnce(check, { sequence, attempt, cleanUp });
    const isAbsent = first.response?.status === UNAVAILABLE && read.tag.resend === 0;
    if (isAbsent || !answerOf(read).accepted) return first;
    const again = { isChecked: 'again', replaces: first.seq, resend: first.tag.resend + 1 } as const;
    return this.#sendOnce(request, { ...place, ...again });
  }

  /**
   * Sends requests together, none of them a create call; results come in the order of the requests. What was lost is sent
   * again alone: a gateway may let fewer through at once.
   */
  async together(
    requests: readonly PlacedRequest[],
    isMoment: boolean,
  ): Promise<readonly PromiseSettledResult<Answer>[]> {
    if (requests.some(({ request }) => isCreate(request))) throw new Error('a create call goes out alone');
    const placed = requests.map(({ request, place }) => ({
      request,
      place: { ...place, ...this.#mayBeChecked(request) },
    }));
    const sent = await this.#ports.target.together(placed, isMoment);
    for (const result of sent) if (result.status === 'fulfilled') this.hangUps.note(result.value);
    const results: PromiseSettledResult<Answer>[] = [];
    for (const [at, result] of sent.entries()) {
      const { request, place } = requests[at] as PlacedRequest;
      const settle = async (): Promise<Answer> => {
        if (result.status === 'rejected') throw result.reason;
        const { seq, tag, failure } = result.value;
        // A hang is the service's own.
        if (!isUnanswered(result.value) || failure?.kind === 'timeout')
          return answerOf(await this.#explained(request, place, result.value));
        return answerOf(await this.#send(request, { ...place, resend: tag.resend + 1, replaces: seq }));
      };
      results.push(...(await Promise.allSettled([settle()])));
    }
    return results;
  }

  /** A resource that is still being changed may reject another change for a moment; a restore is tried again. */
  async #onceUnlocked(request: SuiteRequest, place: Place, rejected: Answer): Promise<Answer> {
    let answer = rejected;
    for (const wait of WAITING.lockedResource.waits) {
      if (answer.status !== 409 && answer.status !== 423) break;
      await this.#ports.clock.rest(wait);
      answer = answerOf(await this.#send(request, place));
    }
    return answer;
  }

  /**
   * Hangs up the open call, if there is one: one that is not closed is put off to the end. `as` says on what the answer bears. Resolves with the last answer, and, if
   * another hang-up was sent at the same time, with the answer to that one first.
   */
  async hangUp(place?: Place, as?: HangUpAs, beside?: HangUpAs): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const call of this.ledger.open) answers.push(...(await this.hangUps.end(call, 'run', place, as, beside)));
    return answers;
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
    await this.hangUp();
    // If ids are read from the wrong place, each further call would stay open, too.
    if (this.hangUps.isIdDoubtful) await this.hangUps.endRemaining();
    return this.#onceFree(request, place, await this.#place(request, place));
  }

  async #place(request: SuiteRequest, place: Place): Promise<Answer> {
    const { ledger } = this;
    const { onCall } = this.#ports;
    ledger.demand(place.calls?.ahead, request.control, dialsNothing(request.body));
    const isPlanned = request.control || (place.calls?.planned ?? 0) > 0;
    const exchange = await this.#send(request, { ...place, resends: ledger.resends }).catch((error) => {
      if (error instanceof Unrecorded) {
        const { credential } = request;
        ledger.settle(error.create, { seq: error.seq, credential, createdAt: this.hangUps.now });
        const ids = ledger.of(error)?.ids ?? [];
        if (ids.length > 0) onCall?.(ids, true);
      }
      throw error;
    });
    // Its answer may have shown that an earlier call was not hung up, but somebody else's.
    for (const call of ledger.open) if (call.seq !== exchange.seq) await this.hangUps.end(call, 'run');
    if (!isPlanned) ledger.noteUnplanned(exchange.seq);
    const ids = ledger.of(exchange)?.ids ?? [];
    onCall?.(ids, ids.length > 0);
    return answerOf(exchange);
  }

  /**
   * The line of a call that was just hung up may be busy for a moment. The rejection that the next call then gets says
   * nothing about its body or its credential, so that call is tried again: after a 409, and after any rejection that
   * says when. A target that always answers so is waited for once.
   */
  async #onceFree(request: SuiteRequest, place: Place, rejected: Answer): Promise<Answer> {
    const { clock, onWait } = this.#ports;
    const kind = isInvalid(request.credential) ? 'invalid' : `${request.credential} ${request.control}`;
    if (this.ledger.placed === 0 || this.#alwaysBusy.has(kind)) return rejected;
    let answer = rejected;
    for (const wait of WAITING.busyLine.waits) {
      const asked = busyFor(answer, wait);
      if (asked === null) return answer;
      onWait?.(asked, answer.status, Math.max(asked, LONGEST_BUSY));
      await clock.sleep(asked);
      answer = await this.#place(request, { ...place, replaces: answer.exchange.seq });
    }
    if (busyFor(answer, 0) !== null) this.#alwaysBusy.add(kind);
    return answer;
  }
}

/** Milliseconds to wait for the line after a clean rejection; `null` where it says nothing of the line. */
function busyFor({ status, exchange }: Answer, wait: number): number | null {
  if (recordedOutcome(exchange).kind !== 'rejected' || (status !== 409 && status !== 403)) return null;
  const asked = askedWait(exchange);
  // What the valid credential was asked to wait for was waited for where it was sent.
  if (asked !== null && exchange.request.credential === 'valid') return null;
  if (status === 403 && asked === null) return null;
  return Math.max(wait, asked ?? 0);
}
