/** A target that answers from the record of an earlier run, request for request (conformance model, section 9). */

import type { Skip, SkipCause } from '../contract/skipped.ts';
import { DigestBook, plainDigest } from '../exchange/digest.ts';
import type { Exchange, ExchangeTag, RecordedBody } from '../exchange/exchange.ts';
import { AS_RECORDED, bodyFacts, digestsOf, holdsPlaceholder, plainFacts } from '../exchange/facts.ts';
import { DOUBT_CHECK, type Target } from './client.ts';
import type { GuardContext } from './client-options.ts';
import { isInvalid, mayBeLockedOut } from './invalid-credentials.ts';
import { type Place, type PlacedRequest, Skipped, type SuiteRequest } from './request.ts';
import { Admission, guard } from './safety/guard.ts';
import { isPostponed } from './waiting.ts';
import { outgoing, tagOf, type WireOptions } from './wire.ts';

/** A request differs from the record, has no recorded answer, or an answer was not used. */
export class RecordMismatch extends Error {
  override readonly name = 'RecordMismatch';
}

/** A sequence that was not sent in the recorded run, or a part of it. */
export interface RecordedSkip extends Skip {
  readonly sequence: string;
}

/** What the course of a run forbids, as the record alone can tell; the others come out of the rerun by themselves. */
const OF_THE_COURSE: readonly SkipCause[] = ['limit', 'hang', 'stopped', 'claimed'];

/** The recorded run. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly RecordedSkip[];
  readonly endedEarly: string | null;
  readonly maxRequests: number;
}

/** Answers from a record. */
export class RecordedTarget implements Target {
  readonly #recording: Recording;
  readonly #options: WireOptions & GuardContext;
  readonly #onExchange: (exchange: Exchange) => void;
  /** What was not asked for yet, in the order of sending. */
  readonly #left: Exchange[];
  readonly #book = new DigestBook();
  readonly admission = new Admission();

  constructor(recording: Recording, options: WireOptions & GuardContext, onExchange: (exchange: Exchange) => void) {
    this.#recording = recording;
    this.#options = options;
    this.#onExchange = onExchange;
    this.#left = recording.exchanges.toSorted((a, b) => a.seq - b.seq);
  }

  /** Recorded exchanges that no request asked for. */
  get unused(): readonly Exchange[] {
    return this.#left;
  }

  async send(request: SuiteRequest, place: Place): Promise<Exchange> {
    return this.#sendAgain(request, place, this.#first(request, place));
  }

