/** A target that answers from the record of an earlier run, request for request (conformance model, section 9). */

import { DigestBook, plainDigest } from '../exchange/digest.ts';
import type { Exchange, ExchangeTag, RecordedBody } from '../exchange/exchange.ts';
import { AS_RECORDED, bodyFacts, digestsOf, holdsPlaceholder, plainFacts } from '../exchange/facts.ts';
import type { ClientOptions } from './client-options.ts';
import { type Place, Skipped, type SuiteRequest } from './request.ts';
import type { Admission } from './safety/guard.ts';
import { type Admitted, tagOf, type Wire } from './wire.ts';

/** A request differs from the record, has no recorded answer, or an answer was not used. */
export class RecordMismatch extends Error {
  override readonly name = 'RecordMismatch';
}

/** The recorded run. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  readonly endedEarly: string | null;
  readonly startedAt: number;
}

/** Answers from a record, whose times are those of the run. */
export class RecordedWire implements Wire {
  readonly #recording: Recording;
  readonly #options: Pick<ClientOptions, 'register'> & { readonly admission: Admission };
  readonly #onExchange: (exchange: Exchange) => void;
  /** What was not asked for yet, in the order of sending. */
  readonly #left: Exchange[];
  readonly #book = new DigestBook();
  sent = 0;

  constructor(
    recording: Recording,
    options: Pick<ClientOptions, 'register'> & { readonly admission: Admission },
    onExchange: (exchange: Exchange) => void,
  ) {
    this.#recording = recording;
    this.#options = options;
    this.#onExchange = onExchange;
    this.#left = recording.exchanges.toSorted((a, b) => a.seq - b.seq);
  }

  get startedAt(): number {
    return this.#recording.startedAt;
  }

  /** Recorded exchanges that no request asked for. */
  get unused(): readonly Exchange[] {
    return this.#left;
  }

  /** A token in the query of a list is redacted in the record; what stood there was printable ASCII. */
  guarded(below: string): string {
    return below.replace(/⟦[^⟦⟧]*⟧/g, 'redacted');
  }

  async exchange(requests: readonly Admitted[]): Promise<readonly PromiseSettledResult<Exchange>[]> {
    return Promise.allSettled(requests.map(async (one) => this.#answer(one)));
  }

  #answer({ request, place, going }: Admitted): Exchange {
    const [recorded] = this.#left;
    if (recorded === undefined || !isSamePlace(recorded.tag, place)) throw this.#missing(request, place);
    const tag = tagOf(request, place, this.#options.register);
    this.#compare(recorded, request, going.wire.headers, tag);
    this.#left.shift();
    this.sent = recorded.seq;
    const exchange = { ...recorded, tag };
    this.#onExchange(exchange);
    return exchange;
  }

  /** Something from outside ended the run here, such as an interruption; anything else is a difference. */
  #missing({ method, path }: SuiteRequest, { sequence, cleanUp }: Place): Error {
    const { endedEarly } = this.#recording;
    const { admission } = this.#options;
    if (endedEarly !== null && cleanUp !== true) {
      admission.stop(endedEarly);
      return new Skipped(admission.stopped ?? endedEarly, { why: 'stopped' });
    }
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

const textOf = (body: Uint8Array | null): string | null =>
  body === null ? null : (bodyFacts(body, AS_RECORDED).text ?? null);

/** Whether the record goes on with the same attempt at the same sequence. */
const isSamePlace = (recorded: ExchangeTag, { sequence, attempt, resend = 0, replaces }: Place): boolean =>
  recorded.sequence === sequence &&
  recorded.attempt === attempt &&
  recorded.resend === resend &&
  recorded.replaces === replaces;
