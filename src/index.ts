/** Programmatic use: judge a target from code, without the command and without a test runner. */

import { hostname } from 'node:os';
import { connectionOf, demandNumbers, type JudgedTarget, judgeInput, runOptionsOf } from './cli/engine.ts';
import { demandLimits } from './cli/rehearsal.ts';
import { inOwnFolder, inReportFolder } from './cli/report-folder.ts';
import { demandJudged, demandRunInput } from './cli/run-input.ts';
import { listenAsReference } from './cli/target.ts';
import { machineOf, packageVersion } from './cli/terminal.ts';
import { picked } from './contract/lists.ts';
import { OPERATION_IDS } from './contract/operations.ts';
import { UsageError } from './contract/usage-error.ts';
import { type Comparison, compareRuns } from './regression/comparison.ts';
import { type JudgedRun, readRunFolder } from './regression/own-files.ts';
import { advance, NO_PROGRESS } from './report/progress.ts';
import { writeReportFiles as writeAll } from './report/write-reports.ts';
import type { FactSettings } from './run/facts.ts';
import { type Connection, reachedOver } from './run/live.ts';
import { DEFAULTS, OPTION_NAMES, type RunOptions } from './run/options.ts';
import type { SuiteEvent } from './run/suite-run.ts';
import { readEnvironment, surroundingsOf, variablesOnly } from './settings/environment.ts';
import { operationsLeft, readSettings, usualRequests } from './settings/read-settings.ts';
import { parsed } from './settings/sources.ts';
import { type ConformanceSettings, type Settings, TARGET } from './settings/table.ts';
import type { RunRecord } from './verdict/record.ts';
import type { Results } from './verdict/results.ts';

export { REQUIREMENTS } from '../suites/catalogue.ts';
export type { RequirementId } from '../suites/report-order.ts';
export { OPERATIONS, type Operation, type OperationId } from './contract/operations.ts';
export type { Exchange } from './exchange/exchange.ts';
export type { Drift } from './regression/comparison.ts';
export type { Change } from './report/gate.ts';
export type { Choice } from './run/choices.ts';
export type { Requirement } from './run/requirement.ts';
export type { CaseResult, FoldedFinding, RequirementResult, RunVerdict, Verdict } from './verdict/results.ts';

export type {
  Comparison,
  ConformanceSettings,
  Connection,
  FactSettings,
  JudgedRun,
  JudgedTarget,
  Results,
  RunOptions,
  RunRecord,
};
export { DEFAULTS, UsageError };

const [BASE_URL] = TARGET;

/** How far a run has come. */
export interface RunProgress {
  /** Sequences of the plan that have sent a request, and all of them. */
  readonly begun: number;
  readonly planned: number;
  readonly requests: number;
  /** The wait that has just begun, in milliseconds, and the status that asked for it (`null`: the target is down). */
  readonly waiting: { readonly milliseconds: number; readonly status: number | null } | null;
  /** Sentences: the calls that would stay open if the process ended now. */
  readonly openCalls: readonly string[];
}

/** What belongs to this process and not to the requests. */
export interface RunContext {
  /** How the target is reached: a private authority, a client certificate, a proxy, header fields of a gateway. */
  readonly connection?: Connection;
  /** Ends the run early; open calls are hung up first. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** What the reports say of the run besides its time: the machine. */
  readonly facts?: FactSettings;
  /** Whether `numbers.to` may be an emergency or short number. */
  readonly allowShortNumber?: boolean;
  /**
   * Folder for the journal, locked during the run; what an earlier run left there is moved to `previous-<n>`. Unless
   * given, a temporary folder, which stays only if a call may be open.
   */
  readonly reportDir?: string;
}

/** The target and its credential; everything else has a default (`DEFAULTS`). Times are milliseconds. */
export type RunInput = Pick<RunOptions, 'baseUrl' | 'credentials'> & Partial<RunOptions> & RunContext;

/** A judged run. */
export interface Run extends JudgedTarget {
  /** The folder with the journal; absent where it was temporary and nothing is left to clean up. */
  readonly folder?: string;
}

/**
 * Judges a target. A target that is down or wrong is a verdict, not an error. Rejects with `UsageError` where the
 * options are wrong, and where another run works in the report folder.
 */
