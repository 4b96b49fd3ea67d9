/** The one place where requests leave: guards, the call slot, pacing and the record (conformance model, section 7). */

import { operationById, pathOf } from '../contract/operations.ts';
import { callIds } from './call-id.ts';
import type { ClientOptions } from './client-options.ts';
import type { CallSlot, CreateOutcome, OpenCall } from './safety/call-slot.ts';
import { Sender, type Sent } from './sender.ts';
import type { Answer, Place, Stimulus } from './stimulus.ts';
import { isCreate } from './wire.ts';

export type { ClientOptions } from './client-options.ts';

/** On what the answer to a hang-up bears. */
export type HangUpAs = Partial<Pick<Stimulus, 'asks' | 'control' | 'about' | 'step'>>;

const HANG_UP = operationById('hangUpCall');
/** How often a hang-up that got a 5xx or a broken answer is tried: what may be open is not given up lightly. */
const MOST_TRIES = 6;
/** Step of a write that puts back what was there. */
const PUT_BACK = 'put back';
/** Milliseconds after which a call is tried again that found the line busy, and a write that found a lock. */
const LINE_WAITS = [500, 1_500, 3_000] as const;
/** Milliseconds after which a first hang-up is tried again that got 409 or 404: a call may still be being set up. */
const SETTING_UP = [500, 1_000, 2_000, 4_000] as const;
/** How often one that got no answer in time is: each time takes all the patience there is. */
const MOST_TIMEOUTS = 2;

