/** Sends what the suites ask for, and holds the one call slot on top of the target (conformance model, section 7). */

import { operationById, pathOf } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Clock } from './pacing.ts';
import { type Answer, answerOf, type Place, type SuiteRequest } from './request.ts';
import type { CallSlot, CreateOutcome, OpenCall } from './safety/call-slot.ts';
import type { Target } from './target.ts';
import { isCreate } from './wire.ts';

/** On what the answer to a hang-up bears. */
export type HangUpAs = Partial<Pick<SuiteRequest, 'asks' | 'control' | 'about' | 'role'>>;

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

const HANG_UP = operationById('hangUpCall');
/** How often a hang-up is tried that got a 5xx or a broken answer. */
const MOST_TRIES = 6;
/** How often one is tried that got no answer in time: each try takes a whole timeout. */
const MOST_TIMEOUTS = 2;
/** Milliseconds after which a call is tried again that found the line busy, and a restore that found a lock. */
const BUSY_WAITS = [500, 1_500, 3_000] as const;
/** Milliseconds after which a first hang-up is tried again that got 409 or 404: the call may still be being set up. */
const SETUP_WAITS = [500, 1_000, 2_000, 4_000] as const;
/** Failures before anything reached the target. */
const UNSENT: readonly (string | undefined)[] = ['refused', 'unresolved', 'tls'];

/** The client of a run. */
export class Client {
  readonly #ports: ClientPorts;
  /** Whether valid bodies, or others, are answered 409 however long one waits. */
  readonly #alwaysBusy = new Set<boolean>();
  /** Calls of this target end by themselves: a rejected hang-up is soon believed. */
  #endByThemselves = false;
  /** A call of this run was hung up by the id that was read, so ids are read from the right place. */
  #isIdKnown = false;

  constructor(ports: ClientPorts) {
    this.#ports = ports;
  }

  /** The call slot, for reading. */
  get slot(): CallSlot {
    return this.#ports.slot;
  }

  /** From now on only clean-up is sent. */
  stop(reason: string): void {
    this.#ports.target.stop(reason);
  }

  /** Sends a request and resolves with its answer; throws `Skipped` where nothing was sent. */
  async send(request: SuiteRequest, place: Place): Promise<Answer> {
    if (isCreate(request)) return this.#create(request, place);
    const answer = answerOf(await this.#ports.target.send(request, place));
    return request.role === 'restore' ? this.#onceUnlocked(request, place, answer) : answer;
  }

  /** A resource that is still being changed may reject another change for a moment; a restore is tried again. */
  async #onceUnlocked(request: SuiteRequest, place: Place, rejected: Answer): Promise<Answer> {
    let answer = rejected;
    for (const wait of BUSY_WAITS) {
      if (answer.status !== 409 && answer.status !== 423) break;
      await this.#rest(wait);
      answer = answerOf(await this.#ports.target.send(request, place));
    }
    return answer;
  }

  /** Takes over a call that an earlier run placed and did not end. */
  adopt(call: CreateOutcome): void {
    this.slot.settle(call);
  }

  /** Hangs up the open call, if there is one; `as` says on what the answer bears. */
  hangUp(place?: Place, as: HangUpAs = {}): Promise<Answer | null> {
    return this.slot.exclusive(() => this.#end(place, as));
  }

  /** A call is hung up before the next is created; every create call holds the one slot, also one to be rejected. */
  #create(request: SuiteRequest, place: Place): Promise<Answer> {
    return this.slot.exclusive(async () => {
      await this.#end(undefined, {});
      return this.#onceFree(request, place, await this.#place(request, place));
    });
  }

  async #place(request: SuiteRequest, place: Place): Promise<Answer> {
    this.slot.demand();
    const exchange = await this.#ports.target.send(request, place);
    this.#settle(exchange);
    return answerOf(exchange);
  }

