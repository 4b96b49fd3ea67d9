/** Each form of a credential as a shell writes it from `$PCS_ACCESS_TOKEN` (section 5): no curl line holds a secret. */

import type { CredentialForm } from './exchange.ts';

const SECRET_PART = `\${PCS_ACCESS_TOKEN#*org_}`;
const PREFIX = `\${PCS_ACCESS_TOKEN%"${SECRET_PART}"}`;

const header = (value: string): readonly string[] => ['-H', `"Authorization: ${value}"`];
const piped = (command: string): string => `$(printf %s "${SECRET_PART}" | ${command})`;

/** The query string's own form: a base64 credential may hold `+`, which a query reads as a space. */
export const CREDENTIAL_IN_QUERY = `"$(printf %s "$PCS_ACCESS_TOKEN" | sed 's/+/%2B/g')"`;

const ARGUMENTS: Readonly<Record<CredentialForm, readonly string[]>> = {
  valid: header('Bearer $PCS_ACCESS_TOKEN'),
  none: [],
  'empty-bearer': ['-H', "'Authorization: Bearer'"],
  basic: ['-u', '"$PCS_ACCESS_TOKEN:"'],
  'other-scheme': header('Basic $PCS_ACCESS_TOKEN'),
  bare: header('$PCS_ACCESS_TOKEN'),
  'wrong-secret': header(`Bearer ${PREFIX}${piped("sed 's/./0/g'")}`),
  truncated: header(`Bearer \${PCS_ACCESS_TOKEN%?}`),
  suffixed: header(`Bearer \${PCS_ACCESS_TOKEN}x`),
  unprefixed: header(`Bearer ${SECRET_PART}`),
  'case-changed': header(`Bearer ${PREFIX}${piped("tr 'a-zA-Z' 'A-Za-z'")}`),
  revoked: header('Bearer $PCS_REVOKED_ACCESS_TOKEN'),
  query: [],
  'wrong-prefix': header('Bearer x$PCS_ACCESS_TOKEN'),
  'lower-case-scheme': header('bearer $PCS_ACCESS_TOKEN'),
  'other-organization': header('Bearer $PCS_OTHER_ORG_ACCESS_TOKEN'),
};

/** The arguments of curl that carry the credential in that form; none where it goes in the query string or nowhere. */
export function credentialArguments(form: CredentialForm): readonly string[] {
  return ARGUMENTS[form];
}
