/** The options of a run: the target, its credentials and resources, the profile and the limits. */

import type { Credentials } from '../client/credential.ts';
import type { OperationId, ResourceKind } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import { QUERY_SETTINGS, RESOURCE_SETTINGS, SETTING_OF } from '../contract/settings.ts';
import type { Shard } from '../contract/shard.ts';
import type { JsonValue } from '../generate/json.ts';

export type { Profile } from '../contract/profile.ts';

/** Options of one run. Times are milliseconds. */
export interface RunOptions {
  /** Base URL without a final slash; operations lie below it. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** The only numbers that are ever dialled from and to. */
  readonly numbers: { readonly from: string; readonly to: string } | null;
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
  /** For an operation a body known to be accepted. */
  readonly samples: Readonly<Partial<Record<OperationId, JsonValue>>>;
  readonly profile: Profile;
  readonly without: readonly OperationId[];
  readonly strict: boolean;
  readonly seed: number;
  /** Requests of the exploration that follows the systematic part. */
  readonly explore: number;
  /** Milliseconds after which no further walk of the exploration begins; unlimited if absent. */
  readonly exploreTime?: number;
  /** Which part of the exploration to send, if several runs divide it; the first also sends everything else. */
  readonly shard?: Shard;
  /** Explore only this walk, or some of its commands, as a report prints it: `3`, `3:0:4`. */
  readonly path?: string;
  /** Walks of the exploration to send, if others of a recorded run were not kept. */
  readonly walks?: ReadonlySet<number>;
  /** Requirement ids or case ids; empty for all. */
  readonly only: readonly string[];
  readonly concurrency: number;
  /** Requests a second, 0 for no limit. */
  readonly rate: number;
  readonly maxRequests: number;
  readonly maxCalls: number;
  /** Requests with an invalid credential; unlimited if absent. */
  readonly maxInvalidCredentials?: number;
  /** Pause between two requests with an invalid credential. */
  readonly credentialPause: number;
  readonly maxWait: number;
  readonly timeout: number;
  readonly callTimeout: number;
  readonly fullEvidence: boolean;
  /** Send the opaque X-Conformance-Case header. */
  readonly caseHeader: boolean;
  /** Send the sequences in an order drawn from this text, as a certification does. */
  readonly drawnOrder?: string;
}

/** Names of the settings that are present, for reasons and remedies; sorted. */
export function settingsPresent(options: RunOptions): readonly string[] {
  const { credentials, resources } = options;
  const names: [string, unknown][] = [
    ['PCS_ACCESS_TOKEN', credentials.access],
    ['PCS_OTHER_ORG_ACCESS_TOKEN', credentials.otherOrganization],
    ['PCS_REVOKED_ACCESS_TOKEN', credentials.revoked],
    ['PCS_CALL_FROM', options.numbers],
    ['PCS_CALL_TO', options.numbers],
    ['PCS_RINGING_CALL_ID', options.ringingCallId],
    ...Object.entries(QUERY_SETTINGS).map(([id, name]): [string, unknown] => [
      name,
      options.queries[id as OperationId],
    ]),
    ...RESOURCE_SETTINGS.map(([kind, name]): [string, unknown] => [name, resources[kind]]),
  ];
  return names.flatMap(([name, value]) => (value === undefined || value === null ? [] : [name])).sort();
}

/** Ids of the settings by value, each with the name of its setting: what the record says of a body that holds it. */
export function watchedIds(options: RunOptions): ReadonlyMap<string, string> {
  const { trunk, number, carrierProvider, conference, participant, carrierConnection, voiceApplication } =
    options.resources;
  const ids = { trunk, number, carrierProvider, conference, participant, carrierConnection, voiceApplication };
  return new Map(
    Object.entries(ids).flatMap(([kind, id]) =>
      id === undefined ? [] : [[id, SETTING_OF[kind as keyof typeof SETTING_OF]] as const],
    ),
  );
}
