/** The options of a run: the target, its credentials and resources, the profile and the limits. */

import type { Credentials } from '../client/credential.ts';
import type { OperationId } from '../contract/operations.ts';
import { QUERY_SETTINGS, RESOURCE_SETTINGS, RUN_DEFAULTS, SETTING_OF } from '../contract/settings.ts';
import type { JsonValue } from '../generate/json.ts';
import type { RunHeader, RunInputs } from '../verdict/record.ts';

/** Options of one run: what decides its requests and its plan, and how they are sent. Times are milliseconds. */
export interface RunOptions
  extends Omit<RunInputs, 'forms' | 'gatewayHeaders' | 'sequences'>,
    Pick<RunHeader, 'profile' | 'only' | 'strict' | 'requireComplete' | 'seed' | 'explore' | 'exploreTime' | 'shard'> {
  /** Base URL without a final slash; operations lie below it. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly samples: Readonly<Partial<Record<OperationId, JsonValue>>>;
  readonly without: readonly OperationId[];
  /** Walks of the exploration to send, if others of a recorded run were not kept. */
  readonly walks?: ReadonlySet<number>;
  readonly concurrency: number;
  /** Requests a second, 0 for no limit. */
  readonly rate: number;
  /** Requests with an invalid credential; unlimited if absent. */
  readonly maxInvalidCredentials?: number;
  /** Pause between two requests with an invalid credential. */
  readonly credentialPause: number;
  readonly maxWait: number;
  readonly fullEvidence: boolean;
}

/** The defaults of a run (conformance model, section 6): everything but the target and its credential. */
export const DEFAULTS = {
  ...RUN_DEFAULTS,
  numbers: null,
  resources: {},
  inbound: {},
  queries: {},
  samples: {},
  profile: 'read-only',
  without: [],
  only: [],
  caseHeader: true,
} as const satisfies Omit<RunOptions, 'baseUrl' | 'credentials'>;

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
