/** Runs the command line as a user does: its output and its exit code, over real sockets and on a real disk. */

import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../src/cli/program.ts';
import { readEnvironment } from '../../src/settings/environment.ts';

/** The compiled command; `npm test` builds it first. */
export const BIN = fileURLToPath(new URL('../../dist/src/cli/bin.cjs', import.meta.url));

/** What a finished command left. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** An empty folder for a run. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pcs-conformance-test-'));
}

/** Variables of this process that must not leak into a command under test. */
export function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PCS_|VITEST|NODE_ENV|GITHUB_)/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}

/** Runs the program in this process to its end, in an empty folder unless one is given; one at a time. */
export async function command(
  words: readonly string[],
  env: Variables = {},
  cwd: string = emptyFolder(),
): Promise<Finished> {
  const text = { out: '', err: '' };
  const write = (stream: keyof typeof text) => (line: string) => {
    text[stream] += `${line}\n`;
  };
  const home = process.cwd();
  process.chdir(cwd);
  try {
    const code = await runCommandLine([...words], {
      out: write('out'),
      err: write('err'),
      environment: () => ({ ...readEnvironment(cwd), env: { ...cleanEnvironment(), ...env } }),
      signals: new EventEmitter(),
      now: () => performance.now(),
      exit: () => undefined,
    });
    return { code, ...text };
  } finally {
    process.chdir(home);
  }
}

/** Runs the compiled command to its end, in a process of its own. */
export function commandProcess(
  words: readonly string[],
  env: Variables = {},
  cwd: string = emptyFolder(),
): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...cleanEnvironment(), ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [BIN, ...words], options, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}
