/** The secrets that recorded requests carry: they are searched for in every later response, and kept out of every file. */

import { QUERY_NAMES } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { Redactor, type Secret } from '../exchange/redaction.ts';
import { textOf } from '../exchange/texts.ts';
import { tokensIn } from '../exchange/url-tokens.ts';
import type { Entry } from './entry.ts';
import type { Place } from './place.ts';

/** So many are searched for at a time; production has more credentials than a search can hold. */
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

/** Whose credential a request carries: `someone` has any, `nobody` has none. */
export type Sender = 'ours' | 'others' | 'someone' | 'nobody' | 'unknown';

const OF_OUR_RECORD: Readonly<Record<string, Sender>> = {
  valid: 'ours',
  'other-organization': 'others',
  none: 'nobody',
  'empty-bearer': 'nobody',
};

/** Credentials that tell whose a request is. */
export interface Credentials {
  readonly access?: string;
  readonly otherOrganization?: string;
}

/** Who sent a request, as far as its recording shows. */
export function senderOf(entry: Entry, { access, otherOrganization }: Credentials): Sender {
  const { own, token, requestHeaders, url } = entry;
  if (own !== undefined) return OF_OUR_RECORD[own.credential] ?? 'unknown';
  if (token !== undefined) return token === access ? 'ours' : token === otherOrganization ? 'others' : 'someone';
  const isElsewhere =
    requestHeaders.some(([name]) => LIKE_A_CREDENTIAL.test(name)) ||
    QUERY_NAMES.some((name) => url.includes(`${name}=`));
  return requestHeaders.length > 0 && !isElsewhere ? 'nobody' : 'unknown';
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
  note({ token, requestBody }: Entry, { operation, path }: Place): void {
    if (token !== undefined) this.#note({ kind: 'credential', label: 'credential', value: token });
    if (operation === 'setInboundAuth') {
      const body = requestBody && parsedJson(textOf(requestBody));
      const value = isObject(body) && typeof body['secret'] === 'string' ? body['secret'] : '';
      this.#note({ kind: 'inbound-secret', label: 'inbound secret', value });
    }
    if (!path.includes('?')) return;
    for (const { value } of tokensIn('token', path.slice(path.indexOf('?')))) this.#noteUnsearched(value);
  }

  #note(secret: Secret): void {
    const { value } = secret;
    if (this.#searched.has(value)) return;
    if (this.#searched.size >= MOST || !isUnmistakable(value)) this.#noteUnsearched(value);
    else {
      this.#searched.add(value);
      this.add(secret);
    }
  }

  #noteUnsearched(value: string): void {
    if (value !== '' && !this.#searched.has(value) && this.unsearched.size < MOST) this.unsearched.add(value);
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
