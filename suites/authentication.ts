/** Credentials: anything but a valid organization credential is rejected and has no effect (section 5). */

import type { Answer } from '../src/client/request.ts';
import { type OperationId, operationById } from '../src/contract/operations.ts';
import { MALFORMED_FORMS } from '../src/exchange/credential-forms.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import { COOKIES } from '../src/exchange/header-fields.ts';
import type { RequestBuilder, Variation } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence } from '../src/run/sequence.ts';
import {
  answerPhrase,
  headerOf,
  headersOf,
  isAccepted,
  isOurs,
  isPlain,
  isRejected,
  isRetryable,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, foundRejection, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { type Compared, Sibling } from '../src/verdict/sibling.ts';
import { ask } from './ask.ts';
import { unlessAlive } from './expect/configured-credentials.ts';
import { answersToOurs, fromStatus, rejected } from './expect/rejection.ts';
import { remedyForControl, remedyForSame } from './expect/remedy.ts';
import { EVERY_OPERATION, isOneOf, LISTS, READS, RIGHTFUL } from './operations.ts';
import { amongCredentials, independent, onNamed, sendTo, sendValid } from './sequences/sending.ts';

function status401(exchange: Exchange, evidence: Evidence): Opinion {
  const status = statusOf(exchange);
  const isPutOff = headerOf(exchange, 'retry-after') !== undefined;
  if (status === null || !isRejected(exchange) || isRetryable(exchange) || isPutOff) {
    return none(`${answerPhrase(exchange)} to an invalid credential`);
  }
  const { statuses } = answersToOurs(exchange, evidence);
  if (statuses.has(status))
    return none(`the valid credential got ${answerPhrase(exchange)} too`, remedyForSame(exchange, evidence));
  // A service that rejects every write with 400 says nothing about the field.
  const isMalformed = statuses.size > 0 && MALFORMED_FORMS.includes(exchange.request.credential);
  if (status === 401 || (status === 400 && isMalformed)) return PASS;
  if (evidence.isInLockOut(exchange)) return none(`${answerPhrase(exchange)} during a lock-out`);
  const sibling = Sibling.ofCredential(exchange, evidence.sameRequests(exchange));
  if (sibling !== null) return foundRejection(exchange, 'status 401', sibling);
  const remedy = evidence.facts.profile === 'full' ? undefined : 'run with --profile full';
  return none(`${answerPhrase(exchange)} may not be about the credential`, remedy);
}

function challenge(exchange: Exchange, evidence: Evidence): Opinion {
  if (!evidence.credentialWorks) return none('no operation accepted the valid credential', 'check PCS_ACCESS_TOKEN');
  if (headersOf(exchange, 'www-authenticate').some((value) => value.trim() !== '')) return PASS;
  // A gateway that locks the sender out writes the 401 itself.
  if (evidence.isInLockOut(exchange)) return none('the target had locked the sender out');
  return found('the header of the 401', 'WWW-Authenticate', 'no such field');
}

/**
 * A read without a credential at the same time as a valid one: what is known about one caller must not serve another. A
 * rejection says no less than if it was sent alone; an accepted one is sent alone as well, also on a new connection.
 */
export function noneBesideValid(builder: RequestBuilder, id: OperationId): Sequence {
  const alone = ask('AUTH-CREDENTIAL-REQUIRED', 'none');
  const beside = ask('AUTH-CREDENTIAL-REQUIRED', 'none, beside a valid request');
  const place = { asks: [alone, beside], ...amongCredentials(id) };
  return onNamed(id, 'no credential beside a valid one', place, async (session) => {
    const valid = builder.control(id, { about: 'a valid request beside one without a credential' });
    const without = { credential: 'none', role: 'beside', about: 'no credential, beside a valid request' } as const;
    const says = (answer: Answer): void =>
      session.say(answer.accepted ? beside : place.asks, answer, (evidence) => rejected(answer.exchange, evidence));
    const [own, answer] = await session.together([valid, builder.request(id, { ...without, says })]);
    if (answer?.accepted !== true) {
      // A session that the credential began may be served without it (Spring Security, express-session).
      if (own === undefined || headersOf(own.exchange, 'set-cookie').length === 0) return;
      const headers = [['Cookie', COOKIES]] as const;
      const about = 'no credential, but the cookies that the target set';
      await sendTo(session, id, { credential: 'none', headers, asks: [alone], about });
      return;
    }
    const about = 'no Authorization header';
    await sendTo(session, id, { credential: 'none', asks: [alone], about });
    await sendTo(session, id, { credential: 'none', fresh: true, about: `${about}, on a new connection` });
  });
}

/** A write without a credential, in either profile: its ids name nothing and it has no body, so it is harmless. */
export function withoutAnything(builder: RequestBuilder, id: OperationId): Variation {
  const ids = operationById(id).resources.map((kind) => builder.uuid(`unknown ${kind}`));
  return { path: builder.path(id, ids), credential: 'none' };
}

/**
 * An invalid request without a credential: code that reads ids and bodies first may need the caller. Without a body, a
 * write was open to everyone, and only the read-only profile noticed.
 */
export function noneBesideInvalid(builder: RequestBuilder, id: OperationId): Sequence {
  const about = 'no credential, and an invalid request';
  const asked = ask('AUTH-CREDENTIAL-REQUIRED', about);
  const malformed = (): Variation => ({ path: builder.path(id, ['xyz']), credential: 'none' });
  const variation = (): Variation => (isOneOf(READS, id) ? malformed() : withoutAnything(builder, id));
  const place = { asks: [asked], ...amongCredentials(id) };
  return independent(id, about, place, {
    request: () => builder.request(id, { ...variation(), about }),
    // Any 4xx is right, whichever part the target checks first.
    note: (session, answer) => session.say(asked, answer, () => fromStatus(answer.exchange) ?? PASS),
  });
}

/** Judges the rejection of the scheme in lower case, given the answer to the same request under Bearer after it. */
export function acceptedInLowerCase(exchange: Exchange, evidence: Evidence, { around }: Compared): Opinion {
  if (isAccepted(exchange)) return PASS;
  if (!evidence.isBracketed(exchange)) {
    return none('the valid credential was not accepted both before and after', remedyForControl(exchange, evidence));
  }
  if (!isRejected(exchange) || isRetryable(exchange)) {
    return none(`${answerPhrase(exchange)} to a credential with the scheme in lower case`);
  }
  if (evidence.isInLockOut(exchange)) return none(`${answerPhrase(exchange)} during a lock-out`);
  const sibling = Sibling.behind(exchange, around(), 'with the scheme Bearer');
  if (sibling === null) return none('the same request under Bearer was not accepted right afterwards');
  return foundRejection(exchange, 'acceptance, as with Bearer', sibling);
}

/** Sent among the invalid credentials: a target may take it for one. */
const AUTH_SCHEME_CASE = {
  id: 'AUTH-SCHEME-CASE',
  level: 'should',
  section: 'RFC 9110, 11.1',
  statement: 'The scheme is accepted in any letter case, for example as bearer.',
  operations: LISTS,
  expect: acceptedInLowerCase,
  send: { sequences: () => LISTS.map(lowerCaseScheme) },
} as const satisfies Requirement;

/** The scheme in lower case. */
function lowerCaseScheme(id: OperationId): Sequence {
  const asks = [ask('AUTH-SCHEME-CASE')];
  const about = 'the credential under the scheme in lower case';
  const place = { asks, ...amongCredentials(id) };
  return independent(id, 'scheme in lower case', place, {
    request: ({ builder }) => builder.request(id, { credential: 'lower-case-scheme', asks, about }),
    note: async (session, { accepted }) => {
      if (!accepted) await sendValid(session, id, { about: 'the same under Bearer' });
    },
  });
}

const OF_SECTION = { level: 'must', section: '5' } as const;

/** An invalid form of the credential. */
const INVALID = { ...OF_SECTION, operations: EVERY_OPERATION, reading: 'R2', expect: rejected } as const;

/** How a rejection should identify itself. */
const OF_REJECTIONS = {
  level: 'should',
  operations: EVERY_OPERATION,
  invariant: true,
  shownBy: 'invalid credentials',
} as const;

export const AUTHENTICATION = [
  {
    ...OF_SECTION,
    id: 'AUTH-CREDENTIAL-FORM',
    statement: 'An organization credential is a prefix that ends in org_, followed by a secret.',
    // The credential is the same on all operations, so one answer that accepts it is enough.
    operations: ['listTrunks'],
    invariant: true,
    concerns: (exchange) => exchange.tag.documented && isOurs(exchange) && isAccepted(exchange),
    expect: (_, { facts }) =>
      facts.malformedCredential === true
        ? found('the accepted credential', 'a prefix that ends in org_, then a secret', 'another form')
        : PASS,
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
        'token-scheme': 'the credential under the scheme Token',
        'digest-scheme': 'the credential under the scheme Digest',
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
        'last-changed': 'the credential with its last character changed',
        'middle-changed': 'the credential with one character in the middle changed',
        'case-changed': 'the secret with its letter case changed',
        unprefixed: 'the secret without its prefix',
        'wrong-prefix': 'the secret under another prefix',
        short: 'a token of one character and two dots',
        'non-ascii': 'the credential with a letter in it that is not ASCII',
        long: 'the credential with a dot and 1,600 characters behind it',
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
  {
    ...OF_REJECTIONS,
    id: 'AUTH-STATUS-401',
    section: 'RFC 9110, 15.5.2',
    statement:
      'A missing or invalid credential is rejected with 401, or where it is malformed, too long or in the query with 400.',
    reading: 'R2',
    concerns: (exchange) => isPlain(exchange) && !RIGHTFUL.includes(exchange.request.credential),
    expect: unlessAlive(status401, none('the revoked credential may be alive')),
  },
  {
    ...OF_REJECTIONS,
    id: 'AUTH-CHALLENGE',
    traffic: 'www-authenticate',
    section: 'RFC 9110, 11.6.1',
    statement: 'A 401 carries WWW-Authenticate.',
    opportunistic: 'no response was a 401',
    concerns: (exchange) => exchange.tag.documented && statusOf(exchange) === 401,
    expect: challenge,
  },
  AUTH_SCHEME_CASE,
] as const satisfies readonly Requirement[];
