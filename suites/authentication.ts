/** Credentials: anything but a valid organization credential is rejected and has no effect (section 5). */

import { plainPath } from '../src/client/request-path.ts';
import { MALFORMED_FORMS } from '../src/exchange/credential-forms.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
  headerOf,
  headersOf,
  isAccepted,
  isError,
  isOurs,
  isPlain,
  isRejected,
  isRetryable,
  routeOf,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, foundRejection, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { unlessAlive } from './expect/configured-credentials.ts';
import { fromStatus, REJECTION, rejected } from './expect/rejection.ts';
import { remedyFor, remedyForControl } from './expect/remedy.ts';
import { EVERY_OPERATION, READS, RIGHTFUL } from './operations.ts';

function status401(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  const isPutOff = headerOf(exchange, 'retry-after') !== undefined;
  if (status === null || !isRejected(exchange) || isRetryable(exchange) || isPutOff) {
    return none(`${answerPhrase(exchange)} to an invalid credential`);
  }
  const valid = evidence.validStatuses(exchange);
  if (valid.has(status))
    return none(`the valid credential got ${answerPhrase(exchange)} too`, remedyFor(exchange, evidence));
  if (status === 401 || (status === 400 && MALFORMED_FORMS.includes(exchange.request.credential))) return PASS;
  if (evidence.isInLockOut(exchange)) return none(`${answerPhrase(exchange)} during a lock-out`);
  const sibling = Sibling.ofCredential(exchange, evidence.sameRequests(exchange));
  if (sibling !== null) return foundRejection(exchange, 'status 401', sibling);
  return none(`${answerPhrase(exchange)} may not be about the credential`, 'run with --profile full');
}

function challenge(exchange: Exchange, evidence: Evidence): Opinion {
  if (!evidence.credentialWorks) return none('no operation accepted the valid credential', 'check PCS_ACCESS_TOKEN');
  if (headersOf(exchange, 'www-authenticate').some((value) => value.trim() !== '')) return PASS;
  return found('the header of the 401', 'WWW-Authenticate', 'no such field');
}

function acceptedInLowerCase(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return PASS;
  if (!evidence.isBracketed(exchange)) {
    return none('the valid credential was not accepted both before and after', remedyForControl(exchange, evidence));
  }
  if (!isError(exchange) || !isRejected(exchange) || isRetryable(exchange)) {
    return none(`${answerPhrase(exchange)} to a credential with the scheme in lower case`);
  }
  if (evidence.isInLockOut(exchange)) return none(`${answerPhrase(exchange)} during a lock-out`);
  const sibling = evidence.nextValid(exchange);
  const accepted = sibling === undefined ? null : Sibling.accepted(exchange, [sibling], 'with the scheme Bearer');
  if (accepted === null) return none('the same request under Bearer was not accepted right afterwards');
  return foundRejection(exchange, 'acceptance, as with Bearer', accepted);
}

function formOfCredential(_: Exchange, { facts }: Evidence): Opinion {
  if (facts.malformedCredential !== true) return PASS;
  return found('the accepted credential', 'a prefix that ends in org_, then a secret', 'another form');
}

const hasSlash = (exchange: Exchange): boolean => routeOf(exchange).endsWith('/');

