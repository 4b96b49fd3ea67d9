/** Runs the compiled command as a user does: its output and its exit code. */

import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finished, WarmProcesses } from './warm.ts';

export type { Finished } from './warm.ts';

/** The compiled command; `npm test` builds it first. */
export const BIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** An empty folder for a run. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pcs-conformance-test-'));
}

/** Variables of this process that must not leak into a command under test. */
export function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PCS_|VITEST|NODE_ENV|GITHUB_)/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}

/** What Node reads before the command starts. */
const READ_BY_NODE = /^(NODE|UV|SSL)_/;

const PROCESSES = new WarmProcesses();

/** Runs the command to its end, in an empty folder unless one is given, in a process that has run others. */
export function command(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd: string = emptyFolder(),
): Promise<Finished> {
  if (Object.keys(env).some((name) => READ_BY_NODE.test(name))) return coldCommand(words, env, cwd);
  return PROCESSES.run({ words, env: { ...cleanEnvironment(), ...env }, cwd });
}

/** The same, in a process of its own. */
export function coldCommand(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd: string = emptyFolder(),
): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...cleanEnvironment(), ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [BIN, ...words], options, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}
