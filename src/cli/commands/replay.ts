/** `pcs-conformance replay DIR CASE`: sends a failing case of a recorded run again. */

import { join } from 'node:path';
import { plannerFor, SUITE } from '../../../suites/index.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { recordedRun } from '../../report/recorded-run.ts';
import { visible } from '../../report/text.ts';
import {
  type Ask,
  exampleOfCase,
  type RecordedRun,
  type Replayed,
  replay as replayStages,
  stagesOf,
} from '../../run/replay.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { type Flags, layer } from '../../settings/sources.ts';
import { type Settings, TARGET } from '../../settings/table.ts';
import type { Results } from '../../verdict/results.ts';
import { judge, suiteInputOf } from '../engine.ts';
import { linesOfRemains } from '../present.ts';
import { inReportFolder, keepPrevious } from '../report-folder.ts';
import { withTarget } from '../target.ts';
import { EXIT_CODES, type ExitCode, machineOf, type Terminal } from '../terminal.ts';
import { type Watch, watched } from '../watch.ts';

const [BASE_URL] = TARGET;

/** The flags of the recorded run; flags of the command line take precedence. */
function flagsOf({ profile, without, seed, strict }: Results, written: Flags): Flags {
  return {
    profile,
    seed: String(seed),
    strict,
    ...(without.length === 0 ? {} : { without: without.join(',') }),
    ...written,
  };
}

/** A folder may come from anyone: the credential goes only to the address of the settings or of a flag. */
function demandSameTarget(folder: string, { target }: Results, flags: Flags, named: string | undefined): void {
  if (flags['base-url'] !== undefined || flags['reference'] === true) return;
  if (named !== undefined && shownUrl(named) === target) return;
  const settings = named === undefined ? 'name no target' : `name ${shownUrl(named)}`;
  throw new UsageError(
    `The run in ${folder} judged ${target}, but the settings ${settings}`,
    'choose one with --base-url',
  );
}

function exitCodeOf({ outcome, results }: Replayed): ExitCode {
  if (outcome === 'fails') return EXIT_CODES.nonConformant;
  if (outcome === 'passes') return EXIT_CODES.conformant;
  return results.verdict === 'void' ? EXIT_CODES.void : EXIT_CODES.incomplete;
}

function linesOf(id: string, { outcome, breadth, judged, results }: Replayed): readonly string[] {
  const word = { fails: 'still fails', passes: 'no longer fails', open: 'could not be judged' }[outcome];
  const cost = `${breadth}; ${results.counts.requests} requests, ${results.counts.calls} calls`;
  const why = outcome === 'open' ? (results.endedEarly ?? judged.reason) : judged.reason;
  return [`${id} ${word} (${cost})`, ...(why === undefined ? [] : [`  ${visible(why)}`]), ...linesOfRemains(results)];
}

/** Sends the case of the settings' `only` again; the requests go to a journal in the report folder of the settings. */
function replayLive(
  run: RecordedRun,
  id: string,
  settings: Settings,
  terminal: Terminal,
  watch: Watch,
): Promise<Replayed> {
  const machine = machineOf(terminal);
  const { env } = terminal.environment();
  return withTarget(settings, env, async (known) => {
    const input = suiteInputOf(known);
    const stages = stagesOf(run, id, SUITE, plannerFor(input.options));
    const send: Ask = async ({ sequences, path }) => {
      const options = path === undefined ? input.options : { ...input.options, path };
      keepPrevious(settings.reportDir, machine.disk);
      return (await judge({ ...input, ...machine, sequences, options }, watch.signal, watch.show)).results;
    };
    return inReportFolder(settings.reportDir, machine, () => replayStages(id, stages, send)).finally(watch.end);
  });
}

/**
 * Sends the case again with the seed, profile and target of its run. Exits 1 if it still fails, 0 if it does not, and 3
 * if it cannot be judged. Throws `UsageError`.
 */
export async function replay(folder: string, id: string, written: Flags, terminal: Terminal): Promise<ExitCode> {
  const environment = terminal.environment();
  const run = recordedRun(folder);
  exampleOfCase(run, id);
  demandSameTarget(folder, run.results, written, layer(written, environment).values([BASE_URL]).baseUrl);
  const read = readSettings(flagsOf(run.results, written), environment);
  const settings = { ...read, only: [id], reportDir: join(folder, 'replay') };
  return watched(terminal, settings.quiet, async (watch) => {
    const replayed = await replayLive(run, id, settings, terminal, watch);
    for (const line of linesOf(id, replayed)) terminal.out(line);
    return exitCodeOf(replayed);
  });
}
