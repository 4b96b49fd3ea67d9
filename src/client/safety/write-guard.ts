/**
 * Decides where a write may go: only to documented operations, and only to our own or made-up ids (model, section 7).
 */

import { operationById, SAFE_METHODS } from '../../contract/operations.ts';
import type { WireRequest } from '../../exchange/message.ts';
import {
  decodings,
  type FoundOperation,
  isDotSegment,
  operationOf,
  segmentsOf,
  withoutQuery,
} from '../request-path.ts';
import type { IdRegister } from './id-register.ts';
import { scanJson } from './json-scan.ts';

/** The methods of the documented operations that change something; a test compares them with the contract. */
export const WRITE_METHODS: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

/** Why a guard blocks a request: the rule, and one sentence that quotes nothing of the request. */
export interface Blocked {
  readonly rule: string;
  readonly sentence: string;
  /** The id was made up, but an answer of the target names it as one of its own. */
  readonly isClaimed?: true;
}

/** Why this request must not leave, or `null` if it may; `path` is below the base URL, exactly as it is sent. */
export function writeGuard(
  { method, path, body }: Omit<WireRequest, 'headers' | 'timeout'>,
  ids: IdRegister,
): Blocked | null {
  const wrongPath = judgePath(SAFE_METHODS.has(method) ? path.replace(/^\/\/v1\//, '/v1/') : path);
  if (wrongPath !== null || SAFE_METHODS.has(method)) return wrongPath;
  if (!WRITE_METHODS.has(method)) {
    return { rule: 'method', sentence: 'Only GET, HEAD, OPTIONS, PATCH, POST and PUT are ever sent.' };
  }
  if (path.includes('?')) return { rule: 'write-query', sentence: 'A write must not carry a query string.' };
  const found = operationOf(method, path) ?? withSlashesAroundOurs(method, path, ids);
  if (found === null) {
    return {
      rule: 'undocumented-write',
      sentence: 'Only GET, HEAD and OPTIONS may go to a path and method that no documented operation has.',
    };
  }
  const blocked = judgeIds(found, body, ids);
  if (blocked === null) return null;
  return judgeIds(found, body, ids.withoutSeen()) === null ? { ...blocked, isClaimed: true } : blocked;
}

function judgePath(path: string): Blocked | null {
  if (!/^\/(?![/\\])[!-~]*$/.test(path) || path.includes('#')) {
    return {
      rule: 'path-form',
      sentence: 'A path must begin with one slash and hold only printable ASCII characters and no fragment.',
    };
  }
  const layers = decodings(withoutQuery(path));
  if (layers?.every((layer) => !segmentsOf(layer).some(isDotSegment))) return null;
  return { rule: 'path-leaves-base', sentence: 'A path must not have a dot segment, however often it is decoded.' };
}

/** The operation at a path with two slashes before or behind an id that is ours: a target that merges them finds our resource. */
function withSlashesAroundOurs(method: string, path: string, ids: IdRegister): FoundOperation | null {
  if (!/^\/v1\/[^/]/.test(path)) return null;
  const found = operationOf(method, path.replaceAll('//', '/'));
  if (found === null || found.ids.length === 0) return null;
  const kinds = operationById(found.operation).resources;
  return found.ids.every((id, at) => ids.owns(kinds[at], id)) ? found : null;
}

/** An assignment writes to the connection that its body names, too. */
function judgeIds(
  { operation, ids: segments }: FoundOperation,
  body: Uint8Array | null,
  ids: IdRegister,
): Blocked | null {
  const wrong = operationById(operation).resources.find((kind, at) => !ids.allows(kind, segments[at] ?? ''));
  if (wrong !== undefined) return wrongId('path', wrong);
  if (operation !== 'assignNumber' || body === null) return null;
  const scan = scanJson(body);
  const isAllowed =
    scan === null
      ? ids.allowsUnread('carrierConnection', Buffer.from(body).toString('latin1'))
      : scan.texts.every(({ text }) => ids.allowsAssignment(text));
  return isAllowed ? null : wrongId('body', 'carrierConnection');
}

function wrongId(where: 'path' | 'body', kind: string): Blocked {
  return {
    rule: `foreign-id-in-${where}`,
    sentence: `The ${where} must name only a ${kind} that is reserved for testing, made up at random, or malformed.`,
  };
}
