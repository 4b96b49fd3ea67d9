/**
 * Recorded traffic as exchanges of the record, redacted when they are read and cleaned where one is kept. The secrets that
 * its requests carry are searched for in every later response, and kept out of every file.
 */

import { isSuccess } from '../contract/statuses.ts';
import { UUID } from '../contract/uuid.ts';
import type { CredentialForm } from '../exchange/credential-forms.ts';
import { type Digest, plainDigest } from '../exchange/digest.ts';
import type { Exchange, PathIds, RecordedBody, RecordedLeak } from '../exchange/exchange.ts';
import { WHOLE_TEXT_BYTES } from '../exchange/facts.ts';
import { isKeptField } from '../exchange/header-fields.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { Header, WireOutcome } from '../exchange/message.ts';
import { type RecorderContext, recordExchange } from '../exchange/recorder.ts';
import { Redactor, type Secret } from '../exchange/redaction.ts';
import { jsonOf, textOf } from '../exchange/texts.ts';
import { tokensIn } from '../exchange/url-tokens.ts';
import type { Entry, Place } from './entry.ts';

/** Number of secrets of a kind that are searched for; production has more credentials than a search can hold. */
const MOST_SOUGHT = 16;
/** Number of others that are kept out of what is kept. */
const MOST_KNOWN = 256;
/** A shorter one stands in every text by chance. */
const SHORTEST = 4;
const MASKED = /\*{3}|x{4}|redact|mask|hidden|secret|⟦|\.{3}/i;
/** A UUID is matched so that its digits are not; seven digits may be the number of a telephone. */
const PERSONAL =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\+?\d(?:[ ().-]?\d){6,30}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gi;

/** Whether it is what only a machine writes: a mask, a word or a name would be found by chance. */
function isUnmistakable(text: string): boolean {
  const isMixed = /[0-9]/.test(text) && /[a-z]/i.test(text) && new Set(text).size >= 8;
  // Parts of eight characters are searched for: one character eight times stands in many a text.
  return text.length >= 16 && isMixed && !MASKED.test(text) && !/(.)\1{7}/u.test(text);
}

/** The credential of a request, as far as it is known: whose it is, nobody can say. */
export function credentialOf({ own, token, unknown }: Entry): CredentialForm | 'unknown' {
  if (own !== undefined) return own.credential;
  if (token !== undefined) return 'valid';
  return unknown.authorization === undefined ? 'none' : 'unknown';
}

/** While traffic is read a value stands for itself: it is compared, and gone with its exchange. */
const ITSELF: Digest = (data) => (typeof data === 'string' ? data : '');
const NO_BYTES = new Uint8Array();
/** What redacts an exchange that holds no secret, as most do: one search costs less than one for each of its texts. */
const UNTOUCHED: RecorderContext['redactor'] = {
  redact: (text) => ({ text, leaks: [] }),
  redactSent: (text) => text,
  leaksIn: () => [],
};

/** An id of any form is one of the service's own where it was accepted. */
function idsOf({ ids }: Place, outcome: WireOutcome): PathIds {
  if (ids.length === 0) return 'none';
  if (outcome.kind === 'answer' && isSuccess(outcome.status)) return 'named';
  return ids.every((id) => UUID.test(id)) ? 'well-formed' : 'malformed';
}

/** Everything of a message that may hold a secret. */
function everythingOf(headers: readonly Header[], body: Uint8Array | null): string {
  let text = textOf(body ?? NO_BYTES);
  for (const [name, value] of headers) text += `\n${name}\n${value}`;
  return text;
}

const isKept = ([name]: Header): boolean => isKeptField(name);

/** What a text is like, whoever wrote it: a target may fail for one of its characters. */
function shapeOf(text: string): string {
  const code = /[\p{C}\u{10000}-\u{10ffff}]/u
    .exec(text)?.[0]
    .codePointAt(0)
    ?.toString(16)
    .toUpperCase()
    .padStart(4, '0');
  return text === '' ? '' : `⟦text${code === undefined ? '' : ` with U+${code}`}⟧`;
}

/** The JSON of a request with its names and without its texts and numbers, which belong to a customer; nothing of a long one. */
function skeletonOf(body: RecordedBody): unknown {
  const { text = '' } = body;
  if (text.length > WHOLE_TEXT_BYTES) return { ...body, text: undefined, pruned: true };
  const shown = (_: string, one: unknown): unknown =>
    typeof one === 'string' ? shapeOf(one) : typeof one === 'number' && Math.abs(one) > 999_999 ? '⟦number⟧' : one;
  return { ...body, text: JSON.stringify(parsedJson(text), shown) };
}

