/** `pcs-conformance doctor`: settings, fixtures and one harmless read, before anything else is sent. */

import { operationById } from '../../contract/operations.ts';
import { remedyOf } from '../../contract/settings.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { livePorts } from '../../run/live.ts';
import { FIRST_READS, Preflight } from '../../run/preflight.ts';
import { clientOf } from '../../run/run-client.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Flags } from '../../settings/sources.ts';
import { connectionOf } from '../connection.ts';
import { missingSettings } from '../missing-settings.ts';
import { runOptionsOf } from '../run-options.ts';
import { samplesOf } from '../samples.ts';
import { knownSettings } from '../target.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';

/** Prints what cannot be judged for lack of a setting, and how the target answers one read. Throws `UsageError`. */
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
  const trouble = await firstRead(settings);
  terminal.out(
    trouble === null
      ? `${shownUrl(settings.target.baseUrl)} answers and accepts the credential.`
      : `The read failed: ${trouble}.`,
  );
  return trouble === null ? EXIT_CODES.conformant : EXIT_CODES.incomplete;
}

/** What is wrong with the target, judging by one read, or `null`. */
async function firstRead(settings: Settings): Promise<string | null> {
  const options = runOptionsOf(settings, {});
  const { ports, close } = livePorts(options, { version: packageVersion(), connection: connectionOf(settings) });
  const [id = 'listTrunks'] = FIRST_READS;
  try {
    const client = clientOf({ ...options, maxWait: 0 }, ports, `s${ports.random(16)}`, () => undefined);
    const { method, path } = operationById(id);
    const answer = await client.send(
      {
        ...{ operation: id, method, path, credential: 'valid', body: null, contentType: null },
        ...{ role: 'preflight', asks: [], control: false, about: 'one harmless read' },
      },
      { sequence: 'doctor', attempt: 0 },
    );
    return new Preflight(shownUrl(options.baseUrl)).explain(answer);
  } finally {
    await close();
  }
}
