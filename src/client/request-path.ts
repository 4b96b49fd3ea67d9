/** Request paths: the documented operation that one belongs to, and what further percent-decoding would make of it. */

import { READ } from '../contract/limits.ts';
import { OPERATIONS, type OperationId, otherSlashForm } from '../contract/operations.ts';

/** A documented operation found in a request; `ids` are path segments as sent. */
export interface FoundOperation {
  readonly operation: OperationId;
  /** `false` where the path has the other slash form. */
  readonly documented: boolean;
  readonly ids: readonly string[];
}

const SHAPES = OPERATIONS.map(({ id, method, path }) => ({
  operation: id,
  method,
  documented: shapeOf(path),
  otherSlash: shapeOf(otherSlashForm(path)),
}));

function shapeOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, '([^/]+)')}$`, 's');
}

/** The operation with this method and path, in either slash form; `path` is below the base URL. */
export function operationOf(method: string, path: string): FoundOperation | null {
  const bare = withoutQuery(path);
  for (const shape of SHAPES) {
    if (shape.method !== method) continue;
    const exact = shape.documented.exec(bare);
    const match = exact ?? shape.otherSlash.exec(bare);
    if (match !== null) return { operation: shape.operation, documented: exact !== null, ids: match.slice(1) };
  }
  return null;
}

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

/** The path as all of its spellings have it: without a query, decoded, in lower case, its slashes merged and none at its end. */
export const plainPath = (path: string): string =>
  percentDecoded(withoutQuery(path)).toLowerCase().replace(/\/+/g, '/').replace(/\/$/, '');

/** The segment of the id in the path of a hang-up, as it is sent; empty for another path. */
export const hangUpSegment = (path: string): string => /\/calls\/([^/]+)\/hangup\/?$/.exec(path)?.[1] ?? '';

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

/** The part of a request target before the first `?` or `#`. */
export function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/s, '');
}
