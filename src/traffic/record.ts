/**
 * Recorded traffic as exchanges of the record, redacted when they are read and cleaned where one is kept. The secrets that
 * its requests carry are searched for in every later response, and kept out of every file.
 */

import { isSuccess } from '../contract/statuses.ts';
import { UUID } from '../contract/uuid.ts';
import { type Digest, plainDigest } from '../exchange/digest.ts';
import { type Exchange, type PathIds, QUERY_NAMES, type RecordedBody } from '../exchange/exchange.ts';
import { AS_RECORDED, bodyFacts } from '../exchange/facts.ts';
import { isKeptField } from '../exchange/header-fields.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import type { Header, WireOutcome } from '../exchange/message.ts';
import { type LiveExchange, type RecorderContext, recordExchange } from '../exchange/recorder.ts';
import { Redactor, type Secret } from '../exchange/redaction.ts';
import { textOf } from '../exchange/texts.ts';
import { tokensIn } from '../exchange/url-tokens.ts';
import type { Entry } from './entry.ts';

/** Number of secrets searched for at a time; production has more credentials than a search can hold. */
const MOST = 256;
/** A shorter one stands in every text by chance. */
const SHORTEST = 4;
const MASKED = /\*{3}|x{4}|redact|mask|hidden|secret|⟦|\.{3}/i;
const LIKE_A_CREDENTIAL = /auth|cookie|cred|key|secret|session|sign|token/i;

/** Whether it is what only a machine writes: a mask, a word or a name would be found by chance. */
function isUnmistakable(text: string): boolean {
  const isMixed = /[0-9]/.test(text) && /[a-z]/i.test(text) && new Set(text).size >= 8;
  return text.length >= 16 && isMixed && !MASKED.test(text);
}

/** Whose credential a request carries: `stranger` has one that no setting names, `anonymous` has none. */
export type Sender = 'ours' | 'others' | 'stranger' | 'anonymous' | 'unknown';

const OF_OUR_RECORD: Readonly<Record<string, Sender>> = {
  valid: 'ours',
  'other-organization': 'others',
  none: 'anonymous',
  'empty-bearer': 'anonymous',
};

/** Credentials that tell whose a request is. */
export interface Credentials {
  readonly access?: string;
  readonly otherOrganization?: string;
}

/** Who sent a request, as far as its recording shows. */
export function senderOf(entry: Entry, { access, otherOrganization }: Credentials): Sender {
  const { own, token, requestHeaders, path } = entry;
  if (own !== undefined) return OF_OUR_RECORD[own.credential] ?? 'unknown';
  if (token !== undefined) return token === access ? 'ours' : token === otherOrganization ? 'others' : 'stranger';
  const isElsewhere =
    requestHeaders.some(([name]) => LIKE_A_CREDENTIAL.test(name)) ||
    QUERY_NAMES.some((name) => path.includes(`${name}=`));
  return requestHeaders.length > 0 && !isElsewhere ? 'anonymous' : 'unknown';
}

/** Finds and redacts the secrets of a recording; it learns them while the recording is read. */
export class Secrets extends Redactor {
  /** Secrets beyond the limit, and weak or masked ones: no response is searched for them. */
  readonly unsearched = new Set<string>();
  readonly #searched = new Set<string>();

  constructor() {
    super([], 22);
  }

  /** Notes the secrets of a request. */
  note({ token, requestBody, operation, path }: Entry): void {
    if (token !== undefined) this.#note({ kind: 'credential', label: 'credential', value: token });
    if (operation === 'setInboundAuth') {
      const body = requestBody && parsedJson(textOf(requestBody));
      const value = isObject(body) && typeof body['secret'] === 'string' ? body['secret'] : '';
      this.#note({ kind: 'inbound-secret', label: 'inbound secret', value });
    }
    const tokens = path.includes('?') ? tokensIn('token', path.slice(path.indexOf('?'))) : [];
    for (const one of tokens) this.#note(one, false);
  }

  #note(secret: Secret, isSought = true): void {
    const { value } = secret;
    if (value === '' || this.#searched.has(value) || this.unsearched.has(value)) return;
    if (isSought && this.#searched.size < MOST && isUnmistakable(value)) {
      this.#searched.add(value);
      this.add(secret);
    } else if (this.unsearched.size < MOST) this.unsearched.add(value);
  }

  /** A text as it may be kept: without secrets and, as far as can be told, without numbers and addresses of people. */
  cleaned(text: string): string {
    const known = [...this.unsearched].filter(({ length }) => length >= SHORTEST);
    const forms = known.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
    const clean = forms.reduce((left, one) => left.replaceAll(one, '⟦secret⟧'), this.redact(text).text);
    return clean.replace(PERSONAL, (found) =>
      found.includes('@') ? '⟦address⟧' : found.length === 36 ? found : '⟦number⟧',
    );
  }
}

