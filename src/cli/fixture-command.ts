/** Live fixtures that a command of the user's begins and ends: a ringing inbound call, a conference with a participant. */

import { execSync } from 'node:child_process';
import { UsageError } from '../contract/usage-error.ts';
import type { Settings } from '../settings/settings.ts';
import { layer, type Variables } from '../settings/sources.ts';
import { PATIENCE, printedBy } from './fixture-process.ts';
import { operationsLeft } from './selection.ts';

/** Kinds of live fixtures, each with the settings that it brings and the operation that needs it. */
const FIXTURES = [
  { kind: 'ringing-call', operation: 'answerCall', names: ['PCS_RINGING_CALL_ID'] },
  { kind: 'conference', operation: 'muteParticipant', names: ['PCS_CONFERENCE_ID', 'PCS_PARTICIPANT_ID'] },
] as const;

type Fixture = (typeof FIXTURES)[number];

function isThere({ kind }: Fixture, { call, resources }: Settings): boolean {
  if (kind === 'ringing-call') return call.ringingCallId !== undefined;
  return resources.conference !== undefined && resources.participant !== undefined;
}

function needed(settings: Settings): readonly Fixture[] {
  if (settings.profile !== 'full' || settings.fixtureCommand === undefined) return [];
  const left = operationsLeft(settings.without);
  return FIXTURES.filter((fixture) => left.includes(fixture.operation) && !isThere(fixture, settings));
}

/** Runs a command line with the kind of fixture as its last word; resolves with what it printed. */
async function begin(command: string, { kind }: Fixture, env: Variables): Promise<string> {
  const printed = await printedBy(`${command} ${kind}`, { ...env, PCS_FIXTURE: kind });
  if ('out' in printed) return printed.out;
  throw new UsageError(`The fixture command ${printed.wrong} for ${kind}: it prints NAME=value lines and ends with 0.`);
}

/** The lines that a fixture of that kind may set. */
function linesOf(out: string, { kind, names }: Fixture): Variables {
  const lines = out.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([A-Z_]+)=(.*?)\s*$/.exec(line)?.slice(1) ?? [line, undefined]);
  const stray = pairs.find(([name, value]) => value === undefined || !names.some((known) => known === name));
  const missing = names.find((name) => !pairs.some(([given]) => given === name));
  if (stray === undefined && missing === undefined) return Object.fromEntries(pairs);
  throw new UsageError(
    `The fixture command printed no ${missing ?? names.join(', ')} alone for ${kind}: print NAME=value.`,
  );
}

function withLines(settings: Settings, lines: Variables): Settings {
  const { value } = layer({}, lines, undefined);
  const ringing = value('PCS_RINGING_CALL_ID');
  const conference = value('PCS_CONFERENCE_ID');
  const participant = value('PCS_PARTICIPANT_ID');
  return {
    ...settings,
    call: { ...settings.call, ...(ringing === undefined ? {} : { ringingCallId: ringing }) },
    resources: {
      ...settings.resources,
      ...(conference === undefined ? {} : { conference }),
      ...(participant === undefined ? {} : { participant }),
    },
  };
}

/**
 * Begins the fixtures that the run needs and has not, works with the settings that they bring, and ends them on every
 * way out: an exception, and the process that is told to end at once. Throws `UsageError`.
 */
export async function withFixtures<T>(
  settings: Settings,
  env: Variables,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  const { fixtureCommand, fixtureCleanup } = settings;
  const begun = new Map<string, Variables>();
  const end = (): void => {
    for (const [kind, lines] of begun) {
      begun.delete(kind);
      if (fixtureCleanup !== undefined) endOne(`${fixtureCleanup} ${kind}`, { ...env, ...lines, PCS_FIXTURE: kind });
    }
  };
  process.once('exit', end);
  try {
    let known = settings;
    for (const fixture of needed(settings)) {
      // Noted before it begins: what broke off half-way is to be ended, too.
      begun.set(fixture.kind, {});
      const lines = linesOf(await begin(fixtureCommand ?? '', fixture, env), fixture);
      begun.set(fixture.kind, lines);
      known = withLines(known, lines);
    }
    return await work(known);
  } finally {
    end();
    process.off('exit', end);
  }
}

/** A clean-up that fails must not hide what the run came to. */
function endOne(command: string, env: Variables): void {
  try {
    execSync(command, { env: { ...env }, timeout: PATIENCE, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    process.stderr.write('The fixture clean-up command failed: a fixture may be left.\n');
  }
}
