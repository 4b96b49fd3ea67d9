/** The process of the command (bin.cjs starts it): gives the program a real terminal, and the process its exit code. */

import { readEnvironment } from '../settings/environment.ts';
import { complain, runCommandLine } from './program.ts';
import { EXIT_CODES, type Terminal } from './terminal.ts';

/** NO_COLOR wins over FORCE_COLOR, which acts like a terminal (https://no-color.org, https://force-color.org). */
function hasColor({ NO_COLOR = '', FORCE_COLOR = '' }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== '') return false;
  return FORCE_COLOR === '' ? process.stdout.isTTY === true : FORCE_COLOR !== '0';
}

const terminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  environment: () => readEnvironment(process.cwd()),
  signals: process,
  now: () => performance.now(),
  exit: (code) => process.exit(code),
  color: hasColor(process.env),
  // Read for each line: a window can be resized during a run.
  get liveWidth() {
    return process.stderr.columns;
  },
  ...(process.stderr.isTTY === true ? { redraw: (line: string) => process.stderr.write(`\r\u001b[2K${line}`) } : {}),
};

// A full disk does not end a run, but a run whose output was lost is not a success. A reader that closes the pipe (`|
// head`) has what it wants.
let isOutputLost = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  if (!isOutputLost) terminal.err(`Standard output cannot be written: ${message}.`);
  isOutputLost = true;
});
process.stderr.on('error', () => undefined);
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  // A run listens for signals, too: it hangs up before it ends.
  process.on(event, (error) => process.listenerCount(event) > 1 || process.exit(complain(error, terminal)));
}

const exitCode = await runCommandLine(process.argv.slice(2), terminal);
// Output that is still buffered may be lost, too.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
const isHidden = isOutputLost && exitCode === EXIT_CODES.conformant;
if (isOutputLost)
  terminal.err(
    `Exit ${isHidden ? EXIT_CODES.incomplete : exitCode}, ${isHidden ? `which would have been ${exitCode}` : 'as without that'}.`,
  );
process.exitCode = isHidden ? EXIT_CODES.incomplete : exitCode;