/** A UUID is matched so that its digits are not; seven digits may be the number of a telephone. */
const PERSONAL =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\+?\d(?:[ ().-]?\d){6,30}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gi;

/** While traffic is read a value stands for itself: it is compared, and gone with its exchange. */
const ITSELF: Digest = (data) => (typeof data === 'string' ? data : '');
const NOTHING: ReadonlyMap<string, string> = new Map();
const isKept = ([name]: Header): boolean => isKeptField(name);

/** An id of any form is one of the service's own where it was accepted. */
function idsOf({ ids }: Entry, outcome: WireOutcome): PathIds {
  if (ids.length === 0) return 'none';
  if (outcome.kind === 'answer' && isSuccess(outcome.status)) return 'named';
  return ids.every((id) => UUID.test(id)) ? 'well-formed' : 'malformed';
}

/** What is known of an exchange beside its entry; `about` is its file and line. */
export interface Context extends Pick<Exchange, 'seq' | 'at'> {
  readonly about: string;
  readonly sender: Sender;
  readonly secrets: Secrets;
}

/** What redacts an exchange that holds no secret, as most do. */
const UNTOUCHED: RecorderContext['redactor'] = { redact: (text) => ({ text, leaks: [] }), leaksIn: () => [] };

/** Everything of an exchange that may hold a secret. */
function everythingOf({ path, request, outcome }: LiveExchange): string {
  let text = `${path}\n${request.body === null ? '' : textOf(request.body)}`;
  for (const [name, value] of request.headers) text += `\n${name}\n${value}`;
  if (outcome.kind === 'failure') return `${text}\n${outcome.detail}`;
  for (const [name, value] of outcome.headers) text += `\n${name}\n${value}`;
  return `${text}\n${textOf(outcome.body)}`;
}

/** The exchange as it is judged. */
export function exchangeOf(entry: Entry, outcome: WireOutcome, context: Context): Exchange {
  const { own, method, path, operation, documented, requestHeaders, requestBody, took } = entry;
  const { seq, at, about, sender, secrets } = context;
  const credential = own?.credential ?? (sender === 'others' ? 'other-organization' : 'valid');
  const order = { sequence: '', attempt: 0, role: 'probe', resend: 0 } as const;
  const tag = { operation, documented, ids: idsOf(entry, outcome), ...order, asks: [], control: false, about: '' };
  const headers = requestHeaders.filter(isKept);
  const request = { method, path, headers, body: requestBody, timeout: 0 };
  // A name that a request of our own record writes has the digest that stands in the answer to it.
  const digest = own === undefined ? ITSELF : plainDigest;
  const live = { seq, tag, at, took, path, credential, request, outcome };
  const redactor = secrets.isUntouched(everythingOf(live)) ? UNTOUCHED : secrets;
  const recorded = recordExchange(live, { redactor, digest, watch: NOTHING, fullEvidence: false });
  const response = recorded.response && {
    ...recorded.response,
    headers: recorded.response.headers.filter(isKept),
    ...own?.response,
  };
  // The name of a file and a number need no redaction, which would take longer than all of this.
  return { ...recorded, tag: { ...tag, about }, response };
}

/** The JSON of a request with its names and without its texts and numbers, which belong to a customer; a long one is shortened. */
function skeletonOf(body: RecordedBody): unknown {
  const { text = '', pruned } = bodyFacts(Buffer.from(body.text ?? ''), { ...AS_RECORDED, keepWhole: false });
  const shown = (_: string, one: unknown): unknown =>
    typeof one === 'string' ? '⟦text⟧' : typeof one === 'number' && Math.abs(one) > 999_999 ? '⟦number⟧' : one;
  return { ...body, text: JSON.stringify(parsedJson(text), shown), pruned };
}

/**
 * The exchange as it may be kept: without secrets, numbers and what a customer wrote. Digests are left out: a number could
 * be found by trying. The text of a success body is a customer's, and the evidence of a run may hold it.
 */
export function keptExchange({ request, response, ...exchange }: Exchange, secrets: Secrets): Exchange {
  const sent = request.body && skeletonOf(request.body);
  const came = response?.body && {
    ...response.body,
    text: isSuccess(response.status) ? undefined : response.body.text,
  };
  const clean = (name: string, one: unknown): unknown =>
    name === 'digest' ? '' : typeof one === 'string' ? secrets.cleaned(one) : one;
  const parts = { request: { ...request, body: sent }, response: response && { ...response, body: came } };
  return { ...exchange, ...JSON.parse(JSON.stringify(parts, clean)) };
}
