/** The folder of a bundle. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTESTATION, BUNDLE_FILES, type Bundle } from '../certificate/bundle.ts';
import type { Bytes } from '../certificate/bundle-files.ts';
import { UsageError } from '../contract/usage-error.ts';
import { makeFolder } from '../run/disk.ts';

/** Makes the folder; one with a signed bundle or with other files is rejected. Throws `UsageError`. */
export function demandBundleFolder(folder: string): void {
  const trial = join(folder, `.${process.pid}.tmp`);
  let names: readonly string[];
  try {
    makeFolder(folder);
    names = readdirSync(folder);
    writeFileSync(trial, '');
    rmSync(trial);
  } catch {
    throw new UsageError(`${folder} cannot be written: choose another --bundle-dir.`);
  }
  if (names.includes(ATTESTATION)) {
    throw new UsageError(`${folder} holds a signed bundle: move it away or choose another --bundle-dir.`);
  }
  const other = names.find((name) => !BUNDLE_FILES.includes(name));
  if (other !== undefined) {
    throw new UsageError(`${folder} holds ${other}, which does not belong to a bundle: choose another --bundle-dir.`);
  }
}

/** Writes a bundle over an unsigned one; other files stay. */
export function writeBundle(folder: string, files: Bundle['files']): void {
  for (const name of BUNDLE_FILES) rmSync(join(folder, name), { force: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}

/** Reads every file of a folder. Throws `UsageError` if it cannot be read. */
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
