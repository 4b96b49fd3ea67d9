/** The connections of a run, direct or through a proxy, with the trusted authorities and the client's certificate. */

import { type LookupAddress, lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { LookupFunction, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import * as tls from 'node:tls';
import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { READ, TIME, TRIALS } from '../contract/limits.ts';
import type { WireRequest } from '../exchange/message.ts';

/** How connections are made. */
export interface ConnectionOptions {
  /** Certificate authorities in PEM, trusted in addition to the well-known ones. */
  readonly ca?: string;
  /** The client's certificate chain and private key, in PEM. */
  readonly client?: { readonly cert: string; readonly key: string };
  /** Address of an HTTP proxy; it may hold a user name and a password. */
  readonly proxy?: string;
  /** Milliseconds that simultaneous requests wait until all have a connection; 1,000 if absent. */
  readonly together?: number;
  readonly resolve?: typeof lookup;
}

/**
 * Resolves each host name once and keeps its addresses: if a name moves in mid-run, what the new host says of a call on
 * the old host is worth nothing.
 */
export function resolvingOnce(resolve: typeof lookup = lookup): LookupFunction {
  const known = new Map<string, LookupAddress[]>();
  return (hostname, options, callback) => {
    const answer = (): void => {
      const addresses = known.get(hostname) ?? [];
      const [{ address, family } = { address: '', family: 0 }] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, address, family);
    };
    if (known.has(hostname)) return answer();
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      if (!known.has(hostname)) known.set(hostname, found);
      answer();
    });
  };
}

/**
 * The authorities that Node trusts without `--ca`, NODE_EXTRA_CA_CERTS included: a company's proxy needs them beside
 * the target's authority. Before Node 22.15 we have to read that file; like Node, we ignore an unreadable one.
 */
function usualAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { readonly getCACertificates?: (kind: 'default') => readonly string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
  try {
    return extra === '' ? tls.rootCertificates : [...tls.rootCertificates, readFileSync(extra, 'utf8')];
  } catch {
    return tls.rootCertificates;
  }
}

/** No time limits here: the timeout of each request covers connecting, header and body. */
const COMMON = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: READ.header };

type Release = () => Promise<unknown>;

/** A dispatcher with one connection, which is kept open between requests (1) or closed after one (0). */
type Connect = (pipelining: 0 | 1, release: Release) => Dispatcher;

function connector(origin: string, { ca, client, proxy, resolve }: ConnectionOptions): Connect {
  const secured = {
    timeout: 0,
    // Node gives each address but the last 250 ms: over a slow line no host with an IPv6 address was reachable.
    autoSelectFamilyAttemptTimeout: TIME.together,
    // With NODE_TLS_REJECT_UNAUTHORIZED=0, a run sent the credential 286 times to a server with an unknown authority.
    rejectUnauthorized: true,
    lookup: resolvingOnce(resolve),
    // Made once: parsing all certificates for each connection would take most of the time of a run.
    secureContext: tls.createSecureContext({
      ...(ca === undefined ? {} : { ca: [...usualAuthorities(), ca] }),
      ...client,
    }),
  };
  if (proxy === undefined) {
    const connect = buildConnector(secured);
    return (pipelining, release) => new Client(origin, { ...COMMON, connect: watching(connect, release), pipelining });
  }
  // Many proxies allow CONNECT to TLS ports only, so plain HTTP is sent to the proxy itself.
  const through = { uri: proxy, proxyTunnel: false, requestTls: secured, proxyTls: secured };
  return (pipelining, release) => {
    // A proxy agent has its own way to connect.
    const factory = (proxied: URL, { connect, ...options }: Pool.Options): Dispatcher => {
      if (typeof connect !== 'function') throw new TypeError('a proxy agent has a function to connect');
      return new Pool(proxied, { ...options, connect: watching(connect, release) });
    };
    return new ProxyAgent({ ...COMMON, ...through, factory, connections: 1, pipelining });
  };
}

/** Made once: the library would make one, with its stack, for each connection. */
const DROPPED = new Error('the connection is not used any more');

