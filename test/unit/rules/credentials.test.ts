/** What an invalid credential may get, and what shows that it is invalid (conformance model, sections 1 and 2). */

import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import type { Opinion } from '../../../src/verdict/opinion.ts';
import { ON_USED_CONNECTION } from '../../../suites/expect/rejection.ts';
import { malformedRejected, unknownRejected } from '../../../suites/ids.ts';
import {
  as,
  at,
  bodyOf,
  forStatuses,
  judgeRule,
  opinionOn,
  opinionRule,
  reasonRule,
  type Said,
  stillFor,
} from './exchanges.ts';

const TRUNK = '/v1/trunks/1';

/** A read with the valid credential, accepted. */
const READ: Said = { tag: { operation: 'getTrunk' }, request: { method: 'GET', path: TRUNK } };
const LOCKED: Said = { ...READ, status: 403 };
const RESENT: Said = { ...READ, tag: { ...READ.tag, replaces: 3 } };
const OTHER_PATH: Said = { request: { path: '/v1/trunks/2' } };
const OTHER_OPERATION: Said = { tag: { operation: 'getVoiceApplication' } };

opinionRule('AUTH-CREDENTIAL-REQUIRED')('an invalid credential is rejected where the valid one is accepted', {
  row: { before: READ, judged: as('none', READ), after: READ, later: null },
  says: 'pass',
  but: [
    ...forStatuses([200, 204], 'finding'),
    ...forStatuses([302, 408, 425, 429, 500, 503, null], 'inconclusive'),
    ['the valid one was not accepted afterwards', { after: null }, 'inconclusive'],
    ['the valid one was rejected afterwards', { after: at(401) }, 'inconclusive'],
    ['the valid one was sent for another resource', { before: null, after: OTHER_PATH }, 'none'],
    ['the valid one was sent to another operation', { before: null, after: OTHER_OPERATION }, 'none'],
    ['the valid one was sent with another body', { before: null, after: { request: { body: bodyOf({}) } } }, 'none'],
    ['the valid one got the same', { before: at(401), after: at(401), later: { ...READ, ...OTHER_PATH } }, 'none'],
  ],
  still: [
    ...stillFor([400, 403, 404, 409, 422]),
    ['the valid one got another status', { before: null, after: at(409), later: { ...READ, ...OTHER_PATH } }],
  ],
});

opinionRule('AUTH-CREDENTIAL-REQUIRED')('the status of the valid one counts only if that is accepted next', {
  row: { before: { ...READ, status: 404 }, judged: as('none', READ, 404), after: READ, later: null },
  says: 'pass',
  but: [
    ['it got the same next', { after: at(404), later: READ }, 'none'],
    ['another request came next', { after: OTHER_PATH }, 'none'],
    ['its answer was lost', { after: at(null), later: READ }, 'none'],
  ],
  still: [
    ['it was put off first', { after: at(429), later: READ }],
    ['its answer was lost, and it is resent', { after: at(null), later: RESENT }],
    ['it got something else before', { before: at(409) }],
  ],
});

reasonRule('AUTH-CREDENTIAL-REQUIRED')('a status that ours got only where it was sent again came for a while', {
  row: {
    before: LOCKED,
    again: { ...READ, status: 409, tag: { ...READ.tag, replaces: 1 } },
    judged: as('none', READ, 403),
    later: { ...READ, ...OTHER_PATH },
    more: null,
  },
  says: 'the valid credential got status 403 too for a while',
  but: [['it came once more', { more: LOCKED }, 'the valid credential got status 403 too']],
});

const read = (json: Readonly<Record<string, unknown>>): Said => ({ body: bodyOf(json) });
const MANUAL = read({ name: 'the name' });

