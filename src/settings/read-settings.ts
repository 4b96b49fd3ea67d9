/** From flags, environment and `.env` to the settings of a run. */

import { withoutUndefined } from '../contract/lists.ts';
import { OPERATION_IDS, OPERATIONS, type Operation, type OperationId } from '../contract/operations.ts';
import { type RepeatedFlag, RUN_DEFAULTS } from '../contract/settings.ts';
import { throwAll, UsageError, unknownName, usageErrorsOf } from '../contract/usage-error.ts';
import { isSecretField } from '../exchange/header-fields.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { DEFAULTS, type RunOptions } from '../run/options.ts';
import { type Environment, surroundingsOf, type Variables, variablesOnly } from './environment.ts';
import { demandLongNumber, readHeaders } from './kinds.ts';
import { curlProxy, proxyFor } from './proxy.ts';
import { demandSecrets } from './secrets.ts';
import { CREDENTIAL, type Flags, layer, type Sources } from './sources.ts';
import type { Settings } from './table.ts';
import * as table from './table.ts';

const [BASE_URL, REFERENCE] = table.TARGET;

/**
 * The settings of a run. Throws one `UsageError` for all wrong ones. With the reference service the variables of a
 * target are ignored: `withReference` brings its own.
 */
export function readSettings(flags: Flags, environment: Environment): Settings {
  const sources = layer(flags, environment);
  try {
    return settingsFrom(sources, environment);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // With a misspelt PCS_ACESS_TOKEN in .env, the command only said that PCS_ACCESS_TOKEN is not set.
    const warnings = sources.warnings.map((warning) => `Warning: ${warning}`);
    throw new UsageError(error.problem, error.remedy, { cause: error, also: [...error.sentences, ...warnings] });
  }
}

function settingsFrom(sources: Sources, environment: Environment): Settings {
  const { values } = sources;
  demandAll(sources);
  const baseUrl = chosenUrl(sources);
  const isReference = baseUrl === undefined;
  if (!isReference) demandVerification(environment.env);
  if (!isReference) demandSecrets(sources);
  const ofTarget = isReference ? NO_TARGET : { ...targetOptions(sources), call: values(table.NUMBERS) };
  const known = values([...table.LIMITS, ...table.SCOPE, ...table.CONNECTION]);
  const { to }: Settings['call'] = ofTarget.call;
  if (to !== undefined && !known.allowShortNumber) demandLongNumber('PCS_CALL_TO', to, '--allow-short-number');
  const proxy = isReference ? undefined : proxyFor(baseUrl, environment.env);
  const reach = surroundingsOf(environment, baseUrl?.startsWith('https:') === true || proxy !== undefined);
  const { samples: samplesFile, requireComplete, without, ...told } = known;
  return {
    ...DEFAULTS,
    ...ofTarget,
    ...told,
    ...withoutUndefined({
      requireComplete: requireComplete || undefined,
      reference: isReference || undefined,
      proxy,
      samplesFile,
      chosenProfile: known.profile,
      chosenSeed: sources.given(table.SEED) && known.seed,
    }),
    ...(reach.length === 0 ? {} : { reach }),
    isReference,
    baseUrl: baseUrl ?? '',
    profile: known.profile ?? (isReference ? 'full' : 'read-only'),
    without: OPERATION_IDS.filter((id) => !operationsLeft(without).includes(id)),
    maxRequests: known.maxRequests ?? usualRequests(known),
    repeated: [
      ...repeatedFlags(sources),
      ...(baseUrl === undefined || proxy === undefined ? [] : [curlProxy(baseUrl, proxy, environment.env)]),
    ],
    ...values([...table.FIXTURES, ...table.OUTPUT]),
    warnings: sources.warnings,
  };
}

/** Flags that change nothing between suite and target. */
const OF_OUTPUT: ReadonlySet<string> = new Set(table.OUTPUT.map(({ flag }) => flag));

/** Flags whose values a printed `run` or `clean` takes from the results or the journal. */
const IN_RESULTS: ReadonlySet<string> = new Set([
  'base-url',
  'profile',
  'without',
  'only',
  'strict',
  'require-complete',
  'seed',
  'explore',
  'path',
]);

