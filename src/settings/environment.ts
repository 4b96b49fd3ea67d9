/** The one place that reads the environment of the process and its `.env` file, and checks whether a file exists. */

import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';

/** Variables, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The environment from which settings are read. */
export interface Environment {
  readonly env: Variables;
  /** Text of a `.env` file; `undefined` if there is none and none was named. Throws `UsageError`. */
  readonly textOf: (path: string, isNamed: boolean) => string | undefined;
  /** Says whether the path is a file that this process may read. */
  readonly canRead: (path: string) => boolean;
}

/** Variables alone, without any file. */
export function variablesOnly(env: Variables): Environment {
  return { env, textOf: () => undefined, canRead: () => false };
}

/** The environment of this process under some variables of one's own, with files looked up from a folder. */
export function readEnvironment(folder: string, own: Variables = {}): Environment {
  return {
    env: { ...process.env, ...own },
    textOf: (path, isNamed) => textOf(resolve(folder, path), path, isNamed),
    canRead: (path) => canReadFile(resolve(folder, path)),
  };
}

/** PowerShell writes UTF-16 where it is not told otherwise. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8').decode(bytes);
}

function canReadFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    // A pipe will do: secrets often come through one.
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function textOf(path: string, name: string, isNamed: boolean): string | undefined {
  let text: string;
  try {
    text = decoded(readFileSync(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    // A folder of that name is a virtual environment, not settings.
    if (!isNamed && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code ?? '')) return undefined;
    throw new UsageError(`${name} cannot be read (${code})`, 'make it readable or remove it');
  }
  // UTF-16 without a byte order mark, or no text at all: every line would be ignored.
  if (text.includes('\0')) throw new UsageError(`${name} is not a text in UTF-8`, 'save it as UTF-8');
  return text;
}

/** A line as dotenv reads it: a name, and a value that may be quoted and then have several lines. */
const LINE =
  /^\s*(?:export\s+)?[\w.-]+(?:\s*=\s*?|:\s+?)(?:\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm;

/** One sentence for each line of the file that sets nothing and is neither empty nor a comment; it quotes none of it. */
export function malformedLines(text: string, file: string): readonly string[] {
  const rest = text.replace(/\r\n?/g, '\n').replace(LINE, (found) => found.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, at) => {
    return /^\s*(?:#|$)/.test(line) ? [] : [`line ${at + 1} of ${file} is not NAME=value, so it is ignored`];
  });
}
