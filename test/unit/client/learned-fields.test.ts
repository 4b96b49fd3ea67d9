/** What an answer teaches of the records that the run writes: the values to restore, and nothing of other records. */

import { expect, test } from 'vitest';
import schema from '../../../schemas/exchange.schema.json' with { type: 'json' };
import { type LearnContext, learn, otherNameOf } from '../../../src/client/learned.ts';
import type { SuiteRequest } from '../../../src/client/request.ts';
import type { Learned } from '../../../src/exchange/exchange.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';

const TRUNK = '550e8400-e29b-41d4-a716-446655440000';
const NUMBER = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const SECRET_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const CONTEXT: LearnContext = {
  ...{ resources: { number: NUMBER, trunk: TRUNK }, known: () => 'new' as const },
  recorder: {
    redactor: new Redactor(
      ['pcs_org_Fake0123456789', SECRET_ID].map((value) => ({ kind: 'credential', label: 'credential', value })),
    ),
  },
};
const NAMED = { ...CONTEXT, otherName: 'Spare trunk' };
const answer = (body: unknown, more: object = {}) =>
  ({ kind: 'answer', status: 200, headers: [], body: Buffer.from(JSON.stringify(body)), cut: false, ...more }) as const;
const request = (operation: SuiteRequest['operation'], more: Partial<SuiteRequest> = {}): SuiteRequest =>
  ({ operation, method: 'GET', path: '/v1/x', credential: 'valid', ...more }) as SuiteRequest;

const GET = request('getTrunk');
const GET_OWN = request('getTrunk', { path: `/v1/trunks/${TRUNK.toUpperCase()}?a=b` });
const LIST = request('listTrunks');
const NUMBERS = request('listNumbers');
const OWN = { id: TRUNK, name: 'a', status: 'up' };
const SPARE = { id: NUMBER, name: 'Spare trunk' };

const RENAMED = { ...OWN, name: 'pcs-conformance a1 kept' };
const SHOWN = { fields: { name: RENAMED.name, status: 'up' } };

const DEEP = Buffer.from(`${'{"data":'.repeat(9_000)}0${'}'.repeat(9_000)}`);

type Row<Result> = readonly [
  what: string,
  asked: SuiteRequest,
  body: unknown,
  due: Result,
  context?: LearnContext,
  more?: object,
];

