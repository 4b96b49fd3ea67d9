/** A rejection speaks about one element only if a sibling shows it (conformance model, section 1, Attribution). */

import type { Exchange } from '../../../src/exchange/exchange.ts';
import type { Evidence } from '../../../src/verdict/evidence.ts';
import type { Compared } from '../../../src/verdict/sibling.ts';
import { acceptedInOtherCase, acceptedMinimal, chunksAccepted } from '../../../suites/accepted-bodies.ts';
import {
  asks,
  at,
  bodyOf,
  forStatuses,
  JSON_LABEL,
  judgeRule,
  type Named,
  NO_JSON,
  opinionRule,
  reasonRule,
  type Said,
  stillFor,
} from './exchanges.ts';

type Body = Readonly<Record<string, unknown>>;
const CALL = { from: '1', to: '2' };
const OF_STATE = [402, 403, 404, 409] as const;

/** A valid call, accepted. */
const call = (body: Body, tag: Said['tag'] = {}): Said => ({
  status: 201,
  tag: { operation: 'createCall', ids: 'none', ...tag },
  request: { method: 'POST', path: '/v1/calls/', headers: JSON_LABEL, body: bodyOf(body) },
});

/** A call that is judged, rejected with that status: it differs from the sibling in what the sequence is about. */
const judged = (status: number, body: Body, sibling: Body, tag: Said['tag'] = {}): Said => ({
  ...call(body, { sequence: 'judged', control: false, ...tag }),
  sibling: JSON.stringify(sibling),
  status,
});

/** The valid call right behind it, in its sequence. */
const BEHIND = call(CALL, { sequence: 'judged' });
const with422: Said = { status: 422 };
const body = (json: Body): Said => ({ request: { body: bodyOf(json) } });

/** Whatever leaves the judged call without a sibling that was accepted. */
const noSibling = (says: string) =>
  [
    ['without the sibling', { sibling: null }, says],
    ['the sibling was rejected', { sibling: with422 }, says],
    ['the sibling differs in one more element', { sibling: body({ ...CALL, privacy: true, variables: {} }) }, says],
    ['no sibling was named', { judged: { sibling: '' } }, says],
  ] as const;

/** Whatever leaves it open whether the state of the target was the reason. */
const anotherState = (says: string) =>
  [
    ['the call right behind it was rejected', { behind: with422, later: call(CALL) }, says],
    ['the call behind it is of another sequence', { behind: { tag: { sequence: 'another' } } }, says],
    ['the call behind it was repeated', { behind: { tag: { attempt: 1 } } }, says],
    ['nothing came right behind it', { behind: null, later: call(CALL) }, says],
    ['another operation came behind it', { behind: { tag: { operation: 'hangUpCall' } }, later: call(CALL) }, says],
    ['a probe came behind it', { behind: { tag: { control: false } }, later: call(CALL) }, says],
  ] as const;

const PRIVATE = { ...CALL, privacy: true };
const WORDS = (message: string) => bodyOf({ success: false, error: { code: 'trunk', message } });

/** A call through an application that is forbidden without a broken member as with it. */
const FORBIDDEN = { ...CALL, voice_application_id: 'a' };
const OF_TYPES = { asks: asks('CALL-CREATE-FIELD-TYPES') };
const absent = (name: string) => ({
  plain: { ...call(FORBIDDEN), status: 403 },
  other: judged(403, { ...FORBIDDEN, [name]: 1 }, { ...FORBIDDEN, [name]: true }, OF_TYPES),
  judged: at(403),
});

opinionRule('CALL-CREATE-FIELD-TYPES')('an invalid value has a wrong status beside an accepted sibling', {
  row: {
    ...{ plain: null, other: null },
    sibling: call(PRIVATE),
    judged: judged(422, { ...CALL, privacy: 'yes' }, PRIVATE),
    behind: BEHIND,
    later: null,
  },
  says: 'finding',
  but: [
    ...noSibling('none'),
    ...anotherState('none'),
    ...forStatuses([400], 'pass'),
    ...forStatuses([401, 408, 425, 429, 302, null], 'inconclusive'),
    ['that member counts as absent elsewhere, in the same words', absent('privacy'), 'pass'],
  ],
  still: [...stillFor([201, 500, 501, ...OF_STATE, 405, 413]), ['another member does', absent('variables')]],
});

