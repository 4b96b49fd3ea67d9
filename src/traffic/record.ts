/**
 * Turns recorded traffic into exchanges like a run's: redacted when read, and without customers' texts before they are
 * kept. Every later response is searched for the requests' secrets, which stay out of all files.
 */

import { KEPT, READ } from '../contract/limits.ts';
import { UUID } from '../contract/uuid.ts';
import { isSuccess } from '../contract/waiting.ts';
import type { CredentialForm } from '../exchange/credential-forms.ts';
import type { Exchange, PathIds, RecordedBody, RecordedLeak } from '../exchange/exchange.ts';
import { isKeptField } from '../exchange/header-fields.ts';
import { jsonOfBytes, parsedJson } from '../exchange/json-text.ts';
import type { Header, WireOutcome } from '../exchange/message.ts';
import { recordExchange } from '../exchange/recorder.ts';
import { Redactor, type Secret } from '../exchange/redaction.ts';
import { tokensIn } from '../exchange/url-tokens.ts';
import type { RequestPlace, TrafficEntry } from './entry.ts';

const LOOKS_MASKED = /\*{3}|x{4}|redact|mask|hidden|secret|⟦|\.{3}/i;
/** Telephone numbers (seven digits or more) and addresses of mail. UUIDs match first, so that their digits do not. */
const PERSONAL =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\+?\d(?:[ ().-]?\d){6,30}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gi;

/** Whether only a machine writes such a text. Masks, words and names would be found by chance. */
function isUnmistakable(text: string): boolean {
  const isMixed = /[0-9]/.test(text) && /[a-z]/i.test(text) && new Set(text).size >= 8;
  // Parts of eight characters are searched for, and many texts hold one character eight times in a row.
  return text.length >= 16 && isMixed && !LOOKS_MASKED.test(text) && !/(.)\1{7}/u.test(text);
}

/** The form of a request's credential, as far as it is known; a recording does not say whose it is. */
export function credentialOf({ facts, token, unknown }: TrafficEntry): CredentialForm | 'unknown' {
  if (facts !== undefined) return facts.credential;
  if (token !== undefined) return 'valid';
  return unknown.authorization === undefined ? 'none' : 'unknown';
}

/** An accepted id is an id of the service, whatever its form. */
function trafficIds({ ids }: RequestPlace, outcome: WireOutcome): PathIds {
  if (ids.length === 0) return 'none';
  if (outcome.kind === 'answer' && isSuccess(outcome.status)) return 'named';
  return ids.every((id) => UUID.test(id)) ? 'well-formed' : 'malformed';
}

const isKept = ([name]: Header): boolean => isKeptField(name);

/** A placeholder for a text: it only names unusual characters, because a target may have failed on them. */
function shapeOf(text: string): string {
  const [odd] = /[\p{C}\u{10000}-\u{10ffff}]/u.exec(text) ?? [];
  const code = (odd?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return text === '' ? '' : `⟦text${odd === undefined ? '' : ` with U+${code}`}⟧`;
}

/** The JSON of a request with its names, but without texts and numbers, which are a customer's; long ones left out. */
function requestSkeleton(body: RecordedBody): unknown {
  const { text = '' } = body;
  if (text.length > KEPT.text) return { ...body, text: undefined, pruned: true };
  const shown = (_: string, part: unknown): unknown =>
    typeof part === 'string' ? shapeOf(part) : typeof part === 'number' && Math.abs(part) > 999_999 ? '⟦number⟧' : part;
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

  /** Notes the secrets of a request. Our own record says what its run found of the secrets that it knew. */
  note({ facts, place, request, token = '' }: TrafficEntry): void {
    if (facts !== undefined) this.sought.add('credential').add('inbound-secret');
    this.#note({ kind: 'credential', label: 'credential', value: token });
    if (place.operation === 'setInboundAuth') {
      const { secret } = Object(jsonOfBytes(request.body ?? new Uint8Array()));
      const value = typeof secret === 'string' ? secret : '';
      this.#note({ kind: 'inbound-secret', label: 'inbound secret', value });
    }
    const query = request.path.indexOf('?');
    if (query >= 0) for (const token of tokensIn('token', request.path.slice(query))) this.#note(token, false);
  }

  #note(secret: Secret, isSought = true): void {
    const { kind, value } = secret;
    if (value === '' || this.#searched.has(value) || this.unsearched.has(value)) return;
    const known = [...this.#searched.values()].filter((sought) => sought === kind).length;
    if (isSought && known < READ.soughtSecrets && isUnmistakable(value)) {
      this.#searched.set(value, kind);
      this.sought.add(kind);
      this.#redactor.add(secret);
    } else if (this.unsearched.size < READ.removedSecrets) this.unsearched.add(value);
  }

  /** The exchange of an entry; `about` is its file and line. */
  record(entry: TrafficEntry, outcome: WireOutcome, seq: number, about: string): Exchange {
    const { facts, place, took } = entry;
    const known = credentialOf(entry);
    const { operation, documented, path } = place;
    const order = { sequence: '', attempt: 0, role: 'probe', resend: 0, asks: [], control: false, about: '' } as const;
    const tag = { operation, documented, ids: trafficIds(place, outcome), ...order };
    const request = { ...entry.request, headers: entry.request.headers.filter(isKept) };
    this.began ||= entry.at ?? 0;
    const at = (entry.at ?? this.began) - this.began;
    const recorded = recordExchange(
      { seq, tag, at, took, path, credential: known === 'unknown' ? 'valid' : known, request, outcome },
      {
        redactor: this.#redactor,
        // Values are compared in clear text while traffic is read, and dropped together with their exchange.
        digest: (data) => (typeof data === 'string' ? data : ''),
        watch: new Map(),
        fullEvidence: false,
      },
    );
    const { response: answer } = recorded;
    const response = answer && { ...answer, headers: answer.headers.filter(isKept), ...facts?.response };
    // File and line are added here, because redacting them would take longer than everything else.
    return { ...recorded, tag: { ...tag, about }, response };
  }

  /**
   * The exchange as it may be kept: without secrets, numbers and what a customer wrote. Digests are left out: a number
   * could be found by trying. The text of a success body is a customer's, and the evidence of a run may hold it.
   */
  kept({ request, response, ...exchange }: Exchange): Exchange {
    const body = response?.body && {
      ...response.body,
      wording: undefined,
      ...(isSuccess(response.status) ? { text: undefined } : {}),
    };
    const parts = {
      request: { ...request, body: request.body && requestSkeleton(request.body) },
      response: response && { ...response, body },
    };
    const clean = (name: string, part: unknown): unknown =>
      name === 'digest' ? '' : typeof part === 'string' ? this.#cleaned(part) : part;
    return { ...exchange, ...JSON.parse(JSON.stringify(parts, clean)) };
  }

  /** A text without secrets and, as far as they can be recognised, without numbers and addresses of people. */
  #cleaned(text: string): string {
    const known = [...this.unsearched].filter(({ length }) => length >= KEPT.removable);
    const forms = known.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
    const clean = forms.reduce((left, form) => left.replaceAll(form, '⟦secret⟧'), this.#redactor.redact(text).text);
    return clean.replace(PERSONAL, (found) =>
      found.includes('@') ? '⟦address⟧' : found.length === 36 ? found : '⟦number⟧',
    );
  }
}
