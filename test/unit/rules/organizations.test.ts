/** What another organization's credential may get, and what shows access (conformance model, section 2, Isolation). */

import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { Evidence } from '../../../src/verdict/evidence.ts';
import type { Opinion } from '../../../src/verdict/opinion.ts';
import { ofAnotherOrganization } from '../../../suites/expect/configured-credentials.ts';
import { discloses } from '../../../suites/expect/rejection.ts';
import { assignedToTheirs, isolated, readOfTheirs } from '../../../suites/organizations.ts';
import {
  as,
  asks,
  at,
  bodyOf,
  exchangeOf,
  forStatuses,
  judgeRule,
  type Named,
  type Said,
  stillFor,
} from './exchanges.ts';

/** A rule about what is said of the exchange named `judged`, by what its check holds beside it. */
const rule = (says: (judged: Exchange, row: Named, evidence: Evidence) => Opinion) =>
  judgeRule((row, evidence) => ofAnotherOrganization((all) => says(row['judged'] as Exchange, row, all))(evidence));

/** A resource of ours, asked for by the other organization. */
const isolation = rule((judged, { madeUp, own, alias }, evidence) =>
  isolated(judged, { madeUp, theirs: own, alias }, evidence),
);
const theirRead = rule((judged, { madeUp }, evidence) => readOfTheirs(judged, madeUp, evidence));
const assignment = rule((judged, { madeUp }, evidence) => assignedToTheirs(judged, madeUp, evidence));

const TRUNK = '/v1/trunks/1';
const THEIR_TRUNK = '/v1/trunks/2';
const CONNECTION = '/v1/numbers/1/carrier-connection';

/** A read with our credential, accepted. */
const reading = (path: string, operation: 'getTrunk' | 'getVoiceApplication' = 'getTrunk'): Said => {
  return { tag: { operation }, request: { method: 'GET', path } };
};
const OURS = reading(TRUNK);
const to = (path: string): Said => ({ request: { path } });
const read = (json: Readonly<Record<string, unknown>>): Said => ({ body: bodyOf(json) });

/** Their read of a trunk of theirs, accepted: their credential is valid, and may use the operation. */
const THEIRS = as('other-organization', reading(THEIR_TRUNK), 200);
const WRONG = as('wrong-secret', THEIRS, 401);

isolation('a rejection separates organizations where the same credential is accepted for its own', {
  row: { ours: OURS, judged: as('other-organization', OURS, 403), theirs: THEIRS, wrong: null, next: null },
  says: 'pass',
  but: [
    ['it was accepted for nothing', { theirs: null }, 'inconclusive'],
    ['for its own it got the same', { theirs: at(403) }, 'inconclusive'],
    ['another operation accepted it', { theirs: { tag: { operation: 'listNumbers' } } }, 'none'],
    ['ours was not sent', { ours: null }, 'none'],
    ['ours got the same', { ours: at(403) }, 'none'],
    ['ours was sent elsewhere', { ours: to('/v1/trunks/3') }, 'none'],
    ['ours gets the same next', { next: { ...OURS, status: 403 } }, 'none'],
    ...forStatuses([429, 503, 500, 302, null], 'inconclusive'),
  ],
  still: stillFor([400, 404, 409, 422]),
});

isolation('a redirect from a path with other slashes gives no access', {
  row: {
    ours: OURS,
    judged: {
      ...as('other-organization', reading('/v1/trunks//1'), 307),
      tag: { operation: 'getTrunk', documented: false },
    },
    theirs: THEIRS,
  },
  says: 'none',
  but: [['the path is documented', { judged: { tag: { documented: true } } }, 'inconclusive']],
});

isolation('so does 404 where a wrong credential gets something else', {
  row: {
    ours: OURS,
    judged: as('other-organization', OURS, 404),
    theirs: { ...THEIRS, status: 404 },
    wrong: WRONG,
    own: null,
  },
  says: 'pass',
  but: [
    ['the wrong one gets the same', { wrong: at(404) }, 'inconclusive'],
    ['a trunk of its own got 404', { own: { ...THEIRS, status: 404 } }, 'none'],
    ['both are unauthorized', { theirs: at(401) }, 'inconclusive'],
    ['the wrong one was sent elsewhere', { wrong: to('/v1/trunks/4') }, 'inconclusive'],
    ['the wrong one was sent with HEAD', { wrong: { request: { method: 'HEAD' } } }, 'inconclusive'],
    ['it is a form of ours', { wrong: { request: { credential: 'bare' } } }, 'inconclusive'],
  ],
  still: [
    ['the wrong one is forbidden', { wrong: at(403) }],
    ['theirs got 409', { theirs: at(409) }],
  ],
});

