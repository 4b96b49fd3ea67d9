/** Runs the compiled command as a user does: a process of its own, its output and its exit code. */

import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The compiled command; `npm test` builds it first. */
export const BIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** What a finished command left. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** An empty folder for a run. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pcs-conformance-test-'));
}

/** Variables of this process that must not leak into a command under test. */
export function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PCS_|VITEST|NODE_ENV|GITHUB_)/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}

/** Runs the command to its end, in an empty folder unless one is given. */
export function command(
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