/** What a path shows of its spelling. */
const SPELLED = [/\/$/, /\/\//, /%/, /[A-Z]/] as const;

const spellingOf = (exchange: Exchange): string => SPELLED.map((sign) => sign.test(routeOf(exchange))).join();

/** The exchange of the valid credential in the same spelling: for the same resource, or for another on the same route. */
function validAlias(exchange: Exchange, evidence: Evidence): Exchange | undefined {
  const { tag, seq } = exchange;
  const isValid = (one: Exchange): boolean => one.tag.role === 'valid-alias';
  const isSameRoute = (one: Exchange): boolean =>
    isValid(one) && one.tag.operation === tag.operation && spellingOf(one) === spellingOf(exchange);
  return (
    evidence.siblings(exchange).findLast((one) => isValid(one) && one.seq < seq) ?? evidence.exchanges.find(isSameRoute)
  );
}

/** Served: the valid credential gets the same status there as at the documented path, and an unknown route does not. */
function isServed(alias: Exchange, unknown: readonly Exchange[], evidence: Evidence): boolean {
  const status = statusOf(alias);
  if (status === null || status === 404 || status === 405 || (status >= 300 && status < 400)) return false;
  if (unknown.length === 0 || unknown.some((route) => statusOf(route) === status)) return false;
  const documented = evidence.sibling(alias, 'documented-path');
  if (documented !== undefined) return statusOf(documented) === status;
  // A read has one path, however it is spelled.
  const isAtPath = (one: Exchange): boolean =>
    alias.request.method === 'GET' || plainPath(one.request.path) === plainPath(alias.request.path);
  return evidence.controls(alias.tag.operation).some((one) => isAtPath(one) && statusOf(one) === status);
}

function rejectedAtAlias(exchange: Exchange, evidence: Evidence): Opinion {
  const valid = validAlias(exchange, evidence);
  const unknown = evidence.unknownRoutes.filter((route) => hasSlash(route) === hasSlash(exchange));
  if (valid === undefined || !isServed(valid, unknown, evidence))
    return none('the other spelling of the path is not served');
  const telling = isRetryable(exchange) || isAccepted(exchange) ? fromStatus(exchange) : null;
  if (telling !== null) return telling;
  // On an open call the valid credential comes last, since it ends the call; our hang-up says nothing of answering it.
  const isControl = ({ tag }: Exchange): boolean => tag.role === 'control' && tag.operation === exchange.tag.operation;
  const reference = evidence.siblings(exchange).findLast(isControl) ?? valid;
  if (statusOf(exchange) !== statusOf(reference)) return PASS;
  return none(`the valid credential got ${answerPhrase(exchange)} too`);
}

const OF_SECTION = { level: 'must', section: '5' } as const;

/** An invalid form of the credential. */
const INVALID = { ...OF_SECTION, operations: EVERY_OPERATION, reading: 'R2', expect: rejected } as const;

export const AUTHENTICATION = [
  {
    ...OF_SECTION,
    id: 'AUTH-CREDENTIAL-FORM',
    statement: 'An organization credential is a prefix that ends in org_, followed by a secret.',
    // The credential is the same on all operations, so it is judged once, by any answer that accepts it.
    operations: ['listTrunks'],
    invariant: true,
    concerns: (exchange) => exchange.tag.documented && isOurs(exchange) && isAccepted(exchange),
    expect: formOfCredential,
  },
  {
    ...INVALID,
    id: 'AUTH-CREDENTIAL-REQUIRED',
    traffic: 'pair',
    statement: 'A request without a credential (no header, or an empty bearer token) is rejected with a 4xx.',
    send: { credentials: { none: 'no Authorization header', 'empty-bearer': 'an empty bearer token' } },
  },
  {
    ...INVALID,
    id: 'AUTH-SCHEME',
    statement: 'The credential under a scheme other than Bearer, or without a scheme, is rejected with a 4xx.',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    send: {
      credentials: {
        'other-scheme': 'the credential under the scheme Basic',
        basic: 'the credential as the user name and the password of Basic',
        bare: 'the credential without a scheme',
        'longer-scheme': 'the credential under a scheme that only ends in Bearer',
      },
    },
  },
  {
    ...INVALID,
    id: 'AUTH-SECRET',
    statement: 'A bearer token that is not exactly an organization credential is rejected with a 4xx.',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    send: {
      credentials: {
        'wrong-secret': 'the correct prefix with a wrong secret',
        truncated: 'the credential without its last character',
        suffixed: 'the credential twice, with a semicolon between',
        listed: 'the credential twice, with a comma between',
        spaced: 'the credential twice, with a space between',
        dotted: 'the credential twice, with a dot between',
        prefixed: 'the credential with one more character in front',
        'last-changed': 'the credential with its last character changed',
        'middle-changed': 'the credential with one character in the middle changed',
        'case-changed': 'the secret with its letter case changed',
        unprefixed: 'the secret without its prefix',
        'wrong-prefix': 'the secret under another prefix',
        short: 'a token of one character and two dots',
        'non-ascii': 'a token with non-ASCII characters',
        long: 'the credential with 1,600 characters behind it',
        'text-none': 'the word None for a token',
        'text-null': 'the word null for a token',
        'two-blanks': 'a wrong token behind two blanks',
      },
    },
  },
  {
    ...INVALID,
    id: 'AUTH-HEADER-ONLY',
    statement: 'A credential sent only in the query string is rejected with a 4xx.',
    operations: READS,
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    send: { credentials: { query: 'the credential in the query string only' } },
  },
  {
    ...OF_SECTION,
    id: 'AUTH-REVOKED',
    statement: 'A revoked credential is rejected with a 4xx.',
    operations: EVERY_OPERATION,
    needs: 'PCS_REVOKED_ACCESS_TOKEN',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    send: { credentials: { revoked: 'a revoked credential' } },
    expect: unlessAlive(rejected),
  },
  // Asked only if the target serves the other spelling.
  {
    ...OF_SECTION,
    id: 'AUTH-ALIAS',
    statement:
      'If another spelling of a documented path (slash, letter case, %, suffix) is also served, it needs the credential.',
    operations: EVERY_OPERATION,
    reading: 'R12',
    opportunistic: 'no other spelling of the path is served',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    expect: rejectedAtAlias,
  },
] as const satisfies readonly Requirement[];

function headRejected(exchange: Exchange, evidence: Evidence): Opinion {
  if (isRejected(exchange)) return PASS;
  if (!isAccepted(exchange)) return none(`${answerPhrase(exchange)} to HEAD`);
  const unknown = evidence.sibling(exchange, 'unknown-route');
  if (unknown !== undefined && isAccepted(unknown)) return none('HEAD of an undocumented route is accepted, too');
  if (!evidence.hasAcceptedControl(exchange.tag.operation)) return none('GET was not accepted');
  return found('the status of HEAD', REJECTION, answerPhrase(exchange));
}

export const AUTHENTICATION_ADVICE = [
  {
    id: 'AUTH-STATUS-401',
    level: 'should',
    section: 'RFC 9110, 15.5.2',
    statement: 'A missing or invalid credential is rejected with 401, or where its field is malformed with 400.',
    operations: EVERY_OPERATION,
    invariant: true,
    shownBy: 'invalid credentials',
    reading: 'R2',
    concerns: (exchange) => isPlain(exchange) && !RIGHTFUL.includes(exchange.request.credential),
    expect: unlessAlive(status401, none('the revoked credential may be alive')),
  },
  {
    id: 'AUTH-CHALLENGE',
    level: 'should',
    traffic: 'www-authenticate',
    section: 'RFC 9110, 11.6.1',
    statement: 'A 401 carries WWW-Authenticate.',
    operations: EVERY_OPERATION,
    invariant: true,
    shownBy: 'invalid credentials',
    opportunistic: 'no response was a 401',
    concerns: (exchange) => exchange.tag.documented && statusOf(exchange) === 401,
    expect: challenge,
  },
  {
    id: 'AUTH-SCHEME-CASE',
    level: 'should',
    section: 'RFC 9110, 11.1',
    statement: 'The scheme is accepted in any letter case, for example as bearer.',
    operations: ['listNumbers', 'listTrunks'],
    expect: acceptedInLowerCase,
  },
  {
    id: 'AUTH-HEAD',
    level: 'should',
    section: 'RFC 9110, 9.3.2',
    statement: 'HEAD of a documented read needs the credential, as GET does.',
    operations: READS,
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED'],
    expect: headRejected,
  },
] as const satisfies readonly Requirement[];
