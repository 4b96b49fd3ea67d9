/** The table of settings: types, flags, variables, `.env.example`, help and docs all derive from it. */

import {
  QUERY_SETTINGS,
  type RepeatedFlag,
  RUN_DEFAULTS,
  SETTING_VALUES,
  type TargetSettingName,
} from '../contract/settings.ts';
import type { RunOptions } from '../run/options.ts';
import { choice, decimal, integer, KINDS, type Kind, nameList, preset, seconds } from './kinds.ts';

/** A command that reads settings. */
export type CommandName = 'run' | 'plan' | 'doctor' | 'clean' | 'certify' | 'judge';

/** One setting: a variable, and a flag where the value is fit for a command line. */
export interface Setting {
  /** Member of the settings that holds the value. */
  readonly key: string;
  /** Name of the variable in the environment and in `.env`. */
  readonly name: `PCS_${string}`;
  /** The flag without its dashes; credentials, numbers and resources have none. */
  readonly flag?: string;
  readonly kind: Kind<unknown>;
  /** The commands that use it. */
  readonly usedBy: readonly CommandName[];
  /** A phrase without a full stop. */
  readonly help: string;
  /** `true` where a target cannot be judged without it. */
  readonly required?: true;
  /** `true` where few users need it: the help only names its flag. */
  readonly rare?: true;
  /** `true` where the value is never shown, not even in the message that rejects it. */
  readonly secret?: true;
}

