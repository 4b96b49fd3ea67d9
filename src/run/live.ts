/** The real environment of a run: sockets, a clock, the system's random source. */

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../client/client-options.ts';
import type { ConnectionOptions } from '../client/dispatchers.ts';
import { undiciTransport } from '../client/transport.ts';
import { KEPT } from '../contract/limits.ts';
import { withoutUndefined } from '../contract/lists.ts';
import { sha256 } from '../exchange/digest.ts';
import { keyedDigest } from '../exchange/facts.ts';
import type { Header } from '../exchange/message.ts';
import { Redactor } from '../exchange/redaction.ts';
import { type RunOptions, THROUGH_THE_PROXY, watchedIds } from './options.ts';
import type { Ports } from './ports.ts';

/** How the target is reached, as data: a private authority, a client certificate, a proxy, gateway header fields. */
export interface Connection extends ConnectionOptions {
  readonly headers?: readonly Header[];
}

/** The options of a run that reaches its target over that connection: its conditions say so. */
export function reachedOver<Options extends Pick<RunOptions, 'reach'>>(
  options: Options,
  how: Connection = {},
): Options {
  const { proxy, ca, client } = how;
  const digest = (pem: string): string => `sha256:${sha256(pem)}`;
  const reach = [
    ...(proxy === undefined ? [] : [`${THROUGH_THE_PROXY}${hostAndPort(new URL(proxy))}`]),
    ...(ca === undefined ? [] : [`also trusting the authority ${digest(ca)}`]),
    ...(client === undefined ? [] : [`showing the client certificate ${digest(client.cert)}`]),
    ...(options.reach ?? []),
  ];
  return reach.length === 0 ? options : { ...options, reach };
}

const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;

/** What belongs to this machine and this run, not to the requests. */
export interface LiveOptions {
  readonly version: string;
  readonly connection?: Connection;
  readonly signal?: AbortSignal;
}

/** The real environment, and a way to close it. */
export interface LivePorts {
  readonly ports: Ports;
  readonly close: () => Promise<void>;
  /** Whether a text to be written still contains a secret of the run. */
  readonly holdsSecret: (text: string) => boolean;
}

/** The real clock; a pause ends early once the signal is aborted. */
function realClock(signal?: AbortSignal): Clock {
  return {
    now: () => performance.timeOrigin + performance.now(),
    rest: (milliseconds) => setTimeout(milliseconds),
    sleep: (milliseconds) => setTimeout(milliseconds, undefined, signal && { signal }).catch(() => undefined),
  };
}

/** The environment for judging a real target. */
export function livePorts(options: RunOptions, live: LiveOptions): LivePorts {
  const { origin } = new URL(options.baseUrl);
  const values: string[] = [];
  const { headers, ...how } = live.connection ?? {};
  const { transport, close } = undiciTransport({ origin, ...how });
  const ports: Ports = {
    transport,
    clock: realClock(live.signal),
    random: (bytes) => randomBytes(bytes).toString('hex'),
    recorder: (secrets) => {
      const searched = secrets.filter(
        ({ value, isOrdinary }) => isOrdinary !== true && value.length >= KEPT.unmistakable,
      );
      values.push(...searched.map(({ value }) => value));
      return {
        redactor: new Redactor(secrets),
        digest: keyedDigest(randomBytes(32)),
        watch: watchedIds(options),
        fullEvidence: false,
      };
    },
    version: live.version,
    ...withoutUndefined({ extraHeaders: headers, signal: live.signal }),
  };
  return { ports, close, holdsSecret: (text) => values.some((value) => text.includes(value)) };
}
