/** The environment of a run, passed in so that a run is the same over sockets, in this process or from a record. */

import type { ClientOptions } from '../client/client-options.ts';
import type { Admission } from '../client/safety/guard.ts';
import type { Wire } from '../client/wire.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecorderContext } from '../exchange/recorder.ts';
import type { Secret } from '../exchange/redaction.ts';
import type { RunInputs } from '../verdict/header.ts';

/** The reason of an abort signal that is not an interruption; the message completes "the run ended: …". */
export class RunEnd extends Error {
  override readonly name = 'RunEnd';
}

/** The environment of a run; much of it goes to the client as it is. */
export interface Ports
  extends Pick<
    ClientOptions,
    'transport' | 'clock' | 'extraHeaders' | 'beforeCreate' | 'beforeWrite' | 'onWait' | 'onCall'
  > {
  /** A wire that is not live. It passes on each exchange as soon as that is known. */
  readonly wire?: (how: { readonly admission: Admission }, onExchange: (exchange: Exchange) => void) => Wire;
  /** When the run began, in milliseconds since the epoch, if that was recorded. */
  readonly startedAt?: number;
  /** The inbound secret to write, unless it is drawn at random. */
  readonly secret?: string;
  /** The inputs to record, if the options were made from a record. */
  readonly inputs?: RunInputs;
  /** Hexadecimal digits from the system's random source, for what must not follow from the seed. */
  readonly random: (bytes: number) => string;
  readonly recorder: (secrets: readonly Secret[]) => RecorderContext;
  readonly version: string;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly signal?: AbortSignal;
}
