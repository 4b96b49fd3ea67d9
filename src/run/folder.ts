/** Folders that are made where they are missing. */

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes the folder and those above it that are missing. Throws the error of the file system, also where folders cannot
 * be made (`/proc`): Node's recursive mkdir never returns there.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) makeOne(one);
  // A file in the folder's place is reported as existing.
  if (missing.length === 0) mkdirSync(folder, { recursive: true });
}

/** Another process may have made it meanwhile. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
