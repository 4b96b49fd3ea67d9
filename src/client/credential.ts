/** How each form of a credential is made (section 5). These credentials are sent and never recorded. */

import { LONG, WRONG_SECRET } from '../exchange/credential-forms.ts';
import { type CredentialForm, QUERY_NAMES } from '../exchange/exchange.ts';

/** The credentials of the settings; only the first is always present. */
export interface Credentials {
  readonly access: string;
  readonly otherOrganization?: string;
  readonly revoked?: string;
}

/** How a request carries its credential: in the Authorization header, in the query string, or not at all. */
export type Carried = Readonly<Partial<Record<'header' | 'query', string>>>;

const otherSecret = (length: number): string =>
  WRONG_SECRET.repeat(Math.ceil(length / WRONG_SECRET.length)).slice(0, length);

const swapCase = (text: string): string =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');

const TOKEN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const OTHER_LETTERS = '012345lmnopqrstuvwxyz01234567894BCDEFGHIJKLMNOPQRSTUabcdeabcde';

/**
 * The text with another letter or digit at that index. Hexadecimal stays hexadecimal: readers that compare only the
 * beginning still reject any other form. Base64 changes in bits that a decoder reads even in the last character.
 */
function changedAt(text: string, index: number): string {
  const at = TOKEN_LETTERS.indexOf(text.charAt(index));
  return text.slice(0, index) + OTHER_LETTERS.charAt(at < 0 ? TOKEN_LETTERS.length - 1 : at) + text.slice(index + 1);
}

/** Rotates the first letter by 13, keeping its case: one service accepted any prefix of lower-case letters. */
const turned = (text: string): string =>
  text.replace(/^[A-Za-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)));

const inHeader = (header: string): Carried => ({ header });
const bearer = (value: string | undefined): Carried | null =>
  value === undefined ? null : inHeader(`Bearer ${value}`);

interface Material extends Credentials {
  /** The public part of the credential through `org_`, empty if it has none, and the secret part. */
  readonly prefix: string;
  readonly secret: string;
  /** A bearer credential, or `null` if the value would be valid or empty. */
  readonly invalid: (value: string) => Carried | null;
}

const CARRIED_AS: Readonly<Record<CredentialForm, (material: Material) => Carried | null>> = {
  valid: ({ access }) => bearer(access),
  none: () => ({}),
  'empty-bearer': () => inHeader('Bearer'),
  basic: ({ access }) => inHeader(`Basic ${Buffer.from(`${access}:${access}`).toString('base64')}`),
  'other-scheme': ({ access }) => inHeader(`Basic ${access}`),
  'token-scheme': ({ access }) => inHeader(`Token ${access}`),
  // As long as Bearer: a reader that strips seven characters unseen finds the credential.
  'digest-scheme': ({ access }) => inHeader(`Digest ${access}`),
  'longer-scheme': ({ access }) => inHeader(`NotBearer ${access}`),
  bare: ({ access }) => inHeader(access),
  'wrong-secret': ({ prefix, secret, invalid }) => invalid(prefix + otherSecret(secret.length)),
  truncated: ({ access, invalid }) => invalid(access.slice(0, -1)),
  // The credential is at both ends: a reader that truncates, or searches without an anchor, finds it.
  suffixed: ({ access }) => bearer(`${access};${access}`),
  listed: ({ access }) => bearer(`${access},${access}`),
  spaced: ({ access }) => bearer(`${access} ${access}`),
  'last-changed': ({ access, invalid }) => invalid(changedAt(access, access.length - 1)),
  'middle-changed': ({ access, invalid }) => invalid(changedAt(access, Math.floor(access.length / 2))),
  'case-changed': ({ prefix, secret, invalid }) => invalid(prefix + swapCase(secret)),
  unprefixed: ({ prefix, secret, invalid }) => (prefix === '' ? null : invalid(secret)),
  'wrong-prefix': ({ access, prefix, invalid }) => (prefix === '' ? null : invalid(turned(access))),
  // Two dots, as in a token of three parts.
  short: ({ invalid }) => invalid('x..'),
  // UTF-8 in a header field: HTTP libraries read each byte as a character. Without such letters, it is the credential.
  'non-ascii': ({ prefix, secret, invalid }) => invalid(Buffer.from(`${prefix}ß${secret}`).toString('latin1')),
  // A reader that cuts at a dot, or to the length of a column or a buffer, finds the credential.
  long: ({ access }) => bearer(`${access}.${otherSecret(LONG)}`),
  // What scripts send for a variable that is not set.
  'text-none': ({ invalid }) => invalid('None'),
  'text-null': ({ invalid }) => invalid('null'),
  // A reader that splits at each blank finds an empty token. A valid one would be lawful there (RFC 6750, 2.1).
  'two-blanks': () => inHeader(`Bearer  ${WRONG_SECRET}`),
  revoked: ({ revoked }) => bearer(revoked),
  query: ({ access }) => ({ query: QUERY_NAMES.map((name) => `${name}=${encodeURIComponent(access)}`).join('&') }),
  'lower-case-scheme': ({ access }) => inHeader(`bearer ${access}`),
  'other-organization': ({ otherOrganization }) => bearer(otherOrganization),
};

/** A credential in every form; `null` where a form cannot be made. */
export type CarriedForms = Readonly<Record<CredentialForm, Carried | null>>;

/**
 * The credential in every form, or `null` if a form cannot be made: because it needs a credential that is not
 * configured, or because the result would be valid (a secret without letters has no other letter case).
 */
export function carriedForms(credentials: Credentials): CarriedForms {
  const { access } = credentials;
  const [, prefix = '', secret = access] = /^(.*?org_)(.+)$/s.exec(access) ?? [];
  const invalid = (value: string): Carried | null => (value === access || value === '' ? null : bearer(value));
  const material = { ...credentials, prefix, secret, invalid };
  return Object.fromEntries(Object.entries(CARRIED_AS).map(([form, make]) => [form, make(material)])) as CarriedForms;
}
