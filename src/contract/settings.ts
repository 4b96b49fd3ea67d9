/** What the contract and the engine need to know of settings; the table in `src/settings` takes it from here. */

import { listed } from './lists.ts';

/** What to set each setting of a target to: the phrase follows "set NAME to". */
export const SETTING_VALUES = {
  PCS_BASE_URL: 'the address of the target, without /v1',
  PCS_ACCESS_TOKEN: 'a valid organization credential of the target',
  PCS_OTHER_ORG_ACCESS_TOKEN: 'a valid credential of a second organization',
  PCS_REVOKED_ACCESS_TOKEN: 'a revoked credential',
  PCS_OTHER_ORG_CARRIER_CONNECTION_ID:
    'a carrier connection of the second organization, reserved for testing (the run tries to assign the number to it)',
  PCS_OTHER_ORG_CALL_FROM:
    'a number or SIP URI of the second organization that its calls may come from (sent exactly as given)',
  PCS_OTHER_ORG_TRUNK_ID: 'a trunk of the second organization that its calls may use (nothing is written to it)',
  PCS_OTHER_ORG_VOICE_APPLICATION_ID:
    'a voice application of the second organization that its calls may use (nothing is written to it)',
  PCS_CALL_FROM: 'the only number or SIP URI to call from (sent exactly as given)',
  PCS_CALL_TO: 'the only number or SIP URI to call, reserved for testing (sent exactly as given)',
  PCS_TRUNK_CALL_FROM:
    'a number or SIP URI for calls with PCS_TRUNK_ID, where PCS_CALL_FROM may only call without a trunk (sent exactly as given)',
  PCS_RINGING_CALL_ID: 'an inbound call that is ringing',
  PCS_CALL_ID_POINTER:
    'where the response of create call has the id of the call: a JSON Pointer such as /data/call/ref, or header:NAME',
  PCS_VOICE_APPLICATION_ID: 'a voice application reserved for testing',
  PCS_VOICE_URL: 'a URL that answers, if the target fetches the URLs of an application when they are written',
  PCS_CARRIER_CONNECTION_ID: 'a carrier connection reserved for testing (its inbound authentication is replaced)',
  PCS_TRUNK_ID: 'a trunk reserved for testing',
  PCS_NUMBER_ID: 'a number reserved for testing',
  PCS_CARRIER_PROVIDER_ID: 'a carrier provider that may be read',
  PCS_CONFERENCE_ID: 'a conference reserved for testing',
  PCS_PARTICIPANT_ID: 'a participant of that conference, to be muted',
  PCS_INBOUND_METHOD: 'the inbound method to restore',
  PCS_INBOUND_USERNAME: 'the inbound user name to restore',
  PCS_INBOUND_REALM: 'the inbound realm to restore',
  PCS_INBOUND_SECRET: 'the inbound secret to restore',
  PCS_AVAILABLE_NUMBERS_QUERY: 'a query that the number search accepts, such as country_code=US',
  PCS_LIST_NUMBERS_QUERY: 'a query that the list of numbers needs, such as page=1',
  PCS_LIST_TRUNKS_QUERY: 'a query that the list of trunks needs, such as page=1',
} as const satisfies Readonly<Record<`PCS_${string}`, string>>;

/**
 * Settings for which a target may have nothing to offer: what is not judged in full without each, and the words of the
 * verdict for its absence.
 */
export const OPTIONAL = {
  PCS_OTHER_ORG_ACCESS_TOKEN: { family: 'isolation', lack: 'no second organization' },
  PCS_OTHER_ORG_CARRIER_CONNECTION_ID: { family: 'isolation', lack: 'no connection of a second organization' },
  PCS_OTHER_ORG_CALL_FROM: { family: 'isolation', lack: 'no caller of a second organization' },
  PCS_OTHER_ORG_TRUNK_ID: { family: 'isolation', lack: 'no trunk of a second organization' },
  PCS_OTHER_ORG_VOICE_APPLICATION_ID: { family: 'isolation', lack: 'no application of a second organization' },
  PCS_REVOKED_ACCESS_TOKEN: { family: 'revocation', lack: 'no revoked credential' },
  PCS_RINGING_CALL_ID: { family: 'answered calls', lack: 'no ringing call' },
} as const satisfies Partial<Record<keyof typeof SETTING_VALUES, { readonly family: string; readonly lack: string }>>;

