/**
 * The one place that reads the process's environment and its `.env` file, and checks whether a file exists; the proxy that
 * the environment names; and what would otherwise be ignored silently: variables that name no setting, and lines of a `.env`
 * that set nothing.
 */

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

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The variable in either letter case, lower case first, since that custom is older; an empty one counts as none. */
function either(env: Variables, name: string): { readonly name: string; readonly text: string } | undefined {
  return [name.toLowerCase(), name]
    .map((spelled) => ({ name: spelled, text: env[spelled] ?? '' }))
    .find(({ text }) => text !== '');
}

/**
 * Address of the proxy for a target, or `undefined` for none. It may hold a user name and a password. Throws
 * `UsageError` if the variable is not an address.
 */
export function proxyFor(baseUrl: string, env: Variables): string | undefined {
  const url = new URL(baseUrl);
  const given = either(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (given === undefined || isExempt(url, either(env, 'NO_PROXY')?.text ?? '')) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(given.text) ? given.text : `http://${given.text}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy === undefined || !(proxy.protocol in DEFAULT_PORT)) {
    throw new UsageError(
      `${given.name} is not the address of an HTTP proxy`,
      'write it as in http://proxy.example:3128',
    );
  }
  return proxy.href;
}

/** Entries of NO_PROXY: `*`, a host and all below it (a leading dot or `*.` is free), an address, each with a port or not. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port === '' ? DEFAULT_PORT[url.protocol] : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', entryPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [undefined, entry];
      const bare = name.replace(/^\*?\./, '');
      const sameHost = host === bare || host === `[${bare}]` || host.endsWith(`.${bare}`);
      return bare !== '' && sameHost && (entryPort === undefined || entryPort === port);
    });
}

/** Set for fixture commands, which may call this command again. */
const OURS: readonly string[] = ['PCS_FIXTURE'];

/** One sentence for each variable with the prefix `PCS_` that is not a setting, with the one that was probably meant. */
export function nearMisses(present: readonly string[], known: readonly string[]): readonly string[] {
  return present
    .filter((name) => /^PCS_/i.test(name) && !known.includes(name) && !OURS.includes(name))
    .map((name) => [`${name} is not a setting`, suggestion(name, known) ?? []].flat().join('; '));
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

/** The error for a name that is none of the known ones: it suggests the nearest, or else the other remedy. */
export function unknownName(problem: string, name: string, known: readonly string[], otherwise: string): UsageError {
  return new UsageError(problem, suggestion(name, known) ?? otherwise);
}

/** Suggests the nearest known name at most two letters away, ignoring letter case. */
function suggestion(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = 3;
  for (const candidate of known) {
    const away = distance(name.toUpperCase(), candidate.toUpperCase());
    if (away < least) [best, least] = [candidate, away];
  }
  return best === undefined ? undefined : `did you mean ${best}?`;
}

/** Letters to insert, delete or replace (Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
