/** The environment of a run, passed in so that a run is the same on a socket, in this process or from a record. */

import type { Clock } from '../client/pacing.ts';
import type { Target } from '../client/target.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Header, Transport } from '../exchange/message.ts';
import type { RecorderContext } from '../exchange/recorder.ts';
import type { Secret } from '../exchange/redaction.ts';
import type { RunInputs } from '../verdict/record.ts';
import type { Plan } from './plan.ts';

/** A value that the record must never hold, and what it is. */
export type RunSecret = Secret;

/** The reason of a signal that ends a run for another cause than an interruption; the message completes "the run ended: …". */
export class RunEnd extends Error {
  override readonly name = 'RunEnd';
}

/** The environment of a run. */
export interface Ports {
  readonly transport: Transport;
  /** A target that is not live. It passes on each exchange when it becomes known. */
  readonly target?: (onExchange: (exchange: Exchange) => void) => Target;
  /** The inbound secret to write, unless it is drawn at random. */
  readonly secret?: string;
  /** The inputs to record, if the options were made from a record. */
  readonly inputs?: RunInputs;
  readonly clock: Clock;
  /** Hexadecimal digits from the system's random source, for what must not follow from the seed. */
  readonly random: (bytes: number) => string;
  readonly recorder: (secrets: readonly RunSecret[]) => RecorderContext;
  readonly version: string;
  /** Header fields for a gateway in front of the target, sent with every request; their values are secrets. */
  readonly extraHeaders?: readonly Header[];
  readonly onExchange?: (exchange: Exchange) => void;
  /** A walk of so many requests that found nothing and was not kept. */
  readonly onForgotten?: (requests: number) => void;
  readonly onPlan?: (plan: Plan, inputs: RunInputs) => void;
  /** Called before a wait, with the status that caused it; `null` where the target does not respond. */
  readonly onWait?: (milliseconds: number, status: number | null) => void;
  readonly beforeCreate?: (seq: number) => void;
  /** Called before an update that is not clean-up leaves. */
  readonly beforeUpdate?: (operation: OperationId) => void;
  /** Called when a call was placed, with the candidates for its id (none: no answer showed one), and when it ended. */
  readonly onCall?: (ids: readonly string[], open: boolean) => void;
  readonly signal?: AbortSignal;
}
