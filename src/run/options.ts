/**
 * The configuration of a run: its options, the part of them in the record, and the same restored from a record, so that
 * a run can be repeated.
 */

import { type Credentials, carriedForms } from '../client/credential.ts';
import { picked, withoutUndefined } from '../contract/lists.ts';
import type { OperationId } from '../contract/operations.ts';
import { QUERY_SETTINGS, RESOURCE_SETTINGS, RUN_DEFAULTS } from '../contract/settings.ts';
import { CREDENTIAL_FORMS } from '../exchange/credential-forms.ts';
import { CONFIGURED_SECRET, type CredentialForm } from '../exchange/exchange.ts';
import { isObject } from '../exchange/json-text.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import type { JsonValue } from '../generate/json.ts';
import type { RunHeader, RunInputs } from '../verdict/header.ts';
import type { RunRecord } from '../verdict/record.ts';

/** The options that the header of the record repeats. */
const IN_HEADER = [
  ...(['profile', 'without', 'only', 'strict', 'seed', 'explore'] as const),
  ...(['requireComplete', 'reference'] as const),
] as const;

/** How the conditions of a run name the proxy in between. */
export const THROUGH_THE_PROXY = 'through the proxy ';

/** The options recorded beside the header. */
const IN_INPUTS = [
  ...(['numbers', 'ringingCallId', 'callIdPointer', 'resources', 'inbound', 'queries', 'voiceUrl', 'samples'] as const),
  ...(['trunkFrom', 'otherFrom', 'otherTrunk', 'otherApplication', 'otherConnection'] as const),
  ...(['path', 'maxRequests', 'maxCalls', 'maxWait'] as const),
  ...(['rate', 'timeout', 'callTimeout', 'credentialPause'] as const),
  ...(['caseHeader', 'drawnOrder', 'reach'] as const),
] as const;

/** Every option that settings give. */
export const OPTION_NAMES = [...IN_HEADER, ...IN_INPUTS, 'baseUrl', 'credentials'] as const;

/** Options of one run: what decides its requests and its plan, and how they are sent. Times are milliseconds. */
export interface RunOptions
  extends Pick<RunInputs, (typeof IN_INPUTS)[number]>,
    Pick<RunHeader, (typeof IN_HEADER)[number]> {
  /** Base URL without a final slash; operations are below it. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly samples: Readonly<Partial<Record<OperationId, JsonValue>>>;
  readonly without: readonly OperationId[];
  /** Pause between two requests with an invalid credential. */
  readonly credentialPause: number;
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
  const queries = Object.entries(QUERY_SETTINGS).map(([id, name]) => [name, options.queries[id as OperationId]]);
  const values: Readonly<Record<string, unknown>> = {
    PCS_ACCESS_TOKEN: credentials.access,
    PCS_OTHER_ORG_ACCESS_TOKEN: credentials.otherOrganization,
    PCS_REVOKED_ACCESS_TOKEN: credentials.revoked,
    PCS_OTHER_ORG_CARRIER_CONNECTION_ID: options.otherConnection,
    PCS_OTHER_ORG_CALL_FROM: options.otherFrom,
    PCS_OTHER_ORG_TRUNK_ID: options.otherTrunk,
    PCS_OTHER_ORG_VOICE_APPLICATION_ID: options.otherApplication,
    PCS_CALL_FROM: options.numbers?.from,
    PCS_CALL_TO: options.numbers?.to,
    PCS_TRUNK_CALL_FROM: options.trunkFrom,
    PCS_RINGING_CALL_ID: options.ringingCallId,
    ...Object.fromEntries([...queries, ...RESOURCE_SETTINGS.map(([kind, name]) => [name, resources[kind]])]),
  };
  return Object.keys(withoutUndefined(values)).sort();
}

/** Whether the run uses the first trunk that the list shows: the read-only profile does, since it writes nothing. */
export const readsListedTrunk = ({ profile, resources, without }: RunOptions): boolean =>
  profile === 'read-only' &&
  resources.trunk === undefined &&
  !without.some((id) => ['getTrunk', 'listTrunks'].includes(id));

