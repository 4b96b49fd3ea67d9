/** The secrets that recorded requests carry: they are searched for in every later response, and kept out of every file. */

import type { RecordedLeak } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { headerValue } from '../exchange/message.ts';
import { Redactor, type Secret } from '../exchange/redaction.ts';
import { tokensIn } from '../exchange/url-tokens.ts';
import type { Entry } from './entry.ts';
import type { Place } from './place.ts';

/** So many are searched for at a time; production has more credentials than a search can hold. */
const MOST = 256;
/** A shorter one stands in every text by chance. */
const SHORTEST = 4;
const MASKED = /\*{3}|x{4}|redact|mask|hidden|secret|⟦|\.{3}/i;

/** Whether it is what only a machine writes: a mask, a word or a name would be found by chance. */
function isUnmistakable(text: string): boolean {
  const isMixed = /[0-9]/.test(text) && /[a-z]/i.test(text) && new Set(text).size >= 8;
  return text.length >= 16 && isMixed && !MASKED.test(text);
}

/** The value of an Authorization field without its scheme. */
export const tokenOf = (authorization: string): string => authorization.replace(/^\s*\S+\s+/, '').trim();

function inboundSecret(body: Entry['requestBody']): string | undefined {
  const value = typeof body === 'string' ? parsedJson(body) : undefined;
  return isObject(value) && typeof value['secret'] === 'string' ? value['secret'] : undefined;
}

/** The secrets of a recording. */
export class Secrets {
  /** Secrets beyond the limit, and weak or masked ones: no response was searched for them. */
  readonly unsearched = new Set<string>();
  readonly #search = new Redactor([], 22);
  readonly #searched = new Set<string>();

  /** Notes the secrets of a request. */
  note({ requestHeaders, requestBody, url }: Entry, { operation }: Place): void {
    const authorization = headerValue(requestHeaders, 'authorization');
    if (authorization !== undefined)
      this.#add({ kind: 'credential', label: 'credential', value: tokenOf(authorization) });
    for (const token of url.includes('?') ? tokensIn('token', url.slice(url.indexOf('?'))) : [])
      this.#add(token, false);
    if (operation !== 'setInboundAuth') return;
    const value = inboundSecret(requestBody);
    if (value !== undefined) this.#add({ kind: 'inbound-secret', label: 'inbound secret', value });
  }

  #add(secret: Secret, isSearched = true): void {
    const { value } = secret;
    if (value === '' || this.#searched.has(value) || this.unsearched.has(value)) return;
    if (isSearched && this.#searched.size < MOST && isUnmistakable(value)) {
      this.#searched.add(value);
      this.#search.add(secret);
    } else if (this.unsearched.size < MOST) {
      this.unsearched.add(value);
    }
  }

  /** What a response leaks. */
  leaksIn({ headers, body }: Entry): readonly RecordedLeak[] {
    if (this.#searched.size === 0) return [];
    const text = typeof body === 'string' ? body : body == null ? '' : Buffer.from(body).toString('latin1');
    const fields = (headers ?? []).map(([, value]) => value).join('\n');
    // Most responses leak nothing, and one search is cheaper than two.
    if (this.#search.leaksIn(`${text}\n${fields}`).length === 0) return [];
    return [
      ...this.#search.leaksIn(text).map((leak) => ({ ...leak, where: 'body' as const })),
      ...this.#search.leaksIn(fields).map((leak) => ({ ...leak, where: 'header' as const })),
    ];
  }

  /** The text without secrets and, as far as can be told, without numbers and addresses of people. */
  redact(text: string): string {
    let clean = this.#search.redact(text).text;
    for (const value of this.unsearched) {
      if (value.length < SHORTEST) continue;
      for (const one of [value, JSON.stringify(value).slice(1, -1)]) clean = clean.replaceAll(one, '⟦secret⟧');
    }
    return clean.replace(PERSONAL, (found) =>
      found.includes('@') ? '⟦address⟧' : found.length === 36 ? found : '⟦number⟧',
    );
  }
}

/** A UUID is matched so that its digits are not; seven digits may be the number of a telephone. */
const PERSONAL =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\+?\d(?:[ ().-]?\d){6,30}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gi;
