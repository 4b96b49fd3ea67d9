/** The one place where requests leave: guards, the call slot, pacing and the record (conformance model, section 7). */

import { createHash } from 'node:crypto';
import { OPERATIONS, operationById, pathOf } from '../contract/operations.ts';
import type { Exchange, ExchangeTag, PathIds } from '../http/exchange.ts';
import type { Header, Transport, WireOutcome, WireRequest } from '../http/message.ts';
import { type RecorderContext, recordExchange } from '../http/recorder.ts';
import { callIds } from './call-id.ts';
import type { CallSlot, OpenCall } from './call-slot.ts';
import { type Credentials, carry, settingOf } from './credential.ts';
import { dialGuard } from './dial-guard.ts';
import type { IdRegister } from './id-register.ts';
import { type Clock, isNoAnswer, MOST_RESENDS, type Pacer, waitFor } from './pacing.ts';
import { type Answer, GuardRefusal, type Place, type Stimulus, Withheld } from './stimulus.ts';
import { operationOf, writeGuard } from './write-guard.ts';

/** Everything a client needs; nothing of it is global. */
export interface ClientOptions {
  readonly transport: Transport;
  /** Path prefix of the base URL without a final slash, `''` for none. */
  readonly prefix: string;
  readonly userAgent: string;
  /** Seed of the run; the opaque case header derives from it. `null`: no case header at all. */
  readonly caseSeed: number | null;
  readonly credentials: Credentials;
  readonly numbers: { readonly from: string; readonly to: string } | null;
  /** Ids that a create-call body may hold: the configured application and trunk. */
  readonly createIds: readonly string[];
  readonly register: IdRegister;
  readonly slot: CallSlot;
  readonly pacer: Pacer;
  readonly clock: Clock;
  /** Milliseconds for one answer: of create call, and of everything else. */
  readonly timeouts: { readonly call: number; readonly other: number };
  readonly maxRequests: number;
  /** Milliseconds of waiting in total. */
  readonly maxWait: number;
  readonly recorder: RecorderContext;
  /** Called for every exchange as it is recorded. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Called before a wait: milliseconds, and the status that caused it. */
  readonly onWait?: (milliseconds: number, status: number) => void;
  /** Called before a create-call request leaves, so that it can be written down first. */
  readonly beforeCreate?: (seq: number) => void;
}

const HANG_UP = operationById('hangUpCall');
const CREATE_PATHS: ReadonlySet<string> = new Set(['/v1/calls', '/v1/calls/']);

function parsed(outcome: WireOutcome): unknown {
  if (outcome.kind !== 'answer' || outcome.body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(outcome.body));
  } catch {
    return undefined;
  }
}

/** Sends what the suites ask for, as it is, and nothing that could harm the target. */
export class Client {
  readonly #options: ClientOptions;
  readonly #startedAt: number;
  #sent = 0;
  #seq = 0;
  #waited = 0;
  #stopped: string | null = null;
  readonly #gaveUp = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** Requests that left so far. */
  get sent(): number {
    return this.#sent;
  }

  /** The call slot, for reading. */
  get slot(): CallSlot {
    return this.#options.slot;
  }

  /** From now on only clean-up leaves. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** Sends a stimulus and waits as long as the target may ask; throws `Withheld` where nothing was sent. */
  send(stimulus: Stimulus, place: Place): Promise<Answer> {
    return isCreate(stimulus) ? this.#create(stimulus, place) : this.#patiently(stimulus, place, false);
  }

  /** Hangs up the open call, if there is one; `as` says on what the answer bears. */
  hangUp(place: Place, as?: Partial<Pick<Stimulus, 'asks' | 'control' | 'about' | 'step'>>): Promise<Answer | null> {
    return this.#options.slot.exclusive(() => this.#end(place, as ?? {}));
  }