opinionRule('CALL-CREATE-FIELD-TYPES')('an accepted invalid value speaks for itself', {
  row: { sibling: null, judged: judged(201, { ...CALL, privacy: 'yes' }, PRIVATE) },
  says: 'finding',
  but: [['it was rejected', { judged: { status: 400 } }, 'none']],
  still: [['beside its sibling', { sibling: call(PRIVATE) }]],
});

const RULED = { ...call(PRIVATE), status: 409, body: WORDS('No trunk.') };
const BROKEN = { request: { body: { ...NO_JSON, text: '{' } } };

opinionRule('CALL-CREATE-BODY')('a body without a label may be rejected for that', {
  row: {
    ruled: null,
    sibling: call(CALL),
    judged: { ...judged(415, {}, CALL), request: { ...call({}).request, headers: [] } },
    behind: BEHIND,
  },
  says: 'pass',
  but: [
    ['it had a label', { judged: { request: { headers: JSON_LABEL } } }, 'finding'],
    ['it got 422', { judged: with422 }, 'finding'],
    ['it got what a rule says of another valid call', { ruled: RULED, judged: { ...RULED, ...BROKEN } }, 'finding'],
  ],
});

opinionRule('CALL-CREATE-REQUIRED-FIELDS')('a rule that rejects the valid call rejects the invalid one', {
  row: {
    plain: { ...call({ from: '1', to: '2' }), status: 403, body: WORDS('No trunk.') },
    sibling: call({ ...CALL, trunk_id: 't' }),
    judged: { ...judged(403, { to: '2' }, { ...CALL, trunk_id: 't' }), body: WORDS('No trunk.') },
    behind: call({ ...CALL, trunk_id: 't' }, { sequence: 'judged' }),
  },
  says: 'pass',
  but: [
    ['in other words', { judged: { body: WORDS('No caller.') } }, 'finding'],
    ['with a status about the body', { plain: with422, judged: with422 }, 'finding'],
    ['the rejected one was not sent', { plain: null }, 'finding'],
    ['the rejected one has more members', { plain: body({ ...CALL, privacy: true }) }, 'finding'],
    ['the rejected one has a value that no accepted one has', { plain: body({ from: '3', to: '2' }) }, 'finding'],
  ],
  still: OF_STATE.map((status) => [`with ${status}`, { plain: { status }, judged: { status } }]),
});

opinionRule('CALL-CREATE-FIELD-TYPES')('a rule on a true value rejects an object there, too', {
  row: {
    ruled: { ...call({ ...PRIVATE, variables: {} }), status: 409, body: WORDS('No trunk.') },
    taken: call({ ...PRIVATE, trunk_id: 't' }),
    sibling: call({ ...CALL, privacy: false }),
    judged: { ...judged(409, { ...CALL, privacy: {} }, { ...CALL, privacy: false }), body: WORDS('No trunk.') },
    behind: call({ ...CALL, privacy: false }, { sequence: 'judged' }),
  },
  says: 'pass',
  but: [
    ['in other words', { judged: { body: WORDS('No object.') } }, 'finding'],
    ['the valid call was accepted', { ruled: at(201) }, 'finding'],
    ['the valid call has no such member', { ruled: body({ ...CALL, variables: {} }) }, 'finding'],
    ['its value was accepted in no other company', { taken: with422 }, 'finding'],
  ],
});

