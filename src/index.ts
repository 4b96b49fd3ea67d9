/** Programmatic use: judge a target from code, without the command and without a test runner. */

import { evaluate, SUITE } from '../suites/index.ts';
import { packageVersion } from './cli/version.ts';
import { DEFAULTS } from './run/defaults.ts';
import { livePorts } from './run/live.ts';
import type { RunOptions } from './run/options.ts';
import { runSuites } from './run/run.ts';
import type { RunRecord } from './verdict/record.ts';
import type { Results } from './verdict/results.ts';

export { REQUIREMENTS, type RequirementId } from '../suites/catalogue.ts';
export { OPERATIONS, type Operation, type OperationId } from './contract/operations.ts';
export { UsageError } from './contract/usage-error.ts';
export type { Exchange } from './exchange/exchange.ts';
export { DEFAULTS } from './run/defaults.ts';
export type { RunOptions } from './run/options.ts';
export type { Requirement } from './run/requirement.ts';
export { evaluate } from './verdict/evaluate.ts';
export type { RunRecord } from './verdict/record.ts';
export type { CaseResult, FoldedFinding, RequirementResult, Results } from './verdict/results.ts';
export type { RunVerdict, Verdict } from './verdict/verdict.ts';

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
 * a verdict, not an error. Rejects with `UsageError` where `only` or `without` names nothing.
 */
export async function run(
  input: RunInput,
  context: RunContext = {},
): Promise<{ readonly results: Results; readonly record: RunRecord }> {
  const options: RunOptions = { ...DEFAULTS, ...input, baseUrl: input.baseUrl.replace(/\/+$/, '') };
  const { ports, close } = livePorts(options, { version: packageVersion(), ...context });
  try {
    const record = await runSuites(options, SUITE, ports);
    return { results: evaluate(record), record };
  } finally {
    await close();
  }
}