opinionRule('AUTH-CREDENTIAL-REQUIRED')('a rejection that shows the record is none', {
  row: {
    before: { ...READ, ...MANUAL },
    judged: { ...as('none', READ), ...MANUAL },
    error: null,
    after: READ,
  },
  says: 'finding',
  but: [
    ['it shows something else', { judged: read({ name: 'another' }) }, 'pass'],
    ['it shows it elsewhere', { judged: read({ title: 'the name' }) }, 'pass'],
    ['the record was not read', { before: at(404) }, 'pass'],
    ['it is of another path', { before: OTHER_PATH }, 'pass'],
    ['another credential read it', { before: { ...as('other-organization', READ, 200), ...MANUAL } }, 'pass'],
    ['errors to the valid one show it', { error: { ...READ, ...OTHER_PATH, ...MANUAL, status: 404 } }, 'pass'],
    ['it is a word of any answer', { before: read({ message: 'x' }), judged: read({ message: 'x' }) }, 'pass'],
    ['it is an id', { before: read({ trunkId: 'x' }), judged: read({ trunkId: 'x' }) }, 'pass'],
    ['it is a number', { before: read({ name: 1 }), judged: read({ name: 1 }) }, 'pass'],
  ],
  still: [['another member is shown', { before: read({ url: 'u' }), judged: read({ url: 'u' }) }]],
});

test.each([
  ['where it is rejected on one of its own', 401, {}, ON_USED_CONNECTION],
  ['but not where it was put off on one of its own, and sent again', 429, { fresh: true }, 'the status'],
] as const)('an acceptance belongs to the connection %s', (_, status, tag, where) => {
  const fresh = as('none', { ...READ, tag: { ...READ.tag, fresh: true } }, status);
  const accepted = as('none', { ...READ, tag: { ...READ.tag, ...tag } }, 200);
  expect(opinionOn('AUTH-CREDENTIAL-REQUIRED', [READ, fresh, accepted], 2)).toMatchObject({ finding: { where } });
});

const WRITE: Said = { tag: { operation: 'updateTrunk' }, request: { method: 'PATCH', path: TRUNK } };
const wrote = (name: string): Said => ({ ...WRITE, request: { ...WRITE.request, body: bodyOf({ name }) } });

opinionRule('AUTH-CREDENTIAL-REQUIRED')('a rejection of a write that shows what another one wrote is none', {
  row: {
    before: wrote('the name'),
    judged: { ...as('none', wrote('a name')), ...MANUAL },
    same: wrote('a name'),
    after: READ,
  },
  says: 'finding',
  but: [
    ['it shows what it says itself', { judged: read({ name: 'a name' }) }, 'pass'],
    ['the other one was rejected', { before: at(422) }, 'pass'],
  ],
});

opinionRule('AUTH-CREDENTIAL-REQUIRED', { profile: 'read-only' })('only 401 and 403 tell of a write without a body', {
  row: { judged: as('none', WRITE), after: READ },
  says: 'pass',
  but: forStatuses([400, 404, 422], 'none'),
  still: stillFor([403]),
});

const CALL_BODY: Said = { request: { body: bodyOf({}) } };
const CREATE: Said = { tag: { operation: 'createCall' }, request: { method: 'POST', path: '/v1/calls/' } };

opinionRule('AUTH-CREDENTIAL-REQUIRED')('nor does any other status tell of a call without a body', {
  row: { judged: as('none', CREATE, 404), valid: CREATE },
  says: 'none',
  but: [
    ...forStatuses([401, 403], 'pass'),
    ['it has the body of the valid call', { judged: CALL_BODY, valid: CALL_BODY }, 'pass'],
    ['it is no call', { judged: WRITE, valid: WRITE }, 'pass'],
  ],
});

test.each([
  ['read-only', 'run with --profile full', 'run with --profile full'],
  ['full', 'run again once a call can be placed', undefined],
] as const)('a run of the profile %s is not told to be what it is', (profile, call, read) => {
  const remedyOf = (opinion: Opinion | null) => opinion && 'remedy' in opinion && opinion.remedy;
  expect(opinionOn('AUTH-CREDENTIAL-REQUIRED', [as('none', CREATE, 404)], 0, { profile })).toMatchObject({
    remedy: call,
  });
  expect(remedyOf(opinionOn('AUTH-STATUS-401', [as('none', CREATE, 404)], 0, { profile })) || undefined).toBe(read);
});

opinionRule('AUTH-CREDENTIAL-REQUIRED', { profile: 'read-only' })('but of a read any 4xx does', {
  row: { judged: as('none', READ, 404), after: READ },
  says: 'pass',
  but: [['the valid one got the same', { after: { ...OTHER_PATH } }, 'none']],
});