export async function run(input: RunInput): Promise<Run> {
  demandRunInput(input);
  const { connection, signal = new AbortController().signal, onProgress, reportDir, facts } = input;
  // `timeout: undefined` replaced the default, and a sound target failed, since nothing arrives in no time.
  const given = picked(input, OPTION_NAMES);
  const baseUrl = parsed(BASE_URL, { text: given.baseUrl, from: 'baseUrl' }, () => false);
  const left = operationsLeft(given.without ?? []);
  const without = OPERATION_IDS.filter((id) => !left.includes(id));
  const hasTls = baseUrl.startsWith('https:') || connection?.proxy !== undefined;
  const options: RunOptions = {
    ...DEFAULTS,
    maxRequests: usualRequests({ ...DEFAULTS, ...given }),
    ...given,
    reach: [...new Set([...(given.reach ?? []), ...surroundingsOf(readEnvironment(process.cwd()), hasTls)])],
    baseUrl,
    without,
  };
  await demandLimits(options);
  const judgeIn = (folder: string): Promise<JudgedTarget> => {
    const stated = facts ?? { host: hostname() };
    const input = {
      options: reachedOver(options, connection),
      version: packageVersion(),
      reportDir: folder,
      stated,
      ...(connection && { connection }),
    };
    return judgeInput(input, signal, reporter(onProgress));
  };
  const machine = machineOf({});
  if (reportDir === undefined) return inOwnFolder(baseUrl, machine, judgeIn);
  return {
    ...(await inReportFolder(reportDir, machine, (begin) => {
      begin();
      return judgeIn(reportDir);
    })),
    folder: reportDir,
  };
}

function reporter(onProgress: RunContext['onProgress']): (event: SuiteEvent) => void {
  let progress = NO_PROGRESS;
  let openCalls: readonly string[] = [];
  return (event) => {
    progress = advance(progress, event, performance.now());
    if (event.kind === 'calls') openCalls = event.open;
    const { begun, planned, requests } = progress;
    const waiting = event.kind === 'wait' ? { milliseconds: event.milliseconds, status: event.status } : null;
    onProgress?.({ begun, planned, requests, waiting, openCalls });
  };
}

/** The input of a run as the command would read it: from argument, environment and `.env`. Throws `UsageError`. */
export function inputFromEnvironment(given: ConformanceSettings = {}): RunInput {
  return inputOf(readSettings({}, readEnvironment(process.cwd(), given)));
}

function inputOf(settings: Settings): RunInput {
  if (settings.isReference) {
    throw new UsageError('PCS_REFERENCE names no address', 'await startReference() and run with its input');
  }
  demandNumbers(settings);
  const options = picked(runOptionsOf(settings), OPTION_NAMES);
  return { ...options, connection: connectionOf(settings), allowShortNumber: settings.allowShortNumber };
}

/**
 * Writes every report of a run to the folder, which is made if necessary, and returns their paths. Throws `UsageError`
 * where one cannot be written; the others are.
 */
export function writeReports(folder: string, judged: JudgedTarget): readonly string[] {
  if (typeof folder !== 'string') throw new UsageError('writeReports needs a folder', 'name one');
  demandJudged(judged, 'exchanges');
  const { files, missing } = writeAll(folder, { ...judged, folder });
  if (missing.length === 0) return files;
  throw new UsageError(`Not all reports could be written to ${folder}: ${missing.join('; ')}`, 'choose another folder');
}

/** What changed between two runs, each given as it came from `run` or as a report folder. Throws `UsageError`. */
export function compare(baseline: JudgedRun | string, current: JudgedRun | string): Comparison {
  const runOf = (given: JudgedRun | string): JudgedRun => {
    if (typeof given === 'string') return readRunFolder(given);
    demandJudged(given);
    return given;
  };
  return compareRuns(runOf(baseline), runOf(current));
}

/** The built-in reference service on a local port. */
export interface Reference {
  readonly url: string;
  /** The input of a run of the full profile against it. */
  readonly input: RunInput;
  readonly close: () => Promise<void>;
}

/** Starts the reference service on a free port of this machine, for trying things out. */
export async function startReference(): Promise<Reference> {
  const { url, settings, close } = await listenAsReference();
  const variables = { ...settings, PCS_BASE_URL: url, PCS_PROFILE: 'full' };
  return { url, input: inputOf(readSettings({}, variablesOnly(variables))), close };
}
