/** Says in the record's words why a request got no complete answer; the phrases quote nothing of the target. */

import type { FailureKind } from '../exchange/exchange.ts';
import type { WireFailure } from '../exchange/message.ts';

type Phrase = readonly [kind: FailureKind, detail: string];

const NOT_HTTP: Phrase = ['malformed', 'the answer is not well-formed HTTP'];

const BY_CODE: ReadonlyMap<string, Phrase> = new Map<string, Phrase>([
  ['ENOTFOUND', ['unresolved', 'the host name does not resolve']],
  ['EAI_AGAIN', ['unresolved', 'the name service gave no answer']],
  ['CERT_HAS_EXPIRED', ['tls', 'the certificate has expired']],
  ['CERT_NOT_YET_VALID', ['tls', 'the certificate is not valid yet']],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['tls', 'the certificate was issued for another name']],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ['tls', 'the certificate was issued by an unknown authority']],
  ['SELF_SIGNED_CERT_IN_CHAIN', ['tls', 'the certificate was issued by an unknown authority']],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ['tls', 'the certificate was issued by an unknown authority']],
  ['UNABLE_TO_GET_ISSUER_CERT', ['tls', 'the certificate was issued by an unknown authority']],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ['tls', 'the certificate was issued by an unknown authority']],
  ['UND_ERR_CONNECT_TIMEOUT', ['timeout', 'no connection came about in time']],
  ['UND_ERR_HEADERS_OVERFLOW', ['too-large', 'the header section of the answer is larger than 64 KiB']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['short', 'the body is not as long as Content-Length says']],
  ['UND_ERR_INVALID_ARG', ['refused', 'nothing was sent: the request cannot be written as HTTP']],
  ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', ['refused', 'nothing was sent: Content-Length is not that of the body']],
  ['UND_ERR_NOT_SUPPORTED', ['refused', 'nothing was sent: the request cannot be written as HTTP']],
  // It may have been under way already, so nobody may call it unsent.
  ['UND_ERR_DESTROYED', ['reset', 'the transport was closed before an answer came']],
  ['UND_ERR_CLOSED', ['refused', 'nothing was sent: the transport was closed']],
]);

/** What the library says where a proxy answers in the target's stead. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;

/** TLS errors that can only come from the handshake; later ones break a request that may have arrived. */
const HANDSHAKE = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|.*HANDSHAKE.*|PACKET_LENGTH_TOO_LONG|NO_.*)$/;

/** What an error of the connection or of the parser means; `status` where a status line came before it. */
export function failureOf(error: unknown, status: number | null): WireFailure {
  const [failure, detail] = phraseOf(error, status);
  return { kind: 'failure', failure, detail, ...(status === null ? {} : { status }) };
}

function phraseOf(error: unknown, status: number | null): Phrase {
  const code = text(error, 'code');
  const proxied = PROXY_REFUSAL.exec(text(error, 'message'));
  if (proxied !== null) return proxyPhrase(proxied[1] ?? proxied[2] ?? '');
  // Two different lengths show like this before any status is known; later it is a body that ended early.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && status === null) return NOT_HTTP;
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  // An unreachable host can also show while an answer is awaited; only then something was sent.
  if (text(error, 'syscall') === 'connect' || isConnectFailure(error)) return connectPhrase(code);
  if (HANDSHAKE.test(code)) return ['tls', 'no TLS connection came about'];
  if (text(error, 'name') === 'HTTPParserError' || /^bad (?:response|upgrade)$/.test(text(error, 'message'))) {
    return NOT_HTTP;
  }
  if (status !== null) return ['short', 'the connection ended before the body was complete'];
  return ['reset', 'the connection ended before an answer came'];
}

function proxyPhrase(status: string): Phrase {
  if (status === '407') return ['refused', 'the proxy asks for credentials (status 407)'];
  return ['refused', `the proxy refused the way to the target (status ${status})`];
}

function connectPhrase(code: string): Phrase {
  if (code === 'ETIMEDOUT') return ['timeout', 'no connection came about in time'];
  if (code === 'ECONNREFUSED') return ['refused', 'the connection was refused'];
  return ['refused', 'the host cannot be reached'];
}

/** Several addresses were tried and each failed. */
function isConnectFailure(error: unknown): boolean {
  return error instanceof AggregateError && error.errors.every((each) => text(each, 'syscall') === 'connect');
}

function text(error: unknown, name: 'code' | 'message' | 'name' | 'syscall'): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : '';
}
