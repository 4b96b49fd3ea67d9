/** One command line of the user's, with an end to everything: its time, what it prints, and what it leaves running. */

import { type ChildProcess, spawn } from 'node:child_process';
import type { Variables } from '../settings/environment.ts';

/** Milliseconds after which a fixture command is ended. */
export const PATIENCE = 60_000;
/** More characters than any list of settings has. */
const MOST_PRINTED = 65_536;

const hasGroups = process.platform !== 'win32';

/** Ends the command and whatever it began: a shell alone would leave its children behind. */
function endAll(child: ChildProcess): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

/** What the command printed, or in a clause why it is of no use. */
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
    child.once('error', ({ message }) => stop(`did not begin (${message})`));
    child.once('close', (code, signal) => {
      done();
      resolve(code === 0 ? { out } : { wrong: `ended with ${code === null ? signal : `code ${code}`}` });
    });
  });
}
