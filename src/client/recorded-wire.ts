/** A target that answers from the record of an earlier run, request for request (conformance model, section 9). */

import type { Exchange, ExchangeTag } from '../exchange/exchange.ts';
import { AS_RECORDED, bodyFacts, plainFacts } from '../exchange/facts.ts';
import { type Place, Skipped, type SuiteRequest } from './request.ts';
import type { Admission } from './safety/guard.ts';
import type { Admitted, Wire } from './wire.ts';

/** A request differs from the record, has no recorded answer, or an answer was not used. */
export class RecordMismatch extends Error {
  override readonly name = 'RecordMismatch';
}

/** The recorded run. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  readonly endedEarly: string | null;
  readonly startedAt: number;
  /** The record of a killed run, which ends before its clean-up does. */
  readonly isCut?: boolean;
}

/** Answers from a record, whose times are those of the run. */
export class RecordedWire implements Wire {
  readonly #recording: Recording;
  readonly #admission: Admission;
  readonly #onExchange: (exchange: Exchange) => void;
  readonly #left: Exchange[];
  readonly startedAt: number;
  sent = 0;

  constructor(
    recording: Recording,
    { admission }: { readonly admission: Admission },
    onExchange: (exchange: Exchange) => void,
  ) {
    this.#recording = recording;
    this.#admission = admission;
    this.#onExchange = onExchange;
    this.#left = recording.exchanges.toSorted((a, b) => a.seq - b.seq);
    this.startedAt = recording.startedAt;
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
    return Promise.allSettled(requests.map(async (request) => this.#answer(request)));
  }

  #answer({ request, place, wire, tag }: Admitted): Exchange {
    const [recorded] = this.#left;
    if (recorded === undefined || !isSamePlace(recorded.tag, place)) throw this.#missing(request, place);
    const different = differenceOf(recorded, request, wire.headers, tag);
    // Of a batch in one sequence, a killed run may have recorded the second answer alone.
    if (different !== null) throw this.#recording.isCut === true ? this.#missing(request, place) : different;
    this.#left.shift();
    this.sent = recorded.seq;
    const exchange = { ...recorded, tag };
    this.#onExchange(exchange);
    return exchange;
  }

  /** Something from outside ended the run here, such as an interruption; anything else is a difference. */
  #missing({ method, path }: SuiteRequest, { sequence, cleanUp }: Place): Error {
    const { endedEarly, isCut = false } = this.#recording;
    if (endedEarly !== null && (cleanUp !== true || isCut)) {
      this.#admission.stop(endedEarly);
      return new Skipped(this.#admission.stopped ?? endedEarly, { why: 'stopped' });
    }
    return new RecordMismatch(`${method} ${path} of the sequence "${sequence}" has no recorded answer`);
  }
}

function differenceOf(
  recorded: Exchange,
  request: SuiteRequest,
  sent: readonly (readonly [string, string])[],
  tag: Exchange['tag'],
): RecordMismatch | null {
  // `credential` stands for it.
  const isCompared = ([name]: readonly [string, string]): boolean => name.toLowerCase() !== 'authorization';
  const was = recorded.request.body;
  const is = request.body && bodyFacts(request.body, AS_RECORDED);
  const facts = [
    ['method', recorded.request.method, request.method],
    ['path', recorded.request.path, request.path],
    ['credential', recorded.request.credential, request.credential],
    ['header', recorded.request.headers.filter(isCompared), sent.filter(isCompared)],
    ['body', was?.text ?? null, is?.text ?? null],
    // Digests are made under a key that is gone.
    ['facts of the body', was && plainFacts(was), is && plainFacts(is)],
    ['tag', recorded.tag, tag],
  ] as const;
  const different = facts.find(([, before, now]) => JSON.stringify(before) !== JSON.stringify(now));
  if (different === undefined) return null;
  const [what, before, now] = different;
  const shown = (value: unknown): string => JSON.stringify(value).slice(0, 300);
  return new RecordMismatch(
    `the ${what} of request ${recorded.seq} was ${shown(before)}, and is ${shown(now)} in the rerun`,
  );
}

/** Whether the record goes on with the same attempt at the same sequence. */
const isSamePlace = (recorded: ExchangeTag, { sequence, attempt, resend = 0, replaces }: Place): boolean =>
  recorded.sequence === sequence &&
  recorded.attempt === attempt &&
  recorded.resend === resend &&
  recorded.replaces === replaces;
