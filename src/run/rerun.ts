/**
 * Runs a recorded run again without its target: the same suites against the recorded answers (model, section 9).
 * The reasons are in docs/design/certificates.md.
 */

import { NO_TIME } from '../client/client-options.ts';
import { type Place, Skipped, type SuiteRequest } from '../client/request.ts';
import type { Admission } from '../client/safety/guard.ts';
import { type Admitted, drawnUuid, type Wire } from '../client/wire.ts';
import { withoutUndefined } from '../contract/lists.ts';
import { DRAWN_UUID } from '../contract/uuid.ts';
import type { Exchange, ExchangeTag, RecordedHeader } from '../exchange/exchange.ts';
import { AS_RECORDED, bodyFacts, plainFacts } from '../exchange/facts.ts';
import type { RunRecord } from '../verdict/record.ts';
import { recordedOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Suite } from './requirement.ts';
import { RunInProgress } from './run.ts';

/** A request differs from the record, has no recorded answer, or an answer was not used. */
export class RecordMismatch extends Error {
  override readonly name = 'RecordMismatch';
}

/** A target that answers from a record, request by request, with the times of the run. A killed run's record is cut. */
export class RecordedWire implements Wire {
  readonly #isCut: boolean;
  readonly #endedEarly: string | null;
  readonly #admission: Admission;
  readonly #onExchange: (exchange: Exchange) => void;
  readonly #left: Exchange[];
  readonly startedAt: number;
  sent = 0;

  constructor(
    { exchanges, endedEarly, startedAt = 0 }: Pick<RunRecord, 'exchanges' | 'endedEarly' | 'startedAt'>,
    isCut: boolean,
    { admission }: { readonly admission: Admission },
    onExchange: (exchange: Exchange) => void,
  ) {
    this.#isCut = isCut;
    this.#endedEarly = endedEarly;
    this.#admission = admission;
    this.#onExchange = onExchange;
    this.#left = exchanges.toSorted((a, b) => a.seq - b.seq);
    this.startedAt = startedAt;
  }

  /** Recorded exchanges that the rerun did not request. */
  get unused(): readonly Exchange[] {
    return this.#left;
  }

  /** A token in the query of a list is redacted in the record; in the run it was printable ASCII. */
  guarded(below: string): string {
    return below.replace(/⟦[^⟦⟧]*⟧/g, 'redacted');
  }