opinionRule('AUTH-STATUS-401')('another 4xx should be 401 where the valid credential gets something else', {
  row: { before: READ, judged: as('none', READ, 403), after: null },
  says: 'finding',
  but: [
    ...forStatuses([401], 'pass'),
    ...forStatuses([200, 302, 429, 500, 503, null], 'none'),
    ['with Retry-After', { judged: { headers: [['Retry-After', '3']] } }, 'none'],
    ['the valid one got the same', { before: at(403) }, 'none'],
    ['the valid one got the same later', { after: { ...READ, status: 403 } }, 'none'],
    ['the valid one got no answer', { before: at(null) }, 'none'],
    ['the valid one was sent elsewhere', { before: OTHER_PATH }, 'none'],
  ],
  still: stillFor([400, 404]),
});

opinionRule('AUTH-SECRET')(
  'a parser that says 400 to a long credential hides what a search without its query says to it',
  {
    row: { judged: as('long', READ, 400), ours: { ...READ, status: 400 }, later: { ...READ, ...OTHER_PATH } },
    says: 'excused',
    but: [
      ['another credential got it', { judged: as('truncated', READ, 400) }, 'none'],
      ['the valid one got another status', { ours: at(409) }, 'pass'],
    ],
  },
);

opinionRule('AUTH-STATUS-401')('a malformed field may be answered with 400', {
  row: { before: READ, judged: as('bare', READ, 400), after: null },
  says: 'pass',
  but: [
    ['another 4xx says nothing of the syntax', { judged: at(403) }, 'finding'],
    ['the field is well-formed', { judged: as('truncated', READ, 400) }, 'finding'],
    ['there is no field', { judged: as('none', READ, 400) }, 'finding'],
    ['it is too long for some parsers', { judged: as('long', READ, 400) }, 'no concern'],
    ['the valid one was sent elsewhere', { before: OTHER_PATH }, 'none'],
  ],
  still: (
    [
      'empty-bearer',
      'other-scheme',
      'token-scheme',
      'digest-scheme',
      'suffixed',
      'listed',
      'spaced',
      'two-blanks',
      'query',
    ] as const
  ).map((form) => [form, { judged: as(form, READ, 400) }]),
});

const revoked = (status: number, said: Said = READ): Said => as('revoked', said, status);
const LIST: Said = { tag: { operation: 'listTrunks' }, request: { method: 'GET', path: '/v1/trunks/' } };

opinionRule('AUTH-REVOKED')('a revoked credential is known as revoked where it is rejected as an unknown one', {
  row: { judged: revoked(200), revoked: revoked(401, LIST), unknown: as('none', LIST), after: READ },
  says: 'finding',
  but: [
    ['it was rejected nowhere', { revoked: null }, 'inconclusive'],
    ['it was accepted there', { revoked: at(200), unknown: at(200) }, 'inconclusive'],
    ['it was put off there', { revoked: at(429), unknown: at(429) }, 'inconclusive'],
    ['the server failed there', { revoked: at(500), unknown: at(500) }, 'inconclusive'],
    ['no unknown one was sent there', { unknown: null }, 'inconclusive'],
    ['the unknown one was rejected otherwise', { unknown: at(403) }, 'inconclusive'],
    ['the unknown one was sent elsewhere', { unknown: { request: { path: '/v1/numbers/' } } }, 'inconclusive'],
    ['the unknown one was sent with HEAD', { unknown: { request: { method: 'HEAD' } } }, 'inconclusive'],
    ['the unknown one is a form of the valid one', { unknown: { request: { credential: 'bare' } } }, 'inconclusive'],
    ['it may lack the right there', { revoked: revoked(403), unknown: as('none', READ, 403) }, 'inconclusive'],
  ],
  still: [
    ['with a wrong secret', { unknown: { request: { credential: 'wrong-secret' } } }],
    ['a list forbids both', { revoked: at(403), unknown: at(403) }],
    ['a read does', { revoked: revoked(401), unknown: as('none', READ) }],
  ],
});

