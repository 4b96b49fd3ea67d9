/** Folders that are made where they are missing. */

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes the folder and those above it that are missing. Throws what the file system says, also where it has no room for
 * folders (`/proc`): there Node's own way to make all of them at once never comes back.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) makeOne(one);
  // A file in the folder's place is said to be there.
  if (missing.length === 0) mkdirSync(folder, { recursive: true });
}

/** Somebody else may have made it meanwhile. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
