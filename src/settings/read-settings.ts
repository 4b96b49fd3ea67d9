/** From flags, environment and `.env` to the settings of a run. */

import type { Profile } from '../contract/profile.ts';
import { RUN_DEFAULTS } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { type Environment, type Variables, variablesOnly } from './environment.ts';
import { nearMisses } from './near-miss.ts';
import { proxyFor } from './proxy.ts';
import type { Settings, Target, TargetSettings } from './settings.ts';
import { type Flags, layer, type Sources } from './sources.ts';
import * as table from './table.ts';

const REQUESTS_PER_RANDOM_CASE = 40;
const [BASE_URL, REFERENCE] = table.TARGET;

/**
 * The settings of a run. Throws `UsageError` for the first wrong one. With the reference service the variables of a
 * target are ignored: `withReference` brings its own.
 */
export function readSettings(flags: Flags, environment: Environment): Settings {
  const sources = layer(flags, environment);
  const target = chooseTarget(sources);
  const ofTarget = target.kind === 'url' ? targetSettings(sources, target) : nothingOfATarget(target);
  const limits = sources.values(table.LIMITS);
  const scope = sources.values(table.SCOPE);
  const connection = sources.values(table.CONNECTION);
  demandBothOrNone(connection);
  const proxy = target.kind === 'url' ? proxyFor(target.baseUrl, environment.env) : undefined;
  return {
    ...ofTarget,
    ...scope,
    profile: scope.profile ?? defaultProfile(target),
    ...limits,
    maxRequests: limits.maxRequests ?? RUN_DEFAULTS.maxRequests + REQUESTS_PER_RANDOM_CASE * scope.runs,
    ...connection,
    ...(proxy === undefined ? {} : { proxy }),
    ...sources.values(table.FIXTURES),
    ...sources.values(table.FACTS),
    ...sources.values(table.OUTPUT),
    warnings: nearMisses(
      sources.variables,
      table.SETTINGS.map(({ name }) => name),
    ),
  };
}

/** The same run against the reference service once it is there: `lines` are the variables that it gives out. */
export function withReference(settings: Settings, lines: Variables): Settings {
  const sources = layer({}, variablesOnly(lines));
  return { ...settings, ...targetSettings(sources, chooseTarget(sources)) };
}

function chooseTarget(sources: Sources): Target {
  const { reference: isReference } = sources.values([REFERENCE]);
  const url = sources.given('PCS_BASE_URL');
  const reference = isReference ? sources.given('PCS_REFERENCE') : undefined;
  if (url !== undefined && reference !== undefined && url.strength === reference.strength) {
    throw new UsageError(`${url.from} and ${reference.from} name two targets: use only one of them.`);
  }
  // A flag wins over a variable: `run --reference` works beside an .env that is set up for staging.
  if (reference !== undefined && reference.strength < (url?.strength ?? 3)) return { kind: 'reference' };
  const { baseUrl } = sources.values([BASE_URL]);
  if (baseUrl !== undefined) return { kind: 'url', baseUrl };
  throw new UsageError(
    'No target is given: set --base-url or PCS_BASE_URL, or use --reference for the built-in reference service.',
  );
}

function defaultProfile(target: Target): Profile {
  return target.kind === 'reference' ? 'full' : 'read-only';
}

function targetSettings({ values }: Sources, target: Target): TargetSettings {
  return {
    target,
    credentials: values(table.CREDENTIALS),
    call: values(table.CALL),
    resources: values(table.RESOURCES),
    inbound: values(table.INBOUND),
    queries: values(table.QUERIES),
    ...values(table.APPLICATION),
  };
}

function nothingOfATarget(target: Target): TargetSettings {
  return { target, credentials: { access: '' }, call: {}, resources: {}, inbound: {}, queries: {} };
}

function demandBothOrNone({ cert, key }: Pick<Settings, 'cert' | 'key'>): void {
  if ((cert === undefined) === (key === undefined)) return;
  throw new UsageError(
    'A client certificate needs --cert and --key (for certify --client-key; PCS_CERT and PCS_KEY): give both or neither.',
  );
}