/**
 * The flags that printed commands have to repeat: the settings of `.env` persist, but the variables of a pipeline do
 * not. A value that could be a secret is named by its variable. No result holds the flags of `judge`.
 */
export function repeatedFlags({ given }: Sources, command: table.CommandName = 'run'): readonly RepeatedFlag[] {
  return SETTINGS_OF_RUN.flatMap((setting): readonly RepeatedFlag[] => {
    const { name, flag, kind, usedBy, secret }: table.Setting = setting;
    const { text = '', strength = 2 } = given(setting) ?? {};
    // The file that a variable names is often temporary.
    const stays = strength === 2 || (name === 'PCS_ENV_FILE' && strength !== 0);
    if (flag === undefined || stays || OF_OUTPUT.has(flag)) return [];
    const said = { flag, in: usedBy.filter((user) => !IN_RESULTS.has(flag) || (user === command && user === 'judge')) };
    if (said.in.length === 0) return [];
    const reading = kind.read(text);
    if (kind.placeholder === undefined) return 'value' in reading && reading.value === true ? [said] : [];
    // With `--header 'X-Tenant: acme'`, the printed line stopped at PCS_HEADER, beside a curl line with the field.
    const fields = flag === 'header' ? readHeaders(text) : undefined;
    if (fields !== undefined && 'value' in fields && !fields.value.some(isSecretField) && !CREDENTIAL.test(text)) {
      return fields.value.map((field) => ({ ...said, value: field.join(': ') }));
    }
    const isHidden = secret === true || CREDENTIAL.test(text) || (flag === 'base-url' && shownUrl(text).includes('⟦'));
    return [isHidden ? { ...said, variable: name } : { ...said, value: text }];
  });
}

/** Certificates are verified whatever the environment says; a user who turned that off must be told. */
function demandVerification({ NODE_TLS_REJECT_UNAUTHORIZED: given }: Variables): void {
  if (given !== '0') return;
  throw new UsageError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would turn off the verification of certificates, which this command never does',
    'unset it, and name the authority of the target with --ca',
  );
}

const OF_TARGET = [
  ...[...table.CREDENTIALS, ...table.NUMBERS, ...table.CALL],
  ...[...table.RESOURCES, ...table.VALUES, ...table.INBOUND, ...table.QUERIES],
];
const SETTINGS_OF_RUN = [
  ...[...table.TARGET, ...table.LIMITS, ...table.SCOPE, ...table.CONNECTION],
  ...[...table.FIXTURES, ...table.OUTPUT],
];

/** Names all wrong values at once, and the missing target beside them. */
function demandAll(sources: Sources): void {
  let isReference = sources.given(BASE_URL) === undefined;
  const choose = (): void => {
    isReference = chosenUrl(sources) === undefined;
  };
  throwAll(
    usageErrorsOf([() => sources.values(SETTINGS_OF_RUN), choose, () => isReference || sources.values(OF_TARGET)]),
  );
}

/**
 * The default of `--max-requests`. Each request that `--explore` adds counts twice: a walk that finds
 * something is followed by smaller walks.
 */
export const usualRequests = ({ explore }: Pick<RunOptions, 'explore'>): number =>
  RUN_DEFAULTS.maxRequests + 2 * Math.max(0, explore - RUN_DEFAULTS.explore);

/** The settings of a run against the started reference service; `lines` are the variables that it prints. */
export function withReference(settings: Settings, lines: Variables): Settings {
  const sources = layer({}, variablesOnly(lines));
  const { baseUrl = '' } = sources.values([BASE_URL]);
  return { ...settings, ...targetOptions(sources), call: sources.values(table.NUMBERS), isReference: false, baseUrl };
}

/** The address of the target, or `undefined` for the reference service. */
function chosenUrl(sources: Sources): string | undefined {
  const url = sources.given(BASE_URL);
  const given = sources.given(REFERENCE);
  const reference = given !== undefined && sources.values([REFERENCE]).reference ? given : undefined;
  if (url !== undefined && reference !== undefined && url.strength === reference.strength) {
    throw new UsageError(`${url.from} and ${reference.from} name two targets`, 'use only one of them');
  }
  // A flag wins over a variable: `run --reference` works beside an .env that is set up for staging.
  if (reference !== undefined && reference.strength < (url?.strength ?? 3)) return undefined;
  if (url !== undefined) return sources.values([BASE_URL]).baseUrl;
  throw new UsageError(
    'No target is given',
    'set --base-url or PCS_BASE_URL, or use --reference for the built-in reference service',
  );
}

