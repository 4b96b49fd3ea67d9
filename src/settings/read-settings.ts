/** From flags, environment and `.env` to the settings of a run. */

import { RUN_DEFAULTS } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { type Environment, type Variables, variablesOnly } from './environment.ts';
import { extentOf, isShortNumber } from './kinds.ts';
import { proxyFor } from './proxy.ts';
import { type Flags, layer, type Sources } from './sources.ts';
import type { Settings, Target, TargetSettings } from './table.ts';
import * as table from './table.ts';

/** Twice the requests of an exploration longer than the default: a walk that finds something is followed by smaller ones. */
const requestsToExplore = (extent: string): number => 2 * Math.max(0, extentOf(extent).explore - RUN_DEFAULTS.explore);
const [BASE_URL, REFERENCE, ENV_FILE] = table.TARGET;
const USUAL_FILE = ENV_FILE.kind.default;

/**
 * The settings of a run. Throws `UsageError` for the first wrong one. With the reference service the variables of a
 * target are ignored: `withReference` brings its own.
 */
export function readSettings(flags: Flags, environment: Environment): Settings {
  const sources = layer(flags, environment);
  const { values } = sources;
  const { envFile } = values([ENV_FILE]);
  const target = chooseTarget(sources);
  const ofTarget = target.kind === 'url' ? targetSettings(sources, target) : nothingOfATarget(target);
  const known = values([...table.LIMITS, ...table.SCOPE, ...table.CONNECTION]);
  if ((known.cert === undefined) !== (known.key === undefined)) {
    throw new UsageError(
      'A client certificate needs --cert and --key (for certify --client-key; PCS_CERT and PCS_KEY)',
      'give both or neither',
    );
  }
  const { to } = ofTarget.call;
  if (to !== undefined && isShortNumber(to) && !known.allowShortNumber) {
    throw new UsageError(
      `PCS_CALL_TO (${JSON.stringify(to)}) is an emergency or short number`,
      'set it to a number reserved for testing, or add --allow-short-number',
    );
  }
  const proxy = target.kind === 'url' ? proxyFor(target.baseUrl, environment.env) : undefined;
  return {
    ...ofTarget,
    ...known,
    profile: known.profile ?? (target.kind === 'reference' ? 'full' : 'read-only'),
    maxRequests: known.maxRequests ?? RUN_DEFAULTS.maxRequests + requestsToExplore(known.explore),
    ...(proxy === undefined ? {} : { proxy }),
    ...(envFile === USUAL_FILE ? {} : { settingsFile: envFile }),
    ...values([...table.FIXTURES, ...table.FACTS, ...table.OUTPUT]),
    warnings: sources.warnings,
  };
}

/** The same run against the reference service once it is there: `lines` are the variables that it gives out. */
export function withReference(settings: Settings, lines: Variables): Settings {
  const sources = layer({}, variablesOnly(lines));
  return { ...settings, ...targetSettings(sources, chooseTarget(sources)) };
}

function chooseTarget(sources: Sources): Target {
  const { reference: isReference } = sources.values([REFERENCE]);
  const url = sources.given(BASE_URL);
  const reference = isReference ? sources.given(REFERENCE) : undefined;
  if (url !== undefined && reference !== undefined && url.strength === reference.strength) {
    throw new UsageError(`${url.from} and ${reference.from} name two targets`, 'use only one of them');
  }
  // A flag wins over a variable: `run --reference` works beside an .env that is set up for staging.
  if (reference !== undefined && reference.strength < (url?.strength ?? 4)) return { kind: 'reference' };
  const { baseUrl } = sources.values([BASE_URL]);
  if (baseUrl !== undefined) return { kind: 'url', baseUrl };
  throw new UsageError(
    'No target is given',
    'set --base-url or PCS_BASE_URL, or use --reference for the built-in reference service',
  );
}

/** Two credentials that are equal would judge nothing: each of them is there to be told from the others. */
function differentCredentials(values: Sources['values']): TargetSettings['credentials'] {
  const credentials = values(table.CREDENTIALS);
  const known = new Map<string, string>();
  for (const { key, name, help } of table.CREDENTIALS) {
    const value = credentials[key];
    if (value === undefined) continue;
    const other = known.get(value);
    if (other !== undefined)
      throw new UsageError(`${name} is the same as ${other}`, `set it to ${help}, or leave it out`);
    known.set(value, name);
  }
  return credentials;
}

function targetSettings({ values }: Sources, target: Target): TargetSettings {
  return {
    target,
    credentials: differentCredentials(values),
    call: values(table.CALL),
    resources: values(table.RESOURCES),
    inbound: values(table.INBOUND),
    queries: values(table.QUERIES),
    ...values(table.VALUES),
  };
}

function nothingOfATarget(target: Target): TargetSettings {
  return { target, credentials: { access: '' }, call: {}, resources: {}, inbound: {}, queries: {} };
}
