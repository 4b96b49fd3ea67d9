/** Judges where a request may go: only documented writes, only to ids that are ours or nobody's (model, section 7). */

import { operationById, type ResourceKind } from '../../contract/operations.ts';
import { type FoundOperation, operationOf } from '../operation-of.ts';
import { decodings, isDotSegment, segmentsOf, withoutQuery } from '../raw-path.ts';
import type { IdRegister } from './id-register.ts';
import { scanJson } from './json-scan.ts';
import type { Refusal } from './refusal.ts';

export { type FoundOperation, operationOf } from '../operation-of.ts';

/** What the guard looks at: `path` is below the base URL, exactly as it is sent. */
export interface WriteRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array | null;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Why this request must not leave, or `null` where it may. */
export function writeGuard(request: WriteRequest, ids: IdRegister): Refusal | null {
  const { method, path } = request;
  const astray = judgePath(path);
  if (astray !== null || SAFE_METHODS.has(method)) return astray;
  if (path.includes('?')) {
    return { rule: 'write-query', sentence: 'A request that writes carries no query string.' };
  }
  const found = operationOf(method, path);
  if (found === null) {
    return {
      rule: 'undocumented-write',
      sentence: 'Only GET, HEAD and OPTIONS go to a path and method that are not those of a documented operation.',
    };
  }
  const foreign = judgeFound(found, request.body, ids);
  if (foreign === null) return null;
  const isClaimed = judgeFound(found, request.body, ids.withoutSeen()) === null;
  return isClaimed ? { ...foreign, isClaimed } : foreign;
}

function judgeFound(found: FoundOperation, body: Uint8Array | null, ids: IdRegister): Refusal | null {
  return judgeIds(found, ids) ?? judgeAssignment(found, body, ids);
}

function judgePath(path: string): Refusal | null {
  if (!/^\/(?![/\\])[!-~]*$/.test(path) || path.includes('#')) {
    return {
      rule: 'path-form',
      sentence: 'A path begins with one slash and holds printable ASCII characters without a fragment.',
    };
  }
  const layers = decodings(withoutQuery(path));
  if (layers?.every((layer) => !segmentsOf(layer).some(isDotSegment))) return null;
  return { rule: 'path-leaves-base', sentence: 'A path has no dot segment, however often it is decoded.' };
}

function judgeIds(found: FoundOperation, ids: IdRegister): Refusal | null {
  const kinds: readonly ResourceKind[] = operationById(found.operation).resources;
  const bad = kinds.find((kind, at) => !ids.allows(kind, found.ids[at] ?? ''));
  return bad === undefined ? null : foreignId('path', bad);
}

/** An assignment writes to the connection that its body names, too. */
function judgeAssignment(found: FoundOperation, body: Uint8Array | null, ids: IdRegister): Refusal | null {
  if (found.operation !== 'assignNumber' || body === null) return null;
  const scan = scanJson(body);
  const fine =
    scan === null
      ? ids.allowsUnread('carrierConnection', Buffer.from(body).toString('latin1'))
      : scan.texts.every(({ text }) => ids.allowsValue('carrierConnection', text));
  return fine ? null : foreignId('body', 'carrierConnection');
}

function foreignId(where: 'path' | 'body', kind: ResourceKind): Refusal {
  return {
    rule: `foreign-id-in-${where}`,
    sentence: `The ${where} names a ${kind} that is neither set aside for the suite nor made up at random nor malformed.`,
  };
}
