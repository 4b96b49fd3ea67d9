/** Judges a target: the reference service is started if it is the one, the suites run, the reports are written. */

import { SUITES } from '../../suites/index.ts';
import { withReference } from '../config/read-settings.ts';
import type { Settings } from '../config/settings.ts';
import { requirementById } from '../contract/requirements/index.ts';
import { Kit } from '../engine/kit.ts';
import { planRun } from '../engine/plan.ts';
import type { Results } from '../engine/results.ts';
import type { SuiteEvent, SuiteInput } from '../engine/suite-run.ts';
import { EXIT_OF } from '../engine/verdict.ts';
import type { Exchange } from '../http/exchange.ts';
import { connectionOf } from './connection.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Interruption } from './interruption.ts';
import { liveLine } from './live-line.ts';
import { type Conduct, PARTS } from './parts.ts';
import { present } from './present.ts';
import { runOptionsOf, samplesOf } from './run-options.ts';
import { checkOnly } from './selection.ts';
import { packageVersion } from './version.ts';
import { runWithVitest } from './vitest-runner.ts';
import { demandFolder } from './write-reports.ts';

/** What came of a run. */
interface Outcome {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
}

/** A reference service that is told to be judged, on a free port of this machine. */
async function withTarget<T>(settings: Settings, work: (settings: Settings) => Promise<T>): Promise<T> {
  if (settings.target.kind === 'url') return work(settings);
  const reference = await PARTS.startReference({ host: '127.0.0.1', port: 0 });
  try {
    return await work(withReference(settings, { ...reference.settings, PCS_BASE_URL: reference.url }));
  } finally {
    await reference.close();
  }
}

/** What the suites are told, from the settings. Throws `UsageError` and `SettingsError`. */
export function suiteInputOf(settings: Settings): SuiteInput {
  const options = runOptionsOf(settings, samplesOf(settings));
  // Planned once here, before anything starts, so that a name that names nothing is wrong usage.
  const { cases } = planRun(SUITES, new Kit({ ...options, only: [] }, ''));
  const planned = cases.flatMap(({ id, requirement }) => [id, requirement]);
  checkOnly(options.only, [...planned, ...options.only.filter((name) => requirementById(name) !== undefined)], planned);
  return {
    options,
    version: packageVersion(),
    reportDir: settings.reportDir,
    connection: connectionOf(settings),
  };
}

async function judge(
  input: SuiteInput,
  interruption: Interruption,
  watch: (event: SuiteEvent) => void,
): Promise<Outcome> {
  const exchanges: Exchange[] = [];
  let open: readonly string[] = [];
  let results: Results | undefined;
  interruption.setLastWords(() => (open.length === 0 ? undefined : `Possibly still open: ${open.join('; ')}.`));
  const onEvent = (event: SuiteEvent): void => {
    if (event.kind === 'exchange') exchanges.push(event.exchange);
    if (event.kind === 'calls') open = event.open;
    if (event.kind === 'results') results = event.results;
    watch(event);
  };
  await runWithVitest<SuiteEvent>({ ...input }, { onEvent, signal: interruption.signal });
  if (results === undefined) throw new Error('the suites ended without results');
  return { results, exchanges: exchanges.sort((a, b) => a.seq - b.seq) };
}

/** Judges the target of the settings. */
export const conduct: Conduct = (settings, terminal, interruption) =>
  withTarget(settings, async (known): Promise<ExitCode> => {
    const input = suiteInputOf(known);
    await demandFolder(settings.reportDir);
    const line = liveLine(terminal, settings.quiet || settings.json);
    const startedAt = Date.now();
    const outcome = await judge(input, interruption, line.show).finally(line.end);
    await present({ ...outcome, startedAt }, known, terminal);
    return EXIT_OF[outcome.results.verdict];
  });