opinionRule('CALL-CREATE-FIELD-TYPES')('503 to invalid calls alone is not unavailability', {
  row: {
    sibling: call(PRIVATE),
    first: judged(503, { ...CALL, privacy: 1 }, PRIVATE),
    valid: call(CALL),
    judged: judged(503, { ...CALL, privacy: 'yes' }, PRIVATE),
    later: null,
  },
  says: 'finding',
  but: [
    ['no valid call came between', { valid: null, later: call(CALL) }, 'inconclusive'],
    ['the valid call between was rejected', { valid: with422 }, 'inconclusive'],
    ['a valid call got it, too', { later: { ...call(CALL), status: 503 } }, 'inconclusive'],
    ['the first one was rejected', { first: with422 }, 'inconclusive'],
    ['the first one had no credential', { first: { request: { credential: 'none' } } }, 'inconclusive'],
    ['the first one was of another operation', { first: { tag: { operation: 'hangUpCall' } } }, 'inconclusive'],
    ['it was put off otherwise', { judged: { status: 429 } }, 'inconclusive'],
  ],
});

const NOT_COMPARED = 'status 422 to an invalid body, and no valid one was accepted right after it';

reasonRule('CALL-CREATE-FIELD-TYPES')('a wrong status that was compared once is left to that finding', {
  row: {
    plain: null,
    sibling: call(PRIVATE),
    compared: judged(422, { ...CALL, privacy: 1 }, PRIVATE, {
      sequence: 'compared',
      asks: asks('CALL-CREATE-FIELD-TYPES', 'a'),
    }),
    valid: call(CALL, { sequence: 'compared' }),
    judged: judged(422, { ...CALL, privacy: 'yes' }, PRIVATE),
    behind: call(CALL),
  },
  says: 'status 422 to an invalid body, as in the finding; it was compared with a valid one there',
  but: [
    ['it is compared itself', { behind: BEHIND }, 'finding'],
    ['the other got another status', { compared: { status: 409 } }, NOT_COMPARED],
    ['no valid call came behind the other', { valid: null }, NOT_COMPARED],
    [
      'the other counts as one without the member',
      {
        plain: { ...call(CALL), status: 404, body: WORDS('No trunk.') },
        compared: { status: 404, body: WORDS('No trunk.') },
        judged: at(404),
      },
      `${NOT_COMPARED.replace('422', '404')}; if a rule comes before the types, this target cannot show it`,
    ],
    ['the other was of another case', { compared: { tag: { asks: asks('CALL-CREATE-BODY') } } }, NOT_COMPARED],
  ],
  still: [
    [
      'it is of another case as well',
      { judged: { tag: { asks: [...asks('CALL-CREATE-BODY'), ...asks('CALL-CREATE-FIELD-TYPES')] } } },
    ],
  ],
});

opinionRule('CALL-CREATE-PRIVACY')('a valid value is wrongly rejected only where the sibling without it was accepted', {
  row: { sibling: call(CALL), other: null, judged: judged(422, PRIVATE, CALL), behind: BEHIND, later: null },
  says: 'finding',
  but: [
    ...noSibling('none').map(
      ([title, change]) =>
        [title, { ...change, behind: call({ ...CALL, variables: {} }, { sequence: 'judged' }) }, 'none'] as const,
    ),
    ...anotherState('none'),
    ...forStatuses([...OF_STATE, 401, 413, 429, 500, 503, null], 'none'),
    ...forStatuses([201], 'pass'),
    ['the value was accepted in another call', { other: call({ ...PRIVATE, variables: {} }) }, 'none'],
    ['it was accepted later', { later: call({ ...PRIVATE, variables: {} }) }, 'none'],
    ['several elements were tried together', { judged: { sibling: '' } }, 'none'],
  ],
  still: [
    ['it got 400', { judged: { status: 400 } }],
    ['it got 415', { judged: { status: 415 } }],
    ['another value of it was accepted', { other: call({ ...CALL, privacy: false }) }],
  ],
});

const LOWER = { ...CALL, trunk_id: 'ab' };
const UPPER = { ...CALL, trunk_id: 'AB' };

const minimal = ({ judged }: Named, evidence: Evidence) => acceptedMinimal(judged as Exchange, evidence);

