/** A recorded request as a line for a POSIX shell, so that a finding can be seen again by hand. */

import { SHOWN } from '../contract/limits.ts';
import { CURL_CREDENTIALS } from './credential-forms.ts';
import { QUERY_NAMES, type RecordedBody, type RecordedRequest } from './exchange.ts';
import { encodeText } from './texts.ts';

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The text in single quotes of a POSIX shell. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A `printf` that writes these bytes; all but plain ASCII is written in octal. */
function printfOf(bytes: Uint8Array): string {
  const format = Array.from(bytes, (byte) => {
    if (byte === 0x25) return '%%';
    if (byte === 0x5c) return '\\\\';
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');
  // A format that begins with a dash would be read as an option.
  return `printf -- ${singleQuoted(format)}`;
}

/** A word for any text; `printf` writes control characters, and NUL, which no argument can hold, is left out. */
function shellWord(text: string): string {
  if (!UNPRINTABLE.test(text)) return singleQuoted(text);
  return `"$(${printfOf(Buffer.from(text.replaceAll('\0', ''), 'utf8'))})"`;
}

/** In a query string, a `+` of a base64 credential would be read as a space. */
const CREDENTIAL_IN_QUERY = `"$(printf %s "$PCS_ACCESS_TOKEN" | sed 's/+/%2B/g')"`;

/** Fields that curl sets itself, or that stand in the line already. */
const OWN_FIELDS: readonly string[] = ['authorization', 'content-length', 'host', 'connection'];

/** Before a body of this size curl sends `Expect: 100-continue`, which the suite never does. */
const EXPECT_FROM_BYTES = 1_024;

const WITH_PAYLOAD: readonly string[] = ['POST', 'PUT', 'PATCH'];

interface Payload {
  readonly pipe: string;
  readonly words: readonly string[];
}

function payloadOf(body: RecordedBody | null, method: string): Payload {
  if (body === null) return { pipe: '', words: WITH_PAYLOAD.includes(method) ? ['-H', "'Content-Length: 0'"] : [] };
  if (body.text === undefined) return { pipe: '', words: ['--data-binary', '@-'] };
  const { text, utf8 } = body;
  // A body that begins with @ would name a file.
  if (utf8 && !UNPRINTABLE.test(text) && !text.startsWith('@') && text.length <= SHOWN.argument) {
    return { pipe: '', words: ['--data-binary', singleQuoted(text)] };
  }
  return { pipe: `${printfOf(encodeText(text, utf8))} | `, words: ['--data-binary', '@-'] };
}

function headerWords(request: RecordedRequest): readonly string[] {
  const sent = request.headers.filter(([name]) => !OWN_FIELDS.includes(name.toLowerCase()));
  const names = sent.map(([name]) => name.toLowerCase());
  const words = sent.flatMap(([name, value]) => ['-H', shellWord(value === '' ? `${name};` : `${name}: ${value}`)]);
  const { body } = request;
  const unwanted = [
    ...(names.includes('accept') ? [] : ['Accept']),
    ...(body !== null && !names.includes('content-type') ? ['Content-Type'] : []),
    ...(body !== null && body.length >= EXPECT_FROM_BYTES ? ['Expect'] : []),
  ];
  return [...words, ...unwanted.flatMap((name) => ['-H', `'${name}:'`])];
}

/** Characters that no request line can hold are percent-encoded. */
function onTheLine(path: string): string {
  const encoded = (character: string): string => Buffer.from(character).toString('hex').toUpperCase();
  return path.replace(/[\p{C}\p{Z}]/gu, (character) => encoded(character).replace(/../g, '%$&'));
}

/** Where the shell puts the credential: the value of each of its names. */
const SLOT = new RegExp(`(?<=[?&](?:${QUERY_NAMES.join('|')})=)[^&]*`);

/** The record leaves the credential's query out; the line has it again. */
function withQuery(path: string): string {
  if (SLOT.test(path)) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${QUERY_NAMES.map((name) => `${name}=`).join('&')}`;
}

/** The shell puts the credential into the query string, whatever the record has in its place. */
function pathWord(base: string, path: string, inQuery: boolean): string {
  const parts = inQuery ? withQuery(path).split(SLOT) : [path];
  const words = parts.map((part, at) => (part === '' ? '' : singleQuoted(`${at === 0 ? base : ''}${onTheLine(part)}`)));
  return words.join(CREDENTIAL_IN_QUERY);
}

/** curl drops what follows `#` and a bare `?` at the end, unless the request target is given apart. */
function targetWords(base: string, path: string): readonly string[] {
  if (!/#|\?$/.test(path)) return [];
  const prefix = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)?$/i.exec(base)?.[1] ?? '';
  return ['--request-target', singleQuoted(`${prefix}${onTheLine(path)}`)];
}

/**
 * One line that sends the request again: same method, path, fields and bytes, the credential from `$PCS_ACCESS_TOKEN`
 * in the form that was sent. Where the record has a placeholder for a secret, the line sends the placeholder. `first`: a
 * request without a body that goes out before it, over the same connection.
 */
export function curlCommand(request: RecordedRequest, baseUrl: string, first?: RecordedRequest): string {
  const line = commandOf(request, baseUrl);
  // Both go over one connection, which curl uses again.
  return first === undefined ? line : `${commandOf(first, baseUrl)} --next ${line.replace(/^curl /, '')}`;
}

function commandOf(request: RecordedRequest, baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const { pipe, words } = payloadOf(request.body, request.method);
  const method = request.method === 'HEAD' ? ['--head'] : ['-X', request.method];
  const line = [
    ...['curl', '-sS', '-i', '--globoff', '--path-as-is'],
    ...method,
    ...CURL_CREDENTIALS[request.credential],
    ...headerWords(request),
    ...words,
    ...targetWords(base, request.path),
    pathWord(base, request.path, request.credential === 'query'),
  ];
  return `${pipe}${line.join(' ')}`;
}