  #create(stimulus: Stimulus, place: Place): Promise<Answer> {
    const { slot, register } = this.#options;
    return slot.exclusive(async () => {
      await this.#end({ sequence: 'clean-up', attempt: 0 }, {});
      slot.demand();
      this.#options.beforeCreate?.(this.#seq + 1);
      const { answer, outcome } = await this.#resending(stimulus, place, false);
      const ids = answer.accepted && outcome.kind === 'answer' ? callIds(answer.json, outcome.headers) : [];
      for (const id of ids) register.addCall(id);
      const unsent = outcome.kind === 'failure' && ['refused', 'unresolved', 'tls'].includes(outcome.failure);
      slot.settle({ seq: answer.exchange.seq, status: answer.status, ids, credential: stimulus.credential, unsent });
      return answer;
    });
  }

  /** Ends the open call: with the credential that placed it, then with ours; each candidate id in turn. */
  async #end(place: Place, as: Partial<Stimulus>): Promise<Answer | null> {
    const open = this.#options.slot.open;
    if (open === null) return null;
    const forms = [...new Set([open.credential, 'valid' as const])];
    let last: Answer | null = null;
    for (const credential of forms) {
      for (const id of open.ids) {
        last = await this.#patiently({ ...hangUpOf(id), ...as, credential }, place, true);
        if (isEnded(last.status)) {
          this.#options.slot.free();
          return last;
        }
      }
    }
    this.#options.slot.free(doubtAbout(open, last));
    return last;
  }

  async #patiently(stimulus: Stimulus, place: Place, exempt: boolean): Promise<Answer> {
    return (await this.#resending(stimulus, place, exempt)).answer;
  }

  /** Sends until the status is an answer; what never becomes one is not waited for a second time. */
  async #resending(
    stimulus: Stimulus,
    place: Place,
    exempt: boolean,
  ): Promise<{ readonly answer: Answer; readonly outcome: WireOutcome }> {
    const { clock, maxWait, onWait } = this.#options;
    const key = `${stimulus.method} ${stimulus.operation ?? stimulus.path} ${stimulus.credential}`;
    for (let resend = 0; ; resend += 1) {
      const result = await this.#once(stimulus, place, resend, exempt);
      const { outcome } = result;
      if (outcome.kind !== 'answer' || !isNoAnswer(outcome.status)) return result;
      const wait = waitFor(outcome.headers, resend + 1, clock.now());
      const tooLong = wait === null || this.#waited + wait > maxWait;
      if (resend === MOST_RESENDS || tooLong || this.#gaveUp.has(key) || this.#stopped !== null) {
        this.#gaveUp.add(key);
        return result;
      }
      this.#waited += wait;
      onWait?.(wait, outcome.status);
      await clock.sleep(wait);
    }
  }

  async #once(
    stimulus: Stimulus,
    place: Place,
    resend: number,
    exempt: boolean,
  ): Promise<{ readonly answer: Answer; readonly outcome: WireOutcome }> {
    const { transport, pacer, clock, recorder, onExchange, register } = this.#options;
    if (!exempt) this.#demandLeave();
    const { wire, path, below } = this.#wireRequest(stimulus, place);
    this.#guard(stimulus, below, wire);
    this.#sent += 1;
    this.#seq += 1;
    const seq = this.#seq;
    await pacer.turn();
    const at = clock.now();
    const outcome = await transport(wire);
    const exchange = recordExchange(
      {
        seq,
        tag: this.#tag(stimulus, place, path, resend),
        request: wire,
        path,
        credential: stimulus.credential,
        outcome,
        at: at - this.#startedAt,
        took: clock.now() - at,
      },
      recorder,
    );
    onExchange(exchange);
    const status = outcome.kind === 'answer' ? outcome.status : null;
    const accepted = status !== null && status >= 200 && status < 300;
    if (accepted && outcome.kind === 'answer' && !isCreate(stimulus)) {
      register.sawInAnswer(new TextDecoder().decode(outcome.body));
    }
    return { answer: { exchange, status, accepted, json: parsed(outcome) }, outcome };
  }

  #demandLeave(): void {
    if (this.#stopped !== null) throw new Withheld(this.#stopped);
    if (this.#sent >= this.#options.maxRequests) {
      throw new Withheld(`${this.#options.maxRequests} requests were sent`, 'raise --max-requests');
    }
  }

  #guard(stimulus: Stimulus, path: string, wire: WireRequest): void {
    const { numbers, createIds, register } = this.#options;
    const request = { method: stimulus.method, path, headers: wire.headers, body: wire.body };
    const refusal = writeGuard(request, register) ?? dialGuard(request, numbers, createIds);
    if (refusal !== null) throw new GuardRefusal(refusal.rule, refusal.sentence);
  }

  #wireRequest(
    stimulus: Stimulus,
    place: Place,
  ): { readonly wire: WireRequest; readonly path: string; readonly below: string } {
    const { credentials, prefix, userAgent, timeouts } = this.#options;
    const carried = carry(stimulus.credential, credentials);
    if (carried === null) {
      const setting = settingOf(stimulus.credential);
      throw new Withheld(
        `the credential cannot be made in the form "${stimulus.credential}"`,
        setting === undefined ? undefined : `set ${setting}`,
      );
    }
    const query = carried.in === 'query' ? `${stimulus.path.includes('?') ? '&' : '?'}${carried.query}` : '';
    const headers: Header[] = [['User-Agent', userAgent], ['Accept', 'application/json'], ...(stimulus.headers ?? [])];
    const opaque = this.#caseHeader(place);
    if (opaque !== null) headers.push(['X-Conformance-Case', opaque]);
    if (carried.in === 'header') headers.push(['Authorization', carried.value]);
    if (stimulus.contentType !== null) headers.push(['Content-Type', stimulus.contentType]);
    const patience = isCreate(stimulus) ? timeouts.call : timeouts.other;
    return {
      path: stimulus.path,
      below: stimulus.path + query,
      wire: {
        method: stimulus.method,
        path: prefix + stimulus.path + query,
        headers,
        body: stimulus.body,
        timeout: place.attempt > 0 ? patience * 3 : patience,
      },
    };
  }

  /** Opaque: whoever stands between must not be able to read the right answer from it. */
  #caseHeader(place: Place): string | null {
    const { caseSeed } = this.#options;
    if (caseSeed === null) return null;
    return createHash('sha256').update(`${caseSeed}\n${place.sequence}`).digest('hex').slice(0, 16);
  }

  #tag(stimulus: Stimulus, place: Place, path: string, resend: number): ExchangeTag {
    const found = operationOf(stimulus.method, path);
    return {
      operation: stimulus.operation ?? found?.operation ?? null,
      documented: found?.documented ?? false,
      ids: this.#idsOf(found),
      sequence: place.sequence,
      attempt: place.attempt,
      step: stimulus.step,
      resend,
      asks: stimulus.asks,
      control: stimulus.control,
      about: stimulus.about,
    };
  }

  #idsOf(found: ReturnType<typeof operationOf>): PathIds {
    if (found === null || found.ids.length === 0) return 'none';
    const kinds = OPERATIONS.find((operation) => operation.id === found.operation)?.resources ?? [];
    const named = found.ids.map((id, at) => kinds[at] !== undefined && this.#options.register.names(kinds[at], id));
    if (named.every(Boolean)) return 'named';
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
    return found.ids.every((id, at) => named[at] === true || uuid.test(id)) ? 'well-formed' : 'malformed';
  }
}

function isCreate(stimulus: Stimulus): boolean {
  return stimulus.method === 'POST' && CREATE_PATHS.has(stimulus.path);
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

/** 2xx ended it now; 409 and 410 say that it had ended before. */
function isEnded(status: number | null): boolean {
  return status !== null && ((status >= 200 && status < 300) || status === 409 || status === 410);
}

function doubtAbout(open: OpenCall, last: Answer | null): string {
  const outcome = last?.status === null || last === null ? 'no complete answer' : `status ${last.status}`;
  return `call ${open.ids[0]} (request ${open.seq}): hanging up got ${outcome}: the call may still be open`;
}