/** A connection; `ready` reports, once, that its simultaneous request is written or never will be. */
interface Line {
  readonly dispatcher: Dispatcher;
  ready: (() => Promise<void>) | undefined;
}

/**
 * Lets simultaneous requests leave once each is written to its connection. When each left as soon as it was connected,
 * the first was answered before the second arrived, and 10 of 11 services that cannot serve two at once passed.
 */
function momentOf(count: number, most: number) {
  let [missing, joined] = [count, 0];
  let timer: NodeJS.Timeout | undefined;
  let leaveAll: (isLate: boolean) => void;
  /** Resolves when the requests leave; `true` if one of them is late. */
  const left = new Promise<boolean>((resolve) => {
    leaveAll = resolve;
  });
  const ready = async (before: number): Promise<void> => {
    missing -= 1;
    timer ??= setTimeout(() => leaveAll(true), most);
    if (missing === 0) {
      clearTimeout(timer);
      setTimeout(() => leaveAll(false), TIME.accepting);
    }
    await left;
    // In this order: with the valid credential second, a service that is open while it reads another request passed.
    for (let turn = 0; turn < before; turn += 1) await null;
  };
  /** What the next request calls when it is written or never will be; resolves when it leaves, in this order. */
  const join = (): (() => Promise<void>) => {
    const before = joined++;
    return () => ready(before);
  };
  return { left, join };
}

type Departure = ReturnType<typeof momentOf>;

/** The connections to one origin. */
export class Connections {
  readonly #connect: Connect;
  /** Open and idle, the most recently used last. */
  readonly #idle: Line[] = [];
  readonly #open = new Set<Line>();
  readonly #closing = new Set<Promise<void>>();
  readonly #moments = new WeakMap<object, Departure>();
  readonly #together: number;
  #late = 0;
  #isClosed = false;

  constructor(origin: string, options: ConnectionOptions) {
    this.#connect = connector(origin, options);
    this.#together = options.together ?? TIME.together;
  }