isolation('what an unknown id gets from us speaks of the resource, but of no right', {
  row: {
    ours: OURS,
    judged: as('other-organization', OURS, 409),
    unknown: { ...reading('/v1/trunks/9'), status: 409, tag: { ...OURS.tag, ids: 'well-formed' } },
    theirs: { ...THEIRS, tag: { ...THEIRS.tag, operation: 'listNumbers' } },
  },
  says: 'pass',
  but: [
    ['the unknown id gets something else', { unknown: at(404) }, 'none'],
    ['none was sent', { unknown: null }, 'none'],
    ['it is of another operation', { unknown: { tag: { operation: 'getVoiceApplication' } } }, 'none'],
    ['both are forbidden', { judged: at(403), unknown: at(403) }, 'none'],
  ],
  still: [['both get 422', { judged: at(422), unknown: at(422) }]],
});

isolation('a rejection shows nothing that we read or wrote', {
  row: {
    ours: { ...OURS, ...read({ name: 'the name' }) },
    written: { request: { body: bodyOf({ name: 'the note' }) } },
    judged: { ...as('other-organization', OURS, 404), ...read({ name: 'the name' }) },
    theirs: THEIRS,
  },
  says: 'finding',
  but: [['it shows another name', { judged: read({ name: 'another' }) }, 'pass']],
  still: [['it quotes what we wrote', { judged: read({ text: 'no the note here' }) }]],
});

const error = (text: string): Said =>
  read({ success: false, error: { code: 'x', message: `${text} connection not found` } });
const quoted = (text: string) => ({
  written: { request: { body: bodyOf({ name: text }) } },
  error: null,
  ours: OURS,
  judged: { ...as('other-organization', OURS, 404), ...error(text) },
  theirs: THEIRS,
});
const errorTo = (said: Said, text: string): Said => ({
  ...OURS,
  ...said,
  status: 404,
  ...error(text),
  request: { ...OURS.request, ...said.request },
});

isolation('a word that errors to us hold as well is not a quotation', {
  row: quoted('carrier'),
  says: 'finding',
  but: [
    ['an error to us at another path holds it', { error: errorTo(to('/v1/other'), 'carrier') }, 'pass'],
    ['one to an invalid credential does', { error: as('none', errorTo(to('/v1/other'), 'carrier')) }, 'pass'],
    ['the request says it itself', { judged: { request: { headers: [['X-Name', 'carrier']] } } }, 'pass'],
    ['it was written later', { written: null }, 'pass'],
    ['the update was rejected', { written: at(422) }, 'pass'],
    ['it is shorter than five characters', { written: { request: { body: bodyOf({ name: 'carr' }) } } }, 'pass'],
    ['it was no text of our choice', { written: { request: { body: bodyOf({ status: 'carrier' }) } } }, 'pass'],
  ],
  still: [['an error to us at the same path holds it', { error: errorTo({}, 'carrier') }]],
});

const THEIR_BODY: Said = { request: { body: bodyOf({ carrier_connection_id: 'a carrier' }) } };
const ENCODED: Said = { request: { path: '/v1/trunks/%43arrier', body: null } };

isolation('what a request says in any member of its body, or in its path, is not a quotation', {
  row: {
    ...quoted('carrier'),
    ours: { ...OURS, request: { ...OURS.request, ...THEIR_BODY.request } },
    judged: { ...quoted('carrier').judged, request: { ...quoted('carrier').judged.request, ...THEIR_BODY.request } },
  },
  says: 'pass',
  but: [
    ['it says something else', { ours: { request: { body: null } }, judged: { request: { body: null } } }, 'finding'],
  ],
  // hapi shows the decoded path in its errors.
  still: [['the path says it with a letter in capitals, and encoded', { ours: ENCODED, judged: ENCODED }]],
});

isolation('but the mark of a run is never such a word', {
  row: { ...quoted('run 20500cb0'), error: errorTo(to('/v1/other'), 'run 20500cb0') },
  says: 'finding',
  but: [['the answer does not hold it', { judged: error('x') }, 'pass']],
});

const LIST: Said = {
  tag: { operation: 'listTrunks' },
  request: { method: 'GET', path: '/v1/trunks/' },
  body: { ...bodyOf({}), mentions: ['PCS_TRUNK_ID'] },
};
const showing = (...mentions: readonly string[]): Said => ({ body: { ...bodyOf({}), mentions } });

const MADE_UP = as('other-organization', reading('/v1/trunks/9'), 404);

/** Whatever leaves an acceptance without a made-up id that was answered. */
const lost = (says: string) =>
  [
    ...[408, 425, 429, 502, 503, 504, null].map((status) => {
      return [`the made-up id got ${status}`, { madeUp: { status } }, says] as const;
    }),
    ['the made-up id was put off', { madeUp: { status: 423, headers: [['Retry-After', '3']] } }, says],
    ['no made-up id was sent', { madeUp: null }, says],
  ] as const;
