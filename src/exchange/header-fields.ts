/** The header fields that the suite knows, in one table: which are read, kept, masked and shown. */

import { KEPT } from '../contract/limits.ts';
import { DRAWN_UUID } from '../contract/uuid.ts';

interface HeaderField {
  /** The suite reads it in a response: the first one is kept however many fields a response has. */
  readonly read?: true;
  /** It is kept of recorded traffic. */
  readonly kept?: true;
  /** Its whole value may be a secret: no record and no report holds more than this mark. */
  readonly masked?: `⟦${string}⟧`;
  /** In which messages the screen shows it. */
  readonly shown?: 'in requests' | 'in responses' | 'in both';
}

/** Placeholder for the cookies of the target: only what leaves holds them. */
export const COOKIES = '⟦cookie⟧';

/** By name in lower case. */
export const HEADER_FIELDS: ReadonlyMap<string, HeaderField> = new Map(
  Object.entries<HeaderField>({
    age: { read: true },
    accept: { kept: true },
    allow: { read: true, kept: true, shown: 'in responses' },
    authorization: { masked: '⟦authorization⟧' },
    'content-encoding': { read: true, kept: true },
    'content-length': { read: true, kept: true, shown: 'in requests' },
    'content-type': { read: true, kept: true, shown: 'in both' },
    cookie: { masked: COOKIES },
    date: { read: true, kept: true },
    link: { read: true },
    location: { read: true, kept: true, shown: 'in responses' },
    'proxy-authorization': { masked: '⟦authorization⟧' },
    ratelimit: { read: true },
    'ratelimit-limit': { read: true },
    'ratelimit-policy': { read: true },
    'ratelimit-remaining': { read: true },
    'ratelimit-reset': { read: true },
    'retry-after': { read: true, kept: true, shown: 'in responses' },
    server: { read: true },
    'set-cookie': { read: true, masked: COOKIES },
    'transfer-encoding': { read: true, kept: true },
    'www-authenticate': { read: true, kept: true, shown: 'in responses' },
    'x-ratelimit-limit': { read: true },
    'x-ratelimit-remaining': { read: true },
    'x-ratelimit-reset': { read: true },
    'x-request-id': { shown: 'in responses' },
  }),
);

const namesWhere = (isMeant: (field: HeaderField) => boolean): ReadonlySet<string> =>
  new Set([...HEADER_FIELDS].flatMap(([name, field]) => (isMeant(field) ? [name] : [])));

/** Names of the fields that the suite reads in responses. */
export const READ_FIELDS = namesWhere(({ read }) => read === true);

/** Whether a field of recorded traffic is kept. */
export const isKeptField = (name: string): boolean => HEADER_FIELDS.get(name.toLowerCase())?.kept === true;

/** Names of the fields that the screen shows for a request or a response. */
export const shownFields = (where: 'in requests' | 'in responses'): ReadonlySet<string> =>
  namesWhere(({ shown }) => shown === where || shown === 'in both');

const SECRET_FIELD = /(?:^|-)(?:api-?)?(?:authorization|cookie|key|secret|token)$/i;

/** The constant part of a field, if the rest is drawn for each request. */
export const constantOf = (value: string): string => value.replaceAll(DRAWN_UUID, '');

/** Whether a field that the user adds is a secret: by its name, or because only a machine writes such a value. */
export function isSecretField([name, written]: readonly [name: string, value: string]): boolean {
  const value = constantOf(written);
  // A product and its version: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36`. Drawn values are not secret.
  if (/^user-agent$/i.test(name) || (value !== written && value.length < KEPT.unmistakable)) return false;
  const isMixed = (part: string): boolean => part.length >= 16 && /\d/.test(part) && /[a-z]/i.test(part);
  return SECRET_FIELD.test(name) || (new Set(value).size >= 8 && value.split(/\s+/).some(isMixed));
}
