/** A rejection counts only between two acceptances (conformance model, section 1, Controls). */

import type { Exchange } from '../../../src/exchange/exchange.ts';
import { alone } from '../../../suites/accepted-bodies.ts';
import { acceptedInLowerCase } from '../../../suites/authentication.ts';
import { acceptedAsUsual } from '../../../suites/expect/bodies.ts';
import { bodyOf, JSON_LABEL, judgeRule, opinionRule, type Said } from './exchanges.ts';

const NAME = { name: 'a' };

/** A valid update, accepted. */
const VALID: Said = { request: { headers: JSON_LABEL, body: bodyOf(NAME) } };

/** An update that differs from the valid ones in one element. */
const probe = (status: number, request: Said['request']): Said => ({
  status,
  sibling: JSON.stringify(NAME),
  tag: { control: false },
  request: { ...VALID.request, ...request },
});

const OTHER_OPERATION: Said = { tag: { operation: 'getTrunk' } };
const OTHER_CREDENTIAL: Said = { request: { credential: 'none' } };
const PROBE: Said = { tag: { control: false } };
const REJECTION: Said = { status: 422 };
const PUT_OFF: Said = { status: 503 };
const LOST: Said = { status: null };

const around = (judged: Said, valid = VALID) =>
  ({ earlier: null, before: valid, judged, after: valid, later: null }) as const;

/** Whatever leaves the judged exchange without an acceptance before it, or after it. */
const open = (says: string, valid = VALID) =>
  [
    ['without the one before', { before: null, later: valid }, says],
    ['without the one after', { earlier: valid, after: null }, says],
    ['the one before was rejected', { before: REJECTION, later: valid }, says],
    ['the one after was rejected', { earlier: valid, after: REJECTION }, says],
    ['the one after was put off', { after: PUT_OFF }, says],
    ['the one after got no answer', { after: LOST }, says],
    ['the one before is of another operation', { before: OTHER_OPERATION, later: valid }, says],
    ['the one after is of another operation', { earlier: valid, after: OTHER_OPERATION }, says],
    ['the one before had no credential', { before: OTHER_CREDENTIAL, later: valid }, says],
    ['the one after had no credential', { earlier: valid, after: OTHER_CREDENTIAL }, says],
    ['the one before is itself a probe', { before: PROBE, later: valid }, says],
    ['the one after is itself a probe', { earlier: valid, after: PROBE }, says],
  ] as const;

const stillBetween = (valid = VALID) =>
  [
    ['more comes between', { before: PUT_OFF, earlier: valid, after: LOST, later: valid }],
    ['the one before was sent early', { before: null, earlier: valid }],
  ] as const;

const CALL: Said = { ...VALID, tag: { operation: 'createCall' }, request: { ...VALID.request, method: 'POST' } };
const INVALID_CALL = probe(400, { method: 'POST', body: bodyOf({ name: 0 }) });

opinionRule('CALL-CREATE-FIELD-TYPES')('an invalid call is rejected only between two accepted valid ones', {
  row: around({ ...INVALID_CALL, tag: { ...INVALID_CALL.tag, operation: 'createCall' } }, CALL),
  says: 'pass',
  but: [
    ...open('inconclusive', CALL),
    ['it was accepted', { judged: { status: 201 } }, 'finding'],
    ['it was put off', { judged: PUT_OFF }, 'inconclusive'],
    ['it got no answer', { judged: LOST }, 'inconclusive'],
    ['its credential was rejected', { judged: { status: 401 } }, 'inconclusive'],
  ],
  still: stillBetween(CALL),
});

const LABEL = probe(415, { headers: [['Content-Type', 'text/plain']] });

opinionRule('CONTENT-TYPE-OTHER')('so is an update that should be rejected', {
  row: around(LABEL),
  says: 'pass',
  but: [
    ...open('none'),
    ['it was accepted', { judged: { status: 200 } }, 'finding'],
    ['the server failed', { judged: { status: 500 } }, 'finding'],
    ['no valid one differs in that alone', { judged: { sibling: '' } }, 'none'],
    ['it was put off', { judged: PUT_OFF }, 'none'],
  ],
  still: stillBetween(),
});