const SITE: Said = { status: 200, body: { ...bodyOf({}), json: 'invalid' } };
const ROUTE: Said = { tag: { operation: null, role: 'unknown-route' } };

isolation('at another spelling of an id, which our own credential is served at', {
  row: {
    route: null,
    alias: { ...reading('/v1/trunks/ONE'), tag: { operation: 'getTrunk', control: false } },
    madeUp: MADE_UP,
    judged: as('other-organization', reading('/v1/trunks/ONE'), 403),
    theirs: THEIRS,
    list: LIST,
    another: as('other-organization', { ...LIST, body: null }, 200),
  },
  says: 'pass',
  but: [
    ['it is accepted', { judged: at(200) }, 'finding'],
    ['it is accepted, as a made-up id is', { judged: at(200), madeUp: at(200) }, 'none'],
    ['it gets a page, as an unknown route does', { judged: SITE, route: { ...SITE, ...ROUTE } }, 'none'],
    ['our own credential was rejected there', { alias: at(403) }, 'none'],
    ['our own credential was not sent there', { alias: null }, 'none'],
  ],
  still: [['only an unknown route gets a page', { route: { ...SITE, ...ROUTE } }]],
});

isolation('an acceptance is access where a made-up id gets something else', {
  row: {
    ours: { ...OURS, ...read({ name: 'the name' }) },
    madeUp: MADE_UP,
    judged: { ...as('other-organization', OURS, 200), ...read({ name: 'the name' }) },
    list: LIST,
    another: as('other-organization', { ...LIST, body: null }, 200),
  },
  says: 'finding',
  but: [
    ...lost('inconclusive'),
    ['the made-up id gets the same', { madeUp: { status: 200, ...read({ name: 'the name' }) } }, 'none'],
    ['it gets the same status, and no record is shown', { madeUp: at(200), judged: read({}) }, 'none'],
    ['nothing shows another organization', { another: null }, 'inconclusive'],
  ],
  still: [
    ['the made-up id gets another 2xx', { madeUp: at(204) }],
    ['it shows our record, and the made-up id another', { madeUp: { status: 200, ...read({ name: 'x' }) } }],
  ],
});

const PROVIDER = 'PCS_CARRIER_PROVIDER_ID';
const CUT: Said = { body: { ...bodyOf({}), cut: true } };

isolation('their list shows nothing that ours shows', {
  row: {
    ours: LIST,
    judged: { ...as('other-organization', LIST, 200), ...showing() },
    read: null,
    elsewhere: as('other-organization', OURS, 404),
    trunk: OURS,
  },
  says: 'pass',
  but: [
    ['it shows our trunk', { judged: showing('PCS_TRUNK_ID') }, 'finding'],
    ['it shows what we read', { ours: showing('PCS_NUMBER_ID'), judged: showing('PCS_TRUNK_ID') }, 'finding'],
    ['ours was rejected', { ours: at(403) }, 'none'],
    ['ours shows nothing of the settings', { ours: showing() }, 'none'],
    ['ours was too long', { ours: CUT }, 'none'],
    ['theirs was too long', { judged: CUT }, 'none'],
  ],
  still: [
    ['it shows a provider', { ours: showing('PCS_TRUNK_ID', PROVIDER), judged: showing(PROVIDER) }],
    ['it shows what neither our list nor our reads do', { judged: showing('PCS_NUMBER_ID') }],
  ],
});

const kept = (...ids: readonly string[]): Said => ({ body: bodyOf({ data: ids.map((id) => ({ id })) }) });

isolation('a list of ours is that of the other organization', {
  row: {
    ours: LIST,
    second: { ...LIST, ...kept('theirs') },
    judged: { ...as('other-organization', LIST, 200), ...kept('theirs') },
    elsewhere: as('other-organization', OURS, 404),
    trunk: OURS,
  },
  says: 'finding',
  but: [
    ['they show other items', { second: kept('ours') }, 'pass'],
    ['both are empty', { second: kept(), judged: kept() }, 'pass'],
    ['ours shows nothing of the settings', { ours: showing() }, 'none'],
  ],
});

