/** The table of settings: types, flags, variables, `.env.example`, help and docs all derive from it. */

import { RUN_DEFAULTS, SETTING_VALUES } from '../contract/settings.ts';
import * as kinds from './kinds.ts';
import { decimal, FILE, FOLDER, ID, integer, SWITCH, seconds, TEXT, TOKEN, UUID } from './kinds.ts';
import { type CommandName, flag, type Setting, variable } from './setting.ts';

const EVERY: readonly CommandName[] = ['run', 'plan', 'doctor', 'clean', 'replay', 'certify'];
const JUDGING: readonly CommandName[] = EVERY.filter((command) => command !== 'clean');
const REACHING: readonly CommandName[] = EVERY.filter((command) => command !== 'plan');
const SENDING: readonly CommandName[] = ['run', 'replay', 'certify'];
const REPORTING: readonly CommandName[] = ['run', 'certify'];
const PLANNING: readonly CommandName[] = ['run', 'plan'];
const RUN: readonly CommandName[] = ['run'];

const RESERVED = { usedBy: JUDGING };

/** Where the target is, and where settings come from. */
export const TARGET = [
  flag('baseUrl', 'base-url', kinds.URL_KIND, SETTING_VALUES.PCS_BASE_URL, { usedBy: EVERY }),
  flag('reference', 'reference', SWITCH, 'use the built-in reference service as the target', {
    default: false,
    usedBy: JUDGING,
  }),
  flag('envFile', 'env-file', FILE, 'file to read settings from; set its variable in the environment', {
    default: '.env',
    usedBy: EVERY,
  }),
] as const;

/** Credentials; never shown, never recorded. */
export const CREDENTIALS = [
  variable('access', 'PCS_ACCESS_TOKEN', TOKEN, { usedBy: EVERY, secret: true, required: true }),
  variable('otherOrganization', 'PCS_OTHER_ORG_ACCESS_TOKEN', TOKEN, { usedBy: JUDGING, secret: true }),
  variable('revoked', 'PCS_REVOKED_ACCESS_TOKEN', TOKEN, { usedBy: JUDGING, secret: true }),
] as const;

/** Telephone numbers to call from and to, and a ringing inbound call. */
export const CALL = [
  variable('from', 'PCS_CALL_FROM', kinds.PHONE, RESERVED),
  variable('to', 'PCS_CALL_TO', kinds.PHONE, RESERVED),
  variable('ringingCallId', 'PCS_RINGING_CALL_ID', ID, RESERVED),
] as const;

/** Ids of the resources reserved for testing. */
export const RESOURCES = [
  variable('voiceApplication', 'PCS_VOICE_APPLICATION_ID', UUID, RESERVED),
  variable('carrierConnection', 'PCS_CARRIER_CONNECTION_ID', UUID, RESERVED),
  variable('trunk', 'PCS_TRUNK_ID', UUID, RESERVED),
  variable('number', 'PCS_NUMBER_ID', ID, RESERVED),
  variable('carrierProvider', 'PCS_CARRIER_PROVIDER_ID', ID, RESERVED),
  variable('conference', 'PCS_CONFERENCE_ID', ID, RESERVED),
  variable('participant', 'PCS_PARTICIPANT_ID', ID, RESERVED),
] as const;

/** The inbound authentication to restore at the end of a run. */
export const INBOUND = [
  variable('username', 'PCS_INBOUND_USERNAME', TEXT, RESERVED),
  variable('realm', 'PCS_INBOUND_REALM', TEXT, RESERVED),
  variable('secret', 'PCS_INBOUND_SECRET', TEXT, { ...RESERVED, secret: true }),
] as const;

/** What the number search needs. */
export const SEARCH = [
  variable('availableNumbersQuery', 'PCS_AVAILABLE_NUMBERS_QUERY', kinds.QUERY, RESERVED),
] as const;

const PROFILES = kinds.choice('PROFILE', 'read-only', 'full');
const READ_ONLY_OR_FULL =
  'read-only (the default with a URL) changes nothing; full (with --reference) also writes and places calls';

/** What a run judges, and with which values. */
export const SCOPE = [
  flag('profile', 'profile', PROFILES, READ_ONLY_OR_FULL, { usedBy: ['run', 'plan', 'doctor', 'replay'] }),
  flag('without', 'without', kinds.list('OPERATION'), 'operations to leave out, such as answer,mute', {
    default: [],
    usedBy: ['run', 'plan', 'doctor', 'certify'],
  }),
  flag('only', 'only', kinds.list('REQUIREMENT-OR-CASE'), 'judge only these; the run is partial', {
    default: [],
    usedBy: ['run', 'plan', 'doctor'],
  }),
  flag('strict', 'strict', SWITCH, 'treat warnings as failures', { default: RUN_DEFAULTS.strict, usedBy: REPORTING }),
  flag('seed', 'seed', integer(0, 2_147_483_647), 'seed for all generated values', {
    default: RUN_DEFAULTS.seed,
    usedBy: PLANNING,
  }),
  flag('runs', 'runs', integer(0, 100_000), 'number of random cases to add to the systematic ones', {
    default: RUN_DEFAULTS.runs,
    usedBy: PLANNING,
  }),
  flag('path', 'path', kinds.SEARCH_PATH, 'repeat one random case; the report prints its path next to the seed', {
    usedBy: PLANNING,
  }),
  flag('samplesFile', 'samples', FILE, 'JSON file with request bodies that the target accepts, by operation', {
    usedBy: JUDGING,
  }),
] as const;

