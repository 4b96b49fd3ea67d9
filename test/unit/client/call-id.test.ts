/** The id of a call, wherever an answer shows it. */

import { expect, test } from 'vitest';
import { callIds } from '../../../src/client/call-id.ts';

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
])('%s', (_, json) => {
  expect(callIds(json, [])).toEqual([ID]);
});

test.each([
  ['absolute', `https://a.example/v1/calls/${ID}`],
  ['below a prefix', `/api/v1/calls/${ID}/`],
  ['relative', ID],
  ['relative with a dot', `./${ID}?a=1`],
])('Location, %s', (_, location) => {
  expect(callIds(undefined, [['location', location]])).toEqual([ID]);
});

test.each([
  ['a Location of something else', '/v1/calls/', {}],
  ['a list of two calls', '', { items: [{ id: 'a' }, { id: 'b' }] }],
  ['the ids of others', '', { application_id: ID, trunk: { id: ID } }],
  ['what can be no segment of a path', '', { id: '..' }],
])('not %s', (_, location, json) => {
  expect(callIds(json, [['Location', location]])).toEqual([]);
});

test('a list of very many levels shows nothing', () => {
  expect(callIds(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)), [])).toEqual([]);
});

test('a number past 2^53 keeps its digits, a smaller one is a text', () => {
  const text = '{"data":{"id":900719925474099301}}';
  expect(callIds(JSON.parse(text), [], text)).toEqual(['900719925474099301']);
  expect(callIds({ id: 17 }, [], '{"id":17}')).toEqual(['17']);
});

test('the inner id comes first, and the Location before it', () => {
  const json = { id: 'request', data: { id: 'call' } };
  expect(callIds(json, [['Location', '/v1/calls/there']])).toEqual(['there', 'call', 'request']);
});
