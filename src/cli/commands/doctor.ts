/** `pcs-conformance doctor`: the settings, checked by harmless reads alone. */

import { plannerFor } from '../../../suites/index.ts';
import { remedyOf } from '../../contract/settings.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { livePorts } from '../../run/live.ts';
import { clientOf } from '../../run/run-client.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Flags } from '../../settings/sources.ts';
import { type Checked, SettingsCheck, soughtIn } from '../checked-settings.ts';
import { connectionOf } from '../connection.ts';
import { missingSettings } from '../missing-settings.ts';
import { runOptionsOf } from '../run-options.ts';
import { samplesOf } from '../samples.ts';
import { knownSettings } from '../target.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';

/** Prints what cannot be judged for lack of a setting, and what the reads show of the settings. Throws `UsageError`. */
export async function doctor(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  for (const warning of settings.warnings) terminal.out(`Warning: ${warning}`);
  const known = knownSettings(settings);
  const options = runOptionsOf(known, samplesOf(known));
  for (const { names, unjudged } of await missingSettings(options)) {
    terminal.out(`${names.join(', ')} not set: ${unjudged}; ${remedyOf(...names)}`);
  }
  if (settings.fixtureCommand !== undefined && settings.fixtureCleanup === undefined) {
    terminal.out('PCS_FIXTURE_CLEANUP is not set: the suite does not end the fixtures that it starts.');
  }
  if (settings.target.kind === 'reference') {
    terminal.out('The built-in reference service runs in this process, so doctor has no connection to check.');
    return EXIT_CODES.conformant;
  }
  const { wrong, unchecked } = await checkedSettings(settings);
  for (const sentence of wrong) terminal.out(`Wrong: ${sentence}.`);
  if (unchecked.length > 0) {
    terminal.out(`Not checked, because no read of this target shows it: ${unchecked.join(', ')}.`);
  }
  if (unchecked.includes('PCS_RINGING_CALL_ID')) {
    terminal.out('The call in PCS_RINGING_CALL_ID has to ring when a run starts: --fixture-command can start one.');
  }
  if (wrong.length > 0) return EXIT_CODES.incomplete;
  terminal.out(`${shownUrl(settings.target.baseUrl)} answers and accepts the credential.`);
  return EXIT_CODES.conformant;
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
    return await new SettingsCheck(plannerFor(options), client).run(ports.extraHeaders !== undefined);
  } finally {
    await close();
  }
}
