/** The folder of a bundle: written whole, read whole. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTESTATION, BUNDLE_FILES, type Files } from '../certificate/bundle.ts';
import type { Bytes } from '../certificate/bytes.ts';
import { UsageError } from '../contract/usage-error.ts';
import { makeFolder } from '../run/folder.ts';

/** Names of the files in a folder; none where there is no folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Makes the folder; one with a signed bundle, or with what is of no bundle, is refused. Throws `UsageError`. */
export function demandBundleFolder(folder: string): void {
  const names = namesIn(folder);
  if (names.includes(ATTESTATION)) {
    throw new UsageError(`${folder} holds a signed bundle: move it away or choose another --bundle-dir.`);
  }
  const stranger = names.find((name) => !BUNDLE_FILES.includes(name));
  if (stranger !== undefined) {
    throw new UsageError(`${folder} holds ${stranger}, which is of no bundle: choose another --bundle-dir.`);
  }
  const trial = join(folder, `.${process.pid}.tmp`);
  try {
    makeFolder(folder);
    writeFileSync(trial, '');
    rmSync(trial);
  } catch {
    throw new UsageError(`${folder} cannot be written: choose another --bundle-dir.`);
  }
}

/** Writes a bundle in place of the unsigned one that was there; what is of no bundle stays. */
export function writeBundle(folder: string, files: Files): void {
  for (const name of BUNDLE_FILES) rmSync(join(folder, name), { force: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}

/** Reads every file of a folder. Throws `UsageError` where it is none. */
export function readBundle(folder: string): Bytes {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return new Map(
      entries.map((entry) => [entry.name, entry.isFile() ? readFileSync(join(folder, entry.name)) : new Uint8Array()]),
    );
  } catch {
    throw new UsageError(`${folder} cannot be read: name the folder that certify wrote.`);
  }
}
