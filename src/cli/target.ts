/** Prepares a target: starts the reference service, and starts and ends live fixtures. */

import { type ChildProcess, execSync, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createReference } from '../../fixtures/service/reference.ts';
import { type Listening, listen } from '../../fixtures/service/serve.ts';
import { READ, TIME } from '../contract/limits.ts';
import { UsageError } from '../contract/usage-error.ts';
import { settingsPresent } from '../run/options.ts';
import { type Variables, variablesOnly } from '../settings/environment.ts';
import { withReference } from '../settings/read-settings.ts';
import { layer, readLines } from '../settings/sources.ts';
import { CALL, RESOURCES, type Settings } from '../settings/table.ts';

/** A reference service that listens. */
export interface StartedReference extends Listening {
  /** The variables that a run against it needs, without the address. */
  readonly settings: Variables;
}

/** Starts the reference service on a free port of this machine. */
export async function listenAsReference(): Promise<StartedReference> {
  const { service, settings } = createReference({ now: Date.now });
  return { ...(await listen(service)), settings: { ...settings } };
}

/** The settings for the reference service before it is started; those for another target unchanged. */
export function knownSettings(settings: Settings): Settings {
  if (!settings.isReference) return settings;
  return withReference(settings, { ...createReference().settings, PCS_BASE_URL: 'http://reference.invalid' });
}

/** Works with a target, starting and ending the reference service if that is the target. Throws `UsageError`. */
export async function withTarget<T>(settings: Settings, work: (settings: Settings) => Promise<T>): Promise<T> {
  if (!settings.isReference) return work(settings);
  const reference = await listenAsReference();
  try {
    return await work(withReference(settings, { ...reference.settings, PCS_BASE_URL: reference.url }));
  } finally {
    await reference.close();
  }
}

/** The condition of a run that starts fixtures, as its record names it. */
export const LIVE_FIXTURES = 'live fixtures started by a command';

/** Kinds of live fixtures, each with the settings that it gives and the operation that needs it. */
const FIXTURE_KINDS = [
  { kind: 'ringing-call', operation: 'answerCall', names: ['PCS_RINGING_CALL_ID'] },
  { kind: 'conference', operation: 'muteParticipant', names: ['PCS_CONFERENCE_ID', 'PCS_PARTICIPANT_ID'] },
] as const;

type Fixture = (typeof FIXTURE_KINDS)[number];

/**
 * Starts the live fixtures that the run needs, and ends them in every case, even if the process is told to exit at
 * once. A fixture may place a call, so all wrong usage must be rejected earlier. Throws `UsageError`.
 */
export async function withFixtures<T>(
  settings: Settings,
  env: Variables,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  const needed = settings.fixtureCommand === undefined ? [] : neededBy(settings);
  if (needed.length === 0) return work(settings);
  const { fixtureCommand } = settings;
  const given = givenTo(settings, env);
  const begun = new Map<string, Variables>();
  const end = (): void => {
    for (const [kind, lines] of begun) {
      begun.delete(kind);
      endOne(kind, settings, { ...given, ...lines });
    }
  };
  process.once('exit', end);
  try {
    let known = settings;
    for (const fixture of needed) {
      // Registered before it starts: a fixture that fails half-way needs clean-up, too.
      begun.set(fixture.kind, {});
      const lines = fixtureVariables(
        await printedBy(`${fixtureCommand} ${fixture.kind}`, { ...given, PCS_FIXTURE: fixture.kind }),
        fixture,
      );
      begun.set(fixture.kind, lines);
      known = withLines(known, lines);
    }
    return await work(known);
  } finally {
    end();
    process.off('exit', end);
  }
}

/** The environment of a fixture command, which may call the target: address and credential, wherever given. */
const givenTo = ({ baseUrl, credentials }: Settings, env: Variables): Variables => ({
  ...env,
  PCS_BASE_URL: baseUrl,
  PCS_ACCESS_TOKEN: credentials.access,
});

/** Ends the fixtures of a killed run, except ended kinds, by the ids in its journal, if the settings say how. */
export function endFixtures(
  settings: Settings,
  { without, resources, ringingCallId }: Needs,
  env: Variables,
  over: readonly string[],
): readonly { readonly kind: string; readonly isEnded: boolean }[] {
  const ids: Variables = {
    PCS_RINGING_CALL_ID: ringingCallId,
    PCS_CONFERENCE_ID: resources.conference,
    PCS_PARTICIPANT_ID: resources.participant,
  };
  const left = neededBy({ ...settings, profile: 'full', without }).filter(
    ({ kind, names }) => !over.includes(kind) && names.every((name) => ids[name]),
  );
  return left.map(({ kind, names }) => {
    const own = Object.fromEntries(names.map((name) => [name, ids[name]]));
    return { kind, isEnded: endOne(kind, settings, { ...givenTo(settings, env), ...own }) };
  });
}

