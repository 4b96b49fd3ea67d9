/**
 * What every request passes before it leaves: the admission of the target, where a write may go (only to documented operations,
 * and to our own or made-up ids), and what a create call may name (conformance model, sections 5 and 7).
 */

import { operationById, SAFE_METHODS } from '../../contract/operations.ts';
import type { WireRequest } from '../../exchange/message.ts';
import type { GuardContext } from '../client-options.ts';
import { type Blocked, GuardRefusal, Skipped, type SuiteRequest } from '../request.ts';
import {
  decodings,
  type FoundOperation,
  isDotSegment,
  operationOf,
  segmentsOf,
  withoutQuery,
} from '../request-path.ts';
import type { Outgoing } from '../wire.ts';
import { dialGuard } from './dial-guard.ts';
import type { IdRegister } from './id-register.ts';
import { scanJson } from './json-scan.ts';

/** Throws `GuardRefusal` for what the suite must never send, `Skipped` where the target claims a made-up id. */
export function guard(request: SuiteRequest, { wire, below }: Outgoing, context: GuardContext): void {
  const { numbers, ids } = request.credential === 'other-organization' ? context.ofOthers : context.ours;
  const guarded = { method: request.method, path: below, headers: wire.headers, body: wire.body };
  const blocked = writeGuard(guarded, context.register) ?? dialGuard(guarded, numbers, ids);
  if (blocked?.isClaimed === true) {
    throw new Skipped('a response of the target names the made-up id as one of its own', { why: 'claimed' });
  }
  if (blocked !== null) throw new GuardRefusal(blocked);
}

/**
 * How far a target is admitted: nothing but first reads leaves until it is known to be the service, and nothing but
 * clean-up after the end.
 */
export class Admission {
  #isOpen = false;
  /** Why the run has ended: from then on, only clean-up is sent; `null` as long as it goes on. */
  stopped: string | null = null;

  /** The run has ended; the first reason counts. */
  stop(reason: string): void {
    this.stopped ??= reason;
  }

  /** The target is the service: from now on everything may be sent. */
  open(): void {
    this.#isOpen = true;
  }

  /** Throws `Skipped` for everything but a first read, clean-up included, until the target was admitted. */
  demand({ method, role }: SuiteRequest): void {
    if (this.#isOpen || (method === 'GET' && role === 'preflight')) return;
    const reason = this.stopped ?? 'no read has shown yet that the target is the service';
    throw new Skipped(reason, { why: 'stopped' });
  }
}

/** The methods of the documented operations that change something; a test compares them with the contract. */
export const WRITE_METHODS: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

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
