/** Which rejections of a valid request are findings, and which only speak of the state (conformance model, section 1). */

import { MALFORMED_ACCEPT } from '../../../src/exchange/exchange.ts';
import { at, bodyOf, forStatuses, opinionRule, type Said, stillFor } from './exchanges.ts';

const TRUNK = '/v1/trunks/1';
const ERROR = { success: false, error: { code: 'x', message: 'X.' } };

const showing = (...mentions: readonly string[]): Said => ({ body: { ...bodyOf({ data: [] }), mentions } });
const LIST: Said = {
  tag: { operation: 'listTrunks' },
  request: { method: 'GET', path: '/v1/trunks/' },
  ...showing('PCS_TRUNK_ID'),
};
const read = (status: number | null = 200, path = TRUNK, tag: Said['tag'] = {}): Said => ({
  status,
  tag: { operation: 'getTrunk', control: true, ...tag },
  request: { method: 'GET', path },
});
const LIST_BODY: Said = { body: bodyOf({ data: [] }) };
const JSON_LINE: Said['headers'] = [['Content-Type', 'application/json']];
const PATCH: Said = { request: { method: 'PATCH' } };
const HANG_UP: Said = { tag: { operation: 'hangUpCall' }, request: { method: 'POST', path: '/v1/calls/1/hangup' } };
const unknown = (status: number, method = 'GET'): Said => ({
  status,
  tag: { operation: null, role: 'unknown-route', control: false },
  request: { method, path: '/v1/nothing' },
  body: bodyOf(ERROR),
});

opinionRule('PATH-SERVED')('a path is served where an operation must have written the answer', {
  row: { judged: read(), list: LIST },
  says: 'pass',
  but: [
    ...forStatuses([300, 301, 308, 399, 404, 405], 'finding'),
    ...forStatuses([401, 402, 403, 410, 412, 428, 429, 500, 503, null], 'none'),
  ],
  still: stillFor([204, 400, 409, 411, 415, 422]),
});

opinionRule('JSON-LABEL')('a body is labelled as JSON, in one line or in several', {
  row: { judged: { headers: [['Content-Type', 'application/json; charset=utf-8, application/json']], ...LIST_BODY } },
  says: 'pass',
  but: [
    ['one is of another type', { judged: { headers: [['Content-Type', 'application/json, text/plain']] } }, 'finding'],
    ['one line is of another type', { judged: { headers: [...JSON_LINE, ['content-type', 'text/plain']] } }, 'finding'],
    ['there is no label', { judged: { headers: [] } }, 'finding'],
  ],
  still: [
    ['in two lines', { judged: { headers: [...JSON_LINE, ['content-type', 'application/json']] } }],
    ['with a comma in a parameter', { judged: { headers: [['Content-Type', 'application/json; a="b, c"']] } }],
  ],
});

opinionRule('PATH-SERVED')('404 to a read is a finding where a list shows the resource', {
  row: { judged: read(404), list: LIST },
  says: 'finding',
  but: [
    ['the list shows another kind alone', { list: showing('PCS_NUMBER_ID') }, 'none'],
    ['the list shows the id for another kind', { list: { learned: { misplaced: ['PCS_TRUNK_ID'] } } }, 'none'],
    ['another list shows it', { list: { tag: { operation: 'listNumbers' } } }, 'none'],
    ['the list was rejected', { list: at(403) }, 'none'],
    ['the list was read with another credential', { list: { request: { credential: 'other-organization' } } }, 'none'],
    ['the read was of a made-up id', { judged: { tag: { ids: 'well-formed' } } }, 'none'],
  ],
});

opinionRule('PATH-SERVED')('or where the same read found it before and after', {
  row: { before: read(), judged: read(404), after: read() },
  says: 'finding',
  but: [
    ['not before', { before: null }, 'none'],
    ['not after', { after: null }, 'inconclusive'],
    ['it was rejected before', { before: at(404) }, 'none'],
    ['it was rejected after', { after: at(404) }, 'inconclusive'],
    ['another was read after', { after: read(200, '/v1/trunks/2') }, 'none'],
    ['it is a write', { before: PATCH, judged: PATCH, after: PATCH }, 'none'],
  ],
});

