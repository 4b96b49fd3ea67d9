/** The connections of a run: direct or through a proxy, with the certificates that are trusted and that the client shows. */

import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
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
  /** Resolves host names; the system does unless given. */
  readonly resolve?: typeof lookup;
}

/**
 * Resolves each host name once and keeps its addresses: where a name moves in mid-run, what the new host says of a call
 * of the old one is worth nothing.
 */
export function resolvingOnce(resolve: typeof lookup = lookup): LookupFunction {
  const known = new Map<string, LookupAddress[]>();
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]): void => {
      const [{ address, family } = { address: '', family: 0 }] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, address, family);
    };
    const addresses = known.get(hostname);
    if (addresses !== undefined) return answer(addresses);
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      known.set(hostname, known.get(hostname) ?? found);
      answer(known.get(hostname) ?? found);
    });
  };
}

/**
 * Reads share connections; each write has its own, since on one that the target is closing its outcome would be unknown.
 * The library's timeouts are off: each request has one of its own for connecting, header and body together.
 */
export function openDispatchers(options: ConnectionOptions): Readonly<Record<'reads' | 'writes', Dispatcher>> {
  const { ca, client, proxy, resolve } = options;
  const tls = {
    timeout: 0,
    lookup: resolvingOnce(resolve),
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...client,
  };
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