  async together(requests: readonly PlacedRequest[]): Promise<readonly PromiseSettledResult<Exchange>[]> {
    const results = await Promise.allSettled(
      requests.map(async ({ request, place }) => this.#first(request, { ...place, resend: 0 })),
    );
    return results.map((result, at) => {
      const { request, place } = requests[at] as PlacedRequest;
      if (result.status === 'rejected') return result;
      return { status: 'fulfilled', value: this.#sendAgain(request, place, result.value) };
    });
  }

  /** Whether the record goes on with the read that has to explain the exchange. */
  isDoubtful({ tag }: Exchange): boolean {
    const [next] = this.#left;
    return next?.tag.about === DOUBT_CHECK && next.tag.sequence === tag.sequence && next.tag.attempt === tag.attempt;
  }

  #first(request: SuiteRequest, place: Place): Exchange {
    this.admission.demand(request, this.#recording.endedEarly);
    const going = outgoing(request, place, this.#options);
    guard(request, { ...going, below: withoutPlaceholders(going.below) }, this.#options);
    const [next] = this.#left;
    if (next === undefined || !isSamePlace(next.tag, place)) throw this.#missing(request, place);
    return this.#answer(next, request, place);
  }

  /** The last answer, as often as the record sends a request again that was put off. */
  #sendAgain(request: SuiteRequest, place: Place, first: Exchange): Exchange {
    let last = first;
    for (;;) {
      const again = { ...place, replaces: last.seq, resend: last.tag.resend + 1 };
      const [next] = this.#left;
      if (next === undefined || !isSamePlace(next.tag, again)) return last;
      if (!isPostponed(last) && !this.#mayBeLockedOut(last)) return last;
      last = this.#answer(next, request, again);
    }
  }

  #answer(recorded: Exchange, request: SuiteRequest, place: Place): Exchange {
    const { register } = this.#options;
    const going = outgoing(request, place, this.#options);
    const tag = tagOf(request, place, register);
    this.#compare(recorded, request, going.wire.headers, tag);
    this.#left.shift();
    const exchange = { ...recorded, tag };
    this.#onExchange(exchange);
    register.noteLearned(recorded.response?.learned);
    return exchange;
  }

  /** Whether the target may have answered so because of the invalid credentials before. */
  #mayBeLockedOut({ seq, request, response }: Exchange): boolean {
    const before = this.#recording.exchanges.filter((one) => one.seq < seq && isInvalid(one.request.credential));
    return mayBeLockedOut(request.credential, response?.status ?? null, before.length);
  }

  /** The reason why the course of the recorded run forbade it; anything else is a difference. */
  #missing({ method, path }: SuiteRequest, { sequence }: Place): Error {
    const { skipped, endedEarly, exchanges, maxRequests } = this.#recording;
    const note = skipped.find((one) => one.sequence === sequence && OF_THE_COURSE.includes(one.why));
    if (note !== undefined) return new Skipped(note.reason, note);
    if (endedEarly !== null) return new Skipped(this.admission.stopped ?? endedEarly, { why: 'stopped' });
    if (exchanges.length >= maxRequests) return new Skipped(`${maxRequests} requests were sent`, { why: 'limit' });
    return new RecordMismatch(`${method} ${path} of the sequence "${sequence}" has no recorded answer`);
  }

  /**
   * The facts of a body as recorded, and of the body that is sent. Digests are made under a key that is gone, so they
   * are compared by what they stand for: one digest for one value throughout the record. What the suite made up itself
   * has a digest that can be made again.
   */
  #factsOf(recorded: RecordedBody | null, sent: Uint8Array | null): readonly [unknown, unknown] {
    if (recorded === null || sent === null) return [recorded, sent];
    const facts = bodyFacts(sent, AS_RECORDED);
    const [whole = null, ...values] = digestsOf(facts);
    const plain = holdsPlaceholder(facts) ? whole : plainDigest(sent);
    const isKnown = digestsOf(recorded).map((digest, at) =>
      this.#book.standsFor(digest, [plain, ...values][at] ?? null),
    );
    return [
      [plainFacts(recorded), isKnown],
      [plainFacts(facts), [plain, ...values].map(() => true)],
    ];
  }

  #compare(
    recorded: Exchange,
    request: SuiteRequest,
    sent: readonly (readonly [string, string])[],
    tag: Exchange['tag'],
  ): void {
    // `credential` stands for it.
    const isCompared = ([name]: readonly [string, string]): boolean => name.toLowerCase() !== 'authorization';
    const facts = [
      ['method', recorded.request.method, request.method],
      ['path', recorded.request.path, request.path],
      ['credential', recorded.request.credential, request.credential],
      ['header', recorded.request.headers.filter(isCompared), sent.filter(isCompared)],
      ['body', recorded.request.body?.text ?? null, textOf(request.body)],
      ['facts of the body', ...this.#factsOf(recorded.request.body, request.body)],
      ['tag', recorded.tag, tag],
    ] as const;
    const different = facts.find(([, was, is]) => JSON.stringify(was) !== JSON.stringify(is));
    if (different === undefined) return;
    const [what, was, is] = different;
    const shown = (value: unknown): string => JSON.stringify(value).slice(0, 300);
    throw new RecordMismatch(
      `the ${what} of request ${recorded.seq} was ${shown(was)}, and is ${shown(is)} in the rerun`,
    );
  }
}

/** A token in the query of a list is redacted in the record; what stood there was printable ASCII. */
const withoutPlaceholders = (path: string): string => path.replace(/⟦[^⟦⟧]*⟧/g, 'redacted');

const textOf = (body: Uint8Array | null): string | null =>
  body === null ? null : (bodyFacts(body, AS_RECORDED).text ?? null);

/** Whether the record goes on with the same attempt at the same sequence. */
const isSamePlace = (recorded: ExchangeTag, { sequence, attempt, resend = 0, replaces }: Place): boolean =>
  recorded.sequence === sequence &&
  recorded.attempt === attempt &&
  recorded.resend === resend &&
  recorded.replaces === replaces;
