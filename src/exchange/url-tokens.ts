/** Tokens in URLs: some gateways expect a token in the path or the query instead of a header field. */

import { Redactor, type Secret } from './redaction.ts';

const SECRET_PARAMETER = /auth|cred|key|pass|secret|sig|token/i;

/** Whether only a machine would write such a text: long, of letters and digits. A UUID is an id, not a token. */
function isToken(text: string): boolean {
  const isMixed = [/[0-9]/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(text));
  return (isMixed && text.length >= 12) || (/[0-9]/.test(text) && /[a-z]/i.test(text) && /[a-z0-9]{16}/i.test(text));
}

/** The parts of a URL that look like tokens: in the path, and in the query by value or by name. */
export function tokensIn(label: string, url: string): readonly Secret[] {
  const [path = '', query = ''] = url.split('?', 2);
  // A segment of a path may have parameters, and a field of a query may have no name.
  const parts = [...path.split(/[/;]/), ...query.split('&')];
  const values = parts.flatMap((part) => {
    const [, name = '', value = part] = /^([^=]*)=(.+)$/.exec(part) ?? [];
    return SECRET_PARAMETER.test(name) || isToken(value) ? [value] : [];
  });
  return values.map((value) => ({ kind: 'url-token', label, value }));
}

/** A URL that may be shown: without its tokens. */
export function shownUrl(url: string): string {
  return new Redactor(tokensIn('token', url)).redact(url).text;
}
