/** The forms of a credential (section 5). */

import { hash } from 'node:crypto';
import type { TargetSettingName } from '../contract/settings.ts';

/** A made-up secret, repeated to the needed length: if the target echoes it, nothing leaks. */
export const WRONG_SECRET = hash('sha256', 'a wrong secret 0', 'base64url').replaceAll(/[-_]/g, 'x');

/** Characters behind the credential where it is long: columns and buffers end at 255, 500, 1,024 or 1,500. */
export const LONG = 1_600;

const SECRET_PART = `\${PCS_ACCESS_TOKEN#*org_}`;
const PREFIX = `\${PCS_ACCESS_TOKEN%"${SECRET_PART}"}`;

const header = (value: string): readonly string[] => ['-H', `"Authorization: ${value}"`];
const piped = (command: string): string => `$(printf %s "${SECRET_PART}" | ${command})`;

const part = (command: string): string => `$(printf %s "$PCS_ACCESS_TOKEN" | ${command})`;

/** A part of the credential is replaced by other characters, chosen in `src/client/credential.ts`. */
const changed = (command: string): string =>
  part(`${command} | tr -c 'A-Za-z0-9' 9 | tr 'A-Za-z0-9' '0-5l-z0-94B-Ua-ea-e'`);

const MIDDLE = `$((\${#PCS_ACCESS_TOKEN} / 2))`;
const AFTER_THE_MIDDLE = `tail -c +$((\${#PCS_ACCESS_TOKEN} / 2 + 2))`;
const ONE_IN_THE_MIDDLE = `head -c $((\${#PCS_ACCESS_TOKEN} / 2 + 1)) | tail -c 1`;

/** Every form of a credential, as a shell builds it for curl from `$PCS_ACCESS_TOKEN`: no curl line holds a secret. */
export const CURL_CREDENTIALS = {
  valid: header('Bearer $PCS_ACCESS_TOKEN'),
  none: [],
  'empty-bearer': ['-H', "'Authorization: Bearer'"],
  basic: ['-u', '"$PCS_ACCESS_TOKEN:$PCS_ACCESS_TOKEN"'],
  'other-scheme': header('Basic $PCS_ACCESS_TOKEN'),
  'token-scheme': header('Token $PCS_ACCESS_TOKEN'),
  'digest-scheme': header('Digest $PCS_ACCESS_TOKEN'),
  'longer-scheme': header('NotBearer $PCS_ACCESS_TOKEN'),
  bare: header('$PCS_ACCESS_TOKEN'),
  'wrong-secret': header(`Bearer ${PREFIX}$(yes ${WRONG_SECRET} | tr -d '\\n' | head -c ${piped('wc -c')})`),
  truncated: header(`Bearer \${PCS_ACCESS_TOKEN%?}`),
  suffixed: header('Bearer $PCS_ACCESS_TOKEN;$PCS_ACCESS_TOKEN'),
  listed: header('Bearer $PCS_ACCESS_TOKEN,$PCS_ACCESS_TOKEN'),
  spaced: header('Bearer $PCS_ACCESS_TOKEN $PCS_ACCESS_TOKEN'),
  'last-changed': header(`Bearer \${PCS_ACCESS_TOKEN%?}${changed('tail -c 1')}`),
  'middle-changed': header(`Bearer ${part(`head -c ${MIDDLE}`)}${changed(ONE_IN_THE_MIDDLE)}${part(AFTER_THE_MIDDLE)}`),
  'case-changed': header(`Bearer ${PREFIX}${piped("tr 'a-zA-Z' 'A-Za-z'")}`),
  unprefixed: header(`Bearer ${SECRET_PART}`),
  'wrong-prefix': header(`Bearer ${part('head -c 1 | tr A-Za-z N-ZA-Mn-za-m')}\${PCS_ACCESS_TOKEN#?}`),
  short: header('Bearer x..'),
  'non-ascii': header(`Bearer ${PREFIX}ß${SECRET_PART}`),
  long: header(`Bearer $PCS_ACCESS_TOKEN.$(yes ${WRONG_SECRET} | tr -d '\\n' | head -c ${LONG})`),
  'text-none': header('Bearer None'),
  'text-null': header('Bearer null'),
  'two-blanks': header(`Bearer  ${WRONG_SECRET}`),
  revoked: header('Bearer $PCS_REVOKED_ACCESS_TOKEN'),
  query: [],
  'lower-case-scheme': header('bearer $PCS_ACCESS_TOKEN'),
  'other-organization': header('Bearer $PCS_OTHER_ORG_ACCESS_TOKEN'),
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** How a credential was made: the record has this in place of the credential. */
export type CredentialForm = keyof typeof CURL_CREDENTIALS;

/** The forms, in the order in which a record names the available ones. */
export const CREDENTIAL_FORMS = Object.keys(CURL_CREDENTIALS) as readonly CredentialForm[];

/**
 * Forms with a malformed or long field, or with a parameter that a target need not know: 400 is as right as 401 (RFC 6750, 2.1,
 * 3.1; RFC 7616, 3.4; RFC 7617, 2).
 */
export const MALFORMED_FORMS: readonly CredentialForm[] = [
  ...(['empty-bearer', 'bare', 'other-scheme', 'suffixed', 'listed', 'spaced', 'two-blanks', 'long'] as const),
  ...(['token-scheme', 'digest-scheme', 'non-ascii', 'query'] as const),
];

/** The setting that a form of credential needs besides the access token, if any. */
export function settingOf(form: CredentialForm): TargetSettingName | undefined {
  if (form === 'revoked') return 'PCS_REVOKED_ACCESS_TOKEN';
  return form === 'other-organization' ? 'PCS_OTHER_ORG_ACCESS_TOKEN' : undefined;
}
