/** Runs a command line of the user, with limits on its time and output, and ends all of its processes. */

import { type ChildProcess, spawn } from 'node:child_process';
import type { Variables } from '../settings/environment.ts';

/** Time limit of a fixture command, in milliseconds. */
export const PATIENCE = 60_000;
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