test.each<Row<Learned | null>>([
  ['a record', GET, OWN, { fields: { name: 'a', status: 'up' } }],
  [
    'a record in its envelope',
    GET,
    { success: true, data: { item: null, trunk: OWN } },
    { fields: { name: 'a', status: 'up' } },
  ],
  [
    'the record whose trunk_id is that of the path',
    GET_OWN,
    {
      data: [
        { trunk_id: NUMBER, name: 'b' },
        { trunk_id: TRUNK, name: 'a' },
      ],
    },
    { fields: { name: 'a' } },
  ],
  ['the innermost record', GET, { name: 'page', data: OWN }, { fields: { name: 'a', status: 'up' } }],
  [
    'no other record within it',
    GET,
    { data: { ...OWN, application: { id: NUMBER, name: 'b', status: 'live' } } },
    { fields: { name: 'a', status: 'up' } },
  ],
  [
    'an application, and not its trunk',
    request('updateVoiceApplication'),
    { application: { id: NUMBER, name: 'b', trunk: OWN } },
    { fields: { name: 'b' } },
  ],
  [
    'the record with its id, wherever it stands',
    GET_OWN,
    { status: 'success', next: null, payload: { trunk: { ...OWN, data: SPARE } } },
    { fields: { name: 'a', status: 'up' } },
  ],
  ['nothing of what stands around it', GET_OWN, { status: 'ok', data: { id: TRUNK, attributes: {} } }, { fields: {} }],
  ['the record behind its id', GET_OWN, { id: TRUNK, data: { name: 'a' } }, { fields: { name: 'a' } }],
  [
    'an application by its id',
    request('updateVoiceApplication', { method: 'PATCH', path: `/v1/voice-applications/${NUMBER}` }),
    { name: 'answer', payload: { id: NUMBER, name: 'b' } },
    { fields: { name: 'b' } },
  ],
  [
    'fields in camel case',
    request('updateVoiceApplication'),
    { voiceApplication: { ringTimeoutSeconds: 25, callbackUrl: null, callerId: '+1' } },
    { fields: { ring_timeout_seconds: 25, callback_url: null, caller_id: '+1' } },
  ],
  ['a list of one record', GET, [OWN], { fields: { name: 'a', status: 'up' } }],
  ['no list of several', GET, [OWN, SPARE], { fields: {} }],
  [
    'a number, a switch and null',
    GET,
    { name: 7, status: true, direction: null },
    { fields: { name: 7, status: true, direction: null } },
  ],
  [
    'no object and no long text',
    GET,
    { name: {}, status: 'x'.repeat(9_000), direction: 'in' },
    { fields: { direction: 'in' } },
  ],
  ['no value with a secret', GET, { name: 'pcs_org_Fake0123456789', status: 'up' }, { fields: { status: 'up' } }],
  ['nothing deep inside', GET, null, { fields: {} }, CONTEXT, { body: DEEP }],
  ['nothing of an error', GET, OWN, null, CONTEXT, { status: 404 }],
  ['no value of a body that was cut', GET, OWN, { fields: {} }, CONTEXT, { cut: true }],
  ['our record of a list', LIST, { next: null, data: [null, SPARE, OWN] }, { fields: { name: 'a', status: 'up' } }],
  [
    'our record, its id in capitals',
    LIST,
    [{ ...OWN, id: TRUNK.toUpperCase() }],
    { fields: { name: 'a', status: 'up' } },
  ],
  ...['trunk_id', 'trunkId', 'uuid', 'sid'].map(
    (name): Row<Learned> => [
      `our record by its ${name}`,
      LIST,
      [SPARE, { [name]: TRUNK, name: 'a' }],
      { fields: { name: 'a' } },
    ],
  ),
  ['no other record', LIST, [SPARE], { fields: {} }],
  [
    'that a list shows another name',
    LIST,
    [OWN, SPARE],
    { fields: { name: 'a', status: 'up' }, isAnotherNamed: true },
    NAMED,
  ],
  ['that another trunk has our name', LIST, [RENAMED, { ...RENAMED, id: NUMBER }], { ...SHOWN, isNameOnAnother: true }],
  ['no endpoint with our name', LIST, [RENAMED, { id: NUMBER, name: RENAMED.name }], SHOWN],
  ['no second entry of our trunk', LIST, [RENAMED, RENAMED], SHOWN],
  ['no name that no run wrote', LIST, [OWN, { ...OWN, id: NUMBER }], { fields: { name: 'a', status: 'up' } }],
  ['a placeholder for the name of another trunk', GET, SPARE, { fields: { name: '⟦name of another trunk⟧' } }, NAMED],
  [
    'the status that is called as another trunk',
    GET,
    { status: 'Spare trunk' },
    { fields: { status: 'Spare trunk' } },
    NAMED,
  ],
  [
    'an application that is called as another trunk',
    request('updateVoiceApplication'),
    SPARE,
    { fields: { name: 'Spare trunk' } },
    NAMED,
  ],
  ['a trunk to read', LIST, [SPARE], { fields: {}, trunk: NUMBER }, { ...CONTEXT, readsListedTrunk: true }],
  ['no trunk to read whose id is none', LIST, [{ id: 'x' }], { fields: {} }, { ...CONTEXT, readsListedTrunk: true }],
  [
    'no trunk to read whose id is a secret',
    LIST,
    [{ id: SECRET_ID }],
    { fields: {} },
    { ...CONTEXT, readsListedTrunk: true },
  ],
  ['no long id of a connection', NUMBERS, [{ id: NUMBER, carrier_connection_id: 'x'.repeat(9_000) }], null],
  ['the connection of our number', NUMBERS, [{ id: NUMBER, carrier_connection_id: 'c' }], { assignment: 'c' }],
  ['that our number has none', NUMBERS, [{ id: NUMBER, carrier_connection: null }], { assignment: null }],
  ['a connection without an id', NUMBERS, [{ id: NUMBER, carrier_connection: { id: null } }], { assignment: null }],
  ['no word for a kind of connection', NUMBERS, [{ id: NUMBER, connection: 'sip' }], null],
  ['the connection as a record', NUMBERS, [{ id: NUMBER, carrier_connection: { id: 'c' } }], { assignment: 'c' }],
  [
    'the connection as a record that names its id as a request does',
    NUMBERS,
    [{ id: NUMBER, connection: { carrierConnectionId: 'c' } }],
    { assignment: 'c' },
  ],
  ['the connection in camel case', NUMBERS, [{ id: NUMBER, carrierConnectionId: null }], { assignment: null }],
  [
    'the connection of our number by its digits',
    NUMBERS,
    [{ number: '+1' }, { e164: NUMBER, carrier_connection_id: 'c' }],
    { assignment: 'c' },
  ],
  ['nothing of other numbers', NUMBERS, [{ id: TRUNK, carrier_connection_id: 'c' }], null],
  ['nothing of a search', request('searchAvailableNumbers'), [{ id: NUMBER, carrier_connection_id: 'c' }], null],
  ...(
    [
      ['an application that is a connection', NUMBERS, { id: TRUNK, carrier_connection_id: NUMBER }, true],
      ['an application that is the connection within', NUMBERS, { id: TRUNK, connection: { id: NUMBER } }, true],
      ['an application that is a trunk', LIST, { id: NUMBER }, true],
      ['an application that is one', NUMBERS, { id: TRUNK, voiceApplicationId: NUMBER.toUpperCase() }, false],
      ['an application within', NUMBERS, { connection_id: NUMBER, inbound: { application: { id: NUMBER } } }, false],
      ['what may be an application', NUMBERS, { connection_id: NUMBER, binding: { id: NUMBER } }, false],
      ['an application that no member holds', NUMBERS, { url: `/${NUMBER}` }, false],
    ] as const
  ).map(
    ([what, asked, item, isMisplaced]): Row<Learned | null> => [
      `${what}, in a list`,
      asked,
      { data: [item] },
      isMisplaced ? { ...(asked === LIST && { fields: {} }), misplaced: ['PCS_VOICE_APPLICATION_ID'] } : null,
      { ...CONTEXT, resources: { voiceApplication: NUMBER } },
    ],
  ),
  [
    'marks of other runs',
    request('searchAvailableNumbers'),
    ['pcs-conformance 0badcafe'],
    { marks: ['pcs-conformance 0badcafe'] },
  ],
])('teaches %s', (_, asked, body, learned, context = CONTEXT, more = {}) => {
  expect(learn(asked as SuiteRequest, answer(body, more as object), context as LearnContext)).toEqual(learned);
});

