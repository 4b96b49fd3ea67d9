/** The target itself: announces each request, sends it at the pace of the run, and records what comes of it. */

import { picked } from '../contract/lists.ts';
import { SAFE_METHODS } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { isSuccess } from '../contract/statuses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { textOf } from '../exchange/json-text.ts';
import type { WireFailure, WireRequest } from '../exchange/message.ts';
import { type LiveExchange, type RecorderContext, recordExchange } from '../exchange/recorder.ts';
import type { AnnouncedWrite, ClientOptions } from './client-options.ts';
import { type LearnContext, learn, otherNameOf, withOtherName, withoutOtherName } from './learned.ts';
import { Pace } from './rate.ts';
import { type Place, type PlacedRequest, Skipped, type SuiteRequest } from './request.ts';
import type { KnownIds } from './safety/create-outcome.ts';
import type { Admission } from './safety/guard.ts';
import { type Admitted, isCreate, isInvalid, type Leaving, type Wire } from './wire.ts';

/** What a live wire works with. */
export interface LiveOptions extends ClientOptions {
  readonly admission: Admission;
  /** Called when the suite itself breaks while it records the answer to that request. Without it, the error is thrown. */
  readonly broke?: (request: PlacedRequest, error: unknown) => void;
}

/** An answer that cannot be recorded counts as none: what it changed is restored or named, and the run ends. */
const UNRECORDED: WireFailure = {
  kind: 'failure',
  failure: 'malformed',
  detail: 'the suite broke while it recorded the response',
};

/** A target that is reached through a transport. */
export class LiveWire implements Wire {
  readonly #options: LiveOptions;
  readonly #pace: Pace;
  /** Ids to look for in answers, each with its label: those of the settings, and the trunk that our list shows. */
  readonly #watch: Map<string, string>;
  readonly #recorder: RecorderContext;
  readonly #learning: Omit<LearnContext, 'known' | 'otherName'>;
  /** The name of another trunk: only what leaves holds it. */
  #otherName: string | undefined;
  readonly startedAt: number;
  sent = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    const { recorder } = options;
    this.#watch = new Map(recorder.watch);
    this.#recorder = { ...recorder, watch: this.#watch };
    this.#learning = {
      ...picked(options, ['numberId', 'trunkId', 'readsListedTrunk', 'callIdPointer']),
      redactor: recorder.redactor,
    };
    this.startedAt = options.clock.now();
    this.#pace = new Pace(options);
  }

  async exchange(requests: readonly Admitted[], how: Leaving): Promise<readonly PromiseSettledResult<Exchange>[]> {
    const isMoment = how.isMoment === true;
    const moment = isMoment ? { moment: { count: requests.length } } : {};
    const { clock } = this.#options;
    const invalid = requests.filter(({ request }) => isInvalid(request.credential));
    const before = isMoment ? this.#pace.turn(how.room, invalid.length) : 0;
    if (before > 0) await clock.sleep(before);
    let last: Promise<unknown> = Promise.resolve();
    const batch: Promise<Exchange>[] = [];
    for (const admitted of requests) {
      const wait = isMoment ? 0 : this.#pace.turn(1, invalid.includes(admitted) ? 1 : 0);
      // Without a wait, they leave before anything else happens.
      if (wait > 0) await clock.sleep(wait);
      const first = this.#leave(admitted, how, last, moment);
      last = first.catch(() => undefined);
      batch.push(first);
    }
    return Promise.allSettled(batch);
  }

  async #leave(
    admitted: Admitted,
    { room, fresh }: Leaving,
    last: Promise<unknown>,
    moment: Pick<WireRequest, 'moment'>,
  ): Promise<Exchange> {
    const { transport, clock, admission } = this.#options;
    const { request, place, tag, timeout } = admitted;
    const { stopped } = admission;
    if (stopped !== null && place.cleanUp !== true) throw new Skipped(stopped, { why: 'stopped' });
    const wire = { ...admitted.wire, room, ...moment, ...(fresh === true ? { fresh } : {}), timeout };
    const seq = this.sent + 1;
    // Announced once nothing else can stop it: an announced create call without an answer may have placed a call.
    if (isCreate(request)) this.#options.beforeCreate?.(seq);
    else if (!SAFE_METHODS.has(request.method)) this.#announce({ seq, ...tag }, request, place);
    this.sent = seq;
    const sentAt = clock.now();
    const body = withOtherName(wire.body, this.#otherName);
    const outcome = await transport({ ...wire, body });
    const { path, credential } = request;
    const [at, took] = [sentAt - this.startedAt, clock.now() - sentAt];
    await last;
    const live = { seq, tag, request: wire, path, credential, outcome, at, took };
    let exchange: Exchange;
    try {
      exchange = this.#record(request, live);
      if (body !== wire.body) exchange = withoutOtherName(exchange, this.#otherName);
    } catch (error) {
      if (this.#options.broke === undefined) throw error;
      this.#options.broke(admitted, error);
      exchange = this.#unrecorded(request, live);
    }
    this.#options.onExchange(exchange);
    this.#pace.learn(exchange, room === 1);
    return exchange;
  }

  /** The record of an answer that could not be recorded. A call that it shows must be hung up all the same. */
  #unrecorded(request: SuiteRequest, live: LiveExchange): Exchange {
    const exchange = recordExchange({ ...live, outcome: UNRECORDED }, this.#recorder);
    const { outcome } = live;
    if (outcome.kind !== 'answer' || !isCreate(request)) return exchange;
    const known: KnownIds = (id) => this.#options.register.knownBefore(id, live.request);
    const learned = learn(request, outcome, { ...this.#learning, known, otherName: this.#otherName });
    if (learned?.callIds === undefined) return exchange;
    const response = { status: outcome.status, headers: [], body: null, leaks: [], learned };
    return { ...exchange, failure: null, response };
  }

  #announce(
    { seq, operation, ids }: Pick<AnnouncedWrite, 'seq' | 'operation' | 'ids'>,
    request: SuiteRequest,
    place: Place,
  ) {
    const { beforeWrite, recorder } = this.#options;
    if (beforeWrite === undefined) return;
    const redact = (text: string): string => recorder.redactor.redactSent(text);
    const { method, path, body } = request;
    const written = body === null ? {} : { body: redact(new TextDecoder().decode(body)) };
    const before = place.before === undefined ? {} : { before: place.before };
    const write = { seq, operation, ids, method, path: redact(path), ...written, ...before };
    beforeWrite(write, place.cleanUp === true || operation === 'hangUpCall');
  }

  #record(request: SuiteRequest, live: LiveExchange): Exchange {
    const { register } = this.#options;
    const { outcome } = live;
    const recorded = recordExchange(live, this.#recorder);
    const { response } = recorded;
    this.#otherName ??= otherNameOf(request, outcome, this.#learning);
    const known: KnownIds = (id) => register.knownBefore(id, live.request);
    const learned = learn(request, outcome, { ...this.#learning, known, otherName: this.#otherName });
    if (learned?.trunk !== undefined) this.#watch.set(learned.trunk, SETTING_OF.trunk);
    // From then on what a list shows is only read.
    if (outcome.kind === 'answer' && isSuccess(outcome.status) && !isCreate(request)) {
      register.sawInAnswer(textOf(outcome.body));
    }
    return { ...recorded, response: response && { ...response, ...(learned && { learned }) } };
  }
}
