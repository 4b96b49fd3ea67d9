/** Programmatic use: judge a target from code, without the command and without a test runner. */

import { SUITES } from '../suites/index.ts';
import { packageVersion } from './cli/version.ts';
import { DEFAULTS } from './engine/defaults.ts';
import { evaluate } from './engine/evaluate.ts';
import { livePorts } from './engine/live.ts';
import type { RunOptions } from './engine/options.ts';
import type { RunRecord } from './engine/record.ts';
import type { Results } from './engine/results.ts';
import { runSuites } from './engine/run.ts';

export { OPERATIONS, type Operation, type OperationId } from './contract/operations.ts';
export { REQUIREMENTS, type Requirement, type RequirementId } from './contract/requirements/index.ts';
export { DEFAULTS } from './engine/defaults.ts';
export { evaluate } from './engine/evaluate.ts';
export type { RunOptions } from './engine/options.ts';
export { PlanError } from './engine/plan.ts';
export type { RunRecord } from './engine/record.ts';
export type { CaseResult, FoldedFinding, RequirementResult, Results } from './engine/results.ts';
export type { RunVerdict, Verdict } from './engine/verdict.ts';
export type { Exchange } from './http/exchange.ts';

/** The target and its credential; everything else has a default (`DEFAULTS`). Times are milliseconds. */
export type RunInput = Pick<RunOptions, 'baseUrl' | 'credentials'> & Partial<RunOptions>;

/** What belongs to this process. */
export interface RunContext {
  /** Certificate authorities in PEM, trusted besides the well-known ones. */
  readonly ca?: string;
  /** Ends the run early; what is open is hung up first. */
  readonly signal?: AbortSignal;
}

/**
 * Judges a target. Resolves with the results and the record they were computed from; a target that is down or wrong is
 * a verdict, not an error. Rejects with `PlanError` where `only` or `without` names nothing.
 */
export async function run(
  input: RunInput,
  context: RunContext = {},
): Promise<{ readonly results: Results; readonly record: RunRecord }> {
  const options: RunOptions = { ...DEFAULTS, ...input, baseUrl: input.baseUrl.replace(/\/+$/, '') };
  const { ports, close } = livePorts(options, { version: packageVersion(), ...context });
  try {
    const record = await runSuites(options, SUITES, ports);
    return { results: evaluate(record), record };
  } finally {
    await close();
  }
}