/** The settings that decide which fixtures a run needs. */
type Needs = Pick<Settings, 'resources' | 'ringingCallId'> & { readonly without: readonly string[] };

function neededBy({ profile, without, ringingCallId, resources }: Needs & Pick<Settings, 'profile'>) {
  if (profile !== 'full') return [];
  const isThere = {
    'ringing-call': ringingCallId !== undefined,
    conference: resources.conference !== undefined && resources.participant !== undefined,
  };
  return FIXTURE_KINDS.filter(({ kind, operation }) => !without.includes(operation) && !isThere[kind]);
}

/** The optional settings of a run: those that are set, and those that its fixture command provides. */
export const settingsOfRun = (settings: Settings): readonly string[] => [
  ...settingsPresent(settings),
  ...(settings.fixtureCommand === undefined ? [] : neededBy(settings).flatMap(({ names }) => names)),
];

/** The variables that a fixture command printed for that kind. */
function fixtureVariables(printed: Awaited<ReturnType<typeof printedBy>>, { kind, names }: Fixture): Variables {
  if ('wrong' in printed) {
    throw new UsageError(`The fixture command ${printed.wrong} for ${kind}`, 'print NAME=value lines and exit with 0');
  }
  const lines = readLines(printed.out, `the output of the fixture command for ${kind}`);
  const missing = names.find((name) => (lines[name] ?? '') === '');
  if (missing === undefined && Object.keys(lines).every((name) => names.some((known) => known === name))) return lines;
  const what = missing === undefined ? 'other lines' : `no ${missing}`;
  throw new UsageError(`The fixture command printed ${what} for ${kind}`, `print ${names.join(', ')} as NAME=value`);
}

function withLines(settings: Settings, lines: Variables): Settings {
  const { values } = layer({}, variablesOnly(lines));
  return {
    ...settings,
    ...values(CALL),
    resources: { ...settings.resources, ...values(RESOURCES) },
  };
}

/** A failing clean-up must not hide the outcome of the run. */
function endOne(kind: string, { fixtureCleanup }: Settings, env: Variables): boolean {
  if (fixtureCleanup === undefined) return false;
  try {
    execSync(`${fixtureCleanup} ${kind}`, {
      env: { ...env, PCS_FIXTURE: kind },
      timeout: TIME.fixture,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return true;
  } catch {
    process.stderr.write('The fixture clean-up command failed: a fixture may be left.\n');
    return false;
  }
}

const hasGroups = process.platform !== 'win32';

/** Kills the command and its children, which would outlive the shell. */
function endAll(child: ChildProcess): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has just exited.
  }
}

/**
 * The output of the command, or a clause that says why it failed. It ends with the command: a telephone that the
 * command leaves in the background keeps the pipe open until the clean-up.
 */
export function printedBy(
  command: string,
  env: Variables,
  patience: number = TIME.fixture,
): Promise<{ readonly out: string } | { readonly wrong: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, detached: hasGroups, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    const onExit = (): void => endAll(child);
    const done = (outcome: { readonly out: string } | { readonly wrong: string }): void => {
      clearTimeout(timer);
      process.off('exit', onExit);
      child.stdout.removeAllListeners('data');
      // The pipe stays open, or the telephone would die when it prints; this process does not wait for it.
      child.stdout.resume();
      (child.stdout as Socket).unref();
      if ('wrong' in outcome) endAll(child);
      resolve(outcome);
    };
    process.once('exit', onExit);
    const timer = setTimeout(() => done({ wrong: `took longer than ${patience / 1_000} s` }), patience);
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.length > READ.text) done({ wrong: 'printed more than 64 KiB' });
    });
    child.once('error', ({ message }) => done({ wrong: `did not start (${message})` }));
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const end = (): void =>
        done(code === 0 ? { out } : { wrong: `ended with ${code === null ? signal : `code ${code}`}` });
      const arrival = setTimeout(end, TIME.arrival);
      child.once('close', () => {
        clearTimeout(arrival);
        end();
      });
    });
  });
}