opinionRule('AUTH-REVOKED')('one that is rejected everywhere is judged as any other', {
  row: { judged: revoked(401), other: null, after: READ },
  says: 'pass',
  but: [
    ['it was accepted once', { other: revoked(200, LIST) }, 'inconclusive'],
    ['another invalid one was accepted', { judged: { status: 200, request: { credential: 'none' } } }, 'finding'],
  ],
});

const FROM = (status: number, seq: string): Said =>
  as('wrong-secret', { ...READ, tag: { ...READ.tag, sequence: seq } }, status);

opinionRule('AUTH-CREDENTIAL-ACCEPTED')('401 to the valid credential is a finding where it works elsewhere, later', {
  row: {
    ...{ a: FROM(200, 'a'), b: FROM(401, 'b'), c: FROM(401, 'c') },
    between: null,
    judged: { ...WRITE, status: 401, tag: { ...WRITE.tag, control: true } },
    after: READ,
  },
  says: 'finding',
  but: [
    ...forStatuses([null], 'none'),
    ...forStatuses([200, 403, 404, 500], 'pass'),
    ['it works nowhere', { after: at(401) }, 'none'],
    ['it worked before alone', { between: READ, after: at(401) }, 'none'],
    ['it worked beside it alone', { judged: { took: 15 } }, 'none'],
    ['three invalid ones came before', { a: at(401) }, 'none'],
    ['only another one was let in since', { a: at(401), between: as('other-organization', READ, 200) }, 'none'],
  ],
  still: [['it worked again after three invalid ones', { a: at(401), between: READ }]],
});

opinionRule('AUTH-CREDENTIAL-ACCEPTED')('so is 401 to the credential of another organization, also at an id of ours', {
  row: {
    ...{ a: FROM(200, 'a'), b: FROM(401, 'b'), c: FROM(401, 'c') },
    ...{ before: null, between: null },
    judged: as('other-organization', WRITE, 401),
    theirs: as('other-organization', LIST, 200),
    after: READ,
  },
  says: 'finding',
  but: [
    ['it works nowhere', { theirs: at(401) }, 'none'],
    ['it works beside it alone', { judged: { took: 30 } }, 'none'],
    ['three invalid ones came before', { a: at(401) }, 'none'],
  ],
  still: [
    ['ours was let in since', { a: at(401), between: READ }],
    [
      'it was accepted before, and is known behind it',
      { before: as('other-organization', LIST, 200), theirs: at(404) },
    ],
  ],
});

judgeRule(({ judged }, evidence) => unknownRejected(judged as Exchange, evidence))(
  'an unknown id is rejected where a known one is treated otherwise',
  {
    row: {
      known: READ,
      judged: { ...READ, status: 404, tag: { ...READ.tag, ids: 'well-formed', control: false } },
      after: LIST,
    },
    says: 'pass',
    but: [
      ...forStatuses([200, 500], 'finding'),
      ...forStatuses([401, 302, 429, 503, null], 'none'),
      ['it got 200, and so did no known one', { judged: at(200), known: at(404) }, 'none'],
      ['no known one was sent', { known: null }, 'none'],
      ['the known one got the same', { known: at(404) }, 'none'],
      ['the valid credential was not accepted afterwards', { after: null }, 'none'],
    ],
    still: [['the known one was rejected otherwise', { known: at(409) }]],
  },
);

judgeRule(({ judged }, evidence) => malformedRejected(judged as Exchange, evidence))(
  'so is a malformed one, with the envelope',
  {
    row: {
      known: READ,
      judged: { ...READ, status: 400, tag: { ...READ.tag, ids: 'malformed', control: false } },
      after: LIST,
    },
    says: 'pass',
    but: [
      ['without the envelope', { judged: { body: null } }, 'finding'],
      ['the known one got the same', { known: at(400) }, 'none'],
      ...forStatuses([200], 'finding'),
    ],
  },
);

opinionRule('AUTH-STATUS-401')('a rejection during a lock-out is not evidence of another status', {
  row: { before: READ, judged: as('none', READ, 403), locked: LOCKED, again: RESENT },
  says: 'none',
  but: [
    ['it has another status than the lock-out', { judged: at(400) }, 'finding'],
    ['the valid credential was not locked out', { locked: null, again: READ }, 'finding'],
  ],
});
