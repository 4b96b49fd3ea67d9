/** `pcs-conformance doctor`: the settings, checked by harmless reads alone. */

import { plannerFor } from '../../../suites/index.ts';
import { remedyOf } from '../../contract/settings.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { livePorts } from '../../run/live.ts';
import { clientOf } from '../../run/run-client.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Flags } from '../../settings/sources.ts';
import type { Settings } from '../../settings/table.ts';
import { type Checked, checkByReads, soughtIn } from '../checked-settings.ts';
import { type MissingSetting, missingSettings, NOT_NEEDED } from '../rehearsal.ts';
import { connectionOf, runOptionsOf } from '../run-options.ts';
import { samplesOf } from '../samples.ts';
import { knownSettings } from '../target.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';

/** What the doctor found, as `--json` prints it. */
interface Diagnosis extends Checked {
  readonly target: string;
  readonly warnings: readonly string[];
  /** Settings without which something cannot be judged. */
  readonly missing: readonly (MissingSetting & { readonly remedy: string })[];
}

/**
 * Prints what cannot be judged for lack of a setting, and what the reads show of the settings. Exits 3 if a setting is
 * wrong. Throws `UsageError`.
 */
export async function doctor(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  const diagnosis = await diagnosisOf(settings);
  if (settings.json) terminal.out(JSON.stringify(diagnosis, null, 2));
  else for (const line of linesOf(diagnosis, settings)) terminal.out(line);
  return diagnosis.wrong.length > 0 ? EXIT_CODES.incomplete : EXIT_CODES.conformant;
}

async function diagnosisOf(settings: Settings): Promise<Diagnosis> {
  const known = knownSettings(settings);
  const missing = await missingSettings(runOptionsOf(known, samplesOf(known)));
  const isReference = settings.target.kind === 'reference';
  const checked = isReference ? { wrong: [], unchecked: [] } : await checkedSettings(settings);
  return {
    target: settings.target.kind === 'url' ? shownUrl(settings.target.baseUrl) : 'reference',
    warnings: settings.warnings,
    missing: missing.map(({ names, unjudged }) => ({ names, unjudged, remedy: remedyOf(...names) })),
    ...checked,
  };
}

function linesOf({ target, warnings, missing, wrong, unchecked }: Diagnosis, settings: Settings): readonly string[] {
  const hasNoEnd = settings.fixtureCommand !== undefined && settings.fixtureCleanup === undefined;
  const unneeded = missing.flatMap(({ names, unjudged }) => (unjudged === NOT_NEEDED ? names : []));
  const needed = missing.filter(({ unjudged }) => unjudged !== NOT_NEEDED);
  const lines = [
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(unneeded.length > 0 ? [`Not set, and not needed for this profile: ${unneeded.join(', ')}.`] : []),
    ...needed.map(({ names, unjudged, remedy }) => `${names.join(', ')} not set: ${unjudged}; ${remedy}`),
    ...(hasNoEnd ? ['PCS_FIXTURE_CLEANUP is not set: the suite does not end the fixtures that it starts.'] : []),
  ];
  if (settings.target.kind === 'reference') {
    return [...lines, 'The built-in reference service runs in this process, so doctor has no connection to check.'];
  }
  const rings = unchecked.includes('PCS_RINGING_CALL_ID');
  return [
    ...lines,
    ...wrong.map((sentence) => `Wrong: ${sentence}.`),
    ...(unchecked.length > 0 ? [`Not checked, because no read of this target shows it: ${unchecked.join(', ')}.`] : []),
    ...(rings
      ? ['The call in PCS_RINGING_CALL_ID has to ring when a run starts: --fixture-command can start one.']
      : []),
    ...(wrong.length > 0 ? [] : [`${target} answers and accepts the credential.`]),
  ];
}

async function checkedSettings(settings: Settings): Promise<Checked> {
  const options = runOptionsOf(settings, {});
  const { ports, close } = livePorts(options, { version: packageVersion(), connection: connectionOf(settings) });
  const recorder: typeof ports.recorder = (secrets) => ({ ...ports.recorder(secrets), watch: soughtIn(options) });
  try {
    const client = clientOf(
      { ...options, maxWait: 0 },
      { ...ports, recorder },
      `s${ports.random(16)}`,
      () => undefined,
    );
    return await checkByReads(plannerFor(options), client, ports.extraHeaders !== undefined);
  } finally {
    await close();
  }
}
