/** The id of a call, wherever an answer shows it. */

import { expect, test } from 'vitest';
import { callIdsIn } from '../../../src/client/call-id.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';

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
  expect(callIdsIn(JSON.stringify(json), []).ids).toEqual([ID]);
});

test.each([
  ['absolute', `https://a.example/v1/calls/${ID}`],
  ['below a prefix', `/api/v1/calls/${ID}/`],
  ['relative', ID],
  ['relative with a dot', `./${ID}?a=1`],
])('Location, %s', (_, location) => {
  expect(callIdsIn('', [['location', location]]).ids).toEqual([ID]);
});

const ANY = ['a@b', 'a;b=c', 'a/b', 'a b', 'ü', '%41', 'x'.repeat(210), 'x'.repeat(1_024)];
test.each(ANY)('an id may be any text: %s', (id) => {
  expect(callIdsIn(JSON.stringify({ data: { call: { id } } }), []).ids).toEqual([id]);
});

test.each(['.', '..', '../trunks/1', '%2e%2e/x', '%252e', 'a/../b', ' ', '', 'x'.repeat(1_025), 'a\nb', '\ud800'])(
  'an id that cannot stand in a path is none: %j',
  (id) => {
    expect(callIdsIn(JSON.stringify({ data: { call: { id } } }), []).ids).toEqual([]);
  },
);

test.each([
  ['a Location of something else', '/v1/calls/', {}],
  ['a list of two calls', '', { items: [{ id: 'a' }, { id: 'b' }] }],
  ['the ids of others', '', { application_id: ID, trunk: { id: ID } }],
  ['what cannot be a path segment', '', { id: '..' }],
])('no id in %s', (_, location, json) => {
  expect(callIdsIn(JSON.stringify(json), [['Location', location]]).ids).toEqual([]);
});

test.each([100_000, 2_000_000])('a list of %i levels shows nothing', (levels) => {
  expect(callIdsIn('['.repeat(levels) + ']'.repeat(levels), [])).toEqual({ ids: [], uuids: [], values: [] });
});

test('a number past 2^53 keeps its digits, a smaller one is a text', () => {
  const text = '{"data":{"id":900719925474099301}}';
  expect(callIdsIn(text, []).ids).toEqual(['900719925474099301']);
  expect(callIdsIn('{"id":17}', []).ids).toEqual(['17']);
});

test('the inner id comes first, and the Location before it', () => {
  const json = { id: 'request', data: { id: 'call' } };
  expect(callIdsIn(JSON.stringify(json), [['Location', '/v1/calls/there']]).ids).toEqual(['there', 'call', 'request']);
});

test.each<[string, unknown, readonly string[]]>([
  ['at the pointer alone', { id: 'request', result: { 'a/b': [{ '~': ID }] } }, [ID]],
  ['at the pointer as a number', { id: 'request', result: { 'a/b': [{ '~': 17 }] } }, ['17']],
  ['elsewhere if nothing stands at the pointer', { id: 'call', result: { 'a/b': [] } }, ['call']],
  ['elsewhere if a map stands at the pointer', { id: 'call', result: { 'a/b': [{ '~': {} }] } }, ['call']],
])('the id is taken from where it stands: %s', (_where, json, ids) => {
  expect(callIdsIn(JSON.stringify(json), [['Location', '/elsewhere']], '/result/a~1b/0/~0').ids).toEqual(ids);
});

test('the pointer is followed in each value of a body with several', () => {
  expect(callIdsIn(`{"success":false,"id":"no"}\n{"result":"${ID}"}`, [], '/result').ids).toEqual([ID]);
});