theirRead('their trunk is not read with our credential', {
  row: {
    list: LIST,
    madeUp: { ...MADE_UP, request: { ...MADE_UP.request, credential: 'valid' } },
    judged: reading(THEIR_TRUNK),
    another: as('other-organization', OURS, 404),
    trunk: OURS,
  },
  says: 'finding',
  but: [
    ...lost('inconclusive'),
    ['it was rejected', { judged: at(404) }, 'none'],
    ['our list does not show our trunk', { list: showing() }, 'inconclusive'],
    ['our list shows their trunk', { list: showing('PCS_TRUNK_ID', 'PCS_OTHER_ORG_TRUNK_ID') }, 'none'],
    ['a made-up id gets the same', { madeUp: at(200) }, 'none'],
  ],
  still: [['all that is known of theirs is that they read it', { another: { ...THEIRS, tag: { role: 'candidate' } } }]],
});

const ASSIGNED: Said = {
  tag: { operation: 'assignNumber' },
  request: { method: 'PUT', path: CONNECTION, body: bodyOf({ carrier_connection_id: 'ours' }) },
};

assignment('our number is not assigned to a connection of theirs', {
  row: {
    ours: ASSIGNED,
    madeUp: { ...ASSIGNED, status: 404, tag: { ...ASSIGNED.tag, control: false } },
    judged: { ...ASSIGNED, status: 404 },
    theirs: as('other-organization', OURS, 404),
    list: { ...as('other-organization', LIST, 200), ...showing('PCS_OTHER_ORG_CARRIER_CONNECTION_ID') },
    trunk: OURS,
  },
  says: 'pass',
  but: [
    ['no list of theirs shows the connection', { list: showing() }, 'none'],
    ['only a list of ours shows it', { list: { request: { credential: 'valid' } } }, 'none'],
    ['only a rejection of theirs shows it', { list: at(403) }, 'none'],
    ['it was accepted', { judged: at(200) }, 'finding'],
    ['it was accepted, as a made-up one was', { judged: at(200), madeUp: at(200) }, 'none'],
    ['no assignment was accepted', { ours: at(409) }, 'none'],
    ...forStatuses([429, 503, 500, null], 'inconclusive'),
  ],
});

isolation('nor do they assign our number to a connection of theirs', {
  row: {
    ours: ASSIGNED,
    written: { request: { body: bodyOf({ name: 'the note' }) } },
    judged: {
      ...as('other-organization', ASSIGNED, 404),
      tag: { ...ASSIGNED.tag, control: false, asks: asks('ORG-ISOLATION', 'its own connection') },
    },
    theirs: THEIRS,
    another: as('other-organization', OURS, 404),
    trunk: OURS,
    list: { ...as('other-organization', LIST, 200), ...showing('PCS_OTHER_ORG_CARRIER_CONNECTION_ID') },
  },
  says: 'pass',
  but: [
    ['no list of theirs shows the connection', { list: showing() }, 'none'],
    [
      'it shows what we wrote, and no list the connection',
      { judged: read({ text: 'the note' }), list: null },
      'finding',
    ],
  ],
});

const UPDATED: Said = { request: { method: 'PATCH', path: TRUNK } };
const APPLICATION = reading('/v1/voice-applications/1', 'getVoiceApplication');

isolation('a credential shows nothing where no answer tells its organization from ours', {
  row: {
    ours: UPDATED,
    theirs: as('other-organization', { request: { method: 'PATCH', path: THEIR_TRUNK } }, 200),
    judged: as('other-organization', UPDATED, 403),
    application: APPLICATION,
    same: as('other-organization', APPLICATION, 200),
    another: as('other-organization', OURS, 404),
    trunk: OURS,
  },
  says: 'pass',
  but: [
    ['nothing that it was rejected for is ours', { trunk: at(404) }, 'inconclusive'],
    ['it was put off there', { another: at(429) }, 'inconclusive'],
    ['it was not sent there', { another: null }, 'inconclusive'],
  ],
  still: [
    ['it gets the same nowhere', { same: at(404), another: null }],
    ['a write was not found', { another: as('other-organization', UPDATED, 404), trunk: null }],
  ],
});

test('a rejection that shows what is ours in a second place is another finding', () => {
  const told = (error: Readonly<Record<string, unknown>>) => {
    const judged = { ...as('other-organization', OURS, 404), ...read({ success: false, error }) };
    const written: Said = { request: { body: bodyOf({ name: 'the name' }) } };
    const sent = [{ ...OURS, ...read({ name: 'the name' }) }, written, judged].map(exchangeOf);
    const opinion = discloses(sent[2] as Exchange, new Evidence({ profile: 'full', settings: [] }, sent));
    return opinion?.kind === 'finding' && opinion.finding.actual;
  };
  expect(told({ name: 'the name' })).toBe('the name of the record, and a text that it wrote, in name');
  expect(told({ name: 'the name', message: 'no the name' })).toBe(
    'the name of the record, and a text that it wrote, in message and name',
  );
  expect(told({ message: 'no the name' })).toBe('a text that it wrote, in message');
});