opinionRule('PATH-SERVED')(
  '404 for good to a request that was accepted before leaves open whether the path is served',
  {
    row: { before: read(), judged: read(404), after: read(404) },
    says: 'inconclusive',
    but: [
      ['it got another status', { judged: at(403) }, 'none'],
      ['another was accepted before', { before: read(200, '/v1/trunks/2') }, 'none'],
      ['the operation was accepted after', { after: read(200, '/v1/trunks/2') }, 'none'],
      ['a call may have ended', { before: HANG_UP, judged: { ...HANG_UP, status: 404 }, after: null }, 'none'],
    ],
    still: [['it is a write', { before: PATCH, judged: PATCH, after: PATCH }]],
  },
);

const mute = (status: number, code: string): Said => ({
  status,
  tag: { operation: 'muteParticipant', control: true },
  request: { method: 'POST', path: '/v1/conferences/1/participants/2/mute' },
  body: bodyOf({ success: false, error: { code, message: 'X.' } }),
});

opinionRule('PATH-SERVED')('of a participant, unless the target says in words of its own that there is none any more', {
  row: { before: mute(200, 'x'), judged: mute(404, 'x'), route: unknown(404) },
  says: 'inconclusive',
  but: [['an unknown route gets another code', { judged: mute(404, 'no-participant') }, 'none']],
});

opinionRule('PATH-SERVED')('or where the other slash form is served, and the documented one never', {
  row: { judged: read(404), elsewhere: read(200, `${TRUNK}/`, { control: false }), later: null },
  says: 'finding',
  but: [
    ['that form was rejected, too', { elsewhere: at(404) }, 'none'],
    ['that form was tried for another resource', { elsewhere: { request: { path: '/v1/trunks/2/' } } }, 'none'],
    ['that form was tried with another credential', { elsewhere: { request: { credential: 'none' } } }, 'none'],
    ['that form is of another operation', { elsewhere: { tag: { operation: 'updateTrunk' } } }, 'none'],
    ['the documented one is accepted', { later: read() }, 'none'],
    ['the documented one was rejected otherwise', { judged: at(409) }, 'pass'],
  ],
});

const write = (status: number, json: object, tag: Said['tag'] = {}): Said => ({
  status,
  tag: { control: true, ...tag },
  request: { path: TRUNK, body: bodyOf(json as Readonly<Record<string, unknown>>) },
  body: bodyOf(ERROR),
});

opinionRule('PATH-SERVED')('404 to a write is a finding where unknown routes get the same bytes', {
  row: { list: LIST, route: unknown(404), judged: write(404, {}) },
  says: 'finding',
  but: [
    ['they get others', { route: { body: bodyOf({}) } }, 'none'],
    ['they get another status', { route: at(400) }, 'none'],
    ['neither has a body', { route: { body: null }, judged: { body: null } }, 'none'],
    ['no list shows the resource', { list: null }, 'none'],
  ],
});

const quoting = (method: string, path: string): Said => ({
  body: bodyOf({ success: false, error: { code: 'NOT_FOUND', message: `Endpoint ${method} ${path} not found` } }),
});
const CALL: Said = {
  status: 404,
  tag: { operation: 'createCall', control: true },
  request: { method: 'POST', path: '/v1/calls/', body: bodyOf({ from: '1', to: '2' }) },
};

opinionRule('PATH-SERVED')('or the same but for the method and the path of the request', {
  row: {
    route: { ...unknown(404), ...quoting('GET', '/v1/nothing') },
    earlier: null,
    judged: { ...CALL, ...quoting('POST', '/v1/calls/') },
  },
  says: 'finding',
  but: [
    ['it says more', { judged: quoting('POST', '/v1/calls/ in this region') }, 'none'],
    ['it quotes what was not sent', { judged: quoting('POST', '/v1/accounts/7') }, 'none'],
    ['it quotes no method', { route: quoting('', '/v1/nothing'), judged: quoting('', '/v1/calls/') }, 'none'],
    ['they get another status', { route: at(400) }, 'none'],
    ['the operation was accepted', { earlier: { ...CALL, status: 201 } }, 'inconclusive'],
    ['neither has a body', { route: { body: null }, judged: { body: null } }, 'none'],
  ],
});

