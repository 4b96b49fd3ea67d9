/** Credentials: anything but a valid organization credential is rejected and has no effect (section 5). */

import { otherSlashForm } from '../src/contract/operations.ts';
import type { CredentialForm, Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
  headerOf,
  isAccepted,
  isError,
  isRejected,
  isRetryable,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, foundRejection, inconclusive, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { noEffect } from './expect/effect.ts';
import { REJECTION, rejected } from './expect/rejection.ts';
import { remedyFor } from './expect/remedy.ts';
import { EVERY_OPERATION, READS } from './operations.ts';

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
  return evidence.statusesAt(alias.tag.operation, method, otherForm(path)).includes(status);
}

function rejectedAtAlias(exchange: Exchange, evidence: Evidence): Opinion {
  const valid = validAlias(exchange, evidence);
  const { path } = exchange.request;
  const unknown = evidence.unknownRoutes.filter(({ request }) => hasSlash(request.path) === hasSlash(path));
  if (valid === undefined || !isServed(valid, unknown, evidence)) return none('the other slash form is not served');
  if (isRetryable(exchange)) return inconclusive(`${answerPhrase(exchange)} to an invalid credential`);
  if (isAccepted(exchange)) return found('effect', 'the status', REJECTION, answerPhrase(exchange));
  // On an open call the valid credential comes last, since it ends the call.
  const reference = evidence.sibling(exchange, 'control') ?? valid;
  if (statusOf(exchange) !== statusOf(reference)) return PASS;
  return none(`the valid credential got ${answerPhrase(exchange)} too`);
}

/** Forms of credential that an authorized caller may present. */
const RIGHTFUL: readonly CredentialForm[] = ['valid', 'lower-case-scheme', 'other-organization'];

function status401(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  if (status === null || !isRejected(exchange) || isRetryable(exchange)) {
    return none(`${answerPhrase(exchange)} to an invalid credential`);
  }
  const valid = evidence.validStatuses(exchange);
  if (valid.has(status)) return none(`the valid credential got ${answerPhrase(exchange)} too`, remedyFor(exchange));
  if (status === 401) return PASS;
  const sibling = Sibling.ofCredential(exchange, evidence.sameRequests(exchange));
  if (sibling !== null) return foundRejection(exchange, 'status 401', sibling);
  return none(`${answerPhrase(exchange)} may not be about the credential`, 'run the full profile');
}

function challenge(exchange: Exchange, evidence: Evidence): Opinion {
  if (!evidence.credentialWorks) return none('no operation accepted the valid credential', 'set PCS_ACCESS_TOKEN');
  if ((headerOf(exchange, 'www-authenticate') ?? '').trim() !== '') return PASS;
  return found('content', 'the header of the 401', 'WWW-Authenticate', 'no such field');
}

function acceptedInLowerCase(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return PASS;
  if (!evidence.isBracketed(exchange)) {
    return none('the valid credential was not accepted both before and after', remedyFor(exchange));
  }
  if (!isError(exchange) || !isRejected(exchange) || isRetryable(exchange)) {
    return none(`${answerPhrase(exchange)} to a credential with the scheme in lower case`);
  }
  const sibling = evidence.nextValid(exchange);
  const accepted = sibling === undefined ? null : Sibling.accepted(exchange, [sibling], 'with the scheme Bearer');
  if (accepted === null) return none('the same request under Bearer was not accepted right afterwards');
  return foundRejection(exchange, 'acceptance, as with Bearer', accepted);
}

/** Asked only if the target serves the other slash form; suites/sequences/aliases.ts sends it. */
export const AUTH_ALIAS = {
  id: 'AUTH-ALIAS',
  level: 'must',
  section: '5',
  statement: 'If the other slash form of a documented path is also served, it needs the credential too.',
  operations: EVERY_OPERATION,
  reading: 'R12',
  opportunistic: 'the other slash form of the path is not served',
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
  send: { sequence: 'the other slash form' },
  expect: rejectedAtAlias,
} as const satisfies Requirement;

