/** How each form of a credential is made (section 5). What is made here is sent and never recorded. */

import { createHash } from 'node:crypto';
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

/** The organization prefix of a credential, up to and including `org_`, and its secret part. */
export function splitCredential(credential: string): { readonly prefix: string; readonly secret: string } {
  const match = /^(.*?org_)(.+)$/s.exec(credential);
  return match === null ? { prefix: '', secret: credential } : { prefix: match[1] ?? '', secret: match[2] ?? '' };
}

/** A secret of that length that has nothing of the real one: what a target echoes of it gives nothing away. */
function otherSecret(length: number): string {
  const blocks = Array.from({ length: Math.ceil(length / 43) }, (_, at) =>
    createHash('sha256').update(`a wrong secret ${at}`).digest('base64url'),
  );
  return blocks.join('').replaceAll(/[-_]/g, 'x').slice(0, length);
}

function swapCase(text: string): string {
  return [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
}

const bearer = (value: string): Carried => ({ in: 'header', value: `Bearer ${value}` });

/**
 * The credential in that form, or `null` where the form cannot be made: it needs a credential that is not configured,
 * or what comes out would be the valid credential after all (a secret without letters has no other letter case).
 */
export function carry(form: CredentialForm, credentials: Credentials): Carried | null {
  const { access } = credentials;
  const { prefix, secret } = splitCredential(access);
  const broken = (value: string): Carried | null => (value === access || value === '' ? null : bearer(value));
  switch (form) {
    case 'valid':
      return bearer(access);
    case 'none':
      return { in: 'nothing' };
    case 'empty-bearer':
      return { in: 'header', value: 'Bearer' };
    case 'basic':
      return { in: 'header', value: `Basic ${Buffer.from(`${access}:`).toString('base64')}` };
    case 'other-scheme':
      return { in: 'header', value: `Basic ${access}` };
    case 'bare':
      return { in: 'header', value: access };
    case 'wrong-secret':
      return broken(prefix + otherSecret(secret.length));
    case 'truncated':
      return broken(access.slice(0, -1));
    case 'suffixed':
      return bearer(`${access}x`);
    case 'unprefixed':
      return prefix === '' ? null : broken(secret);
    case 'case-changed':
      return broken(prefix + swapCase(secret));
    case 'wrong-prefix':
      return prefix === '' ? null : bearer(`x${access}`);
    case 'lower-case-scheme':
      return { in: 'header', value: `bearer ${access}` };
    case 'query':
      return { in: 'query', query: QUERY_NAMES.map((name) => `${name}=${encodeURIComponent(access)}`).join('&') };
    case 'revoked':
      return credentials.revoked === undefined ? null : bearer(credentials.revoked);
    case 'other-organization':
      return credentials.otherOrganization === undefined ? null : bearer(credentials.otherOrganization);
  }
}

/** The setting that a form of credential needs, if it needs one of its own. */
export function settingOf(form: CredentialForm): string | undefined {
  if (form === 'revoked') return 'PCS_REVOKED_ACCESS_TOKEN';
  return form === 'other-organization' ? 'PCS_OTHER_ORG_ACCESS_TOKEN' : undefined;
}
