/** The door for vitest: `await conformance()` in a test file shows each case of a run as a test of its own. */

import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { requirementById } from '../suites/catalogue.ts';
import { demandNumbers, judgeInput, planOf, suiteInputOf } from './cli/engine.ts';
import { linesOfRemains } from './cli/present.ts';
import { demandLimits } from './cli/rehearsal.ts';
import { canBeCleaned, inOwnFolder, inReportFolder } from './cli/report-folder.ts';
import { knownSettings, settingsOfRun, withFixtures, withTarget } from './cli/target.ts';
import { machineOf } from './cli/terminal.ts';
import { cleanCommand } from './report/command-line.ts';
import { failureText } from './report/console.ts';
import { allCases, type CaseOfRequirement, isFailing, type RunArtefacts } from './report/model.ts';
import { writeReportFiles } from './report/write-reports.ts';
import { readEnvironment, type Variables } from './settings/environment.ts';
import { readSettings } from './settings/read-settings.ts';
import { layer } from './settings/sources.ts';
import { type ConformanceSettings, GATE, OUTPUT, type Settings } from './settings/table.ts';
import { type CaseResult, EXIT_OF, type Results } from './verdict/results.ts';

export type { ConformanceSettings } from './settings/table.ts';

const [REPORT_DIR] = OUTPUT;

/**
 * Defines a test for each case that the settings plan, and judges the target once, before the first of them. Only what
 * the selected tests need is sent. Rejects with `UsageError` if the settings are wrong.
 */
export async function conformance(given: ConformanceSettings = {}): Promise<void> {
  const environment = readEnvironment(process.cwd(), given);
  const settings = readSettings({}, environment);
  for (const warning of settings.warnings) console.warn(`Warning: ${warning}`);
  const sources = layer({}, environment);
  for (const { name } of GATE.filter((setting) => sources.given(setting) !== undefined))
    console.warn(`Warning: ${name} has no effect here: only the command compares a run.`);
  const hasReportDir = sources.given(REPORT_DIR) !== undefined;
  const { cases } = planOf(knownSettings(settings));
  const verdicts = new Map<string, CaseOfRequirement>();
  let judged: RunArtefacts | undefined;

  describe('conformance', () => {
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the first parameter and demands a pattern
    beforeAll(async function judgeOnce({}, suite?: Task) {
      // vitest 3 gives the suite first, and 4.1 after what it read of the pattern.
      // biome-ignore lint/complexity/noArguments: rest parameters are no pattern
      const selected = selectedIn(suite ?? arguments[0]);
      const only = selected.length === cases.length ? settings.only : selected;
      judged = await judgeTarget({ ...settings, only }, environment.env, hasReportDir);
      for (const each of allCases(judged.results)) verdicts.set(each.result.id, each);
    }, 0);

    // A run may fail although no case fails: a call may be open, or a symptom is flaky under PCS_STRICT.
    afterAll(() => {
      if (judged === undefined) return;
      const { results } = judged;
      const isShown = allCases(results).some(({ result }) => isRed(result, results));
      if (EXIT_OF[results.verdict] !== 0 && !isShown) throw new Error(results.summary);
    });

    for (const id of new Set(cases.map(({ requirement }) => requirement))) {
      describe(`${id}: ${requirementById(id)?.statement}`, () => {
        for (const planned of cases.filter(({ requirement }) => requirement === id)) {
          test(planned.id, (context) => show(verdicts.get(planned.id), judged, context));
        }
      });
    }
  });
}

/** Whether the test of a case fails. */
const isRed = ({ verdict }: CaseResult, results: Results): boolean =>
  verdict === 'inconclusive' || isFailing(verdict, results);

/** Passes, skips or fails the test of a case; the message of a failure is what the command prints of it. */
function show(each: CaseOfRequirement | undefined, run: RunArtefacts | undefined, { skip, expect }: TestContext): void {
  if (each === undefined || run === undefined) throw new Error('the case has no verdict');
  const { verdict, reason, remedy, findings } = each.result;
  if (verdict === 'not-exercised') skip(`not exercised: ${reason}`);
  const isFailed = isRed(each.result, run.results);
  const text = findings.length === 0 ? '' : `\n${failureText(each, run)}`;
  if (isFailed) throw new Error(`${verdict}: ${[reason, remedy].filter(Boolean).join('; ')}${text}`);
  // With `requireAssertions` vitest fails a test that makes none.
  expect(isFailed).toBe(false);
}

/** The members that are read from a vitest suite or test. */
interface Task {
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly Task[];
}

/** The ids of the cases whose tests will run: an editor may ask for one. */
function selectedIn({ name, mode, tasks }: Task): readonly string[] {
  if (tasks !== undefined) return tasks.flatMap(selectedIn);
  return mode === 'run' || mode === 'queued' ? [name] : [];
}

/**
 * Judges in the report folder of the settings, if they name one, and writes the reports there. Otherwise it uses a
 * folder of its own, which stays only if the run left something on the target.
 */
async function judgeTarget(settings: Settings, env: Variables, hasReportDir: boolean): Promise<RunArtefacts> {
  const judgeIn = async (reportDir: string, begin = (): void => undefined) => {
    const judged = await judgeUnderSignals({ ...settings, reportDir }, env, begin);
    const run = { ...judged, folder: reportDir, repeated: settings.repeated };
    const missing = hasReportDir ? writeReportFiles(reportDir, run).missing : [];
    const lines = [...linesOfRemains(run.results)];
    if (canBeCleaned(run)) lines.push(`Run ${cleanCommand({ ...settings, reportDir, target: run.results.target })}`);
    if (lines.length > 0) console.warn(lines.join(' '));
    if (missing.length > 0) throw new Error(`Not all reports could be written: ${missing.join('; ')}`);
    return run;
  };
  const { reportDir, baseUrl } = settings;
  if (hasReportDir) return inReportFolder(reportDir, machineOf({}), (begin) => judgeIn(reportDir, begin));
  return { ...(await inOwnFolder(baseUrl, machineOf({}), (folder) => judgeIn(folder))), folder: null };
}

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;

/** Judges the target. A signal, or the end of vitest's main process, winds the run down and hangs up. */
async function judgeUnderSignals(settings: Settings, env: Variables, begin: () => void) {
  demandNumbers(settings);
  const interruption = new AbortController();
  const stop = (): void => interruption.abort('SIGINT');
  for (const event of ENDINGS) process.on(event, stop);
  try {
    return await withTarget(settings, async (known) => {
      await demandLimits(suiteInputOf(known).options, settingsOfRun(known));
      return withFixtures(known, env, (live) => {
        begin();
        return judgeInput(suiteInputOf(live), interruption.signal);
      });
    });
  } finally {
    for (const event of ENDINGS) process.off(event, stop);
  }
}