/** How much a run may send, and how long it may wait. */
export const LIMITS = [
  flag('concurrency', 'concurrency', integer(1, 64), 'maximum number of concurrent requests', {
    default: RUN_DEFAULTS.concurrency,
    usedBy: REPORTING,
  }),
  flag('rate', 'rate', decimal(0, 10_000), 'maximum number of requests per second; 0 for no limit', {
    default: RUN_DEFAULTS.rate,
    usedBy: SENDING,
  }),
  flag(
    'maxRequests',
    'max-requests',
    integer(1, 10_000_000),
    'maximum number of requests; by default 2000 plus 40 per --runs',
    {
      usedBy: [...SENDING, 'plan'],
    },
  ),
  flag('maxCalls', 'max-calls', integer(0, 1_000), 'maximum number of calls that the target accepts', {
    default: RUN_DEFAULTS.maxCalls,
    usedBy: [...SENDING, 'plan'],
  }),
  flag('maxWait', 'max-wait', seconds(0, 86_400), 'total time to wait for rate limits and Retry-After', {
    default: RUN_DEFAULTS.maxWait,
    usedBy: SENDING,
  }),
  flag('timeout', 'timeout', seconds(0.1, 600), 'time to wait for a response', {
    default: RUN_DEFAULTS.timeout,
    usedBy: REACHING,
  }),
  flag('callTimeout', 'call-timeout', seconds(0.1, 600), 'time to wait for the response to a call creation', {
    default: RUN_DEFAULTS.callTimeout,
    usedBy: SENDING,
  }),
] as const;

/** How the target is reached. */
export const CONNECTION = [
  flag('caFile', 'ca', FILE, 'PEM file with the certificate authority of the target', { usedBy: REACHING }),
  flag('certFile', 'cert', FILE, 'PEM file with a client certificate; needs its private key', { usedBy: REACHING }),
  flag('keyFile', 'key', FILE, 'PEM file with the private key of the client certificate', {
    usedBy: REACHING,
    certifyFlag: 'client-key',
  }),
  flag('headers', 'header', kinds.HEADERS, 'header field for every request, for a gateway; repeat it for several', {
    default: [],
    usedBy: REACHING,
    secret: true,
  }),
] as const;

const STARTS = 'command that starts a live fixture (ringing-call or conference) and prints NAME=value lines';
const ENDS = 'command that ends the fixture; always runs, also after an error or Ctrl-C';

/** Commands that start and end what cannot stand in a file. */
export const FIXTURES = [
  flag('fixtureCommand', 'fixture-command', kinds.COMMAND, STARTS, { usedBy: [...SENDING, 'doctor'] }),
  flag('fixtureCleanup', 'fixture-cleanup', kinds.COMMAND, ENDS, { usedBy: [...SENDING, 'doctor'] }),
] as const;

/** What a run writes, and what its exit code is compared with. */
export const OUTPUT = [
  flag('reportDir', 'report-dir', FOLDER, 'report folder', {
    default: 'conformance-report',
    usedBy: ['run', 'clean', 'certify'],
  }),
  flag('baseline', 'baseline', FOLDER, 'report folder of an earlier run; only new failures affect the exit code', {
    usedBy: RUN,
  }),
  flag('pinChoices', 'pin-choices', SWITCH, 'fail if unspecified behaviour changed since the baseline', {
    default: false,
    usedBy: RUN,
  }),
  flag('expectFile', 'expect', FILE, 'JSON file of known failures, each with reason, owner, issue and expiry date', {
    usedBy: RUN,
  }),
  flag('fullEvidence', 'full-evidence', SWITCH, 'record response bodies in full; they may contain customer data', {
    default: RUN_DEFAULTS.fullEvidence,
    usedBy: RUN,
  }),
  flag('quiet', 'quiet', SWITCH, 'print only failing cases, calls that may be open, and the verdict', {
    default: false,
    usedBy: SENDING,
  }),
  flag('json', 'json', SWITCH, 'print the results as JSON on standard output', { default: false, usedBy: REPORTING }),
] as const;

/** All settings under their headings, in the order of help and `.env.example`. */
export const GROUPS = [
  { title: 'Target', settings: TARGET },
  { title: 'Credentials', settings: CREDENTIALS },
  { title: 'Calls', settings: CALL },
  { title: 'Resources', settings: [...RESOURCES, ...SEARCH] },
  { title: 'Inbound authentication to restore', settings: INBOUND },
  { title: 'Scope', settings: SCOPE },
  { title: 'Limits', settings: LIMITS },
  { title: 'Connection', settings: CONNECTION },
  { title: 'Fixtures', settings: FIXTURES },
  { title: 'Reports and regression gate', settings: OUTPUT },
] as const satisfies readonly { readonly title: string; readonly settings: readonly Setting[] }[];

/** Name of a setting's variable. */
export type SettingName = (typeof GROUPS)[number]['settings'][number]['name'];

/** Every setting. */
export const SETTINGS: readonly Setting[] = GROUPS.flatMap<Setting>(({ settings }) => settings);