/** Ids of the settings by value, with the setting's name, by which the record says that a body contains the id. */
export function watchedIds({ resources, otherTrunk, otherConnection }: RunOptions): ReadonlyMap<string, string> {
  const ours = RESOURCE_SETTINGS.map(([kind, name]) => [resources[kind], name] as const);
  const theirs = [
    [otherTrunk, 'PCS_OTHER_ORG_TRUNK_ID'],
    [otherConnection, 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID'],
  ] as const;
  const named = [...ours, ...theirs];
  return new Map(named.flatMap(([id, name]) => (id === undefined ? [] : [[id, name] as const])));
}

const SAMPLE_SECRET = '⟦secret of the sample⟧';

/** The secret of a sample is never sent, so nothing depends on it. */
function withoutSecret(samples: RunOptions['samples']): RunOptions['samples'] {
  const { setInboundAuth: sample } = samples;
  if (!isObject(sample) || sample['secret'] === undefined) return samples;
  return { ...samples, setInboundAuth: { ...sample, secret: SAMPLE_SECRET } };
}

/** The forms that these credentials can be given. */
export function possibleForms(credentials: Credentials): ReadonlySet<CredentialForm> {
  const forms = carriedForms(credentials);
  return new Set(CREDENTIAL_FORMS.filter((form) => forms[form] !== null));
}

/** What is decided before the first request of a run with these options. */
export function runHeader(options: RunOptions, version: string): RunHeader {
  const header = {
    suite: { name: 'pcs-conformance', version },
    target: shownUrl(options.baseUrl),
    ...picked({ ...options, requireComplete: options.requireComplete || undefined }, IN_HEADER),
    settings: settingsPresent(options),
  };
  return possibleForms(options.credentials).has('unprefixed') ? header : { ...header, malformedCredential: true };
}

/** What decides the requests of a run with these options, without its secrets. */
export function inputsOf(
  options: RunOptions,
  redact: (text: string) => string,
  gatewayHeaders: readonly string[] = [],
): RunInputs {
  const { inbound, queries, voiceUrl, samples, credentials, reach = [], credentialPause } = options;
  const shown = {
    ...options,
    inbound: inbound.secret === undefined ? inbound : { ...inbound, secret: CONFIGURED_SECRET },
    queries: JSON.parse(redact(JSON.stringify(queries))),
    voiceUrl: voiceUrl && redact(voiceUrl),
    reach: reach.length === 0 ? undefined : reach.map(redact),
    credentialPause: credentialPause || undefined,
    samples: JSON.parse(redact(JSON.stringify(withoutSecret(samples)))),
  };
  return { ...picked(shown, IN_INPUTS), forms: [...possibleForms(credentials)], gatewayHeaders };
}

/** Placeholder credentials that can be altered in the same ways; they are never sent. */
function credentialsFor(forms: readonly CredentialForm[]): Credentials {
  const prefix = forms.includes('unprefixed') ? 'rerun_org_' : '';
  const secret = forms.includes('case-changed') ? 'Secret-1' : '12345678';
  return {
    access: prefix + secret,
    ...(forms.includes('other-organization') ? { otherOrganization: 'other_org_1' } : {}),
    ...(forms.includes('revoked') ? { revoked: 'revoked_org_1' } : {}),
  };
}

/** The options of a recorded run; credentials are made up, and redacted values stay redacted. */
export function recordedOptions({ header, inputs }: Pick<RunRecord, 'header' | 'inputs'>): RunOptions {
  const told = { ...picked(inputs, IN_INPUTS), ...picked(header, IN_HEADER) };
  return { ...DEFAULTS, ...(told as RunOptions), baseUrl: header.target, credentials: credentialsFor(inputs.forms) };
}

/**
 * Whether the settings name enough of the inbound authentication to restore it: the method, alone or with the whole
 * credential. Without the method the run leaves its own, and says so.
 */
export function isInboundNamed({ inbound }: Pick<RunOptions, 'inbound'>): boolean {
  const { method, username, realm, secret } = inbound;
  const missing = [username, realm, secret].filter((part) => part === undefined);
  return method !== undefined && (missing.length === 0 || missing.length === 3);
}
