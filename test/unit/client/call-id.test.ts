/** The id of a call, wherever an answer shows it. */

import { expect, test } from 'vitest';
import { callIdsIn } from '../../../src/client/call-id.ts';
import type { Header } from '../../../src/exchange/message.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';

const idsIn = (text: string, headers: readonly Header[] = [], pointer?: string): readonly string[] =>
  callIdsIn(text, headers, pointer).ids.map(({ id }) => id);

test.each([
  ['id', { id: ID }],
  ['data.id', { success: true, data: { id: ID } }],
  ['data.call.call_id', { data: { call: { call_id: ID } } }],
  ['callId', { callId: ID }],
  ['Call.ID', { Call: { ID } }],
  ['resource_id', { resource_id: ID }],
  ['a list of one', { items: [{ id: ID }] }],
  ['a bare list of one', [{ id: ID }]],
  ['call as a text', { call: ID }],
  ['a text alone', ID],
  ['object.id', { object: { id: ID } }],
  ['response.payload.uuid', { response: { payload: { uuid: ID } } }],
  ['leg_id', { leg_id: ID }],
  ['a link', { _links: { self: { href: `https://a.example/v1/calls/${ID}` } } }],
])('%s', (_, json) => {
  expect(idsIn(JSON.stringify(json), [])).toEqual([ID]);
});

test.each([
  ['absolute', `https://a.example/v1/calls/${ID}`],
  ['below a prefix', `/api/v1/calls/${ID}/`],
  ['relative', ID],
  ['relative with a dot', `./${ID}?a=1`],
])('Location, %s', (_, location) => {
  expect(idsIn('', [['location', location]])).toEqual([ID]);
});

const ANY = ['a@b', 'a;b=c', 'a/b', 'a b', 'ü', '%41', 'x'.repeat(210), 'x'.repeat(1_024)];
test.each(ANY)('an id may be any text: %s', (id) => {
  expect(idsIn(JSON.stringify({ data: { call: { id } } }), [])).toEqual([id]);
});

test.each(['.', '..', '../trunks/1', '%2e%2e/x', '%252e', 'a/../b', ' ', '', 'x'.repeat(1_025), 'a\nb', '\ud800'])(
  'an id that cannot stand in a path is none: %j',
  (id) => {
    expect(idsIn(JSON.stringify({ data: { call: { id } } }), [])).toEqual([]);
  },
);

test.each([
  ['a Location of something else', '/v1/calls/', {}],
  ['a list of two calls', '', { items: [{ id: 'a' }, { id: 'b' }] }],
  ['what cannot be a path segment', '', { id: '..' }],
])('no id in %s', (_, location, json) => {
  expect(idsIn(JSON.stringify(json), [['Location', location]])).toEqual([]);
});

test.each([100_000, 2_000_000])('a list of %i levels shows nothing', (levels) => {
  expect(callIdsIn('['.repeat(levels) + ']'.repeat(levels), [])).toEqual({ ids: [], uuids: [], values: [] });
});

test('a number past 2^53 keeps its digits, a smaller one is a text', () => {
  const text = '{"data":{"id":900719925474099301}}';
  expect(idsIn(text, [])).toEqual(['900719925474099301']);
  expect(idsIn('{"id":17}', [])).toEqual(['17']);
});

test.each<[string, unknown, readonly string[]]>([
  ['a list of related calls', { related: [{ id: 'other' }], data: { call: { id: 'call' } } }, ['call', 'other']],
  ['a resource', { resource: { id: 'other' }, call_id: 'call' }, ['call', 'other']],
  ['a call deeper inside', { data: { call: { id: 'other' } }, id: 'call' }, ['call', 'other']],
  ['its request', { request_id: 'request', data: { call: { id: 'call' } } }, ['request', 'call']],
  ['its application', { application_id: 'application', id: 'call' }, ['call', 'application']],
  ['a trunk beside the call', { data: { trunk: { id: 'trunk' }, call: { id: 'call' } } }, ['call', 'trunk']],
])('the shallowest id comes first, whatever its name, and those of lists last: beside that of %s', (_, json, ids) => {
  expect(idsIn(JSON.stringify(json))).toEqual(ids);
  expect(idsIn(JSON.stringify(json), [['Location', '/v1/calls/there']])).toEqual(['there', ...ids]);
});

test('an id stands at a place, which is the same for all items of a list', () => {
  const json = { data: { call: { id: 'call' } }, related: [{ id: 'other' }] };
  expect(callIdsIn(JSON.stringify(json), []).ids).toEqual([
    { id: 'call', place: '/data/call/id' },
    { id: 'other', place: '/related/*/id' },
  ]);
});

test.each<[string, unknown, readonly string[]]>([
  ['at the pointer alone', { id: 'request', result: { 'a/b': [{ '~': ID }] } }, [ID]],
  ['at the pointer as a number', { id: 'request', result: { 'a/b': [{ '~': 17 }] } }, ['17']],
  ['elsewhere if nothing stands at the pointer', { id: 'call', result: { 'a/b': [] } }, ['call']],
  ['elsewhere if a map stands at the pointer', { id: 'call', result: { 'a/b': [{ '~': {} }] } }, ['call']],
])('the id is taken from where it stands: %s', (_where, json, ids) => {
  expect(idsIn(JSON.stringify(json), [['Location', '/elsewhere']], '/result/a~1b/0/~0')).toEqual(ids);
});

test('the pointer is followed in each value of a body with several', () => {
  expect(idsIn(`{"success":false,"id":"no"}\n{"result":"${ID}"}`, [], '/result')).toEqual([ID]);
});