type Upper<Flag extends string> = Flag extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${Upper<Tail>}`
  : Uppercase<Flag>;
type Camel<Flag extends string> = Flag extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Flag;

/** Makes a setting with a flag; its key and its variable have the same name: `maxWait`, `PCS_MAX_WAIT`. */
export function flag<const Flag extends string, const K extends Kind<unknown>>(
  flag: Flag,
  kind: K,
  usedBy: readonly CommandName[],
  help: string,
  more: Pick<Setting, 'secret' | 'rare'> = {},
) {
  const key = flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Flag>;
  const name = `PCS_${flag.toUpperCase().replaceAll('-', '_') as Upper<Flag>}` as const;
  return { key, name, flag, kind, usedBy, help, ...more };
}

/** Makes a setting of the target, without a flag. */
export function variable<const Key extends string, Name extends TargetSettingName, const More extends object>(
  key: Key,
  name: Name,
  kind: Kind<string>,
  usedBy: readonly CommandName[],
  more: More & Pick<Setting, 'secret' | 'required'>,
) {
  return { key, name, kind, usedBy, help: SETTING_VALUES[name], ...more };
}

type CommandNames = readonly CommandName[];
const EVERY: CommandNames = ['run', 'plan', 'doctor', 'clean', 'certify'];
const JUDGING: CommandNames = EVERY.filter((command) => command !== 'clean');
const REACHING: CommandNames = EVERY.filter((command) => command !== 'plan');
const SENDING: CommandNames = ['run', 'certify'];
const SPENDING: CommandNames = [...SENDING, 'plan'];
const PLANNING: CommandNames = ['run', 'plan'];
const CHOOSING: CommandNames = [...PLANNING, 'doctor'];
const CLOSING: CommandNames = ['run', 'judge'];

const SECRET = { secret: true } as const;
const RARE = { rare: true } as const;

/** Where the target is, and where settings come from. */
export const TARGET = [
  flag('base-url', KINDS.url, [...EVERY, 'judge'], SETTING_VALUES.PCS_BASE_URL),
  flag('reference', KINDS.switch, JUDGING, 'use the built-in reference service as the target'),
  {
    ...flag(
      'env-file',
      preset(KINDS.file, '.env'),
      [...EVERY, 'judge'],
      'file to read settings from, one NAME=value a line',
    ),
    // Node reads --env-file itself, wherever it stands, and exits with 9 if the file is missing.
    flag: 'settings',
  },
] as const;

/** Credentials; never shown, never recorded. */
export const CREDENTIALS = [
  variable('access', 'PCS_ACCESS_TOKEN', KINDS.token, EVERY, { ...SECRET, required: true }),
  variable('otherOrganization', 'PCS_OTHER_ORG_ACCESS_TOKEN', KINDS.token, JUDGING, SECRET),
  variable('revoked', 'PCS_REVOKED_ACCESS_TOKEN', KINDS.token, JUDGING, SECRET),
] as const;

/** Telephone numbers to call from and to. */
export const NUMBERS = [
  variable('from', 'PCS_CALL_FROM', KINDS.phone, JUDGING, {}),
  variable('to', 'PCS_CALL_TO', KINDS.phone, JUDGING, {}),
] as const;

/** A ringing inbound call, where to find the id of a call, and further callers. */
export const CALL = [
  variable('ringingCallId', 'PCS_RINGING_CALL_ID', KINDS.id, JUDGING, {}),
  variable('callIdPointer', 'PCS_CALL_ID_POINTER', KINDS.pointer, JUDGING, {}),
  variable('trunkFrom', 'PCS_TRUNK_CALL_FROM', KINDS.phone, JUDGING, {}),
  variable('otherFrom', 'PCS_OTHER_ORG_CALL_FROM', KINDS.phone, JUDGING, {}),
] as const;

/** Ids of the resources reserved for testing. */
export const RESOURCES = [
  variable('voiceApplication', 'PCS_VOICE_APPLICATION_ID', KINDS.id, JUDGING, {}),
  variable('carrierConnection', 'PCS_CARRIER_CONNECTION_ID', KINDS.id, JUDGING, {}),
  variable('trunk', 'PCS_TRUNK_ID', KINDS.id, JUDGING, {}),
  variable('number', 'PCS_NUMBER_ID', KINDS.id, JUDGING, {}),
  variable('carrierProvider', 'PCS_CARRIER_PROVIDER_ID', KINDS.id, JUDGING, {}),
  variable('conference', 'PCS_CONFERENCE_ID', KINDS.id, JUDGING, {}),
  variable('participant', 'PCS_PARTICIPANT_ID', KINDS.id, JUDGING, {}),
] as const;

/** What is written to the voice application, and what belongs to the second organization. */
export const VALUES = [
  variable('voiceUrl', 'PCS_VOICE_URL', KINDS.webAddress, JUDGING, {}),
  variable('otherConnection', 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID', KINDS.uuid, JUDGING, {}),
  variable('otherTrunk', 'PCS_OTHER_ORG_TRUNK_ID', KINDS.id, JUDGING, {}),
  variable('otherApplication', 'PCS_OTHER_ORG_VOICE_APPLICATION_ID', KINDS.uuid, JUDGING, {}),
] as const;

/** The inbound authentication to restore at the end of a run. */
export const INBOUND = [
  variable('method', 'PCS_INBOUND_METHOD', KINDS.text, JUDGING, {}),
  variable('username', 'PCS_INBOUND_USERNAME', KINDS.text, JUDGING, {}),
  variable('realm', 'PCS_INBOUND_REALM', KINDS.text, JUDGING, {}),
  variable('secret', 'PCS_INBOUND_SECRET', KINDS.text, JUDGING, SECRET),
] as const;

/** What the lists and the number search need, by operation. */
export const QUERIES = [
  variable('searchAvailableNumbers', QUERY_SETTINGS.searchAvailableNumbers, KINDS.query, JUDGING, {}),
  variable('listNumbers', QUERY_SETTINGS.listNumbers, KINDS.query, JUDGING, {}),
  variable('listTrunks', QUERY_SETTINGS.listTrunks, KINDS.query, JUDGING, {}),
] as const;

const OPERATION_LIST = nameList('OPERATION');
const WITHOUT_HELP = 'operations or groups of operations to leave out, such as answer,conferences';
const CASES = nameList('REQUIREMENT-OR-CASE');
const PROFILES = choice('PROFILE', 'read-only', 'full');
const PROFILE_HELP =
  'read-only (the default with a URL) changes nothing; full (with --reference) also writes and places calls';
const COMPLETE_HELP =
  'exit 3 unless the whole interface was judged: profile full, 13 operations, and all that an optional setting gives';
const SEED_KIND = preset(integer(0, 2_147_483_647), RUN_DEFAULTS.seed);
/** All walks of a run are kept: 5,000 requests make a report folder of 30 MB, and another seed explores further. */
const EXPLORE = preset(integer(0, 5_000), RUN_DEFAULTS.explore);

/** A gate uses the seed of its baseline, unless a seed was given. */
export const SEED = flag(
  'seed',
  SEED_KIND,
  PLANNING,
  'seed for all generated values; with --baseline, its seed unless given',
);

/** What a run judges, and with which values. */
export const SCOPE = [
  flag('profile', PROFILES, CHOOSING, PROFILE_HELP),
  flag('without', OPERATION_LIST, [...CHOOSING, 'certify'], WITHOUT_HELP),
  flag('only', CASES, CHOOSING, 'judge only these; the run is partial'),
  flag('strict', preset(KINDS.switch, RUN_DEFAULTS.strict), [...SENDING, 'judge'], 'treat warnings as failures'),
  flag('require-complete', preset(KINDS.switch, false), SENDING, COMPLETE_HELP),
  SEED,
  flag('explore', EXPLORE, PLANNING, 'requests to explore beyond the systematic part; 0 for none'),
  flag('path', KINDS.searchPath, PLANNING, 'explore one walk only; the report prints its path next to the seed', RARE),
  flag('samples', KINDS.file, JUDGING, 'JSON file with request bodies that the target accepts, by operation'),
  flag('allow-short-number', KINDS.switch, JUDGING, 'let PCS_CALL_TO be an emergency or short number', RARE),
] as const;

const RATE = preset(decimal(0, 10_000), RUN_DEFAULTS.rate);
const CALLS = preset(integer(0, 1_000), RUN_DEFAULTS.maxCalls);
const WAIT = preset(seconds(0, 86_400), RUN_DEFAULTS.maxWait);
const PAUSE = preset(seconds(0, 600), RUN_DEFAULTS.credentialPause);
const TIMEOUT = preset(seconds(0.1, 600), RUN_DEFAULTS.timeout);
const CALL_TIMEOUT = preset(seconds(0.1, 600), RUN_DEFAULTS.callTimeout);
const REQUESTS_HELP = 'maximum number of requests; by default 2000, plus 2 for each request that --explore adds';

/** The limits of a run: how much it may send, and how long it may wait. */
export const LIMITS = [
  flag('rate', RATE, SENDING, 'maximum number of requests per second; 0 for no limit'),
  flag('max-requests', integer(1, 10_000_000), SPENDING, REQUESTS_HELP, RARE),
  flag('max-calls', CALLS, SPENDING, 'maximum number of calls that the target accepts'),
  flag('credential-pause', PAUSE, SENDING, 'time between two requests with an invalid credential', RARE),
  flag('max-wait', WAIT, SENDING, 'total time to wait: rate limits, lock-outs, outages, silence, clean-up'),
  flag('timeout', TIMEOUT, REACHING, 'time to wait for a response'),
  flag('call-timeout', CALL_TIMEOUT, SENDING, 'time to wait for the response to a call creation'),
] as const;

const HEADER_HELP =
  'header field for every request, for a gateway; {uuid} in it is drawn anew for each request; repeat it for several';

/** How the target is reached. */
export const CONNECTION = [
  flag('ca', KINDS.file, REACHING, 'PEM file with the certificate authority of the target'),
  flag('cert', KINDS.file, REACHING, 'PEM file with a client certificate, and its key unless --key names it'),
  // In `certify`, `--key` is the signing key, so only the variable names this key.
  flag('key', KINDS.file, ['run', 'doctor', 'clean'], 'PEM file with the private key of the client certificate'),
  flag('header', KINDS.headers, REACHING, HEADER_HELP, SECRET),
] as const;

const STARTS = 'command that starts a live fixture (ringing-call or conference) and prints NAME=value lines';
const ENDS = 'command that ends the fixture; always runs, also after an error or Ctrl-C, and in clean';

/** Commands that start and end live fixtures, such as a ringing call. */
export const FIXTURES = [
  flag('fixture-command', KINDS.command, JUDGING, STARTS),
  flag('fixture-cleanup', KINDS.command, EVERY, ENDS),
] as const;

const REPORT_DIR = preset(KINDS.folder, 'conformance-report');

/** What the exit code of a run is compared with. */
export const GATE = [
  flag('baseline', KINDS.folder, CLOSING, 'report folder of an earlier run; only new failures affect the exit code'),
  flag('expect', KINDS.file, CLOSING, 'JSON file of known failures, each with reason, owner, issue and expiry date'),
  flag(
    'history',
    KINDS.folder,
    CLOSING,
    'report folder of earlier runs, or a folder of such folders; the reports show a trend',
  ),
] as const;

/** What a run writes and prints. */
const REPORTS = [
  flag('report-dir', REPORT_DIR, [...SENDING, 'clean', 'judge'], 'report folder'),
  flag(
    'quiet',
    KINDS.switch,
    [...SENDING, 'judge'],
    'print only failing cases, calls that may be open, changes that were not restored, and the verdict',
  ),
  flag('json', KINDS.switch, [...SENDING, 'judge', 'plan', 'doctor'], 'print the outcome as JSON on standard output'),
] as const;

/** What a run writes, and what its exit code is compared with. */
export const OUTPUT = [...REPORTS, ...GATE] as const;

/** All settings under their headings, in the order of help and `.env.example`. */
export const GROUPS = [
  { title: 'Target', settings: TARGET },
  { title: 'Credentials', settings: CREDENTIALS },
  { title: 'Calls', settings: [...NUMBERS, ...CALL] },
  { title: 'Resources', settings: [...RESOURCES, ...VALUES, ...QUERIES] },
  { title: 'Inbound authentication to restore', settings: INBOUND },
  { title: 'Scope', settings: SCOPE },
  { title: 'Reports', settings: REPORTS },
  { title: 'Regression gate, for releases', settings: GATE },
  { title: 'Limits, for a target that throttles or is slow', settings: LIMITS },
  { title: 'Connection, for a gateway or private certificates', settings: CONNECTION },
  { title: 'Fixtures, for calls and conferences that do not last', settings: FIXTURES },
] as const satisfies readonly { readonly title: string; readonly settings: readonly Setting[] }[];

type SettingName = (typeof GROUPS)[number]['settings'][number]['name'];

/** Settings by the names of their variables; they take precedence over the environment and over `.env`. */
export type ConformanceSettings = Readonly<Partial<Record<SettingName, string>>>;

/** Every setting. */
export const SETTINGS: readonly Setting[] = GROUPS.flatMap<Setting>(({ settings }) => settings);

type ValueOf<Row extends Setting> = Row['kind'] extends Kind<infer Value> ? Value : never;
type Sure = { readonly kind: { readonly default: unknown } } | { readonly required: true };

/** The values of some settings by key; those without a default may be absent. */
export type ValuesOf<Rows extends readonly Setting[]> = {
  readonly [Row in Rows[number] as Row extends Sure ? Row['key'] : never]: ValueOf<Row>;
} & { readonly [Row in Rows[number] as Row extends Sure ? never : Row['key']]?: ValueOf<Row> };

/** Settings of the scope that the engine does not take unchanged. */
type Unread = 'samples' | 'without' | 'requireComplete';

/**
 * The settings of a run: the options of the engine, and those of the command. Times are milliseconds; names of
 * requirements are not checked yet. For a reference service not yet started, `baseUrl` and the credential are empty.
 */
export interface Settings
  extends RunOptions,
    Omit<ValuesOf<typeof SCOPE>, Unread | 'profile'>,
    Omit<ValuesOf<typeof LIMITS>, 'maxRequests'>,
    ValuesOf<typeof CONNECTION>,
    ValuesOf<typeof FIXTURES>,
    ValuesOf<typeof OUTPUT> {
  /** The target is the reference service, which the command starts. */
  readonly isReference: boolean;
  /** The numbers that are given; `numbers` holds both or is `null`. */
  readonly call: ValuesOf<typeof NUMBERS>;
  readonly samplesFile?: string;
  /** Absent where the default is used. */
  readonly chosenProfile?: RunOptions['profile'];
  readonly chosenSeed?: number;
  /** The flags that a printed command repeats. */
  readonly repeated: readonly RepeatedFlag[];
  /** Address of the proxy in between; may hold a password. */
  readonly proxy?: string;
  /** Sentences for standard error: variables that were probably misspelt. */
  readonly warnings: readonly string[];
}
