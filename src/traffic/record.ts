/** Recorded traffic as exchanges of the record: redacted when they are read, and cleaned where one is kept. */

import { isSuccess } from '../contract/statuses.ts';
import { UUID } from '../contract/uuid.ts';
import { type Digest, plainDigest } from '../exchange/digest.ts';
import type {
  CredentialForm,
  Exchange,
  ExchangeTag,
  PathIds,
  RecordedBody,
  RecordedHeader,
} from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { WireOutcome } from '../exchange/message.ts';
import { recordExchange } from '../exchange/recorder.ts';
import type { Entry } from './entry.ts';
import type { Place } from './place.ts';
import type { Secrets } from './secrets.ts';

/** While traffic is read a value stands for itself: it is compared, and gone with its exchange. */
const ITSELF: Digest = (data) => (typeof data === 'string' ? data : '');
const NOTHING: ReadonlyMap<string, string> = new Map();
const KEPT_FIELDS =
  /^(?:content-type|content-length|content-encoding|transfer-encoding|location|allow|www-authenticate|retry-after|date|accept)$/i;

/** An id of any form is one of the service's own where it was accepted. */
function idsOf({ ids }: Place, outcome: WireOutcome): PathIds {
  if (ids.length === 0) return 'none';
  if (outcome.kind === 'answer' && isSuccess(outcome.status)) return 'named';
  return ids.every((id) => UUID.test(id)) ? 'well-formed' : 'malformed';
}

/** What is known of an exchange beside its entry; `about` is its file and line. */
export interface Context extends Pick<Exchange, 'seq' | 'at'>, Pick<ExchangeTag, 'about'> {
  readonly credential: CredentialForm;
  readonly redactor: Secrets;
}

/** The exchange as it is judged. */
export function exchangeOf(entry: Entry, outcome: WireOutcome, place: Place, context: Context): Exchange {
  const { own, method, requestHeaders, requestBody, took } = entry;
  const { path, operation, documented } = place;
  const { seq, at, about, credential, redactor } = context;
  const order = { sequence: '', attempt: 0, role: 'probe', resend: 0 } as const;
  const tag = { operation, documented, ids: idsOf(place, outcome), ...order, asks: [], control: false, about: '' };
  const headers = requestHeaders.filter(([name]) => KEPT_FIELDS.test(name));
  const request = { method, path, headers, body: requestBody, timeout: 0 };
  // A name that a request of our own record writes has the digest that stands in the answer to it.
  const digest = own === undefined ? ITSELF : plainDigest;
  const live = { seq, tag, at, took, path, credential, request, outcome };
  const recorded = recordExchange(live, { redactor, digest, watch: NOTHING, fullEvidence: false });
  const { response } = recorded;
  const known = response && own ? { ...response, body: own.body ?? response.body, leaks: own.leaks } : response;
  // The name of a file and a number need no redaction, which would take longer than all of this.
  return { ...recorded, tag: { ...tag, about }, response: known };
}

const keptFields = (headers: readonly RecordedHeader[], clean: (text: string) => string): readonly RecordedHeader[] =>
  headers.filter(([name]) => KEPT_FIELDS.test(name)).map(([name, value]) => [name, clean(value)]);

/** Without digests: a number could be found by trying. */
const keptBody = (
  { text: _, members, ...body }: RecordedBody,
  clean: (text: string) => string,
  text: string | undefined,
): RecordedBody => ({
  ...body,
  digest: '',
  members: members.map(({ digest: __, ...member }) => ({ ...member, pointer: clean(member.pointer) })),
  ...(text === undefined ? {} : { text: clean(text) }),
});

/** The JSON of a request with its names and without its texts and numbers: they belong to a customer. */
function skeletonOf(text = ''): string | undefined {
  const shown = (_: string, one: unknown): unknown =>
    typeof one === 'string' ? '⟦text⟧' : typeof one === 'number' && Math.abs(one) > 999_999 ? '⟦number⟧' : one;
  return JSON.stringify(parsedJson(text), shown);
}

/** The exchange as it may be kept: without secrets, numbers and what a customer wrote. */
export function keptExchange(exchange: Exchange, secrets: Secrets): Exchange {
  const clean = (text: string): string => secrets.cleaned(text);
  const { request, response } = exchange;
  return {
    ...exchange,
    request: {
      ...request,
      path: clean(request.path),
      headers: keptFields(request.headers, clean),
      body: request.body && keptBody(request.body, clean, skeletonOf(request.body.text)),
    },
    response: response && {
      ...response,
      headers: keptFields(response.headers, clean),
      // The text of a success body is a customer's, in the evidence of a run as well.
      body:
        response.body && keptBody(response.body, clean, isSuccess(response.status) ? undefined : response.body.text),
    },
  };
}
