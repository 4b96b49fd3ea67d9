/** Where the package keeps what it ships, and its version. */

import { readFileSync } from 'node:fs';

/** Version as in package.json. */
export function packageVersion(): string {
  const manifest: { readonly version?: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return manifest.version ?? 'unknown';
}

/** Address of a file that the package ships beside its code, such as a page of `docs`. */
export function packageFile(path: string): URL {
  // Compiled, this module lies one folder deeper than as source.
  return new URL(`${import.meta.url.endsWith('.ts') ? '../..' : '../../..'}/${path}`, import.meta.url);
}