/** Sends what the suites ask for, as it is, and nothing that could harm the target. */
export class Client {
  readonly #options: ClientOptions;
  readonly #sender: Sender;
  /** Whether valid bodies, or others, are answered 409 however long one waits. */
  readonly #alwaysBusy = new Set<boolean>();
  /** Calls of this target end by themselves: a hang-up that is refused is soon believed. */
  #endByThemselves = false;
  /** A call of this run was hung up by the id that was read, so that ids are read from the right place. */
  #isIdKnown = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#sender = new Sender(options);
  }

  /** The call slot, for reading. */
  get slot(): CallSlot {
    return this.#options.slot;
  }

  /** From now on only clean-up leaves. */
  stop(reason: string): void {
    this.#sender.stop(reason);
  }

  /** Sends a stimulus and waits as long as the target may ask; throws `Withheld` where nothing was sent. */
  async send(stimulus: Stimulus, place: Place): Promise<Answer> {
    if (isCreate(stimulus)) return this.#create(stimulus, place);
    const { answer } = await this.#sender.send(stimulus, place, place.cleanUp === true);
    return stimulus.step === PUT_BACK ? this.#onceUnlocked(stimulus, place, answer) : answer;
  }

  /** What is still being changed may refuse another change for a moment; what was there before is to come back. */
  async #onceUnlocked(stimulus: Stimulus, place: Place, refused: Answer): Promise<Answer> {
    const { clock } = this.#options;
    let answer = refused;
    for (const wait of LINE_WAITS) {
      if (answer.status !== 409 && answer.status !== 423) break;
      await (clock.rest === undefined ? clock.sleep(wait) : clock.rest(wait));
      ({ answer } = await this.#sender.send(stimulus, place, place.cleanUp === true));
    }
    return answer;
  }

  /** Takes over a call that an earlier run placed and did not end. */
  adopt(call: CreateOutcome): void {
    for (const id of call.ids) this.#options.register.addCall(id);
    this.slot.settle(call);
  }

  /** Hangs up the open call, if there is one; `as` says on what the answer bears. */
  hangUp(place?: Place, as: HangUpAs = {}): Promise<Answer | null> {
    return this.slot.exclusive(() => this.#end(place, as));
  }

  /** A call is hung up before the next is created, and every create holds the one slot, also one to be refused. */
  #create(stimulus: Stimulus, place: Place): Promise<Answer> {
    const { slot } = this;
    return slot.exclusive(async () => {
      await this.#end(undefined, {});
      return this.#onceFree(stimulus, place, await this.#place(stimulus, place));
    });
  }

  async #place(stimulus: Stimulus, place: Place): Promise<Answer> {
    this.slot.demand();
    const sent = await this.#sender.send(stimulus, place);
    this.#settle(stimulus, sent);
    return sent.answer;
  }

  /**
   * The line of a call that was just hung up may be busy for a moment, and a second call to it is refused with 409 as
   * long, whatever else is wrong with it: it is tried again. A target that always says 409 is waited for once.
   */
  async #onceFree(stimulus: Stimulus, place: Place, refused: Answer): Promise<Answer> {
    const { clock, onWait } = this.#options;
    const isOver = this.slot.accepted === 0 || this.#alwaysBusy.has(stimulus.control);
    if (stimulus.credential !== 'valid' || isOver) return refused;
    let answer = refused;
    for (const wait of LINE_WAITS) {
      if (answer.status !== 409) return answer;
      onWait?.(wait, 409);
      await clock.sleep(wait);
      answer = await this.#place(stimulus, place);
    }
    if (answer.status === 409) this.#alwaysBusy.add(stimulus.control);
    return answer;
  }

  #settle(stimulus: Stimulus, { answer, outcome }: Sent): void {
    const { slot } = this;
    const isPlaced = answer.accepted && outcome.kind === 'answer';
    const ids = isPlaced ? callIds(answer.json, outcome.headers, Buffer.from(outcome.body).toString()) : [];
    for (const id of ids) this.#options.register.addCall(id);
    const unsent = outcome.kind === 'failure' && ['refused', 'unresolved', 'tls'].includes(outcome.failure);
    slot.settle({ seq: answer.exchange.seq, status: answer.status, ids, credential: stimulus.credential, unsent });
    this.#options.onCall?.(ids, slot.open !== null);
  }

  /** Ends the open call: with the credential that placed it, then with ours; each candidate id in turn. */
  async #end(place: Place | undefined, as: HangUpAs): Promise<Answer | null> {
    const { open } = this.slot;
    if (open === null) return null;
    const sequence = place?.sequence ?? `clean-up of call ${this.slot.accepted}`;
    let last: Answer | null = null;
    // A call that was just placed may be unknown for a moment to whatever carries out a hang-up.
    for (let refusals = 0; ; refusals += 1) {
      last = await this.#tryEach(open, sequence, as);
      if (last?.status !== 404 || !(await this.#mayBeSettingUp(refusals))) break;
    }
    const isOver = last !== null && (isEnded(last.status) || (last.status === 404 && this.#isIdKnown));
    this.slot.free(isOver ? undefined : doubtAbout(open, last));
    if (isOver) this.#options.onCall?.(open.ids, false);
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

  /** Hangs up a call that this run did not place, as patiently as its own; the answer says whether it is over. */
  endOther(id: string, place: Place, as: HangUpAs): Promise<Answer> {
    return this.#persistently({ ...hangUpOf(id), ...as }, place.sequence);
  }

  /** Tries again where a network may have swallowed the answer: hanging up twice does no harm. */
  async #persistently(stimulus: Stimulus, sequence: string): Promise<Answer> {
    let [timeouts, unclear] = [0, 0];
    for (let refusals = 0; ; refusals += 1) {
      const { answer } = await this.#sender.send(stimulus, { sequence, attempt: unclear }, true);
      // One of those before may have ended the call.
      if (answer.status === 409 && unclear === 0 && (await this.#mayBeSettingUp(refusals))) continue;
      if (answer.status !== null && answer.status < 500) return answer;
      unclear += 1;
      if (answer.exchange.failure?.kind === 'timeout') timeouts += 1;
      if (unclear === MOST_TRIES || timeouts === MOST_TIMEOUTS) return answer;
    }
  }

  /** Waits for a call that may still be set up; `false` once that is no reason any more. */
  async #mayBeSettingUp(refusals: number): Promise<boolean> {
    const { clock } = this.#options;
    const wait = SETTING_UP[refusals];
    if (wait === undefined) this.#endByThemselves = true;
    if (wait === undefined || (this.#endByThemselves && refusals > 0)) return false;
    await (clock.rest === undefined ? clock.sleep(wait) : clock.rest(wait));
    return true;
  }
}

/** 2xx ended it now; 409 and 410 say that it had ended before. What 404 says depends on what is known of ids. */
function isEnded(status: number | null): boolean {
  return status !== null && ((status >= 200 && status < 300) || status === 409 || status === 410);
}

function hangUpOf(id: string): Stimulus {
  return {
    operation: 'hangUpCall',
    method: HANG_UP.method,
    path: pathOf(HANG_UP, [id]),
    credential: 'valid',
    body: null,
    contentType: null,
    step: 'hang up',
    asks: [],
    control: false,
    about: 'hangs up a call of this run',
  };
}

function doubtAbout(open: OpenCall, last: Answer | null): string {
  const outcome = last?.status == null ? 'no complete answer' : `status ${last.status}`;
  return `call ${open.ids[0]} (request ${open.seq}): hanging up got ${outcome}: the call may still be open`;
}
