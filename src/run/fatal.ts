/**
 * Kinds of requests that took the target down on one operation: they are not sent to the others.
 * The reasons are in docs/design/symptoms.md.
 */

import { Skipped, type SuiteRequest } from '../client/request.ts';
import { BOUNDARY } from '../verdict/record.ts';
import type { RunState } from './state.ts';

/**
 * What a request has in common with those to other operations, and what the same code reads for all of them: its form of
 * credential, or the kind of id in its path. Each handler reads its body by itself.
 */
function kindOf({ credential, asks }: SuiteRequest): string | undefined {
  if (credential !== 'valid') return `the credential in the form "${credential}"`;
  // `boundary values: trunk id that is not UTF-8`
  const values = asks.flatMap(({ id, variation }) =>
    id === BOUNDARY ? [/^\S+ (id that .*)/.exec(variation)?.[1]] : [],
  );
  const [id] = values;
  return id === undefined ? undefined : `an ${id}`;
}

/** Notes that a request took the target down twice. */
export function noteFatal(state: RunState, request: SuiteRequest): void {
  const kind = kindOf(request);
  if (kind === undefined || request.operation === null || state.fatal.has(kind)) return;
  state.fatal.set(kind, request.operation);
}

/**
 * Throws `Skipped` where a request of this kind took the target down on another operation: a token that is not ASCII, sent to
 * all thirteen, had cost 23 restarts. A walk of an exploration is not asked.
 */
export function demandNotFatal(state: RunState, request: SuiteRequest): void {
  if (state.fatal.size === 0 || request.origin !== undefined) return;
  const kind = kindOf(request);
  const operation = state.fatal.get(kind ?? '');
  if (operation === undefined || operation === request.operation) return;
  throw new Skipped(`${kind} took the target down on ${operation}`, {
    remedy: `mend what fails on ${operation}, and run again`,
  });
}
