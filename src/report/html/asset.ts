/** Files that are inlined into a page: style sheets and scripts that the linter reads as what they are. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A text to inline, and its hash as a content security policy names it. */
interface InlineAsset {
  readonly text: string;
  readonly hash: string;
}

/** Reads files beside the calling module (`new URL('./page.css', import.meta.url)`) and joins them, once at load. */
export function inlineAsset(...files: readonly URL[]): InlineAsset {
  // A browser reads CRLF as LF before it compares hashes.
  const text = files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n')).join('');
  return { text, hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` };
}

/** The style sheet with the colours of every page. */
export const COLOURS = new URL('./colours.css', import.meta.url);