/** Settings that must differ: with our own connection given as the second organization's, ORG-ISOLATION failed. */
const APART: readonly (readonly table.Setting[])[] = [
  table.CREDENTIALS,
  ...['CARRIER_CONNECTION', 'VOICE_APPLICATION'].map((kind) =>
    [...table.RESOURCES, ...table.VALUES].filter(({ name }) =>
      [`PCS_${kind}_ID`, `PCS_OTHER_ORG_${kind}_ID`].includes(name),
    ),
  ),
];

/** Rejects equal values of settings that must differ. */
function demandDifferent(given: Sources['given']): void {
  for (const settings of APART) {
    const known = new Map<string, string>();
    for (const setting of settings) {
      const value = given(setting)?.text ?? '';
      const earlier = known.get(value);
      if (value !== '' && earlier !== undefined)
        throw new UsageError(`${setting.name} is the same as ${earlier}`, `set it to ${setting.help}, or leave it out`);
      known.set(value, setting.name);
    }
  }
}

/** The prefix of a credential is fixed (section 5): another token was never issued, so never revoked either. */
function demandIssued({ access = '', revoked }: Partial<RunOptions['credentials']>): void {
  const prefix = /^.*?org_(?=.)/s.exec(access)?.[0];
  if (prefix === undefined || revoked === undefined) return;
  if (revoked.startsWith(prefix) && revoked.length > prefix.length) return;
  throw new UsageError(
    `PCS_REVOKED_ACCESS_TOKEN does not begin as PCS_ACCESS_TOKEN does (${prefix}), so the target never issued it`,
    'set it to a credential that was revoked, or leave it out',
  );
}

/** The options that belong to the target, except its address. Throws `UsageError`. */
export function targetOptions({ given, values }: Sources) {
  const { from, to } = values(table.NUMBERS);
  const credentials = values(table.CREDENTIALS);
  demandDifferent(given);
  demandIssued(credentials);
  return {
    credentials,
    numbers: from === undefined || to === undefined ? null : { from, to },
    resources: values(table.RESOURCES),
    inbound: values(table.INBOUND),
    queries: values(table.QUERIES),
    ...values([...table.CALL, ...table.VALUES]),
  };
}

/** The same for a reference service that has not started. */
const NO_TARGET = { credentials: { access: '' }, call: {} } satisfies Partial<Settings>;

/** A group is named by the first segment of its paths, or that segment's last word: `applications`. */
function groupNames({ path }: Operation): readonly string[] {
  const group = path.split('/')[2] ?? '';
  return [group, group.replace(/^.*-/, '')];
}

const wordsOf = (operation: Operation): readonly string[] => [operation.alias, operation.id, ...groupNames(operation)];
const OPERATION_WORDS: readonly string[] = [...new Set(OPERATIONS.flatMap(wordsOf))];
const OPERATION_ALIASES: readonly string[] = OPERATIONS.map(({ alias }) => alias);
const OPERATION_GROUPS: readonly string[] = [
  ...new Set(OPERATIONS.flatMap((operation) => groupNames(operation).slice(-1))),
];

/** The operations that remain, in order; `without` holds ids, short words and groups. Throws `UsageError`. */
export function operationsLeft(without: readonly string[]): readonly OperationId[] {
  const stranger = without.find((word) => !OPERATION_WORDS.includes(word));
  if (stranger !== undefined) {
    const otherwise = `use ${OPERATION_ALIASES.join(', ')}, or the group ${OPERATION_GROUPS.join(', ')}`;
    throw unknownName(
      `Unknown operation ${JSON.stringify(stranger)} in --without`,
      stranger,
      OPERATION_WORDS,
      otherwise,
    );
  }
  const left = OPERATIONS.filter((operation) => !wordsOf(operation).some((word) => without.includes(word)));
  if (left.length === 0) throw new UsageError('--without excludes every operation', 'keep at least one');
  return left.map(({ id }) => id);
}
