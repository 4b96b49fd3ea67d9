/** Everything a client needs; nothing is global. */

import type { ResourceKind } from '../contract/operations.ts';
import type { WaitReason } from '../contract/waiting.ts';
import type { Exchange, ExchangeTag, RecordedRequest, ShownFields } from '../exchange/exchange.ts';
import type { Header, Transport } from '../exchange/message.ts';
import type { RecorderContext } from '../exchange/recorder.ts';
import type { CarriedForms } from './credential.ts';
import type { SuiteRequest } from './request.ts';
import type { IdRegister } from './safety/id-register.ts';

/** A wait, as it is announced. */
export interface AnnouncedWait {
  readonly reason: WaitReason;
  readonly milliseconds: number;
  /** The status that caused it, `null` where the target does not respond. */
  readonly status: number | null;
  /** The most milliseconds that such waiting may take, if known. */
  readonly most?: number;
}

/** A request that may change the target, as it is announced before it is sent; secrets are redacted. */
export interface AnnouncedWrite
  extends Pick<RecordedRequest, 'method' | 'path'>,
    Pick<ExchangeTag, 'operation' | 'ids'> {
  readonly seq: number;
  readonly body?: string;
  /** The values before the run, as far as answers showed them. */
  readonly before?: ShownFields;
}

/** The only numbers that may be dialled from and to, exactly as configured. */
export interface DialNumbers {
  readonly from: string;
  readonly to: string;
  /** Further callers: for calls with a trunk, and for the organization of the request's credential. */
  readonly callers?: readonly string[];
}

/** What a create call may name: the numbers (`null` for none), and ids by kind. */
export interface Dialling {
  readonly numbers: DialNumbers | null;
  readonly ids: Readonly<Record<'application' | 'trunk', readonly string[]>>;
}

/** What the guards know: what a create call may name, with either credential, and the ids that may be written to. */
export interface GuardContext {
  readonly ours: Dialling;
  readonly ofOthers: Dialling;
  readonly register: IdRegister;
}

/** What a client is made from, and its callbacks. Times are milliseconds. */
export interface ClientOptions extends GuardContext {
  readonly transport: Transport;
  /** Path prefix of the base URL without a final slash, `''` for none. */
  readonly prefix: string;
  readonly userAgent: string;
  /** The seed, from which come the header fields that name a request (none without `caseHeader`) and drawn values. */
  readonly seed: number;
  readonly caseHeader: boolean;
  readonly credentials: CarriedForms;
  /** Header fields for a gateway in front of the target, sent with every request; `{uuid}` in them is filled in. */
  readonly extraHeaders?: readonly Header[];
  /** The configured resources: a list may show the fields of the trunk, and the assignment of the number. */
  readonly resources: Readonly<Partial<Record<ResourceKind, string>>>;
  /** Whether no trunk is configured and the first one of the list is read: model, section 0, rule 16. */
  readonly readsListedTrunk?: boolean;
  /** Requests a second, 0 for no limit. */
  readonly rate: number;
  readonly clock: Clock;
  /** How long to wait for a response, and for that of create call. */
  readonly timeout: number;
  readonly callTimeout: number;
  readonly maxRequests: number;
  readonly credentialPause: number;
  /** JSON Pointer to the id of the call in the answer to create call. */
  readonly callIdPointer?: string;
  readonly maxWait: number;
  readonly recorder: RecorderContext;
  readonly onExchange: (exchange: Exchange) => void;
  readonly onWait?: (wait: AnnouncedWait) => void;
  /** Called before a create-call request leaves, so that it can be journaled first. */
  readonly beforeCreate?: (seq: number) => void;
  /** Called before any other request that may change the target. Clean-up is sent even if it cannot be journaled. */
  readonly beforeWrite?: (write: AnnouncedWrite, isCleanUp: boolean) => void;
  /** Called when a call was placed, with candidates for its id (none if no answer showed one), and when it ended. */
  readonly onCall?: (ids: readonly string[], open: boolean) => void;
  /** A read that the target accepts, once one is known; if possible, not a read of the operation to avoid. */
  readonly check?: (avoided?: string | null) => SuiteRequest | null;
  /** Called when the target does not come back, with the sentence that ends the run. */
  readonly onGone?: (reason: string) => void;
  /** A create call that was accepted before, sent after others failed: only if it is accepted, more follow. */
  readonly validCall?: () => SuiteRequest | null;
}

/** Time as an argument: milliseconds since the epoch, and a pause that an interruption ends early. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A pause that nothing ends early, for clean-up. */
  rest(milliseconds: number): Promise<void>;
}

/** A clock on which no time passes, for what was recorded. */
export const NO_TIME: Clock = { now: () => 0, sleep: async () => undefined, rest: async () => undefined };
