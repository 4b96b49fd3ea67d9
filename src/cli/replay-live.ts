/** Replays a case against the target of the settings, through the same engine and safety kernel as a run. */

import { SUITES } from '../../suites/index.ts';
import { Kit } from '../run/kit.ts';
import { type Ask, type RecordedRun, type Replayed, replay, stagesOf } from '../run/replay.ts';
import { runSuite } from '../run/suite-run.ts';
import type { Settings } from '../settings/settings.ts';
import { suiteInputOf, withTarget } from './conduct.ts';
import { withFixtures } from './fixture-command.ts';
import type { Interruption } from './interruption.ts';
import { liveLine, watched } from './live-line.ts';
import type { Terminal } from './terminal.ts';

/** Asks the case of the settings' `only` again; what is sent is journalled in the report folder of the settings. */
export function replayLive(
  recorded: RecordedRun,
  id: string,
  settings: Settings,
  terminal: Terminal,
  interruption: Interruption,
): Promise<Replayed> {
  return withTarget(settings, (target) =>
    withFixtures(target, terminal.environment().env, async (known) => {
      const input = suiteInputOf(known);
      const stages = stagesOf(recorded, id, SUITES, new Kit(input.options, ''));
      const line = liveLine(terminal, settings.quiet);
      const show = watched(interruption, line);
      const ask: Ask = ({ sequences, path }) =>
        runSuite(
          { ...input, sequences, options: { ...input.options, ...(path === undefined ? {} : { path }) } },
          SUITES,
          show,
          interruption.signal,
        );
      return await replay(id, stages, ask).finally(line.end);
    }),
  );
}