opinionRule('CALL-CREATE-IDS')('an id that is accepted in lower case is known, so 404 speaks of the letter case', {
  row: { sibling: call(LOWER), judged: judged(404, UPPER, LOWER), behind: BEHIND },
  says: 'finding',
  but: [
    ['it is another id', { judged: { ...judged(404, { ...CALL, trunk_id: 'AC' }, LOWER) } }, 'none'],
    ['another member differs as well', { judged: { ...judged(404, { ...UPPER, privacy: true }, LOWER) } }, 'none'],
    ['the one in lower case was rejected', { sibling: { status: 404 } }, 'none'],
    ['the call right behind it was rejected', { behind: { status: 404 } }, 'none'],
    ...forStatuses([402, 429, 500, null], 'none'),
    ...forStatuses([201], 'pass'),
  ],
  still: stillFor([403, 409, 400, 422]),
});

judgeRule(minimal)('a call with from and to alone is promised once a larger one was accepted', {
  row: { larger: call({ ...CALL, trunk_id: 't' }), judged: judged(422, CALL, CALL) },
  says: 'finding',
  but: [
    ['none was accepted', { larger: with422 }, 'none'],
    ['none was sent', { larger: null }, 'none'],
    ...forStatuses([...OF_STATE, 401, 429, 500, 503, null], 'none'),
    ...forStatuses([201], 'pass'),
  ],
  still: stillFor([400, 411, 415]),
});

judgeRule(minimal)('411 and 415 are findings without any sibling', {
  row: { larger: null, judged: judged(411, CALL, CALL) },
  says: 'finding',
  but: forStatuses([400, 422, 404], 'none'),
  still: [['it got 415', { judged: { status: 415 } }]],
});

/** What an update in chunks says, with the same body as usual behind it. */
const chunks = (_: Named, evidence: Evidence, compared: Compared) =>
  chunksAccepted(compared.exchange, evidence, compared);

const update = (change: Said): Said => ({
  ...change,
  request: { headers: JSON_LABEL, body: bodyOf({ name: 'a' }), ...change.request },
});

judgeRule(chunks)('a body in chunks is rejected only where the same body was accepted at once', {
  row: {
    sibling: update({}),
    bodiless: update({ status: 400, request: { body: null }, tag: { control: false } }),
    judged: update({ status: 400, sibling: '{"name":"a"}', tag: { control: false, sequence: 'judged' } }),
    behind: update({ tag: { sequence: 'judged' } }),
  },
  says: 'finding',
  but: [
    ['it was accepted', { judged: { status: 200 } }, 'pass'],
    ['it was accepted, and so is no body', { judged: { status: 200 }, bodiless: { status: 200 } }, 'excused'],
    ['it got 404', { judged: { status: 404 } }, 'none'],
    ['the same body was not accepted', { sibling: body({ name: 'b' }), behind: body({ name: 'b' }) }, 'none'],
  ],
  still: [
    ['it got 411', { judged: { status: 411 } }],
    ['no body was sent', { bodiless: null }],
  ],
});

/** A change of the trunk's name, or a read of it, that shows that name. */
const named = (word: string, shown: string | null, status = 200): Said => ({
  ...update({ status, request: { body: bodyOf({ name: word }) } }),
  ...(shown === null ? {} : { learned: { fields: { name: shown } } }),
});

