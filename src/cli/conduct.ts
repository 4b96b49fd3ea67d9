/** Judges a target: the reference service is started if it is the one, the suites run, the reports are written. */

import { SUITES } from '../../suites/index.ts';
import { requirementById } from '../contract/requirements/index.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RunArtefacts } from '../report/artefacts.ts';
import { Kit } from '../run/kit.ts';
import { planRun } from '../run/plan.ts';
import { runSuite, type SuiteEvent, type SuiteInput } from '../run/suite-run.ts';
import { withReference } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { choicesOf } from '../verdict/choices.ts';
import type { PlannedCase, RunRecord } from '../verdict/record.ts';
import { atTheGate, presentGate, readGateFiles } from './at-the-gate.ts';
import { connectionOf } from './connection.ts';
import { withFixtures } from './fixture-command.ts';
import { liveLine, watched } from './live-line.ts';
import type { Conduct } from './parts.ts';
import { present } from './present.ts';
import { runOptionsOf, samplesOf } from './run-options.ts';
import { checkOnly } from './selection.ts';
import { startReference } from './start-reference.ts';
import { packageVersion } from './version.ts';
import { demandFolder } from './write-reports.ts';

/** A reference service that is told to be judged, on a free port of this machine. */
export async function withTarget<T>(settings: Settings, work: (settings: Settings) => Promise<T>): Promise<T> {
  if (settings.target.kind === 'url') return work(settings);
  const reference = await startReference({ host: '127.0.0.1', port: 0 });
  try {
    return await work(withReference(settings, { ...reference.settings, PCS_BASE_URL: reference.url }));
  } finally {
    await reference.close();
  }
}

/** The cases that a run with these settings judges, in their order. Throws `UsageError`. */
export function casesOf(settings: Settings): readonly PlannedCase[] {
  return planRun(SUITES, new Kit(runOptionsOf(settings, {}), '')).cases;
}

/** What the suites are told, from the settings. Throws `UsageError`. */
export function suiteInputOf(settings: Settings): SuiteInput {
  const options = runOptionsOf(settings, samplesOf(settings));
  // Planned once here, before anything starts, so that a name that names nothing is wrong usage.
  const cases = casesOf({ ...settings, only: [] });
  const planned = cases.flatMap(({ id, requirement }) => [id, requirement]);
  checkOnly(options.only, [...planned, ...options.only.filter((name) => requirementById(name) !== undefined)], planned);
  return {
    options,
    version: packageVersion(),
    reportDir: settings.reportDir,
    connection: connectionOf(settings),
  };
}

/** A run that was judged, with the record that its verdicts are computed from. */
export interface JudgedTarget extends RunArtefacts {
  readonly record: RunRecord;
}

/** Has the engine judge a target, and gathers what it tells. */
export async function judge(
  input: SuiteInput,
  watch: (event: SuiteEvent) => void,
  signal: AbortSignal,
): Promise<JudgedTarget> {
  const exchanges: Exchange[] = [];
  let end: Extract<SuiteEvent, { readonly kind: 'results' }> | undefined;
  const onEvent = (event: SuiteEvent): void => {
    if (event.kind === 'exchange') exchanges.push(event.exchange);
    if (event.kind === 'results') end = event;
    watch(event);
  };
  await runSuite(input, SUITES, onEvent, signal);
  if (end === undefined) throw new Error('the run ended without results');
  const { results, startedAt } = end;
  exchanges.sort((a, b) => a.seq - b.seq);
  const record: RunRecord = { ...end.record, exchanges };
  return { results, exchanges, choices: choicesOf(record), startedAt, record };
}

/** Judges the target of the settings. */
export const conduct: Conduct = (settings, terminal, interruption) =>
  withTarget(settings, (target) =>
    withFixtures(target, terminal.environment().env, (known) => conductKnown(known, terminal, interruption)),
  );

/** Judges a target that is there, with the fixtures that there are. */
const conductKnown: Conduct = async (settings, terminal, interruption) => {
  const input = suiteInputOf(settings);
  const files = readGateFiles(settings);
  await demandFolder(settings.reportDir);
  const line = liveLine(terminal, settings.quiet || settings.json);
  const run = await judge(input, watched(interruption, line), interruption.signal).finally(line.end);
  const held = atTheGate(run, files, settings.pinChoices, Date.now());
  const { difference } = held;
  await present(difference === undefined ? run : { ...run, difference }, settings, terminal);
  await presentGate(held, settings, terminal);
  return held.outcome.code;
};