const MADE_UP = write(404, { d: 1 }, { ids: 'well-formed' });

opinionRule('PATH-SERVED')('or where each of three bodies got the words of a made-up id', {
  row: {
    list: LIST,
    madeUp: MADE_UP,
    one: write(404, { a: 1 }),
    two: write(404, { b: 1 }),
    judged: write(404, { c: 1 }),
  },
  says: 'finding',
  but: [
    ['the made-up id got other words', { madeUp: { body: bodyOf({ ...ERROR, more: 1 }) } }, 'none'],
    ['no made-up id was sent', { madeUp: null }, 'none'],
    ['only two bodies were sent', { one: null }, 'none'],
    ['two of the bodies are equal', { one: write(404, { b: 1 }) }, 'none'],
    ['one was answered otherwise', { one: at(422) }, 'none'],
  ],
  still: [['one more was put off', { one: write(404, { a: 1 }) }]],
});

const SEARCH: Said = {
  status: 503,
  tag: { operation: 'searchAvailableNumbers', control: true },
  request: { method: 'GET', path: '/v1/numbers/available' },
  body: bodyOf(ERROR),
};

for (const [id, says] of [
  ['PATH-SERVED', 'pass'],
  ['SUCCESS-STATUS', 'excused'],
] as const) {
  opinionRule(id)(`${id} of a search that may have no numbers`, {
    row: { judged: SEARCH, list: LIST, route: null, more: null },
    says,
    but:
      says === 'excused'
        ? [['it found some', { judged: at(200) }, 'pass']]
        : [
            ['no answer accepted the credential', { list: null }, 'none'],
            ['it is not JSON', { judged: { body: { ...bodyOf(ERROR), json: 'invalid' } } }, 'none'],
            ['it is another operation', { judged: { tag: { operation: 'getTrunk' } } }, 'none'],
            ['the server failed', { judged: at(500), more: SEARCH }, 'none'],
            ['it was put off alone', { judged: at(429) }, 'none'],
            ['unknown routes get the same', { route: unknown(503) }, 'none'],
            ['they get the same or nothing', { route: unknown(503), more: { ...unknown(429), status: null } }, 'none'],
          ],
    still: [
      ['it was put off first', { judged: at(429), more: SEARCH }],
      ['one unknown route gets 503, and another 404', { route: unknown(503), more: unknown(404) }],
      ['unknown routes are put off', { route: unknown(429) }],
    ],
  });
}

const NO_NUMBERS = bodyOf({ success: false, error: { code: 'no_numbers_found', message: 'None.' } });
const UNKNOWN_NUMBER: Said = {
  ...{ status: 404, body: NO_NUMBERS },
  tag: { operation: 'assignNumber', ids: 'well-formed', control: false },
};

for (const [id, says] of [
  ['PATH-SERVED', 'pass'],
  ['SUCCESS-STATUS', 'excused'],
] as const) {
  const notServed = id === 'PATH-SERVED' ? 'finding' : 'none';
  opinionRule(id)(`${id} of a search that says 404 where it finds no numbers`, {
    row: {
      judged: { ...SEARCH, status: 404, body: NO_NUMBERS },
      ...{ list: LIST, route: unknown(404), more: null, number: null },
    },
    says,
    but: [
      ['a number that does not exist gets the same words', { number: UNKNOWN_NUMBER }, 'none'],
      ['unknown routes say the same', { route: { body: NO_NUMBERS } }, notServed],
      ['one of them does', { more: { ...unknown(404), body: NO_NUMBERS } }, notServed],
      ['no unknown route was read', { route: null }, 'none'],
      ['it is not the envelope', { judged: { body: bodyOf({ code: 'no_numbers_found' }) } }, notServed],
      ['no answer accepted the credential', { list: null }, 'none'],
    ],
    still: [
      ['unknown routes get another status', { route: at(403) }],
      ['that number gets other words', { number: { ...UNKNOWN_NUMBER, body: bodyOf(ERROR) } }],
      ['our own number gets them', { number: { ...UNKNOWN_NUMBER, tag: { operation: 'assignNumber' } } }],
    ],
  });
}

