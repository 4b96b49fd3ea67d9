/** From settings to a judged run. */

import { requirementById } from '../../suites/catalogue.ts';
import { choicesOf, plannerFor, SUITE } from '../../suites/index.ts';
import type { RunArtefacts } from '../report/model.ts';
import type { RunOptions } from '../run/options.ts';
import { type Plan, planRun } from '../run/plan.ts';
import { runSuite, type SuiteEvent, type SuiteInput } from '../run/suite-run.ts';
import type { Settings } from '../settings/table.ts';
import type { RunRecord } from '../verdict/record.ts';
import { checkOnly, connectionOf, runOptionsOf, statedFacts } from './run-options.ts';
import { samplesOf } from './samples.ts';
import { packageVersion } from './version.ts';

/** What a run with these settings judges and sends, in order. Throws `UsageError`. */
export function planOf(settings: Settings): Plan {
  return planRun(SUITE, plannerFor(runOptionsOf(settings, {})));
}

/** The input of a run, or of a part of one. Throws `UsageError`, also if `--only` names an unknown case. */
export function suiteInputOf(settings: Settings, part: Pick<RunOptions, 'shard'> = {}): SuiteInput {
  const options = { ...runOptionsOf(settings, samplesOf(settings)), ...part };
  const planned = planOf({ ...settings, only: [] }).cases.flatMap(({ id, requirement }) => [id, requirement]);
  checkOnly(options.only, [...planned, ...options.only.filter((name) => requirementById(name) !== undefined)], planned);
  const { reportDir } = settings;
  const connection = connectionOf(settings);
  return { options, version: packageVersion(), reportDir, connection, stated: statedFacts(settings) };
}

/** A judged run with the record that its verdicts are computed from. */
export interface JudgedTarget extends Omit<RunArtefacts, 'folder'> {
  readonly record: RunRecord;
}

/** Judges the target of the input. Throws where nothing was judged. */
export async function judge(
  input: SuiteInput,
  signal: AbortSignal,
  show: (event: SuiteEvent) => void = () => undefined,
): Promise<JudgedTarget> {
  let end: Extract<SuiteEvent, { readonly kind: 'results' }> | undefined;
  const onEvent = (event: SuiteEvent): void => {
    if (event.kind === 'results') end = event;
    show(event);
  };
  await runSuite(input, SUITE, onEvent, signal);
  if (end === undefined) throw new Error('the run ended without results');
  const { results, record, facts } = end;
  const startedAt = input.stated?.time ?? end.startedAt;
  const choices = choicesOf(record);
  return { results, exchanges: record.exchanges, choices, startedAt, ...(facts && { facts }), record };
}
