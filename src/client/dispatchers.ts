/** The connections of a run: direct or through a proxy, with the certificates that are trusted and that the client shows. */

import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
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

/** Milliseconds have no limit here: each request has a timeout of its own for connecting, header and body together. */
const COMMON = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 64 * 1024 };

/** A dispatcher with one connection, which is kept open between requests or closed after one. */
type Connect = (isKept: boolean) => Dispatcher;

function connector(origin: string, { ca, client, proxy }: ConnectionOptions): Connect {
  const tls = { timeout: 0, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }), ...client };
  const pipelining = (isKept: boolean): number => (isKept ? 1 : 0);
  if (proxy === undefined) {
    const connect = skippingInterimResponses(buildConnector(tls));
    return (isKept) => new Client(origin, { ...COMMON, connect, pipelining: pipelining(isKept) });
  }
  // Many proxies allow CONNECT to TLS ports only, so plain HTTP is sent to the proxy itself.
  const through = { uri: proxy, proxyTunnel: false, requestTls: tls, proxyTls: tls, factory: poolThrough };
  return (isKept) => new ProxyAgent({ ...COMMON, ...through, connections: 1, pipelining: pipelining(isKept) });
}

/** The connections of a proxy agent, which has its own way to connect. */
function poolThrough(origin: URL, { connect, ...options }: Pool.Options): Dispatcher {
  if (typeof connect !== 'function') throw new TypeError('a proxy agent has a function to connect');
  return new Pool(origin, { ...options, connect: skippingInterimResponses(connect) });
}

/** What a request needs: any connection, one of its own, or one of its own while no other is open. */
export type Wanted = 'any' | 'own' | 'only';

/** The connections to one origin: no more of them than requests are under way at once, of which there are `most`. */
export class Connections {
  readonly #connect: Connect;
  readonly #most: number;
  /** Open and not in use, the last used at the end. */
  readonly #idle: Dispatcher[] = [];
  readonly #open = new Set<Dispatcher>();
  #isClosed = false;

  constructor(origin: string, options: ConnectionOptions, most: number) {
    this.#connect = connector(origin, options);
    this.#most = most;
  }

  /** A connection for one request; `release` has to follow. */
  async take(wanted: Wanted): Promise<Dispatcher> {
    const known = wanted === 'any' ? this.#idle.pop() : undefined;
    if (known !== undefined) {
      // If the target has closed it, that is noticed first.
      await setImmediate();
      return known;
    }
    const isFull = this.#open.size >= this.#most;
    const surplus = wanted === 'only' ? this.#idle.splice(0) : isFull ? this.#idle.splice(0, 1) : [];
    await Promise.all(surplus.map((one) => this.#drop(one)));
    const made = this.#connect(wanted === 'any');
    this.#open.add(made);
    if (this.#isClosed) await this.#drop(made);
    return made;
  }

  /** The request is over; its connection may be used again if it was any, and the response was complete. */
  release(one: Dispatcher, isReusable: boolean): void {
    if (isReusable) this.#idle.push(one);
    else void this.#drop(one);
  }

  /** Drops every connection and every request under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((one) => this.#drop(one)));
  }

  async #drop(one: Dispatcher): Promise<void> {
    this.#open.delete(one);
    await one.destroy();
  }
}