opinionRule('SUCCESS-STATUS')('a valid request gets a 2xx; a rejection that the state explains says nothing', {
  row: { judged: read(404), plain: null },
  says: 'none',
  but: [
    ...forStatuses([200, 202, 204], 'pass'),
    ...forStatuses([411, 415], 'finding'),
    ['its form alone is not acceptable', { judged: at(406), plain: read() }, 'finding'],
  ],
  still: [
    ...stillFor([400, 401, 402, 403, 406, 409, 412, 422, 428, 429, 500, 503, 301, null]),
    ['its form was accepted for another resource', { judged: at(406), plain: read(200, '/v1/trunks/2') }],
  ],
});

opinionRule('LIST-STATUS')('a list gets exactly 200', {
  row: { judged: LIST },
  says: 'pass',
  but: [...forStatuses([201, 204, 206, 411], 'finding'), ...forStatuses([403, 404, 500, null], 'none')],
});

opinionRule('CALL-CREATE-STATUS')('an accepted create call gets exactly 201', {
  row: { judged: { status: 201, tag: { operation: 'createCall' }, request: { method: 'POST', path: '/v1/calls/' } } },
  says: 'pass',
  but: [...forStatuses([200, 202], 'finding'), ...forStatuses([400, 409, 411, 500, null], 'none')],
});

const ACCEPT: Said['request'] = { headers: [['Accept', MALFORMED_ACCEPT]] };
const TEXT: Said = { request: { headers: [['Content-Type', 'text/plain']] } };
const CRASH: Said = { status: 500, request: ACCEPT, body: null };
const ORDINARY: Said = { request: { headers: [['Accept', 'application/json']] } };

opinionRule('OTHER-LABEL-NO-SERVER-ERROR')('a malformed Accept should get no 5xx', {
  row: { judged: CRASH, part: null },
  says: 'finding',
  but: [
    ...forStatuses([200, 400, 406, 503], 'pass'),
    ['a part of it alone gets it too', { part: { status: 500, tag: { partOf: 1 } } }, 'none'],
    ['Accept is well-formed', { judged: ORDINARY }, 'no concern'],
    ['the path is not documented', { judged: { tag: { documented: false } } }, 'no concern'],
    ['nor is that of a body of another type', { judged: { ...TEXT, tag: { documented: false } } }, 'no concern'],
  ],
  still: [['no part of it alone gets it', { part: { tag: { partOf: 1 } } }]],
});

for (const id of ['NO-SERVER-ERROR', 'ERROR-ENVELOPE'] as const) {
  opinionRule(id)(`${id} does not ask it`, {
    row: { judged: CRASH },
    says: 'no concern',
    but: [['Accept is well-formed', { judged: ORDINARY }, 'finding']],
  });
}

const action = (status: number, json: Readonly<Record<string, unknown>> | null): Said => ({
  status,
  tag: { operation: 'hangUpCall', sequence: 'judged', control: true },
  request: { method: 'POST', path: '/v1/calls/1/hangup', body: json && bodyOf(json) },
});

opinionRule('ACTION-WITHOUT-BODY')('an action is rejected for its missing body only where it is accepted with one', {
  row: { judged: action(400, null), behind: action(200, {}) },
  says: 'finding',
  but: [
    ['the one with a body was rejected', { behind: { status: 400 } }, 'none'],
    ['the one with a body is for another call', { behind: { request: { path: '/v1/calls/2/hangup' } } }, 'none'],
    ['another without a body came behind', { behind: { request: { body: null } } }, 'none'],
    ...forStatuses([404, 409, 410, 412, 423, 403, 500, null], 'none'),
    ...forStatuses([200], 'pass'),
  ],
  still: stillFor([411, 415, 422]),
});