  /**
   * A connection for one request, `isOwn` or one that was used before; closes idle ones so that at most `room` are
   * open, unless more are in use. The requests of one `moment` leave together. The caller has to `release` it.
   */
  async take(isOwn: boolean, room: number, moment?: WireRequest['moment']): Promise<Line> {
    const ready = moment && this.#momentOf(moment)?.join();
    const known = isOwn ? undefined : this.#idle.pop();
    if (known !== undefined) {
      known.ready = ready;
      // Three turns let us notice a close by the target: the end that came with a response shows only then.
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
      return known;
    }
    const surplus = Math.max(0, this.#open.size + 1 - room);
    for (const connection of this.#idle.splice(0, surplus)) void this.#drop(connection);
    const isFull = this.#open.size + this.#closing.size >= room;
    const made: Line = { dispatcher: this.#connect(isOwn ? 0 : 1, () => leave(made) ?? setImmediate()), ready };
    this.#open.add(made);
    if (isFull) {
      await Promise.all(this.#closing);
      // The other side notices it a moment later.
      await setImmediate();
    }
    if (this.#isClosed) await this.#drop(made);
    return made;
  }

  /** The request is over; its connection may be kept if the response was complete. */
  release(line: Line, isKept: boolean): void {
    // The request was never written.
    void leave(line);
    if (isKept) this.#idle.push(line);
    else void this.#drop(line);
  }

  /** A target that accepts the next connection only after it answered on the last is not waited for each time. */
  #momentOf(moment: NonNullable<WireRequest['moment']>): Departure | undefined {
    const known = this.#moments.get(moment);
    if (known !== undefined || this.#late >= TRIALS.rule) return known;
    const made = momentOf(moment.count, this.#together);
    this.#moments.set(moment, made);
    void made.left.then((isLate) => {
      this.#late = isLate ? this.#late + 1 : 0;
    });
    return made;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((connection) => this.#drop(connection)));
    await Promise.all(this.#closing);
  }

  async #drop(line: Line): Promise<void> {
    this.#open.delete(line);
    const closed = line.dispatcher.destroy(DROPPED);
    this.#closing.add(closed);
    await closed;
    this.#closing.delete(closed);
  }
}

/** Reports once that a simultaneous request is ready; resolves when it may leave. */
function leave(line: Line): Promise<void> | undefined {
  const { ready } = line;
  line.ready = undefined;
  return ready?.();
}

/** A whole interim response (RFC 9110, section 15.2); 101 is the final response before another protocol. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d[ \r](?:[^\n]|(?<=\r)\n)*?\r\n\r\n/;
const INTERIM_BEGUN = /^HTTP\/1\.\d 1(?!01)\d\d[ \r](?:[^\n]|(?<=\r)\n)*$/;

/** Whether a text may be the beginning of an interim response: a packet may end anywhere in it. */
const isInterimBegun = (text: string): boolean =>
  text.length < READ.header && INTERIM_BEGUN.test(text + 'HTTP/1.1 100 '.slice(text.length));

/** The line of the last chunk at which undici's parser stopped; undefined if the error names no position. */
function offendingLine(chunk: Buffer | null, error: unknown): string | undefined {
  const { name, data: rest, message } = Object(error);
  const read = name === 'HTTPParserError' ? String(chunk) : '';
  if (!rest || !read.endsWith(rest)) return undefined;
  // The parser notices a missing CR only in the next line.
  const stop = read.length - rest.length - (/\(Missing expected/.test(message) ? 1 : 0);
  const [line = ''] = read.slice(read.lastIndexOf('\n', stop - 1) + 1).split(/\r?\n/, 1);
  // The field name is enough: a value may differ each time and make a known finding a new one.
  return /^(?:HTTP\/|Content-Length:)/i.test(line) ? line : line.replace(/:.*/s, ': …');
}

/**
 * The same socket, on which each interim response at the beginning of a response reads as `102 Processing`. A client
 * has to accept them unasked, and undici skips all but `100 Continue`, which it treats as a broken response. Parser
 * errors get the `line` at which the parser stopped.
 * Whatever is written in one turn leaves at once when `release` says so: if a service answers a body in chunks before
 * it has read it, and closes, writing the next chunk fails and the answer was lost three times in four.
 */
export function skippingContinue(socket: Socket, release: Release = setImmediate): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let isAtStart = true;
  let isHeld = false;
  let last: Buffer | null = null;
  let begun: Buffer | null = null;
  socket.read = (): Buffer | null => {
    const more: Buffer | null = read();
    if (more === null) return null;
    let chunk = begun === null ? more : Buffer.concat([begun, more]);
    begun = null;
    for (let at = 0; isAtStart && at < chunk.length; ) {
      const rest = chunk.toString('latin1', at);
      const [interim] = INTERIM.exec(rest) ?? [];
      if (interim !== undefined) {
        chunk.write('102', at + 'HTTP/1.1 '.length);
        at += interim.length;
      } else if (isInterimBegun(rest)) {
        begun = chunk.subarray(at);
        chunk = chunk.subarray(0, at);
      } else isAtStart = false;
    }
    if (chunk.length === 0) return null;
    last = chunk;
    return chunk;
  };
  socket.write = (...[chunk, ...more]: readonly unknown[]): boolean => {
    // The head of a request is text, and a body is bytes.
    isAtStart ||= typeof chunk === 'string';
    if (!isHeld) {
      isHeld = true;
      socket.cork();
      void release().then(() => {
        isHeld = false;
        socket.uncork();
      });
    }
    return Reflect.apply(write, socket, [chunk, ...more]);
  };
  socket.destroy = (error?: Error): Socket => {
    const line = offendingLine(last, error);
    return destroy(line === undefined ? error : Object.assign(Object(error), { line }));
  };
  return socket;
}

function watching(connect: buildConnector.connector, release: Release): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, skippingContinue(socket, release));
      else callback(unconnected(error), null);
    });
}

/**
 * Marks the error of a connection over which nothing was sent: while a gateway loaded its certificate, calls "may be
 * open". undici reconnects at once after a socket error of its own: a proxy that closes connections got 2,000 a second.
 */
function unconnected(error: Error): Error {
  const isOfProxy = Reflect.get(error, 'code') === 'UND_ERR_SOCKET';
  return Object.assign(isOfProxy ? new Error('the proxy ended the connection') : error, { isUnconnected: true });
}