test.each<Row<string | undefined>>([
  ['of another trunk in our list', LIST, [OWN, SPARE], 'Spare trunk'],
  ['not our own', LIST, [OWN], undefined],
  [
    'not of a list of another organization',
    request('listTrunks', { credential: 'other-organization' }),
    [OWN, SPARE],
    undefined,
  ],
  ['not of a read', GET, [OWN, SPARE], undefined],
  ['not of a list that was cut', LIST, [OWN, SPARE], undefined, CONTEXT, { cut: true }],
  ['not of an error', LIST, [OWN, SPARE], undefined, CONTEXT, { status: 500 }],
  ['not a name in one word, as the interface has', LIST, [OWN, { ...SPARE, name: 'available' }], undefined],
  ['not a name that JSON escapes', LIST, [OWN, { ...SPARE, name: 'Spare "trunk"' }], undefined],
  ['not the same name in other letters', LIST, [{ ...OWN, name: 'spare TRUNK' }, SPARE], undefined],
  // Trimmed, it is one letter, which had been taken for the name wherever the answer had it.
  ['not a name with blanks at its ends', LIST, [OWN, { ...SPARE, name: '         e' }], undefined],
  ['not a secret', LIST, [OWN, { ...SPARE, name: 'pcs_org_Fake0123456789' }], undefined],
])('the name to write is %s', (_, asked, body, name, context = CONTEXT, more = {}) => {
  expect(otherNameOf(asked as SuiteRequest, answer(body, more as object), context as LearnContext)).toBe(name);
});

// A list that showed our name on another trunk left a bundle that no longer verified.
test('the schema of an exchange has each fact that is learned', () => {
  const facts: Readonly<Record<keyof Learned, true>> = {
    ...{ create: true, callIds: true, again: true, idIn: true, fields: true, assignment: true, trunk: true },
    ...{ isAnotherNamed: true, isNameOnAnother: true, marks: true, misplaced: true },
  };
  expect(Object.keys(schema.$defs.learned.properties)).toEqual(Object.keys(facts));
});
