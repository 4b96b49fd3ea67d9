/** How each form of a credential is made (section 5). What is made here is sent and never recorded. */

import { createHash } from 'node:crypto';
import type { TargetSettingName } from '../contract/settings.ts';
import { type CredentialForm, QUERY_NAMES } from '../exchange/exchange.ts';

/** The credentials of the settings; only the first is always there. */
export interface Credentials {
  readonly access: string;
  readonly otherOrganization?: string;
  readonly revoked?: string;
}

/** How a request carries its credential: in the Authorization header, in the query string, or not at all. */
export type Carried =
  | { readonly in: 'header'; readonly value: string }
  | { readonly in: 'query'; readonly query: string }
  | { readonly in: 'nothing' };

/** A secret of that length unrelated to the real one: an echo of it by the target gives nothing away. */
function otherSecret(length: number): string {
  const blocks = Array.from({ length: Math.ceil(length / 43) }, (_, at) =>
    createHash('sha256').update(`a wrong secret ${at}`).digest('base64url'),
  );
  return blocks.join('').replaceAll(/[-_]/g, 'x').slice(0, length);
}

function swapCase(text: string): string {
  return [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Another character of the same kind. It lies half the alphabet away, so that base64 text differs in bits that a decoder
 * reads even at its last character.
 */
function otherCharacter(character: string): string {
  const at = LETTERS.indexOf(character);
  return LETTERS[((at < 0 ? LETTERS.length - 1 : at) + LETTERS.length / 2) % LETTERS.length] ?? '';
}

/** The text with the character at that index changed. */
function changedAt(text: string, index: number): string {
  return text.slice(0, index) + otherCharacter(text.charAt(index)) + text.slice(index + 1);
}

const inHeader = (value: string): Carried => ({ in: 'header', value });
const bearer = (value: string | undefined): Carried | null =>
  value === undefined ? null : inHeader(`Bearer ${value}`);

/**
 * The credential in that form, or `null` if the form cannot be made: it needs a credential that is not configured, or
 * the result would be the valid credential (a secret without letters has no other letter case).
 */
export function carry(form: CredentialForm, { access, revoked, otherOrganization }: Credentials): Carried | null {
  const [, prefix = '', secret = access] = /^(.*?org_)(.+)$/s.exec(access) ?? [];
  const invalid = (value: string): Carried | null => (value === access || value === '' ? null : bearer(value));
  switch (form) {
    case 'valid':
      return bearer(access);
    case 'none':
      return { in: 'nothing' };
    case 'empty-bearer':
      return inHeader('Bearer');
    case 'basic':
      return inHeader(`Basic ${Buffer.from(`${access}:`).toString('base64')}`);
    case 'other-scheme':
      return inHeader(`Basic ${access}`);
    case 'longer-scheme':
      return inHeader(`NotBearer ${access}`);
    case 'bare':
      return inHeader(access);
    case 'wrong-secret':
      return invalid(prefix + otherSecret(secret.length));
    case 'truncated':
      return invalid(access.slice(0, -1));
    case 'suffixed':
      return bearer(`${access}x`);
    case 'prefixed':
      return bearer(`x${access}`);
    case 'last-changed':
      return invalid(changedAt(access, access.length - 1));
    case 'middle-changed':
      return invalid(changedAt(access, Math.floor(access.length / 2)));
    case 'case-changed':
      return invalid(prefix + swapCase(secret));
    case 'unprefixed':
      return prefix === '' ? null : invalid(secret);
    case 'wrong-prefix':
      return prefix === '' ? null : invalid(changedAt(access, 0));
    case 'short':
      return invalid('x');
    case 'non-ascii':
      // UTF-8 in a header field: HTTP libraries take each byte for a character.
      return invalid(Buffer.from(`${prefix}größe`).toString('latin1'));
    case 'lower-case-scheme':
      return inHeader(`bearer ${access}`);
    case 'query':
      return { in: 'query', query: QUERY_NAMES.map((name) => `${name}=${encodeURIComponent(access)}`).join('&') };
    case 'revoked':
      return bearer(revoked);
    case 'other-organization':
      return bearer(otherOrganization);
  }
}

/** The setting that a form of credential needs, if it needs one of its own. */
export function settingOf(form: CredentialForm): TargetSettingName | undefined {
  if (form === 'revoked') return 'PCS_REVOKED_ACCESS_TOKEN';
  return form === 'other-organization' ? 'PCS_OTHER_ORG_ACCESS_TOKEN' : undefined;
}