/** Settings without which the read-only profile passes without reading that resource, in the words of the verdict. */
export const READ_BY_ID = {
  PCS_CARRIER_PROVIDER_ID: { family: 'carrier providers', lack: 'no carrier provider' },
  PCS_TRUNK_ID: { family: 'trunks', lack: 'no trunk' },
} as const;

/** The names of the optional settings. */
export const OPTIONAL_SETTINGS = Object.keys(OPTIONAL) as readonly (keyof typeof OPTIONAL)[];

/** Name of a setting that describes the target, its credentials or its test resources. */
export type TargetSettingName = keyof typeof SETTING_VALUES;

/** The setting that names a resource of that kind; a call is named only while it rings. */
export const SETTING_OF = {
  call: 'PCS_RINGING_CALL_ID',
  voiceApplication: 'PCS_VOICE_APPLICATION_ID',
  carrierConnection: 'PCS_CARRIER_CONNECTION_ID',
  trunk: 'PCS_TRUNK_ID',
  number: 'PCS_NUMBER_ID',
  carrierProvider: 'PCS_CARRIER_PROVIDER_ID',
  conference: 'PCS_CONFERENCE_ID',
  participant: 'PCS_PARTICIPANT_ID',
} as const satisfies Readonly<Record<string, TargetSettingName>>;

/** The setting that holds the query of an operation. */
export const QUERY_SETTINGS = {
  searchAvailableNumbers: 'PCS_AVAILABLE_NUMBERS_QUERY',
  listNumbers: 'PCS_LIST_NUMBERS_QUERY',
  listTrunks: 'PCS_LIST_TRUNKS_QUERY',
} as const satisfies Readonly<Record<string, TargetSettingName>>;

type ReservedKind = Exclude<keyof typeof SETTING_OF, 'call'>;

/** The kinds of resource reserved for testing, each with the setting that names it. */
export const RESOURCE_SETTINGS = Object.entries(SETTING_OF).filter(
  (entry): entry is [ReservedKind, (typeof SETTING_OF)[ReservedKind]] => entry[0] !== 'call',
);

/** What would help, without a full stop: `set PCS_TRUNK_ID to a trunk reserved for testing`. */
export function remedyOf(...names: readonly TargetSettingName[]): string {
  return `set ${listed(names.map((name) => `${name} to ${SETTING_VALUES[name]}`))}`;
}

/** The reason for what is not asked because a setting is missing. */
export const lackOf = (name: TargetSettingName) =>
  ({ reason: `${name} is not set`, remedy: remedyOf(name), needs: [name] }) as const;

/** The remedy where `--rate` separates requests that must be simultaneous. */
export const OMIT_RATE = 'omit --rate';

/** The remedy if an accepted create call shows no call id; `idIn` is a place where a setting could find it. */
export function toFindIds(idIn: string | undefined): string {
  if (idIn === 'body') return remedyOf('PCS_CALL_ID_POINTER');
  if (idIn !== undefined) return `set PCS_CALL_ID_POINTER to ${idIn}, if that is the id of the call`;
  return 'have the target show the id of a call in its response or in Location, or run with --without createCall';
}

/** Defaults of a run, for the engine and for the settings table. Times are milliseconds. */
export const RUN_DEFAULTS = {
  strict: false,
  seed: 20250101,
  explore: 60,
  rate: 0,
  maxRequests: 2000,
  maxCalls: 40,
  credentialPause: 0,
  maxWait: 300_000,
  timeout: 10_000,
  callTimeout: 60_000,
} as const;

/** A flag that printed commands repeat. A secret value is named by its variable; `in` are the commands that take it. */
export interface RepeatedFlag {
  readonly flag: string;
  readonly value?: string;
  readonly variable?: string;
  readonly in: readonly string[];
}
