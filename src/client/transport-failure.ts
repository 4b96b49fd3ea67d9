/** Why a request got no complete response, in fixed phrases; only a line that is not HTTP is quoted. */

import { SHOWN } from '../contract/limits.ts';
import type { FailureKind, WireFailure } from '../exchange/message.ts';

type FailurePhrase = readonly [kind: FailureKind, detail: string];

/** What the parser says, and the violated rule of HTTP/1.1 (RFC 9112); anything else is perhaps not HTTP. */
const RULES: readonly (readonly [says: RegExp, rule: string])[] = [
  [/HTTP version|status code/, 'its status line has no known version or no status of three digits, section 4'],
  [/whitespace after header value/, 'a header field goes on in the next line, section 5.2'],
  [/header token/, 'a line of its header section is not "name: value", section 5'],
  [/header value char/, 'the value of a header field holds a control character, section 5'],
  [/Transfer-Encoding/, 'it has both Transfer-Encoding and Content-Length, section 6.2'],
  [/Content-Length/, 'Content-Length is not a number, section 6.2'],
  [/content-length header/, 'it says its length twice, or a line after Content-Length is malformed, section 6.3'],
  [/chunk/, 'a chunk does not have the size that it says, section 7.1'],
  [/Missing expected|Expected LF/, 'a line does not end with CR LF, section 2.2'],
  [/^bad upgrade$/, 'it changes a protocol without a request for that: RFC 9110, section 7.8'],
];

function notHttp(message: string, line: string): FailurePhrase {
  const [, rule] = RULES.find(([says]) => says.test(message)) ?? [];
  const shown = line.length > SHOWN.word ? `${line.slice(0, SHOWN.word)}…` : line;
  const quoted = line === '' ? '' : `: ${JSON.stringify(shown)}`;
  return ['malformed', `the response is not well-formed HTTP${rule === undefined ? '' : ` (${rule})`}${quoted}`];
}

const NOT_CONNECTED: FailurePhrase = ['timeout', 'no connection was established in time'];
const NO_DESCRIPTORS: FailurePhrase = ['refused', 'no file descriptors are left on this machine'];
const NOT_WRITABLE: FailurePhrase = ['refused', 'nothing was sent: the request cannot be written as HTTP'];

const BY_CODE: ReadonlyMap<string, FailurePhrase> = new Map<string, FailurePhrase>([
  // Nothing leaves without a socket, whichever system call fails.
  ['EMFILE', NO_DESCRIPTORS],
  ['ENFILE', NO_DESCRIPTORS],
  ['EAI_AGAIN', ['unresolved', 'the name server did not answer']],
  ['CERT_HAS_EXPIRED', ['tls', 'the certificate has expired']],
  ['CERT_NOT_YET_VALID', ['tls', 'the certificate is not valid yet']],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['tls', 'the certificate was issued for another name']],
  ['UND_ERR_CONNECT_TIMEOUT', NOT_CONNECTED],
  ['UND_ERR_HEADERS_OVERFLOW', ['too-large', 'the header section of the response is larger than 64 KiB']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['short', 'the body is not as long as Content-Length says']],
  ['UND_ERR_INVALID_ARG', NOT_WRITABLE],
  ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', ['refused', 'nothing was sent: Content-Length is not that of the body']],
  ['UND_ERR_NOT_SUPPORTED', NOT_WRITABLE],
  // The request may have been sent already, so it does not count as unsent.
  ['UND_ERR_DESTROYED', ['reset', 'the transport was closed before a response came']],
  ['UND_ERR_CLOSED', ['refused', 'nothing was sent: the transport was closed']],
]);

const PROXY_VARIABLES = 'HTTP_PROXY or HTTPS_PROXY';
const NOT_THROUGH = `the proxy in ${PROXY_VARIABLES} did not connect to the target`;

/** Failures of a connection that was not established, or of its name. */
const CONNECTING: readonly string[] = [
  ...['the host name does not resolve', 'the name server did not answer', 'the connection was refused'],
  ...['the host cannot be reached', NOT_CONNECTED[1]],
];

/** The failure behind an error; `status` is that of a status line before it, `proxied` says that a proxy was used. */
export function wireFailure(error: unknown, status: number | null, proxied = false): WireFailure {
  const [failure, plain] = phraseOf(error, status, proxied);
  const detail = proxied && CONNECTING.includes(plain) ? `${plain} (of the proxy in ${PROXY_VARIABLES})` : plain;
  return { kind: 'failure', failure, detail, ...(status === null ? {} : { status }) };
}

function phraseOf(error: unknown, status: number | null, proxied: boolean): FailurePhrase {
  const [code, message] = [text(error, 'code'), text(error, 'message')];
  // undici says so when a proxy answers instead of the target.
  const refusal = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message);
  if (refusal?.[1] === '407')
    return ['refused', `the proxy asks for credentials (status 407): write them into ${PROXY_VARIABLES}`];
  if (refusal !== null) return ['refused', `${NOT_THROUGH} (status ${refusal[1]})`];
  // Before a status is known, a malformed line after Content-Length causes this; after one, the body ended early.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && status === null) return notHttp(message, '');
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  // Name servers fail in many ways: an EAI_FAIL was reported as a failed TLS handshake on a target without TLS.
  if (text(error, 'syscall') === 'getaddrinfo') return ['unresolved', 'the host name does not resolve'];
  // "Host unreachable" can also come after the request was sent. With several addresses, each of them failed.
  const failed: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  if (failed.every((each) => text(each, 'syscall') === 'connect')) {
    if (code === 'ETIMEDOUT') return NOT_CONNECTED;
    return ['refused', code === 'ECONNREFUSED' ? 'the connection was refused' : 'the host cannot be reached'];
  }
  if (/SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/.test(code))
    return ['tls', 'the certificate was issued by an unknown authority'];
  // The client offers HTTP/1.1 alone.
  if (/NO_APPLICATION_PROTOCOL/.test(code)) return ['tls', 'the server does not offer HTTP/1.1'];
  // Later errors break a request that may have arrived.
  if (Object(error).isUnconnected === true) {
    const isOfTls = !proxied || /^(?:ERR_SSL_|EPROTO)/.test(code);
    return isOfTls ? ['tls', 'the TLS handshake failed'] : ['refused', `${NOT_THROUGH}, but ended the connection`];
  }
  if (text(error, 'name') === 'HTTPParserError' || /^bad (?:response|upgrade)$/.test(message))
    return notHttp(message, text(error, 'line'));
  if (status !== null) return ['short', 'the connection ended before the body was complete'];
  return ['reset', 'the connection ended before a response came'];
}

function text(error: unknown, name: 'code' | 'line' | 'message' | 'name' | 'syscall'): string {
  const value: unknown = Reflect.get(Object(error), name);
  return typeof value === 'string' ? value : '';
}
