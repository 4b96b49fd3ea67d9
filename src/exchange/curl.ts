/** A recorded request as a line for a POSIX shell, to reproduce a finding by hand. */

import { SHOWN } from '../contract/limits.ts';
import { CURL_CREDENTIALS } from './credential-forms.ts';
import { CONFIGURED_SECRET, QUERY_NAMES, type RecordedHeader, type RecordedRequest } from './exchange.ts';
import { encodeText } from './json-text.ts';

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The text in single quotes of a POSIX shell. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The bytes as a format of `printf`; all but plain ASCII is written in octal. */
const formatOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => {
    if (byte === 0x25) return '%%';
    if (byte === 0x5c) return '\\\\';
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');

/** The only masked value in a body that a setting provides unchanged. */
const SECRET_VARIABLE = '"$PCS_INBOUND_SECRET"';

/** A `printf` that writes the text; the configured secret comes from the environment. */
function printfOf(text: string, utf8: boolean): string {
  const formats = text.split(CONFIGURED_SECRET).map((part) => formatOf(encodeText(part, utf8)));
  // A format that begins with a dash would be read as an option.
  return ['printf --', singleQuoted(formats.join('%s')), ...formats.slice(1).map(() => SECRET_VARIABLE)].join(' ');
}

/** A base64 credential as `encodeURIComponent` writes it. */
const CREDENTIAL_IN_QUERY = `"$(printf %s "$PCS_ACCESS_TOKEN" | sed 's/+/%2B/g; s,/,%2F,g; s/=/%3D/g')"`;

/** The base address from the settings, for a record in which its token is masked. */
const MASKED_BASE = `"\${PCS_BASE_URL%"\${PCS_BASE_URL##*[!/]}"}"`;

/** The placeholder of a masked value. A byte that is not UTF-8 has a placeholder, too, but can be written again. */
const MASKED = /⟦(?!byte [0-9a-f]{2}⟧)/;

/** Fields that curl sets itself, or that are in the line already. */
const OWN_FIELDS: readonly string[] = ['authorization', 'content-length', 'host'];

/** Before a body of this size curl sends `Expect: 100-continue`, which the suite never does. */
const EXPECT_FROM_BYTES = 1_024;

const WITH_PAYLOAD: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** The pipe into curl for the body, and the arguments for it. */
function payloadOf({ body, method }: RecordedRequest): readonly [pipe: string, ...words: string[]] {
  if (body === null) return WITH_PAYLOAD.includes(method) ? ['', '-H', "'Content-Length: 0'"] : [''];
  const { text = '', utf8 } = body;
  // A body that begins with @ would name a file.
  if (utf8 && !UNPRINTABLE.test(text) && !text.startsWith('@') && text.length <= SHOWN.argument) {
    const parts = text.split(CONFIGURED_SECRET).map((part, at) => (at > 0 && part === '' ? '' : singleQuoted(part)));
    return ['', '--data-binary', parts.join(SECRET_VARIABLE)];
  }
  return [`${printfOf(text, utf8)} | `, '--data-binary', '@-'];
}

/** Whether it is a field of `PCS_HEADER` with a masked value. */
const isOfGateway = ([name, value]: RecordedHeader): boolean =>
  value.toLowerCase().includes(`⟦header ${name.toLowerCase().replace(/[^a-z0-9-]/g, '')}⟧`);

/** A field as the run sent it. A masked gateway field takes its value from the line of `PCS_HEADER` with its name. */
function fieldWord(field: RecordedHeader): string {
  const [name, value] = field;
  if (isOfGateway(field))
    return `"${name}:$(printf '%s\\n' "$PCS_HEADER" | grep -i '^[[:blank:]]*${name}[[:blank:]]*:' | cut -d : -f 2-)"`;
  const text = value === '' ? `${name};` : `${name}: ${value}`;
  return UNPRINTABLE.test(text) ? `"$(${printfOf(text, true)})"` : singleQuoted(text);
}

function headerWords({ headers, body }: RecordedRequest): readonly string[] {
  const names = headers.map(([name]) => name.toLowerCase());
  const words = headers.flatMap((field) => ['-H', fieldWord(field)]);
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

/** Where the shell puts the credential: the value of each query parameter that may carry it. */
const SLOT = new RegExp(`(?<=[?&](?:${QUERY_NAMES.join('|')})=)[^&]*`);

/** Adds the query of the credential, which the record leaves out. */
function withCredentialQuery(path: string): string {
  if (SLOT.test(path)) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${QUERY_NAMES.map((name) => `${name}=`).join('&')}`;
}

/** The shell puts the credential into the query string, whatever the record has in its place. */
function pathWord(base: string, path: string, inQuery: boolean): string {
  const [first = '', ...rest] = inQuery ? withCredentialQuery(path).split(SLOT) : [path];
  const start = MASKED.test(base)
    ? `${MASKED_BASE}${singleQuoted(onTheLine(first))}`
    : singleQuoted(base + onTheLine(first));
  return [start, ...rest.map((part) => (part === '' ? '' : singleQuoted(onTheLine(part))))].join(CREDENTIAL_IN_QUERY);
}

/** curl drops what follows `#`, and a final `?`, unless the request target is given separately. */
const isDropped = (path: string): boolean => /#|\?$/.test(path);

function curlTarget(base: string, path: string): readonly string[] {
  if (!isDropped(path)) return [];
  const prefix = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)?$/i.exec(base)?.[1] ?? '';
  return ['--request-target', singleQuoted(`${prefix}${onTheLine(path)}`)];
}

/** Whether a line can hold each part: no masked value without a variable, and nothing that an argument cannot hold. */
function isWritable({ path, headers, body, credential }: RecordedRequest, base: string): boolean {
  const inPath = credential === 'query' ? path.split(SLOT).join('') : path;
  const secrets = headers.filter(isOfGateway).map(([name]) => name);
  return (
    ![inPath, body?.text?.replaceAll(CONFIGURED_SECRET, '') ?? ''].some((text) => MASKED.test(text)) &&
    headers.every(([name, value]) => secrets.includes(name) || !/[\0\r\n⟦]/.test(value)) &&
    new Set(secrets).size === secrets.length &&
    (body === null || body.text !== undefined) &&
    !(MASKED.test(base) && isDropped(path))
  );
}

/**
 * One line that sends the request again: same method, path, fields and bytes, each secret from the variable of its
 * setting, the credential in the form that was sent; `undefined` where the line could not be the same. `first`: a
 * request without a body that is sent before it over the same connection. `words`: further arguments of each request.
 */
export function curlCommand(
  request: RecordedRequest,
  baseUrl: string,
  first?: RecordedRequest,
  words: readonly string[] = [],
): string | undefined {
  const base = baseUrl.replace(/\/+$/, '');
  const [command, before] = [request, first].map((recorded) => recorded && commandTo(recorded, base, words));
  // Both go over one connection, which curl uses again.
  return before === undefined ? command : command && `${before} --next ${command.replace(/^curl /, '')}`;
}

function commandTo(recorded: RecordedRequest, base: string, more: readonly string[]): string | undefined {
  const headers = recorded.headers.filter(([name]) => !OWN_FIELDS.includes(name.toLowerCase()));
  const request = { ...recorded, headers };
  if (!isWritable(request, base)) return undefined;
  const [pipe, ...words] = payloadOf(request);
  const line = [
    ...['curl', '-sS', '-i', '--http1.1', '--globoff', '--path-as-is', ...more],
    ...(request.method === 'HEAD' ? ['--head'] : ['-X', request.method]),
    ...CURL_CREDENTIALS[request.credential],
    ...headerWords(request),
    ...words,
    ...curlTarget(base, request.path),
    pathWord(base, request.path, request.credential === 'query'),
  ];
  return `${pipe}${line.join(' ')}`;
}