export const AUTH_NO_EFFECT = {
  id: 'AUTH-NO-EFFECT',
  level: 'must',
  section: '5',
  statement: 'A request rejected for its credential has no effect.',
  operations: ['updateTrunk'],
  opportunistic: 'the response to getTrunk does not show the name of the trunk, so an effect would be invisible',
  send: { sequence: 'no effect' },
  expect: noEffect,
} as const satisfies Requirement;

export const AUTH_SCHEME_CASE = {
  id: 'AUTH-SCHEME-CASE',
  level: 'should',
  section: 'RFC 9110, 11.1',
  statement: 'The scheme is accepted in any letter case, for example as bearer.',
  operations: ['listNumbers', 'listTrunks'],
  send: { sequence: 'the scheme in lower case' },
  expect: acceptedInLowerCase,
} as const satisfies Requirement;

export const AUTHENTICATION = [
  {
    id: 'AUTH-CREDENTIAL-REQUIRED',
    level: 'must',
    section: '5',
    statement: 'A request without a credential (no header, or an empty bearer token) is rejected with a 4xx.',
    operations: EVERY_OPERATION,
    reading: 'R2',
    send: { credentials: { none: 'no Authorization header', 'empty-bearer': 'an empty bearer token' } },
    expect: rejected,
  },
  {
    id: 'AUTH-SCHEME',
    level: 'must',
    section: '5',
    statement: 'The credential under a scheme other than Bearer, or without a scheme, is rejected with a 4xx.',
    operations: EVERY_OPERATION,
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    reading: 'R2',
    send: {
      credentials: {
        'other-scheme': 'the credential under the scheme Basic',
        basic: 'the credential as the user name of Basic',
        bare: 'the credential without a scheme',
      },
    },
    expect: rejected,
  },
  {
    id: 'AUTH-SECRET',
    level: 'must',
    section: '5',
    statement: 'A bearer token that is not exactly an organization credential is rejected with a 4xx.',
    operations: EVERY_OPERATION,
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    reading: 'R2',
    send: {
      credentials: {
        'wrong-secret': 'the correct prefix with a wrong secret',
        truncated: 'the credential without its last character',
        suffixed: 'the credential with one more character',
        unprefixed: 'the secret without its prefix',
        'case-changed': 'the secret with its letter case changed',
      },
    },
    expect: rejected,
  },
  {
    id: 'AUTH-HEADER-ONLY',
    level: 'must',
    section: '5',
    statement: 'A credential sent only in the query string is rejected with a 4xx.',
    operations: READS,
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    reading: 'R2',
    send: { credentials: { query: 'the credential in the query string only' } },
    expect: rejected,
  },
  {
    id: 'AUTH-REVOKED',
    level: 'must',
    section: '5',
    statement: 'A revoked credential is rejected with a 4xx.',
    operations: EVERY_OPERATION,
    needs: 'PCS_REVOKED_ACCESS_TOKEN',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    send: { credentials: { revoked: 'a revoked credential' } },
    expect: rejected,
  },
  AUTH_ALIAS,
  AUTH_NO_EFFECT,
] as const satisfies readonly Requirement[];

export const AUTHENTICATION_ADVICE = [
  {
    id: 'AUTH-STATUS-401',
    level: 'should',
    section: 'RFC 9110, 15.5.2',
    statement: 'A missing or invalid credential is rejected with 401.',
    operations: EVERY_OPERATION,
    invariant: true,
    shownBy: 'invalid credentials',
    reading: 'R2',
    concerns: ({ tag, request }) => tag.documented && !RIGHTFUL.includes(request.credential),
    expect: status401,
  },
  {
    id: 'AUTH-CHALLENGE',
    level: 'should',
    section: 'RFC 9110, 11.6.1',
    statement: 'A 401 carries WWW-Authenticate.',
    operations: EVERY_OPERATION,
    invariant: true,
    shownBy: 'invalid credentials',
    opportunistic: 'no response was a 401',
    concerns: (exchange) => exchange.tag.documented && statusOf(exchange) === 401,
    expect: challenge,
  },
  AUTH_SCHEME_CASE,
] as const satisfies readonly Requirement[];
