/** How this program is called, for lines to paste. */

import { basename, relative } from 'node:path';
import { singleQuoted } from '../exchange/curl.ts';

/** A word of a POSIX shell. */
export const shellWord = (word: string): string => (/^[\w./:@,-]+$/.test(word) ? word : singleQuoted(word));

/**
 * The command as it was called from that folder: `node dist/src/cli/main.js` from a checkout, the path of an installed
 * command, or its name on the PATH. Never `npx`, which asks a public registry for a name that it does not find.
 */
export function commandAsCalled(script: string, folder: string): string {
  const name = basename(script);
  const path = relative(folder, script);
  const isBelow = !path.startsWith('..');
  if (name === 'main.js' || name === 'bin.cjs') return `node ${shellWord(isBelow ? path : script)}`;
  return name === 'pcs-conformance' && isBelow ? shellWord(path) : 'pcs-conformance';
}

/** The command of this process. */
export const COMMAND = commandAsCalled(process.argv[1] ?? '', process.cwd());

/**
 * The command that hangs up and restores what a run on that target left: the settings may name another by then. An address
 * with a token was redacted, and has to come from them.
 */
export function cleanCommand(folder: string, target: string | null): string {
  const address = target === null || target.includes('⟦') ? '' : ` --base-url ${shellWord(target)}`;
  return `${COMMAND} clean --report-dir ${shellWord(folder)}${address}`;
}
