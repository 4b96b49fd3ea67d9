/** The connections of a run: straight to the target or through a proxy, with its trust and the client's certificate. */

import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';

/** How connections come about. */
export interface ConnectionOptions {
  /** Certificate authorities in PEM, trusted besides the well-known ones. */
  readonly ca?: string;
  /** Certificate chain and private key with which the client shows who it is, in PEM. */
  readonly client?: { readonly cert: string; readonly key: string };
  /** Address of an HTTP proxy in between; it may hold a user name and a password. */
  readonly proxy?: string;
  /** Most connections at a time that reads share; as many as needed if absent. */
  readonly connections?: number;
}

/** Reads share connections. */
export interface Dispatchers {
  readonly reads: Dispatcher;
  /** A write gets a connection of its own: on a kept one that the target is just closing, its outcome would be unknown. */
  readonly writes: Dispatcher;
}

/** Connections that no timeout of the library's own ends: a request has one, over connecting, header and body together. */
export function openDispatchers({ ca, client, proxy, connections }: ConnectionOptions): Dispatchers {
  const tls = { timeout: 0, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }), ...client };
  const common = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 64 * 1024 };
  const read = { ...common, pipelining: 1, ...(connections === undefined ? {} : { connections }) };
  const write = { ...common, pipelining: 0 };
  if (proxy === undefined) {
    return { reads: new Agent({ ...read, connect: tls }), writes: new Agent({ ...write, connect: tls }) };
  }
  // Many proxies let CONNECT through to TLS ports only: what is not encrypted is asked of the proxy itself.
  const through = { uri: proxy, proxyTunnel: false, requestTls: tls, proxyTls: tls };
  return { reads: new ProxyAgent({ ...read, ...through }), writes: new ProxyAgent({ ...write, ...through }) };
}
