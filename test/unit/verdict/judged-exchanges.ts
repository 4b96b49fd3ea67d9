/** Recorded exchanges for the tests of opinions, each a valid control but for what a test changes. */

import type { Exchange, ExchangeTag, RecordedBody, RecordedRequest } from '../../../src/exchange/exchange.ts';
import { AS_RECORDED, bodyFacts } from '../../../src/exchange/facts.ts';
import { Evidence } from '../../../src/verdict/evidence.ts';
import type { Opinion } from '../../../src/verdict/opinion.ts';
import { asksFor } from '../../../src/verdict/requirement.ts';
import { type RequirementId, requirementById } from '../../../suites/catalogue.ts';

/** What a test says of one exchange; everything else is an accepted control of updateTrunk. */
export interface Said {
  readonly status?: number | null;
  readonly tag?: Partial<ExchangeTag>;
  readonly request?: Partial<RecordedRequest>;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: RecordedBody | null;
}

/** A valid JSON body whose scalars have their own JSON text for a digest. */
export const bodyOf = (value: Readonly<Record<string, unknown>>): RecordedBody =>
  bodyFacts(Buffer.from(JSON.stringify(value)), { ...AS_RECORDED, digest: String });

/** Asks a requirement as a whole. */
export const asks = (id: RequirementId) => [{ id, variation: '' }];

/** The error envelope. */
const ENVELOPE: RecordedBody = bodyOf({ success: false, error: { code: 'refused', message: 'Refused.' } });

/** An exchange at that place of a run. */
export function exchangeOf({ status = 200, tag, request, headers = [], body }: Said, at: number): Exchange {
  const isError = status !== null && status >= 400;
  return {
    seq: at + 1,
    tag: {
      operation: 'updateTrunk',
      documented: true,
      ids: 'named',
      sequence: `sequence ${at}`,
      attempt: 0,
      role: 'control',
      resend: 0,
      asks: [],
      control: tag?.asks === undefined,
      about: '',
      ...tag,
    },
    request: { method: 'PATCH', path: '/v1/trunks/1', credential: 'valid', headers: [], body: null, ...request },
    response:
      status === null
        ? null
        : { status, headers, body: body === undefined ? (isError ? ENVELOPE : null) : body, leaks: [] },
    failure: status === null ? { kind: 'timeout', detail: 'no answer in time' } : null,
    at,
    took: 1,
  };
}

/** An accepted read of the trunks. */
export const READ = exchangeOf(
  { tag: { operation: 'listTrunks' }, request: { method: 'GET', path: '/v1/trunks/' } },
  0,
);

/** The opinion of a requirement on the exchange at that place of a run; `null` where it does not concern it. */
export function opinionOn(
  requirement: RequirementId,
  said: readonly Said[],
  at: number,
  profile: 'read-only' | 'full' = 'full',
): Opinion | null {
  const exchanges = said.map(exchangeOf);
  const judged = requirementById(requirement);
  const exchange = exchanges[at];
  if (judged === undefined || exchange === undefined) throw new RangeError(`nothing to judge for ${requirement}`);
  const { concerns = asksFor<string>(judged.id) } = judged;
  if (!concerns(exchange)) return null;
  return judged.expect(exchange, new Evidence({ profile, settings: [] }, exchanges));
}