judgeRule(({ after, whole }, evidence, compared) => {
  const { exchange: chunks } = compared;
  const shown = whole === undefined ? {} : { whole, behind: whole };
  return chunksAccepted(chunks, evidence, compared, { chunks, after: after ?? chunks, ...shown });
})('a body in chunks was read only if its name is shown where names are', {
  row: {
    before: named('a', null),
    judged: named('b', null),
    after: named('', 'a'),
    whole: named('c', 'c'),
    bodiless: null,
  },
  says: 'finding',
  but: [
    ['the name behind it is its own', { after: named('', 'b') }, 'pass'],
    ['the name behind it is another', { after: named('', 'd') }, 'pass'],
    ['no name was written before', { before: null }, 'pass'],
    ['the name before it was rejected', { before: { status: 409 } }, 'pass'],
    ['names are not shown', { whole: named('c', 'x') }, 'pass'],
    ['no update with its length was accepted', { whole: null }, 'pass'],
    ['it takes effect later', { judged: { status: 202 } }, 'pass'],
    ['it alone takes effect later', { judged: named('b', 'a', 202), after: null }, 'pass'],
    ['it was rejected', { judged: { status: 404 } }, 'none'],
  ],
  still: [['both get 202 with the record', { judged: named('b', 'a', 202), after: null, whole: named('c', 'c', 202) }]],
});

judgeRule((_, evidence, compared) => acceptedInOtherCase(compared.exchange, evidence, compared))(
  'an id is rejected for its letter case only where it is accepted in the usual one right behind',
  {
    row: {
      judged: update({ status: 404, tag: { sequence: 'judged' } }),
      behind: update({ tag: { sequence: 'judged' } }),
    },
    says: 'finding',
    but: [
      ['it was accepted', { judged: { status: 200 } }, 'pass'],
      ['the usual one was rejected', { behind: { status: 404 } }, 'none'],
      ['nothing came behind', { behind: null }, 'none'],
    ],
  },
);

const OTHER_PUT: Said = { tag: { operation: 'assignNumber' }, request: { body: bodyOf({ name: 'b' }), method: 'PUT' } };

opinionRule('PUT-REPEATED')('a repeated PUT is rejected only after the same one was the last that was accepted', {
  row: {
    first: update({ request: { method: 'PUT' }, tag: { operation: 'assignNumber' } }),
    between: null,
    judged: update({ status: 409, request: { method: 'PUT' }, tag: { operation: 'assignNumber', control: true } }),
  },
  says: 'finding',
  but: [
    ['the first was rejected', { first: { status: 409 } }, 'none'],
    ['another was accepted between', { between: OTHER_PUT }, 'none'],
    ['the first went to another path', { first: { request: { path: '/v1/numbers/2' } } }, 'none'],
    ['the first had no credential', { first: { request: { credential: 'none' } } }, 'none'],
    ...forStatuses([401, 402, 403, 429, 500, 503, 301, null], 'none'),
    ...forStatuses([200], 'pass'),
  ],
  still: [
    ['another was rejected between', { between: { ...OTHER_PUT, status: 422 } }],
    ['no JSON was accepted between', { between: { ...OTHER_PUT, request: { method: 'PUT', body: NO_JSON } } }],
    ['it got 400', { judged: { status: 400 } }],
  ],
});

const LISTED = { ...CALL, codecs: ['a', 'b'] };

opinionRule('CALL-CREATE-PRIVACY')('a value that another call was accepted with is not what was rejected', {
  row: {
    sibling: call(CALL),
    other: call({ ...LISTED, privacy: true }),
    judged: judged(422, LISTED, CALL),
    behind: BEHIND,
  },
  says: 'none',
  but: [
    ['that call had one item more', { other: body({ ...LISTED, codecs: ['a', 'b', 'c'] }) }, 'finding'],
    ['that call had another item', { other: body({ ...LISTED, codecs: ['a', 'c'] }) }, 'finding'],
    ['that call was rejected', { other: with422 }, 'finding'],
  ],
});

opinionRule('CALL-CREATE-FIELD-TYPES')('what no sibling shows of a free field is excused', {
  row: { valid: call(CALL), judged: judged(400, { ...CALL, dtmf_mode: 1 }, { ...CALL, dtmf_mode: 'x' }) },
  says: 'excused',
  but: [
    ['the field is not free', { judged: judged(400, { ...CALL, privacy: 1 }, PRIVATE) }, 'none'],
    ['its sibling was accepted', { valid: body({ ...CALL, dtmf_mode: 'x' }) }, 'inconclusive'],
  ],
});