  async exchange(requests: readonly Admitted[]): Promise<readonly PromiseSettledResult<Exchange>[]> {
    return Promise.allSettled(requests.map(async (request) => this.#answer(request)));
  }

  #answer({ request, place, wire, tag }: Admitted): Exchange {
    const [recorded] = this.#left;
    if (recorded === undefined || !isSamePlace(recorded.tag, place)) throw this.#missing(request, place);
    const different = recordDifference(recorded, request, wire.headers, tag);
    // Of a batch, a killed run may have recorded only the second answer.
    if (different !== null) throw this.#isCut ? this.#missing(request, place) : different;
    this.#left.shift();
    this.sent = recorded.seq;
    const exchange = { ...recorded, tag };
    this.#onExchange(exchange);
    return exchange;
  }

  /** If something external such as an interruption ended the run here, that is no difference; anything else is. */
  #missing({ method, path }: SuiteRequest, { sequence, cleanUp }: Place): Error {
    if (this.#endedEarly !== null && (cleanUp !== true || this.#isCut)) {
      this.#admission.stop(this.#endedEarly);
      return new Skipped(this.#admission.stopped ?? this.#endedEarly, { why: 'stopped' });
    }
    return new RecordMismatch(`${method} ${path} of the sequence "${sequence}" has no recorded answer`);
  }
}

function recordDifference(
  recorded: Exchange,
  request: SuiteRequest,
  sent: readonly (readonly [string, string])[],
  tag: Exchange['tag'],
): RecordMismatch | null {
  // Authorization is compared through `credential`.
  const isCompared = ([name]: readonly [string, string]): boolean => name.toLowerCase() !== 'authorization';
  const was = recorded.request.body;
  const is = request.body && bodyFacts(request.body, AS_RECORDED);
  const facts = [
    ['method', recorded.request.method, request.method],
    ['path', recorded.request.path, request.path],
    ['credential', recorded.request.credential, request.credential],
    ['header', recorded.request.headers.filter(isCompared), sent.filter(isCompared)],
    ['body', was?.text ?? null, is?.text ?? null],
    // Digests use a key that no longer exists.
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

/** Whether the record continues with the same attempt at the same sequence. */
const isSamePlace = (recorded: ExchangeTag, { sequence, attempt, resend = 0, replaces }: Place): boolean =>
  recorded.sequence === sequence &&
  recorded.attempt === attempt &&
  recorded.resend === resend &&
  recorded.replaces === replaces;

/** The placeholder in the record for the inbound secret that the run drew. */
const SECRET_PLACEHOLDER = '⟦inbound secret⟧';

const unused = (): never => {
  throw new Error('a rerun reaches no target');
};

/** The user's header fields as in the first request, since values are redacted; drawn values are drawn again. */
function gatewayHeadersIn(
  [first]: readonly Exchange[],
  names: readonly string[],
  seed: number,
): readonly RecordedHeader[] {
  const headers = first?.request.headers ?? [];
  const shown = names.map((name) => headers.find(([field]) => field === name) ?? ([name, ''] as const));
  return shown.map(([name, value]) => [name, value.replaceAll(drawnUuid(1, seed), DRAWN_UUID)]);
}

/** Runs a record again. Throws `RecordMismatch` if a request differs or has no answer, or if an answer is left over. */
export async function rerun(record: Omit<RunRecord, 'plan'>, suite: Suite): Promise<RunRecord> {
  const again = await repeated(record, suite);
  demandSame(record, again);
  return again;
}

/**
 * The record of a killed run, judged as far as it goes. Throws `RecordMismatch` where this suite would
 * have sent another request.
 */
export async function judgedAsFar<Killed extends RunRecord>(record: Killed, suite: Suite): Promise<Killed> {
  const { judgements } = await repeated(record, suite, true);
  return { ...record, ...withoutUndefined({ judgements }) };
}

async function repeated(record: Omit<RunRecord, 'plan'>, suite: Suite, isCut = false): Promise<RunRecord> {
  const options = recordedOptions(record);
  const { header, inputs, exchanges } = record;
  const { version } = header.suite;
  const extraHeaders = gatewayHeadersIn(exchanges, inputs.gatewayHeaders, options.seed);
  let wire: RecordedWire | undefined;
  // Without a clock, random values or a reachable target.
  const ports: Ports = {
    transport: unused,
    recorder: unused,
    random: unused,
    secret: SECRET_PLACEHOLDER,
    inputs,
    clock: NO_TIME,
    version,
    extraHeaders,
    startedAt: record.startedAt ?? 0,
    wire: (how, onExchange) => {
      wire = new RecordedWire(record, isCut, how, onExchange);
      return wire;
    },
  };
  const run = new RunInProgress(options, suite, ports);
  const again = await run.record();
  // Past its end, the record of a killed run also has no answer to a hang-up.
  const known = [...record.errors.map(({ message }) => message), ...(isCut ? [record.endedEarly] : [])];
  const broken = again.errors.find(({ message }) => !known.includes(message));
  if (broken !== undefined) throw new RecordMismatch(broken.message);
  // Of requests that were sent together, a killed run may have recorded only the second.
  const [left] = isCut ? [] : (wire?.unused ?? []);
  if (left !== undefined) throw new RecordMismatch(`request ${left.seq} is not sent in the rerun`);
  return again;
}

function demandSame(record: Omit<RunRecord, 'plan'>, again: RunRecord): void {
  const { plan: _, exchanges: __, errors: ___, judgements: ____, ...facts } = again;
  const names = Object.keys(facts) as (keyof typeof facts)[];
  const different = names.find((name) => JSON.stringify(record[name]) !== JSON.stringify(again[name]));
  if (different === undefined) return;
  throw new RecordMismatch(`"${different}" of the record does not come out the same in the rerun`);
}
