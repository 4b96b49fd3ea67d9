/** The disk of a run, passed in so that it can fail in a test: the report folder with its journal, lock and reports. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';

/** A file that is appended to. */
export interface OpenFile {
  /** The text has reached the operating system when this returns. Throws if not, or if the file was replaced. */
  append(text: string): void;
  close(): void;
}

/** The file operations of a run. All but `read` and `list` throw the error of the file system. */
export interface Disk {
  /** Creates the folder and its missing parents. */
  makeFolder(folder: string): void;
  /** The text of a file; `null` if it cannot be read. */
  read(path: string): string | null;
  /** Names in a folder; empty if it cannot be read. */
  list(folder: string): readonly string[];
  /** Creates a file; `false` if it exists already. */
  create(path: string, text: string): boolean;
  /** Replaces a file as a whole, so that no reader sees half of it. */
  replace(path: string, text: string): void;
  /** Opens a file for appending: a new, empty one, or the existing one. */
  open(path: string, how: 'new' | 'more'): OpenFile;
  move(from: string, to: string): void;
  /** Removes a file if it exists. */
  remove(path: string): void;
  /** Removes a folder if it is empty. */
  removeFolder(folder: string): void;
}

/** The disk of this machine. */
export const REAL_DISK: Disk = {
  makeFolder,
  read: (path) => quietly(() => readFileSync(path, 'utf8'), null),
  list: (folder) => quietly(() => readdirSync(folder), []),
  create: (path, text) => {
    try {
      writeFileSync(path, text, { flag: 'wx' });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      // On a full disk the file is created, and stays empty.
      rmSync(path, { force: true });
      throw error;
    }
  },
  replace: (path, text) => {
    const draft = `${path}.${process.pid}.tmp`;
    try {
      writeFileSync(draft, text);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  },
  open: (path, how) => {
    // Opened once: a process without descriptors can still write to it.
    const file = openSync(path, how === 'new' ? 'w' : 'a');
    const { ino } = fstatSync(file);
    return {
      append: (text) => {
        // Appending to a removed file raises no error.
        if (statSync(path).ino !== ino) throw Object.assign(new Error('replaced'), { code: 'ENOENT' });
        appendFileSync(file, text);
      },
      close: () => closeSync(file),
    };
  },
  move: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  removeFolder: (folder) => quietly(() => rmdirSync(folder), undefined),
};

function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

/** Whether the path is that of the folder or below it. On Windows the way to another drive is its whole path. */
export function isInFolder(folder: string, path: string): boolean {
  const way = relative(realPathOf(folder), realPathOf(path));
  return !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}

/**
 * Creates the folder and its missing parents. Throws the error of the file system, also where folders cannot
 * be made (`/proc`): Node's recursive mkdir never returns there.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const path of missing) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!existsSync(path)) throw error;
    }
  }
  // A file at the folder's path is reported as existing.
  if (missing.length === 0) mkdirSync(folder, { recursive: true });
}

/** The encoding that a byte order mark shows; PowerShell writes UTF-16 unless told otherwise. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * The text of a file in UTF-8 or UTF-16, without its byte order mark. Throws the error of the file system, and
 * `UsageError` for other bytes; with `lossy` they become U+FFFD, and the reader looks for these.
 */
export function readTextFile(path: string, name = path, lossy = false, remedy = 'save it as UTF-8'): string {
  const bytes = readFileSync(path);
  let text = '\0';
  try {
    text = new TextDecoder(encodingOf(bytes), { fatal: !lossy }).decode(bytes);
  } catch {
    // Reported below.
  }
  // UTF-16 without a byte order mark reads as UTF-8 with a NUL beside each letter.
  if (text.includes('\0')) throw new UsageError(`${name} is not a text in UTF-8`, remedy);
  return text;
}

/** The text of a stream, decoded like a file; invalid bytes become U+FFFD. */
export async function* streamText(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const bytes of stream) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

const CAUSE_OF_CODE: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file of that name is in the way',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'a folder of that name is in the way',
  ENOSPC: 'the disk is full',
  EMFILE: 'this process has no file descriptors left',
  EFBIG: 'the file would be larger than the limit for this process',
  ENOENT: 'the folder or the file was removed',
};

/** The code of a system error, or `undefined`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Why the file system rejected something, in a few words; `null` for an error that is not the file system's. */
export function causeOf(error: unknown): string | null {
  const code = codeOf(error);
  return CAUSE_OF_CODE[code] ?? (/^E[A-Z0-9]+$/.test(code) ? `writing ended with ${code}` : null);
}
