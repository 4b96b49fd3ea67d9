/** Other spellings of a path: where one is served, it needs the credential too (section 5). */

import { otherSlashForm } from '../src/contract/operations.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import { answerPhrase, isAccepted, isRetryable, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { fromStatus } from './expect/rejection.ts';
import { EVERY_OPERATION } from './operations.ts';

/** Other spellings of the path of a read, by what they change. */
export const SPELLINGS = {
  'in capital letters': (path: string) => path.replace(/^\/v1\/[a-z-]+/, (start) => start.toUpperCase()),
  'with a doubled slash': (path: string) => path.replace(/^\/v1\//, '/v1//'),
  'with an encoded letter': (path: string) =>
    path.replace(/^(\/v1\/)([a-z])/, (_, start: string, letter: string) => {
      return `${start}%${letter.charCodeAt(0).toString(16)}`;
    }),
} as const satisfies Readonly<Record<string, (path: string) => string>>;

const routeOf = (path: string): string => path.split('?')[0] ?? '';
const hasSlash = (path: string): boolean => routeOf(path).endsWith('/');

/** The path, with its query, in its other slash form. */
export function otherForm(path: string): string {
  const route = routeOf(path);
  return otherSlashForm(route) + path.slice(route.length);
}

/**
 * The exchange of the valid credential at the other slash form: for the same resource, or for another on the same
 * route.
 */
function validAlias(exchange: Exchange, evidence: Evidence): Exchange | undefined {
  const { tag, request } = exchange;
  const isSameRoute = (one: Exchange): boolean =>
    one.tag.role === 'valid-alias' &&
    one.tag.operation === tag.operation &&
    hasSlash(one.request.path) === hasSlash(request.path);
  return evidence.sibling(exchange, 'valid-alias') ?? evidence.exchanges.find(isSameRoute);
}

/** Served: the valid credential gets the same status there as at the documented path, and an unknown route does not. */
function isServed(alias: Exchange, unknown: readonly Exchange[], evidence: Evidence): boolean {
  const status = statusOf(alias);
  if (status === null || status === 404 || status === 405 || (status >= 300 && status < 400)) return false;
  if (unknown.length === 0 || unknown.some((route) => statusOf(route) === status)) return false;
  const documented = evidence.sibling(alias, 'documented-path');
  if (documented !== undefined) return statusOf(documented) === status;
  const { method, path } = alias.request;
  // A read has one path, however it is spelled.
  const known =
    method === 'GET'
      ? evidence.controls(alias.tag.operation).map(statusOf)
      : evidence.statusesAt(alias.tag.operation, method, otherForm(path));
  return known.includes(status);
}

function rejectedAtAlias(exchange: Exchange, evidence: Evidence): Opinion {
  const valid = validAlias(exchange, evidence);
  const { path } = exchange.request;
  const unknown = evidence.unknownRoutes.filter(({ request }) => hasSlash(request.path) === hasSlash(path));
  if (valid === undefined || !isServed(valid, unknown, evidence))
    return none('the other spelling of the path is not served');
  const telling = isRetryable(exchange) || isAccepted(exchange) ? fromStatus(exchange, evidence) : null;
  if (telling !== null) return telling;
  // On an open call the valid credential comes last, since it ends the call.
  const reference = evidence.sibling(exchange, 'control') ?? valid;
  if (statusOf(exchange) !== statusOf(reference)) return PASS;
  return none(`the valid credential got ${answerPhrase(exchange)} too`);
}

/** Asked only if the target serves the other spelling; suites/sequences/aliases.ts sends it. */
export const AUTH_ALIAS = {
  id: 'AUTH-ALIAS',
  level: 'must',
  section: '5',
  statement:
    'If another spelling of a documented path (slash, letter case, %) is also served, it needs the credential.',
  operations: EVERY_OPERATION,
  reading: 'R12',
  opportunistic: 'no other spelling of the path is served',
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
  send: { sequence: 'other spellings of the path' },
  expect: rejectedAtAlias,
} as const satisfies Requirement;
