/** The connections of a run: direct or through a proxy, with the certificates that are trusted and that the client shows. */

import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { skippingInterimResponses } from './interim-responses.ts';

/** How connections are made. */
export interface ConnectionOptions {
  /** Certificate authorities in PEM, trusted in addition to the well-known ones. */
  readonly ca?: string;
  /** The client's certificate chain and private key, in PEM. */
  readonly client?: { readonly cert: string; readonly key: string };
  /** Address of an HTTP proxy; it may hold a user name and a password. */
  readonly proxy?: string;
}

/**
 * Reads share connections; each write has its own, since on one that the target is closing its outcome would be unknown.
 * The library's timeouts are off: each request has one of its own for connecting, header and body together.
 */
export function openDispatchers(options: ConnectionOptions): Readonly<Record<'reads' | 'writes', Dispatcher>> {
  const { ca, client, proxy } = options;
  const tls = { timeout: 0, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }), ...client };
  const common = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 64 * 1024 };
  const read = { ...common, pipelining: 1 };
  const write = { ...common, pipelining: 0 };
  if (proxy === undefined) {
    const connect = skippingInterimResponses(buildConnector(tls));
    return { reads: new Agent({ ...read, connect }), writes: new Agent({ ...write, connect }) };
  }
  // Many proxies allow CONNECT to TLS ports only, so plain HTTP is sent to the proxy itself.
  const through = { uri: proxy, proxyTunnel: false, requestTls: tls, proxyTls: tls, factory: poolThrough };
  return { reads: new ProxyAgent({ ...read, ...through }), writes: new ProxyAgent({ ...write, ...through }) };
}

/** The connections of a proxy agent, which has its own way to connect. */
function poolThrough(origin: URL, { connect, ...options }: Pool.Options): Dispatcher {
  if (typeof connect !== 'function') throw new TypeError('a proxy agent has a function to connect');
  return new Pool(origin, { ...options, connect: skippingInterimResponses(connect) });
}
