/** The text of a path as servers and gateways read it: percent-escapes, slashes and dot segments. */

import { READ } from './limits.ts';

/** Overlong UTF-8 and the `%u` escape: some decoders turn them into slashes and dots. */
const ODD_ESCAPE = /%c[01]|%e0%[89]|%f0%8|%u[0-9a-f]{4}/i;

/** The text itself and the result of each further percent-decoding; `null` where decoders disagree or it never ends. */
export function decodings(text: string): readonly string[] | null {
  const layers: string[] = [];
  for (let layer = text; layers.length <= READ.layers; layer = percentDecoded(layer)) {
    if (layer === layers.at(-1)) return layers;
    if (ODD_ESCAPE.test(layer)) return null;
    layers.push(layer);
  }
  return null;
}

/** The text with each run of percent-escapes decoded once as UTF-8. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** Whether a segment is `.` or `..` to some reader; look-alikes, path parameters and invisible characters count. */
export function isDotSegment(segment: string): boolean {
  return /^\.+$/.test(
    segment
      .normalize('NFKC')
      .replace(/[;?#].*$/s, '')
      .replace(/[\p{C}\s]/gu, ''),
  );
}

/** The segments of a decoded path, split on slashes, backslashes and their look-alikes. */
export function segmentsOf(path: string): readonly string[] {
  return path.normalize('NFKC').split(/[/\\]/);
}

/** Whether no reader finds a dot segment in it, however often it is decoded, and all decode it alike. */
export function hasNoDotSegment(text: string): boolean {
  return decodings(text)?.every((layer) => !segmentsOf(layer).some(isDotSegment)) === true;
}

/** The path in the form that its spellings share: without query, decoded, in lower case, with single slashes only. */
export const plainPath = (path: string): string =>
  percentDecoded(withoutQuery(path)).toLowerCase().replace(/\/+/g, '/').replace(/\/$/, '');

/** The part of a request target before the first `?` or `#`. */
export function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/s, '');
}

/** A path with more parameters behind those that it has. */
export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
