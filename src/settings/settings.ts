/** The settings of a run as the rest of the program sees them: complete, checked and fixed. */

import type { ExtraHeader } from './header-rule.ts';

/** What is judged: a service at an address (no final slash), or the reference service that the command starts. */
export type Target = { readonly kind: 'url'; readonly baseUrl: string } | { readonly kind: 'reference' };

/** How much of the interface a run may use. */
export type Profile = 'read-only' | 'full';

/** Credentials; never shown, never recorded. */
export interface Credentials {
  /** The organization credential; empty only for the reference service that has not been started yet. */
  readonly access: string;
  readonly otherOrganization?: string;
  readonly revoked?: string;
}

/** Telephone numbers to dial from and to, and a ringing inbound call. */
export interface CallSettings {
  readonly from?: string;
  readonly to?: string;
  readonly ringingCallId?: string;
}

/** Ids of the resources set aside for the suite. */
export interface ResourceIds {
  readonly voiceApplication?: string;
  readonly carrierConnection?: string;
  readonly trunk?: string;
  readonly number?: string;
  readonly carrierProvider?: string;
  readonly conference?: string;
  readonly participant?: string;
}

/** The inbound authentication to put back at the end. */
export interface InboundSettings {
  readonly username?: string;
  readonly realm?: string;
  readonly secret?: string;
}

/** What belongs to the target. */
export interface TargetSettings {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly call: CallSettings;
  readonly resources: ResourceIds;
  readonly inbound: InboundSettings;
  /** Query of the number search, without its question mark. */
  readonly availableNumbersQuery?: string;
}

/** Everything that a run is told. */
export interface Settings extends TargetSettings {
  readonly profile: Profile;
  /** Operations as they were written; whether each exists is the caller's question. */
  readonly without: readonly string[];
  readonly strict: boolean;
  readonly seed: number;
  readonly runs: number;
  /** Of each random search the one value at this path. */
  readonly path?: string;
  /** Requirements or cases as they were written. */
  readonly only: readonly string[];
  readonly samplesFile?: string;
  readonly reportDir: string;
  /** Report folder of the run to compare with. */
  readonly baseline?: string;
  /** A changed choice in a gap fails. */
  readonly pinChoices: boolean;
  /** File of known failures. */
  readonly expectFile?: string;
  readonly concurrency: number;
  /** Requests per second; 0 for no limit. */
  readonly rate: number;
  readonly maxRequests: number;
  readonly maxCalls: number;
  /** Milliseconds, in total. */
  readonly maxWait: number;
  /** Milliseconds for an answer. */
  readonly timeout: number;
  /** Milliseconds for the answer to a call creation. */
  readonly callTimeout: number;
  readonly caFile?: string;
  /** Client certificate and its key; both or none. */
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Header fields for a gateway; their values are secrets. */
  readonly headers: readonly ExtraHeader[];
  /** Address of the proxy in between; may hold a password. */
  readonly proxy?: string;
  readonly fixtureCommand?: string;
  readonly fixtureCleanup?: string;
  readonly fullEvidence: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  /** Sentences for standard error: settings that were probably misspelt. */
  readonly warnings: readonly string[];
}
