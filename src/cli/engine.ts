/** From settings to a judged run: the engine's options, connection and facts, and the names of --without and --only. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { createSecureContext } from 'node:tls';
import { choicesOf, plannerFor, SUITE } from '../../suites/index.ts';
import { counted, listed, withoutUndefined } from '../contract/lists.ts';
import { remedyOf } from '../contract/settings.ts';
import { UsageError, withUsageError } from '../contract/usage-error.ts';
import { casesById, standingOf } from '../regression/comparison.ts';
import type { JudgedRun } from '../regression/own-files.ts';
import type { RunArtefacts } from '../report/model.ts';
import { readTextFile } from '../run/disk.ts';
import { type Connection, reachedOver } from '../run/live.ts';
import type { RunOptions } from '../run/options.ts';
import { type Plan, planRun } from '../run/plan.ts';
import { runSuite, type SuiteEvent, type SuiteInput } from '../run/suite-run.ts';
import type { Settings } from '../settings/table.ts';
import type { RunRecord } from '../verdict/record.ts';
import { samplesOf } from './samples.ts';
import { LIVE_FIXTURES } from './target.ts';
import { packageVersion } from './terminal.ts';

/** What a run with these settings judges and sends, in order. Throws `UsageError`. */
export function planOf(settings: Settings): Plan {
  return planRun(SUITE, plannerFor(settings));
}

/** The input of a run. Throws `UsageError`. */
export function suiteInputOf(settings: Settings): SuiteInput {
  const options = runOptionsOf(settings);
  const [connection, stated] = [connectionOf(settings), { host: hostname() }];
  const reached = reachedOver(options, connection);
  const { reportDir, repeated } = settings;
  return { options: reached, version: packageVersion(), reportDir, repeated, connection, stated };
}

/** A judged run with the record that its verdicts are computed from. */
export interface JudgedTarget extends Omit<RunArtefacts, 'folder'> {
  readonly record: RunRecord;
}

/** Judges the target of the input. Throws if nothing was judged. */
export async function judgeInput(
  input: SuiteInput,
  signal: AbortSignal,
  show: (event: SuiteEvent) => void = () => undefined,
): Promise<JudgedTarget> {
  const { results, record, facts } = await runSuite(input, SUITE, show, signal);
  const { exchanges, startedAt } = record;
  return { results, record, exchanges, choices: choicesOf(record), ...withoutUndefined({ startedAt, facts }) };
}

/** Throws `UsageError` if calls are planned and the numbers to call are missing. */
export function demandNumbers({ isReference, profile, call, without, only }: Settings): void {
  if (isReference || profile !== 'full' || only.length > 0) return;
  if (without.includes('createCall')) return;
  const numbers = { PCS_CALL_FROM: call.from, PCS_CALL_TO: call.to };
  const missing = (['PCS_CALL_FROM', 'PCS_CALL_TO'] as const).filter((name) => numbers[name] === undefined);
  if (missing.length === 0) return;
  const set = missing.length === 1 ? 'is not set' : 'are not set';
  throw new UsageError(
    `Profile full places calls, and ${missing.join(' and ')} ${set}`,
    `${remedyOf(...missing)}, or leave calls out with --without calls`,
  );
}

/** The engine's options, once the target has an address. Throws `UsageError` for a wrong samples file. */
export function runOptionsOf(settings: Settings): RunOptions {
  const { fixtureCommand, reach = [] } = settings;
  const fixtures = fixtureCommand === undefined ? [] : [LIVE_FIXTURES];
  return { ...settings, samples: samplesOf(settings), reach: [...reach, ...fixtures] };
}

/** The text of a PEM file, checked by parsing it. */
function pemOf<T>(flag: string, path: string, what: string, parse: (pem: string) => T): { pem: string; value: T } {
  const remedy = 'give it as PEM';
  const pem = readTextFile(path, `${flag} (${path})`, false, remedy);
  return { pem, value: withUsageError(() => parse(pem), `${flag} (${path}) contains no ${what}`, remedy) };
}

const certificateIn = (flag: string, path: string) =>
  pemOf(flag, path, 'certificate', (pem) => new X509Certificate(pem));

/** A pair that no server could accept is rejected before anything is sent. */
function clientPair(path: string, keyPath?: string): NonNullable<Connection['client']> {
  const certificate = certificateIn('--cert', path);
  const from = keyPath === undefined ? '--cert' : '--key';
  const key = pemOf(from, keyPath ?? path, 'private key without a pass phrase', createPrivateKey);
  if (!certificate.value.checkPrivateKey(key.value)) {
    throw new UsageError(`${from} (${keyPath ?? path}) holds another key than that of the certificate`, 'give its key');
  }
  const client = { cert: certificate.pem, key: key.pem };
  const unfit = `--cert (${path}) is rejected by OpenSSL, as one with a short key is`;
  withUsageError(() => createSecureContext(client), unfit, 'give one with a key of at least 2,048 bits');
  return client;
}

/** The connection that the settings describe, certificates and keys as text. Throws `UsageError`. */
export function connectionOf({ ca, cert, key, header, proxy }: Settings): Connection {
  return withoutUndefined({
    ca: ca && certificateIn('--ca', ca).pem,
    client: (cert ?? key) === undefined ? undefined : clientPair(cert ?? `${key}`, key),
    proxy,
    headers: header.length === 0 ? undefined : header,
  });
}

/** The settings with the baseline's seed, unless one was given: another seed made a known defect look new. */
export function seededAs(settings: Settings, baseline?: JudgedRun): Settings {
  const isFree = settings.chosenSeed === undefined && baseline?.results.traffic === undefined;
  return isFree ? { ...settings, seed: baseline?.results.seed ?? settings.seed } : settings;
}

/** Throws `UsageError` if a flag leaves out what the baseline judged: such a run passed with a mere notice. */
export function demandAsWide(settings: Settings, baseline?: JudgedRun): void {
  if (baseline === undefined) return;
  const { results } = baseline;
  const { only, without, profile, path } = settings;
  const planned = new Set(planOf(settings).cases.map(({ id }) => id));
  const left = [...casesById(results)].filter(
    ([id, result]) => standingOf(result, results) !== 'not judged' && !planned.has(id),
  );
  const narrower = [
    ['only', only.length > 0 && String(only) !== String(results.only)],
    ['without', without.some((id) => !results.without.includes(id))],
    ['profile', profile === 'read-only' && results.profile === 'full'],
  ] as const;
  const flags = narrower.flatMap(([name, isSo]) =>
    isSo ? [`--${name} ${settings[name]} (PCS_${name.toUpperCase()})`] : [],
  );
  if (left.length > 0 && flags.length > 0) {
    const leave = flags.length === 1 ? 'leaves' : 'leave';
    const problem = `${listed(flags)} ${leave} out ${counted(left.length, 'case')} that the baseline judged`;
    throw new UsageError(problem, 'judge the baseline with the same flags, or omit what leaves them out');
  }
  if (path !== undefined && results.explore > 0)
    throw new UsageError(`--path ${path} (PCS_PATH) leaves out walks that the baseline explored`, 'omit it');
}
