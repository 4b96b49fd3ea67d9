/** `pcs-conformance replay DIR CASE`: a failing case of a recorded run is asked again. */

import { join } from 'node:path';
import { UsageError } from '../../contract/usage-error.ts';
import { visible } from '../../report/visible.ts';
import type { RecordedRun, Replayed } from '../../run/replay.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import type { Results } from '../../verdict/results.ts';
import { EXIT_CODES, type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { listenForSignals } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';

/** The flags of the command: where the target is and how it is reached; what is asked comes from the folder. */
export const REPLAY_FLAGS: readonly string[] = [
  ...['base-url', 'reference', 'profile', 'samples', 'ca', 'cert', 'key', 'header'],
  ...['rate', 'max-requests', 'max-calls', 'max-wait', 'timeout', 'call-timeout'],
  ...['fixture-command', 'fixture-cleanup', 'quiet'],
];

/** The recorded run's own flags, under those that were written. */
function flagsOf({ target, profile, without, seed, runs, strict }: Results, written: Flags): Flags {
  return {
    ...(written['reference'] === true ? {} : { 'base-url': target }),
    profile,
    seed: String(seed),
    runs: String(runs),
    strict,
    ...(without.length === 0 ? {} : { without: without.join(',') }),
    ...written,
  };
}

/** A folder may come from anybody: the credential goes to the address of the settings, or to a flag's, and no other. */
function demandSameTarget(folder: string, { target }: Results, flags: Flags, named: string | undefined): void {
  if (flags['base-url'] !== undefined || flags['reference'] === true) return;
  if (named === undefined || named === target) return;
  throw new UsageError(
    `The run in ${folder} judged ${target}, and the settings name ${named}: write --base-url with the one to ask.`,
  );
}

/** How the outcome is exited with. */
function exitCode({ outcome, results }: Replayed): ExitCode {
  if (outcome === 'fails') return EXIT_CODES.nonConformant;
  if (outcome === 'passes') return EXIT_CODES.conformant;
  return results.verdict === 'void' ? EXIT_CODES.void : EXIT_CODES.incomplete;
}

/** What came of it, in a few lines. */
function linesOf(id: string, { outcome, breadth, judged, results }: Replayed): readonly string[] {
  const word = { fails: 'still fails', passes: 'does not fail any more', open: 'could not be judged' }[outcome];
  const cost = `${breadth}; ${results.counts.requests} requests, ${results.counts.calls} calls`;
  const why = outcome === 'open' ? (results.endedEarly ?? judged.reason) : judged.reason;
  return [
    `${id} ${word} (${cost})`,
    ...(why === undefined ? [] : [`  ${visible(why)}`]),
    ...results.possiblyOpen.map((sentence) => `Possibly open: ${visible(sentence)}.`),
    ...results.changed.map((sentence) => `Changed and not put back: ${visible(sentence)}.`),
  ];
}

/** The recorded run, which is to hold the case and a failure of it. */
async function recordedFailure(folder: string, id: string): Promise<RecordedRun> {
  const { recordedRun } = await import('../recorded-run.ts');
  const { exampleOfCase } = await import('../../run/replay.ts');
  const recorded = recordedRun(folder);
  exampleOfCase(recorded, id);
  return recorded;
}

/**
 * Asks the case again with the seed, profile and target of its run. Exits 1 where it still fails, 0 where it does not,
 * 3 where it cannot be judged. Throws `UsageError`.
 */
export async function replay(folder: string, id: string, written: Flags, terminal: Terminal): Promise<ExitCode> {
  const { env, envFile } = terminal.environment();
  const recorded = await recordedFailure(folder, id);
  demandSameTarget(folder, recorded.results, written, layer(written, env, envFile).value('PCS_BASE_URL'));
  const settings = readSettings(flagsOf(recorded.results, written), env, envFile);
  const { replayLive } = await import('../replay-live.ts');
  const interruption = listenForSignals(terminal);
  try {
    const place = { ...settings, only: [id], reportDir: join(folder, 'replay') };
    const replayed = await replayLive(recorded, id, place, terminal, interruption);
    for (const line of linesOf(id, replayed)) terminal.out(line);
    const signal = interruption.received();
    return signal === undefined ? exitCode(replayed) : exitCodeOf(signal);
  } finally {
    interruption.release();
  }
}
