/** From flags, environment and `.env` to the settings of a run. */

import { UsageError } from '../contract/usage-error.ts';
import { canReadFile } from './environment.ts';
import { nearMisses } from './near-miss.ts';
import { proxyFor } from './proxy.ts';
import type { Profile, Settings, Target, TargetSettings } from './settings.ts';
import { SETTINGS } from './settings-table.ts';
import { type Flags, layer, type Sources, type Variables } from './sources.ts';

/** Says whether a file can be read; the one question that reading settings asks of the disk. */
export type CanRead = (path: string) => boolean;

const SECOND = 1000;
const REQUESTS = 2000;
const REQUESTS_PER_RANDOM_CASE = 40;

/**
 * The settings of a run. Throws `UsageError` for the first wrong one. `envFile` is the text of a `.env` file. For
 * the reference service the variables of a target are left aside: `withReference` brings its own.
 */
export function readSettings(
  flags: Flags,
  env: Variables,
  envFile: string | undefined,
  canRead: CanRead = canReadFile,
): Settings {
  const sources = layer(flags, env, envFile);
  const target = chooseTarget(sources);
  const runs = sources.value('PCS_RUNS');
  return {
    ...(target.kind === 'url' ? targetSettings(sources, target) : nothingOfATarget(target)),
    profile: sources.value('PCS_PROFILE') ?? defaultProfile(target),
    without: sources.value('PCS_WITHOUT') ?? [],
    strict: sources.value('PCS_STRICT'),
    seed: sources.value('PCS_SEED'),
    runs,
    only: sources.value('PCS_ONLY') ?? [],
    ...present({ samplesFile: readable(sources, 'PCS_SAMPLES', canRead) }),
    reportDir: sources.value('PCS_REPORT_DIR'),
    pinChoices: sources.value('PCS_PIN_CHOICES'),
    concurrency: sources.value('PCS_CONCURRENCY'),
    rate: sources.value('PCS_RATE'),
    maxRequests: sources.value('PCS_MAX_REQUESTS') ?? REQUESTS + REQUESTS_PER_RANDOM_CASE * runs,
    maxCalls: sources.value('PCS_MAX_CALLS'),
    maxWait: sources.value('PCS_MAX_WAIT') * SECOND,
    timeout: sources.value('PCS_TIMEOUT') * SECOND,
    callTimeout: sources.value('PCS_CALL_TIMEOUT') * SECOND,
    ...present({
      path: sources.value('PCS_PATH'),
      baseline: sources.value('PCS_BASELINE'),
      expectFile: readable(sources, 'PCS_EXPECT', canRead),
      caFile: readable(sources, 'PCS_CA', canRead),
      ...clientCertificate(sources, canRead),
      proxy: target.kind === 'url' ? proxyFor(target.baseUrl, env) : undefined,
      fixtureCommand: sources.value('PCS_FIXTURE_COMMAND'),
      fixtureCleanup: sources.value('PCS_FIXTURE_CLEANUP'),
    }),
    headers: sources.value('PCS_HEADER') ?? [],
    fullEvidence: sources.value('PCS_FULL_EVIDENCE'),
    quiet: sources.value('PCS_QUIET'),
    json: sources.value('PCS_JSON'),
    warnings: nearMisses(
      sources.variables,
      SETTINGS.map((setting) => setting.name),
    ),
  };
}

/** The same run against the reference service once it is there: `lines` are the variables that it gives out. */
export function withReference(settings: Settings, lines: Variables): Settings {
  const sources = layer({}, lines, undefined);
  return { ...settings, ...targetSettings(sources, chooseTarget(sources)) };
}

function chooseTarget(sources: Sources): Target {
  const url = sources.given('PCS_BASE_URL');
  const reference = sources.value('PCS_REFERENCE') ? sources.given('PCS_REFERENCE') : undefined;
  if (url !== undefined && reference !== undefined && url.strength === reference.strength) {
    throw new UsageError(`${url.from} and ${reference.from} name two targets: give one of them.`);
  }
  // A flag outdoes a variable: `run --reference` works beside an .env that is set up for staging.
  if (reference !== undefined && reference.strength < (url?.strength ?? 3)) return { kind: 'reference' };
  const baseUrl = sources.value('PCS_BASE_URL');
  if (baseUrl === undefined) {
    throw new UsageError(
      'No target is named: name one with --base-url URL or PCS_BASE_URL, or use --reference for the built-in one.',
    );
  }
  return { kind: 'url', baseUrl };
}

function defaultProfile(target: Target): Profile {
  return target.kind === 'reference' ? 'full' : 'read-only';
}

function targetSettings(sources: Sources, target: Target): TargetSettings {
  const { value } = sources;
  const access = value('PCS_ACCESS_TOKEN');
  if (access === undefined) {
    throw new UsageError('PCS_ACCESS_TOKEN is not set: set it to an organization credential of the target.');
  }
  return {
    target,
    credentials: {
      access,
      ...present({
        otherOrganization: value('PCS_OTHER_ORG_ACCESS_TOKEN'),
        revoked: value('PCS_REVOKED_ACCESS_TOKEN'),
      }),
    },
    call: present({
      from: value('PCS_CALL_FROM'),
      to: value('PCS_CALL_TO'),
      ringingCallId: value('PCS_RINGING_CALL_ID'),
    }),
    resources: present({
      voiceApplication: value('PCS_VOICE_APPLICATION_ID'),
      carrierConnection: value('PCS_CARRIER_CONNECTION_ID'),
      trunk: value('PCS_TRUNK_ID'),
      number: value('PCS_NUMBER_ID'),
      carrierProvider: value('PCS_CARRIER_PROVIDER_ID'),
      conference: value('PCS_CONFERENCE_ID'),
      participant: value('PCS_PARTICIPANT_ID'),
    }),
    inbound: present({
      username: value('PCS_INBOUND_USERNAME'),
      realm: value('PCS_INBOUND_REALM'),
      secret: value('PCS_INBOUND_SECRET'),
    }),
    ...present({ availableNumbersQuery: value('PCS_AVAILABLE_NUMBERS_QUERY') }),
  };
}

function nothingOfATarget(target: Target): TargetSettings {
  return { target, credentials: { access: '' }, call: {}, resources: {}, inbound: {} };
}

function clientCertificate(sources: Sources, canRead: CanRead) {
  const certFile = readable(sources, 'PCS_CERT', canRead);
  const keyFile = readable(sources, 'PCS_KEY', canRead);
  if ((certFile === undefined) === (keyFile === undefined)) return { certFile, keyFile };
  throw new UsageError(
    'A client certificate needs --cert and --key (for certify --client-key; PCS_CERT and PCS_KEY): give both or none.',
  );
}

function readable(
  sources: Sources,
  name: 'PCS_CA' | 'PCS_SAMPLES' | 'PCS_EXPECT' | 'PCS_CERT' | 'PCS_KEY',
  canRead: CanRead,
): string | undefined {
  const path = sources.value(name);
  if (path === undefined || canRead(path)) return path;
  const from = sources.given(name)?.from ?? name;
  throw new UsageError(`${from} (${JSON.stringify(path)}) cannot be read: name a file that exists and is readable.`);
}

type Present<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Leaves out what is undefined: an absent member and one that is undefined are two things under this compiler. */
function present<Members extends Readonly<Record<string, string | undefined>>>(members: Members): Present<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, text]) => text !== undefined)) as Present<Members>;
}
