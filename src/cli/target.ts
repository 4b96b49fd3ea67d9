/** A target that is ready to be judged: the reference service is started, and live fixtures are begun and ended. */

import { type ChildProcess, execSync, spawn } from 'node:child_process';
import { createReference } from '../../fixtures/service/reference.ts';
import { type Listening, listen } from '../../fixtures/service/serve.ts';
import { UsageError } from '../contract/usage-error.ts';
import { type Variables, variablesOnly } from '../settings/environment.ts';
import { withReference } from '../settings/read-settings.ts';
import { layer } from '../settings/sources.ts';
import { CALL, RESOURCES, type Settings } from '../settings/table.ts';
import { samplesOf } from './samples.ts';

/** A reference service that listens. */
export interface StartedReference extends Listening {
  /** What a run against it needs, by variable; the address is not among them. */
  readonly settings: Variables;
}

/** Starts the reference service on a free port of this machine. */
export async function startReference(): Promise<StartedReference> {
  const { service, settings } = createReference({ now: Date.now });
  return { ...(await listen(service)), settings: { ...settings } };
}

/** The settings for the reference service before it is started; those for another target unchanged. */
export function knownSettings(settings: Settings): Settings {
  if (!settings.isReference) return settings;
  return withReference(settings, { ...createReference().settings, PCS_BASE_URL: 'http://reference.invalid' });
}

/**
 * Works with a target that exists: starts the reference service if that is the target, and begins the live fixtures
 * that the run needs. Both are ended in every case. Throws `UsageError`.
 */
export async function withTarget<T>(
  settings: Settings,
  env: Variables,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  // A fixture may place a call, so the samples are checked first.
  samplesOf(knownSettings(settings));
  if (!settings.isReference) return withFixtures(settings, env, work);
  const reference = await startReference();
  try {
    const known = withReference(settings, { ...reference.settings, PCS_BASE_URL: reference.url });
    return await withFixtures(known, env, work);
  } finally {
    await reference.close();
  }
}

/** Kinds of live fixtures, each with the settings that it gives and the operation that needs it. */
const FIXTURES = [
  { kind: 'ringing-call', operation: 'answerCall', names: ['PCS_RINGING_CALL_ID'] },
  { kind: 'conference', operation: 'muteParticipant', names: ['PCS_CONFERENCE_ID', 'PCS_PARTICIPANT_ID'] },
] as const;

type Fixture = (typeof FIXTURES)[number];

/** Ends the fixtures also if the process is told to exit at once. */
async function withFixtures<T>(
  settings: Settings,
  env: Variables,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  const needed = neededBy(settings);
  if (needed.length === 0) return work(settings);
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
    for (const fixture of needed) {
      // Noted before it starts: a fixture that fails half-way needs clean-up, too.
      begun.set(fixture.kind, {});
      const lines = linesOf(
        await printedBy(`${fixtureCommand} ${fixture.kind}`, { ...env, PCS_FIXTURE: fixture.kind }),
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

function neededBy({ profile, fixtureCommand, without, ringingCallId, resources }: Settings): readonly Fixture[] {
  if (profile !== 'full' || fixtureCommand === undefined) return [];
  const isThere = {
    'ringing-call': ringingCallId !== undefined,
    conference: resources.conference !== undefined && resources.participant !== undefined,
  };
  return FIXTURES.filter(({ kind, operation }) => !without.includes(operation) && !isThere[kind]);
}

/** The variables that a fixture of that kind has set, from what its command printed. */
function linesOf(printed: Awaited<ReturnType<typeof printedBy>>, { kind, names }: Fixture): Variables {
  if ('wrong' in printed) {
    throw new UsageError(`The fixture command ${printed.wrong} for ${kind}`, 'print NAME=value lines and exit with 0');
  }
  const lines = printed.out.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([A-Z_]+)=(.*?)\s*$/.exec(line)?.slice(1) ?? [line, undefined]);
  const stray = pairs.find(([name, value]) => value === undefined || !names.some((known) => known === name));
  const missing = names.find((name) => !pairs.some(([given]) => given === name));
  if (stray === undefined && missing === undefined) return Object.fromEntries(pairs);
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
function endOne(command: string, env: Variables): void {
  try {
    execSync(command, { env: { ...env }, timeout: PATIENCE, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    process.stderr.write('The fixture clean-up command failed: a fixture may be left.\n');
  }
}

/** Time limit of a fixture command, in milliseconds. */
const PATIENCE = 60_000;
/** Limit of the output, in characters: far more than any settings need. */
const MOST_PRINTED = 65_536;

const hasGroups = process.platform !== 'win32';

/** Ends the command and its children, which would outlive the shell alone. */
function endAll(child: ChildProcess): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has just exited.
  }
}

/** The output of the command, or a clause that says why there is none. */
export function printedBy(
  command: string,
  env: Variables,
  patience = PATIENCE,
): Promise<{ readonly out: string } | { readonly wrong: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, detached: hasGroups, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    const onExit = (): void => endAll(child);
    const done = (): void => {
      clearTimeout(timer);
      process.off('exit', onExit);
    };
    const stop = (wrong: string): void => {
      done();
      endAll(child);
      resolve({ wrong });
    };
    process.once('exit', onExit);
    const timer = setTimeout(() => stop(`took longer than ${patience / 1_000} s`), patience);
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.length > MOST_PRINTED) stop('printed more than 64 KiB');
    });
    child.once('error', ({ message }) => stop(`did not start (${message})`));
    child.once('close', (code, signal) => {
      done();
      resolve(code === 0 ? { out } : { wrong: `ended with ${code === null ? signal : `code ${code}`}` });
    });
  });
}