opinionRule('CONTENT-TYPE-OTHER')('even its acceptance says nothing where no valid update was accepted', {
  row: around({ ...LABEL, status: 200 }),
  says: 'finding',
  but: [['none was', { before: REJECTION, after: REJECTION }, 'none']],
  still: [
    ['the one before was not', { before: REJECTION }],
    ['the one after was not', { after: REJECTION }],
  ],
});

judgeRule((_, evidence, compared) => acceptedAsUsual(compared.exchange, evidence, compared))(
  'an update that should be accepted is rejected only between two accepted ones',
  {
    row: around(probe(411, {})),
    says: 'finding',
    but: [...open('none'), ['it was accepted', { judged: { status: 200 } }, 'pass']],
    still: stillBetween(),
  },
);

judgeRule(({ judged }, evidence) => alone(judged as Exchange, evidence))(
  'a field that is sent alone is judged only between two accepted updates',
  {
    row: around(probe(415, {})),
    says: 'finding',
    but: [
      ...open('none'),
      ['it was rejected for its value', { judged: REJECTION }, 'pass'],
      ['it was accepted', { judged: { status: 200 } }, 'pass'],
      ['it was put off', { judged: PUT_OFF }, 'none'],
      ['the server failed', { judged: { status: 500 } }, 'none'],
    ],
    still: stillBetween(),
  },
);

judgeRule((_, evidence, compared) => acceptedInLowerCase(compared.exchange, evidence, compared))(
  'the scheme in lower case is rejected only between two accepted requests',
  {
    row: around(
      {
        status: 401,
        tag: { control: false, sequence: 'judged' },
        request: { ...VALID.request, credential: 'lower-case-scheme' },
      },
      { ...VALID, tag: { sequence: 'judged' } },
    ),
    says: 'finding',
    but: [
      ...open('none'),
      ['it was accepted', { judged: { status: 200 } }, 'pass'],
      ['it was put off', { judged: { status: 429 } }, 'none'],
      ['the server failed', { judged: { status: 500 } }, 'none'],
      ['the same request was not accepted next', { after: { status: 409 }, later: VALID }, 'none'],
      ['it was accepted next in another sequence', { after: { tag: { sequence: 'another' } } }, 'none'],
    ],
  },
);

const PUT: Said = { ...VALID, tag: { operation: 'assignNumber' }, request: { ...VALID.request, method: 'PUT' } };
const INVALID_PUT = probe(422, { method: 'PUT', body: bodyOf({ name: null }) });
const ELSEWHERE: Said = { request: { path: '/v1/trunks/2' } };
const PATCH: Said = { request: { method: 'PATCH' } };

opinionRule('NUMBER-ASSIGN-INVALID')('the same PUT again, rejected with another status, closes the bracket as well', {
  row: {
    first: null,
    before: PUT,
    judged: { ...INVALID_PUT, tag: { ...INVALID_PUT.tag, operation: 'assignNumber' } },
    after: { ...PUT, status: 409 },
  },
  says: 'pass',
  but: [
    ['with the status of the invalid one', { after: { status: 422 } }, 'inconclusive'],
    ['as forbidden', { after: { status: 403 } }, 'inconclusive'],
    ['with another body', { after: { request: { body: bodyOf({ name: 'b' }) } } }, 'inconclusive'],
    ['at another path', { after: ELSEWHERE }, 'inconclusive'],
    [
      'that was never accepted',
      { first: { ...PUT, request: { ...PUT.request, ...ELSEWHERE.request } }, before: REJECTION },
      'inconclusive',
    ],
    ['not a PUT', { before: PATCH, judged: PATCH, after: PATCH }, 'inconclusive'],
  ],
});
