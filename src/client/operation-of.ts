/** Which documented operation a method and a path are (specification, section 4). */

import { OPERATIONS, type OperationId, otherSlashForm } from '../contract/operations.ts';
import { withoutQuery } from './raw-path.ts';

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
  other: shapeOf(otherSlashForm(path)),
}));

function shapeOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, '([^/]+)')}$`, 's');
}

/** The operation whose method and path these are, in either slash form; `path` is below the base URL. */
export function operationOf(method: string, path: string): FoundOperation | null {
  const bare = withoutQuery(path);
  for (const shape of SHAPES) {
    if (shape.method !== method) continue;
    const documented = shape.documented.exec(bare);
    const match = documented ?? shape.other.exec(bare);
    if (match !== null) return { operation: shape.operation, documented: documented !== null, ids: match.slice(1) };
  }
  return null;
}
