/** The folder of a bundle. */

import {
  closeSync,
  constants,
  type Dir,
  type Dirent,
  existsSync,
  fstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  ATTESTATION,
  BUNDLE_FILES,
  type BundleEntry,
  Disagreement,
  demand,
  demandBytes,
  type Entries,
} from '../certificate/bundle-files.ts';
import { READ } from '../contract/limits.ts';
import { UsageError, withUsageError } from '../contract/usage-error.ts';
import { causeOf, makeFolder } from '../run/disk.ts';
import { sentenceOf } from '../run/run.ts';

/** Creates the folder; rejects one with a signed bundle or with other files. Throws `UsageError`. */
export function demandBundleFolder(folder: string): void {
  const trial = join(folder, `.${process.pid}.tmp`);
  const tried = (): readonly string[] => {
    makeFolder(folder);
    const names = readdirSync(folder);
    writeFileSync(trial, '');
    rmSync(trial);
    return names;
  };
  const names = withUsageError(tried, `${folder} cannot be written`, 'choose another --bundle-dir');
  if (names.includes(ATTESTATION)) {
    throw new UsageError(`${folder} holds a signed bundle`, 'move it away or choose another --bundle-dir');
  }
  const extra = names.find((name) => !BUNDLE_FILES.includes(name));
  if (extra !== undefined) {
    throw new UsageError(`${folder} holds ${extra}, which does not belong to a bundle`, 'choose another --bundle-dir');
  }
}

const remove = (folder: string): void => {
  for (const name of BUNDLE_FILES) rmSync(join(folder, name), { force: true });
};

/**
 * Writes a bundle over an unsigned one; other files stay. Returns why it cannot be written, if so: then nothing of it
 * stays, since half a signature would pass for a signed bundle.
 */
export function writeBundle(folder: string, files: ReadonlyMap<string, string>): string | null {
  if (existsSync(join(folder, ATTESTATION))) return 'another certification signed a bundle there meanwhile';
  try {
    remove(folder);
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    return null;
  } catch (error) {
    try {
      remove(folder);
    } catch {}
    return causeOf(error) ?? sentenceOf(error);
  }
}

function entryKind(entry: Dirent): BundleEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special file';
}

/** Reads a regular file of at most this many bytes; follows no link and waits for no pipe. */
function readRegular(path: string, name: string, most: number): Uint8Array {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(file);
    demand(found.isFile(), `${name} is not a regular file`);
    demandBytes(name, found.size, most);
    const bytes = readFileSync(file);
    demand(bytes.length <= most, `${name} grew while it was read`);
    return bytes;
  } catch (error) {
    throw error instanceof Disagreement ? error : new Disagreement(`${name} cannot be read`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const crowded = (): never => {
  throw new Disagreement(`the folder has more than ${READ.entries} entries`);
};

/** The entries of a bundle's folder, not yet read. Throws `UsageError` if it is not a folder. */
export function openBundle(folder: string): Entries {
  const entries = new Map<string, BundleEntry>();
  let listing: Dir | undefined;
  try {
    listing = opendirSync(folder);
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      const { name } = entry;
      if (entries.size === READ.entries) return new Map([[ATTESTATION, { kind: 'file', read: crowded }]]);
      entries.set(name, { kind: entryKind(entry), read: (most) => readRegular(join(folder, name), name, most) });
    }
    return entries;
  } catch {
    throw new UsageError(`${folder} cannot be read`, 'name the folder that certify wrote');
  } finally {
    listing?.closeSync();
  }
}
