/** What is settled before the first request of a run: it decides which requests are sent and which cases judged. */

import type { OperationId, Profile, ResourceKind } from '../contract/operations.ts';
import type { CredentialForm } from '../exchange/exchange.ts';

/** Everything that is settled before the first request. */
export interface RunHeader {
  readonly suite: { readonly name: string; readonly version: string };
  readonly target: string;
  /** The target is the reference service of this suite, started by the command. */
  readonly reference?: true;
  readonly profile: Profile;
  readonly without: readonly string[];
  /** Requirement ids or case ids; empty for all. */
  readonly only: readonly string[];
  readonly strict: boolean;
  /** With `--require-complete` a question without an answer makes the run incomplete. */
  readonly requireComplete?: true;
  readonly seed: number;
  /** Requests of the exploration that follows the systematic part. */
  readonly explore: number;
  /** Names of the settings that are present. */
  readonly settings: readonly string[];
  /** The configured credential has another form than section 5 shows: a prefix that ends in `org_`, then a secret. */
  readonly malformedCredential?: true;
}

/**
 * The inputs that decide the requests of a run, apart from the header: together with the recorded answers they allow a
 * rerun. Secrets are left out; `forms` lists the forms of the credential that could be made.
 */
export interface RunInputs {
  /** The only numbers that are ever dialled from and to. */
  readonly numbers: { readonly from: string; readonly to: string } | null;
  /** The caller of calls with a trunk, if not the usual caller. */
  readonly trunkFrom?: string;
  readonly ringingCallId?: string;
  /** JSON Pointer to the id of the call in the response of create call. */
  readonly callIdPointer?: string;
  /** Resources reserved for testing. */
  readonly resources: Readonly<Partial<Record<ResourceKind, string>>>;
  /** The inbound authentication to restore at the end. */
  readonly inbound: Readonly<Partial<Record<'method' | 'username' | 'realm' | 'secret', string>>>;
  /** Query strings that lists need, by operation, without their question mark. */
  readonly queries: Readonly<Partial<Record<OperationId, string>>>;
  /** URL of the voice application; one that leads nowhere unless given. */
  readonly voiceUrl?: string;
  /** Carrier connection of the second organization, to which it tries to assign our number. */
  readonly otherConnection?: string;
  /** The caller of the second organization's calls, and which of its resources they may name. */
  readonly otherFrom?: string;
  readonly otherTrunk?: string;
  readonly otherApplication?: string;
  /** By operation: a body known to be accepted. */
  readonly samples: Readonly<Partial<Record<OperationId, unknown>>>;
  /** Explore only this walk, or some of its commands, as a report prints it: `3`, `3:0:4`. */
  readonly path?: string;
  readonly maxRequests: number;
  readonly maxCalls: number;
  /** Milliseconds to wait for a response, and for that of a create call. */
  readonly timeout: number;
  readonly callTimeout: number;
  /** Milliseconds of waiting in all; what is left decides whether questions that met a lock-out are asked again. */
  readonly maxWait: number;
  /** Requests a second, 0 for no limit. */
  readonly rate: number;
  /** Milliseconds between two requests with an invalid credential; absent for the default. */
  readonly credentialPause?: number;
  /** Send the opaque X-Conformance-Case header. */
  readonly caseHeader: boolean;
  /** Send the sequences in an order drawn from this text, as a certification does. */
  readonly drawnOrder?: string;
  readonly forms: readonly CredentialForm[];
  /** Names of the header fields for a gateway. */
  readonly gatewayHeaders: readonly string[];
  /** How the target is reached, in phrases: a proxy, further authorities, Node's environment; absent if directly. */
  readonly reach?: readonly string[];
}
