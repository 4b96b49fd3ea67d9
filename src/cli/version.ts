/** The version of this package, from its manifest. */

import { readFileSync } from 'node:fs';

/** Version as in package.json. */
export function packageVersion(): string {
  const manifest: { readonly version?: string } = JSON.parse(readFileSync(manifestUrl(), 'utf8'));
  return manifest.version ?? 'unknown';
}

/** Compiled, this module lies one folder deeper than as source. */
function manifestUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? '../../package.json' : '../../../package.json', import.meta.url);
}
