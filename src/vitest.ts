/** The door for vitest: `await conformance()` in a test file shows each case of a run as a test of its own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, test } from 'vitest';
import { casesOf, judge, suiteInputOf } from './cli/engine.ts';
import { knownSettings, withTarget } from './cli/target.ts';
import { requirementById } from './contract/requirements/index.ts';
import { writeReports } from './report/write-reports.ts';
import { readEnvironment, type Variables } from './settings/environment.ts';
import { readSettings } from './settings/read-settings.ts';
import type { Settings } from './settings/settings.ts';
import { layer } from './settings/sources.ts';
import type { SettingName } from './settings/table.ts';
import type { CaseResult, Results } from './verdict/results.ts';

/** Settings by the names of their variables; they take precedence over the environment and over `.env`. */
export type ConformanceSettings = Readonly<Partial<Record<SettingName, string>>>;

/** The parts of a suite of vitest's from which the selection of tests is read. */
interface TaskLike {
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly TaskLike[];
}

/**
 * Defines a test for each case that the settings plan, and judges the target once, before the first of them. Only what
 * the selected tests need is sent. Without a report folder in the settings nothing stays on the disk, unless a call may
 * be open. Rejects with `UsageError` where the settings are wrong.
 */
export async function conformance(own: ConformanceSettings = {}): Promise<void> {
  const ofProcess = readEnvironment(process.cwd());
  const environment = { ...ofProcess, env: { ...ofProcess.env, ...own } };
  const { env } = environment;
  const settings = readSettings({}, environment);
  const keepsReports = layer({}, environment).given('PCS_REPORT_DIR') !== undefined;
  const cases = casesOf(knownSettings(settings));
  const verdicts = new Map<string, CaseResult>();

  describe('conformance', () => {
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the first parameter and demands a pattern
    beforeAll(async ({}, suite) => {
      const selected = selectedIn(suite);
      const only = selected.length === cases.length ? settings.only : selected;
      const results = keepsReports
        ? await judged({ ...settings, only }, env)
        : await inOwnFolder((reportDir) => judged({ ...settings, only, reportDir }, env, false));
      for (const { cases: some } of results.requirements) for (const one of some) verdicts.set(one.id, one);
    }, 0);

    for (const id of new Set(cases.map(({ requirement }) => requirement))) {
      describe(`${id}: ${requirementById(id)?.statement}`, () => {
        for (const planned of cases.filter(({ requirement }) => requirement === id)) {
          test(planned.id, (context) => {
            const result = verdicts.get(planned.id);
            if (result === undefined) throw new Error('the case got no verdict');
            if (result.verdict === 'not-exercised') context.skip(`not exercised: ${result.reason}`);
            if (result.verdict === 'pass' || result.verdict === 'warning') return;
            throw new Error(`${result.verdict}: ${[result.reason, result.remedy].filter(Boolean).join('; ')}`);
          });
        }
      });
    }
  });
}

/** Ids of the cases whose tests are to run: an editor may ask for one. */
function selectedIn({ name, mode, tasks }: TaskLike): readonly string[] {
  if (tasks !== undefined) return tasks.flatMap(selectedIn);
  return mode === 'run' || mode === 'queued' ? [name] : [];
}

/** A folder of this run alone, so that no other run's reports are touched; it stays only where a call may be open. */
async function inOwnFolder(work: (folder: string) => Promise<Results>): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-vitest-'));
  const results = await work(folder);
  if (results.possiblyOpen.length === 0) rmSync(folder, { recursive: true });
  else console.warn(`${results.possiblyOpen.join('; ')}. Hang up: npx pcs-conformance clean --report-dir ${folder}`);
  return results;
}

/** Judges the target; a signal, or the end of the process that runs vitest, winds the run down first. */
async function judged(settings: Settings, env: Variables, reports = true): Promise<Results> {
  for (const warning of settings.warnings) console.warn(`Warning: ${warning}`);
  const interruption = new AbortController();
  const stop = (): void => interruption.abort('SIGINT');
  for (const event of EVENTS) process.on(event, stop);
  try {
    const run = await withTarget(settings, env, (known) => judge(suiteInputOf(known), interruption.signal));
    if (reports) await writeReports(settings.reportDir, run);
    return run.results;
  } finally {
    for (const event of EVENTS) process.off(event, stop);
  }
}

const EVENTS = ['SIGINT', 'SIGTERM', 'disconnect'] as const;
