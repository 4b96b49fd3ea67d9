/** The folder of a bundle: written whole, read whole. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, MANIFEST } from '../gate/bundle.ts';
import type { Bytes } from '../gate/bytes.ts';
import { UsageError } from './usage-error.ts';

/** Names of the files in a folder; none where there is no folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Makes the folder; one with other things in it than an earlier bundle is refused. Throws `UsageError`. */
export function demandBundleFolder(folder: string): void {
  const names = namesIn(folder);
  if (names.length > 0 && !names.includes(MANIFEST)) {
    throw new UsageError(`${folder} holds something else than a bundle: choose another --bundle-dir.`);
  }
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, MANIFEST), '');
  } catch {
    throw new UsageError(`${folder} cannot be written: choose another --bundle-dir.`);
  }
}

/** Writes a bundle in place of the one that was there. */
export function writeBundle(folder: string, files: Files): void {
  for (const name of namesIn(folder)) rmSync(join(folder, name), { force: true, recursive: true });
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
