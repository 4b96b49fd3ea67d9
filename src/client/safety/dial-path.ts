/** Tells the requests that could place a call from all others, by their raw path. */

import { decodings, isDotSegment, segmentsOf, withoutQuery } from '../raw-path.ts';

const CREATE_PATHS: ReadonlySet<string> = new Set(['/v1/calls/', '/v1/calls']);

/** `exact`: one of the two slash forms to the letter; `alike`: someone could take it for that; otherwise `other`. */
export function createPath(path: string): 'exact' | 'alike' | 'other' {
  if (CREATE_PATHS.has(path)) return 'exact';
  const layers = decodings(withoutQuery(path));
  return layers === null || layers.some(endsInCalls) ? 'alike' : 'other';
}

/** Also once a decoded query, a path parameter or a file suffix is cut off and dot segments are resolved. */
function endsInCalls(layer: string): boolean {
  const kept: string[] = [];
  for (const segment of segmentsOf(withoutQuery(layer))) {
    if (isDotSegment(segment)) {
      if (segment.length > 1) kept.pop();
    } else {
      const name = plainName(segment);
      if (name !== '') kept.push(name);
    }
  }
  return kept.at(-1) === 'calls';
}

function plainName(segment: string): string {
  return segment
    .replace(/[;.].*$/s, '')
    .replace(/[\p{C}\s]/gu, '')
    .toLowerCase();
}