/** Records the exchanges of a recording. It learns their secrets while it reads them. */
export class TrafficRecorder {
  /** When the first exchange began, in milliseconds since the epoch. */
  began = 0;
  /** Secrets beyond the limit, and weak or masked ones: no response is searched for them. */
  readonly unsearched = new Set<string>();
  /** The kinds of secrets that are searched for. */
  readonly sought = new Set<RecordedLeak['secret']>();
  readonly #searched = new Map<string, RecordedLeak['secret']>();
  readonly #redactor = new Redactor();

  /** Notes the secrets of a request. A record of our own says what its run found of those that it knew. */
  note({ own, place, request, token = '' }: Entry): void {
    if (own !== undefined) this.sought.add('credential').add('inbound-secret');
    this.#note({ kind: 'credential', label: 'credential', value: token });
    if (place.operation === 'setInboundAuth') {
      const { secret } = Object(jsonOf(request.body ?? NO_BYTES));
      const value = typeof secret === 'string' ? secret : '';
      this.#note({ kind: 'inbound-secret', label: 'inbound secret', value });
    }
    const { path } = request;
    const tokens = path.includes('?') ? tokensIn('token', path.slice(path.indexOf('?'))) : [];
    for (const one of tokens) this.#note(one, false);
  }

  #note(secret: Secret, isSought = true): void {
    const { kind, value } = secret;
    if (value === '' || this.#searched.has(value) || this.unsearched.has(value)) return;
    const known = [...this.#searched.values()].filter((one) => one === kind).length;
    if (isSought && known < MOST_SOUGHT && isUnmistakable(value)) {
      this.#searched.set(value, kind);
      this.sought.add(kind);
      this.#redactor.add(secret);
    } else if (this.unsearched.size < MOST_KNOWN) this.unsearched.add(value);
  }

  /** The exchange of an entry; `about` is its file and line. */
  record(entry: Entry, outcome: WireOutcome, seq: number, about: string): Exchange {
    const { own, place, took } = entry;
    const known = credentialOf(entry);
    const { operation, documented, path } = place;
    const order = { sequence: '', attempt: 0, role: 'probe', resend: 0, asks: [], control: false, about: '' } as const;
    const tag = { operation, documented, ids: idsOf(place, outcome), ...order };
    const request = { ...entry.request, headers: entry.request.headers.filter(isKept) };
    const came = outcome.kind === 'failure' ? outcome.detail : everythingOf(outcome.headers, outcome.body);
    const text = `${path}\n${everythingOf(request.headers, request.body)}\n${came}`;
    this.began ||= entry.at ?? 0;
    const at = (entry.at ?? this.began) - this.began;
    const credential = known === 'unknown' ? 'valid' : known;
    const recorded = recordExchange(
      { seq, tag, at, took, path, credential, request, outcome },
      {
        redactor: this.#redactor.isUntouched(text) ? UNTOUCHED : this.#redactor,
        // A name that a request of our own record writes has the digest that stands in the answer to it.
        digest: own === undefined ? ITSELF : plainDigest,
        watch: new Map(),
        fullEvidence: false,
      },
    );
    const { response: answer } = recorded;
    const response = answer && { ...answer, headers: answer.headers.filter(isKept), ...own?.response };
    // The name of a file and a number need no redaction, which would take longer than all of this.
    return { ...recorded, tag: { ...tag, about }, response };
  }

  /**
   * The exchange as it may be kept: without secrets, numbers and what a customer wrote. Digests are left out: a number
   * could be found by trying. The text of a success body is a customer's, and the evidence of a run may hold it.
   */
  kept({ request, response, ...exchange }: Exchange): Exchange {
    const body = response?.body && { ...response.body, ...(isSuccess(response.status) ? { text: undefined } : {}) };
    const parts = {
      request: { ...request, body: request.body && skeletonOf(request.body) },
      response: response && { ...response, body },
    };
    const clean = (name: string, one: unknown): unknown =>
      name === 'digest' ? '' : typeof one === 'string' ? this.#cleaned(one) : one;
    return { ...exchange, ...JSON.parse(JSON.stringify(parts, clean)) };
  }

  /** A text without secrets and, as far as can be told, without numbers and addresses of people. */
  #cleaned(text: string): string {
    const known = [...this.unsearched].filter(({ length }) => length >= SHORTEST);
    const forms = known.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
    const clean = forms.reduce((left, one) => left.replaceAll(one, '⟦secret⟧'), this.#redactor.redact(text).text);
    return clean.replace(PERSONAL, (found) =>
      found.includes('@') ? '⟦address⟧' : found.length === 36 ? found : '⟦number⟧',
    );
  }
}
