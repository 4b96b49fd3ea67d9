/** How this program is called, for command lines to paste. */

import { basename, relative } from 'node:path';
import type { RepeatedFlag } from '../contract/settings.ts';
import { singleQuoted } from '../exchange/curl.ts';
import type { LeftBy } from '../run/suite-run.ts';
import { visibleShell } from './text.ts';

const shellWord = (word: string): string => (/^[\w./:@,-]+$/.test(word) ? word : singleQuoted(word));

/**
 * The command as it was called from that folder: `node dist/src/cli/main.js` from a checkout, the path of an installed
 * command, or its name on the PATH. Another program, such as vitest, has the installed package beside it and not on the
 * PATH, so only then the command begins with `npx`: elsewhere `npx` would ask a public registry for the name.
 */
export function commandAsCalled(script: string, folder: string): string {
  const name = basename(script);
  const path = relative(folder, script);
  const isBelow = !path.startsWith('..');
  if (name === 'main.js' || name === 'bin.cjs') return `node ${shellWord(isBelow ? path : script)}`;
  if (name !== 'pcs-conformance') return 'npx pcs-conformance';
  return isBelow ? shellWord(path) : name;
}

/** The command of this process. */
export const COMMAND = commandAsCalled(process.argv[1] ?? '', process.cwd());

/** The words of an address; an address with a token was redacted, and comes from the settings. */
export const targetWords = (target: string): readonly string[] => (target.includes('⟦') ? [] : ['--base-url', target]);

/** curl's names for the flags about trust, client certificates and proxies; `--header` fields are in the request. */
const OF_CURL: Readonly<Record<string, string>> = { ca: 'cacert', cert: 'cert', key: 'key', proxy: 'proxy' };

/** The flags of a run that a command takes, as shell words. If the variable of a secret is unset, nothing is sent. */
export function flagWords(repeated: readonly RepeatedFlag[] = [], command: string): readonly string[] {
  const isCurl = command === 'curl';
  return repeated
    .filter(({ flag, in: commands }) => (isCurl ? flag in OF_CURL : commands.includes(command)))
    .flatMap(({ flag, value, variable }) => [
      `--${isCurl ? OF_CURL[flag] : flag}`,
      ...(value === undefined ? [] : [shellWord(value)]),
      ...(variable === undefined ? [] : [`"\${${variable}:?is not set}"`]),
    ]);
}

/** A line to paste: the words, the command first, and the flags of the run that it takes. */
export const commandLine = (words: readonly string[], repeated?: readonly RepeatedFlag[]): string =>
  visibleShell([COMMAND, ...words.map(shellWord), ...flagWords(repeated, words[0] ?? '')].join(' '));

/** The command that hangs up and restores what a run left behind; the settings may have changed target by then. */
export const cleanCommand = ({ reportDir, target = '⟦⟧', repeated }: LeftBy): string =>
  commandLine(['clean', '--report-dir', reportDir, ...targetWords(target)], repeated);