  /**
   * The line of a call that was just hung up may be busy for a moment; a second call to it then gets 409 whatever its
   * body, and is tried again. A target that always answers 409 is waited for once.
   */
  async #onceFree(request: SuiteRequest, place: Place, rejected: Answer): Promise<Answer> {
    const { clock, onWait } = this.#ports;
    const isOver = this.slot.accepted === 0 || this.#alwaysBusy.has(request.control);
    if (request.credential !== 'valid' || isOver) return rejected;
    let answer = rejected;
    for (const wait of BUSY_WAITS) {
      if (answer.status !== 409) return answer;
      onWait?.(wait, 409);
      await clock.sleep(wait);
      answer = await this.#place(request, place);
    }
    if (answer.status === 409) this.#alwaysBusy.add(request.control);
    return answer;
  }

  #settle({ seq, request, response, failure }: Exchange): void {
    const { slot, onCall } = this.#ports;
    const ids = response?.learned?.callIds ?? [];
    const unsent = UNSENT.includes(failure?.kind);
    slot.settle({ seq, status: response?.status ?? null, ids, credential: request.credential, unsent });
    onCall?.(ids, slot.open !== null);
  }

  /** Ends the open call: with the credential that placed it, then with ours; each candidate id in turn. */
  async #end(place: Place | undefined, as: HangUpAs): Promise<Answer | null> {
    const { open } = this.slot;
    if (open === null) return null;
    const sequence = place?.sequence ?? `clean-up of call ${this.slot.accepted}`;
    let last: Answer | null = null;
    // A call that was just placed may be unknown for a moment to the part of the target that hangs up.
    for (let rejections = 0; ; rejections += 1) {
      last = await this.#tryEach(open, sequence, as);
      if (last?.status !== 404 || !(await this.#mayBeSettingUp(rejections))) break;
    }
    const isOver = last !== null && (isEnded(last.status) || (last.status === 404 && this.#isIdKnown));
    this.slot.free(isOver ? undefined : doubtAbout(open, last));
    if (isOver) this.#ports.onCall?.(open.ids, false);
    return last;
  }

  /** The answer that ended the call, or the last one. */
  async #tryEach(open: OpenCall, sequence: string, as: HangUpAs): Promise<Answer | null> {
    let last: Answer | null = null;
    for (const credential of new Set([open.credential, 'valid' as const])) {
      for (const id of open.ids) {
        last = await this.#persistently({ ...hangUpOf(id), ...as, credential }, sequence);
        if (last.accepted) this.#isIdKnown = true;
        if (isEnded(last.status)) return last;
      }
    }
    return last;
  }

  /** Hangs up a call that this run did not place, as patiently as its own. */
  endOther(id: string, place: Place, as: HangUpAs): Promise<Answer> {
    return this.#persistently({ ...hangUpOf(id), ...as }, place.sequence);
  }

  /** Tries again where a network may have lost the answer: hanging up twice does no harm. */
  async #persistently(request: SuiteRequest, sequence: string): Promise<Answer> {
    let [timeouts, unclear] = [0, 0];
    for (let rejections = 0; ; rejections += 1) {
      const place = { sequence, attempt: unclear, cleanUp: true };
      const answer = answerOf(await this.#ports.target.send(request, place));
      // One of the tries before may have ended the call.
      if (answer.status === 409 && unclear === 0 && (await this.#mayBeSettingUp(rejections))) continue;
      if (answer.status !== null && answer.status < 500) return answer;
      unclear += 1;
      if (answer.exchange.failure?.kind === 'timeout') timeouts += 1;
      if (unclear === MOST_TRIES || timeouts === MOST_TIMEOUTS) return answer;
    }
  }

  /** Waits for a call that may still be being set up; `false` once that is no reason any more. */
  async #mayBeSettingUp(rejections: number): Promise<boolean> {
    const wait = SETUP_WAITS[rejections];
    if (wait === undefined) this.#endByThemselves = true;
    if (wait === undefined || (this.#endByThemselves && rejections > 0)) return false;
    await this.#rest(wait);
    return true;
  }

  /** A pause that an interruption does not end early. */
  #rest(milliseconds: number): Promise<void> {
    const { clock } = this.#ports;
    return clock.rest === undefined ? clock.sleep(milliseconds) : clock.rest(milliseconds);
  }
}

/** 2xx ended it now; 409 and 410 say that it had ended before. What 404 says depends on what is known of ids. */
function isEnded(status: number | null): boolean {
  return status !== null && ((status >= 200 && status < 300) || status === 409 || status === 410);
}

function hangUpOf(id: string): SuiteRequest {
  return {
    operation: 'hangUpCall',
    method: HANG_UP.method,
    path: pathOf(HANG_UP, [id]),
    credential: 'valid',
    body: null,
    contentType: null,
    role: 'hang-up',
    asks: [],
    control: false,
    about: 'hangs up a call of this run',
  };
}

function doubtAbout(open: OpenCall, last: Answer | null): string {
  const outcome = last?.status == null ? 'no complete response' : `status ${last.status}`;
  return `call ${open.ids[0]} (request ${open.seq}): hanging up got ${outcome}: the call may still be open`;
}
