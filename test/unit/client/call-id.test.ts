/** The id of a call: named places, and nothing else. */

import { expect, test } from 'vitest';
import { callIdsIn, placeOfId } from '../../../src/client/safety/create-outcome.ts';
import type { Header } from '../../../src/exchange/message.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';

const idsIn = (json: unknown, headers: readonly Header[] = [], pointer?: string): readonly string[] =>
  callIdsIn(JSON.stringify(json), headers, pointer);

test.each([
  ['id', { id: ID }],
  ['data.id', { success: true, data: { id: ID } }],
  ['data.call.call_id', { data: { call: { call_id: ID } } }],
  ['callId', { callId: ID }],
  ['result.uuid', { result: { uuid: ID } }],
  ['resource.item.sid', { resource: { item: { sid: ID } } }],
])('an id stands at %s', (_, json) => {
  expect(idsIn(json)).toEqual([ID]);
});

test.each([
  ['another name', { resource_id: ID, request_id: ID, trunk: { id: ID } }],
  ['another letter case', { Call: { ID } }],
  ['a list', { items: [{ id: ID }], data: [{ id: ID }] }],
  ['a text alone', ID],
  ['a holder that is a text', { call: ID }],
  ['a link', { _links: { self: { href: `https://a.example/v1/calls/${ID}` } } }],
  ['a message', { message: `The call ${ID} was created.`, application_id: ['Must be a valid UUID.'] }],
])('no id stands under %s', (_, json) => {
  expect(idsIn(json)).toEqual([]);
});

test.each([
  ['absolute', `https://a.example/v1/calls/${ID}`],
  ['below a prefix', `/api/v1/calls/${ID}/`],
  ['relative', ID],
  ['relative with a dot', `./${ID}?a=1`],
])('Location, %s', (_, location) => {
  expect(idsIn({}, [['location', location]])).toEqual([ID]);
});

const ANY = ['a@b', 'a;b=c', 'a/b', 'a b', 'ü', '%41', 'x'.repeat(210), 'x'.repeat(1_024)];
test.each(ANY)('an id may be any text: %s', (id) => {
  expect(idsIn({}, [['X-Call', id]], 'header:X-Call')).toEqual([id]);
  expect(idsIn({ data: { call: { id } } })).toEqual([id]);
});

test.each(['.', '..', '../trunks/1', '%2e%2e/x', '%252e', 'a/../b', ' ', '', 'x'.repeat(1_025), 'a\nb', '\ud800'])(
  'an id that cannot stand in a path is none: %j',
  (id) => {
    expect(idsIn({ data: { call: { id } } })).toEqual([]);
  },
);

test('a Location of something else shows no id', () => {
  expect(idsIn({}, [['Location', '/v1/calls/']])).toEqual([]);
});

test.each([100_000, 2_000_000])('a body of %i levels shows nothing', (levels) => {
  expect(callIdsIn('['.repeat(levels) + ']'.repeat(levels), [])).toEqual([]);
  expect(callIdsIn('{"data":'.repeat(levels / 100) + '}'.repeat(levels / 100), [])).toEqual([]);
});

test.each([
  ['a line end in a text', `{"variables":{"a":"b\nc"},"id":"${ID}"}`, [ID]],
  ['U+0000 in a text', `{"codecs":["\0"],"call":{"id":"${ID}"}}`, [ID]],
  ['a price of NaN', `{"price":NaN,"id":"${ID}"}`, [ID]],
  ['a price without end', `[{"prices":[-Infinity,Infinity],"id":"${ID}"}]`, [ID]],
  ['a line end in the id', '{"id":"a\nb"}', []],
  ['such a word in the id', '{"price":NaN,"id":"a NaN b"}', ['a NaN b']],
  ['such a word for the id', '{"id":NaN}', []],
  ['a part of a word', `{"price":NaNa,"id":"${ID}"}`, []],
  ['a quote in a text', `{"name":"a"b","id":"${ID}"}`, []],
  ['a text that does not end', `{"id":"${ID}","name":"a\n`, []],
])('in a body that is not JSON but for %s, the ids are %j', (_, text, ids) => {
  expect(callIdsIn(text, [])).toEqual(ids);
  expect(callIdsIn(text, [], undefined, true)).toEqual([]);
  expect(callIdsIn(`{}${text}`, [], undefined, true)).toEqual(ids);
});

test('a number past 2^53 keeps its digits, a smaller one is a text, and digits within a text stay', () => {
  expect(callIdsIn('{"data":{"id":900719925474099301}}', [])).toEqual(['900719925474099301']);
  expect(callIdsIn('{"id":17}', [])).toEqual(['17']);
  expect(callIdsIn('{"id":"n 900719925474099301"}', [])).toEqual(['n 900719925474099301']);
});

test.each<[string, unknown, readonly string[]]>([
  ['a resource', { resource: { id: 'other' }, call_id: 'call' }, ['call', 'other']],
  ['a call deeper inside', { data: { call: { id: 'other' } }, id: 'call' }, ['call', 'other']],
  ['an id of another name', { id: 'other', call_id: 'call' }, ['call', 'other']],
])('the shallowest id comes first: beside that of %s', (_, json, ids) => {
  expect(idsIn(json)).toEqual(ids);
  expect(idsIn(json, [['Location', '/v1/calls/there']])).toEqual(['there', ...ids]);
});

test.each<[string, unknown, readonly string[]]>([
  ['at the pointer alone', { id: 'request', result: { 'a/b': [{ '~': ID }] } }, [ID]],
  ['at the pointer as a number', { id: 'request', result: { 'a/b': [{ '~': 17 }] } }, ['17']],
  ['nowhere if nothing stands at the pointer', { id: 'call', result: { 'a/b': [] } }, []],
  ['nowhere if a map stands at the pointer', { id: 'call', result: { 'a/b': [{ '~': {} }] } }, []],
])('a pointer is the only place: %s', (_where, json, ids) => {
  expect(idsIn(json, [['Location', '/v1/calls/elsewhere']], '/result/a~1b/0/~0')).toEqual(ids);
});

test.each([
  ['Resource-ID', ID],
  ['Content-Location', `/v1/calls/${ID}`],
  ['Link', `<https://a.example/v1/calls/${ID}>; rel="self"`],
  ['Location', `/v1/calls/${ID}`],
])('a field is the only place: %s', (name, value) => {
  const headers: readonly Header[] = [
    ['Location', '/v1/calls/elsewhere'],
    [name, value],
  ];
  const [own, others] = name === 'Location' ? [headers.slice(1), []] : [headers, headers.slice(0, 1)];
  expect(idsIn({ id: 'body' }, own, `header:${name.toLowerCase()}`)).toEqual([ID]);
  expect(idsIn({ id: 'body' }, others, `header:${name}`)).toEqual([]);
});

test('the pointer is followed in each value of a body with several', () => {
  expect(callIdsIn(`{"success":false,"id":"no"}\n{"result":"${ID}"}`, [], '/result')).toEqual([ID]);
});

test('a setting can find an id in a body with values, or in a field with a name for it or a link to a call', () => {
  const dated: readonly Header[] = [['Date', 'Fri, 27 Nov 2026 22:00:00 GMT']];
  expect(['', '{"success":true}', '{}', 'queued', '<a>{"ref":"a"}'].map((text) => placeOfId(text, dated))).toEqual(
    Array(5).fill(undefined),
  );
  expect(['{"ref":"a"}', '{"data":{"n":7}}', '"4711"'].map((text) => placeOfId(text, dated))).toEqual(
    Array(3).fill('body'),
  );
  expect(placeOfId(JSON.stringify('{"id":"a"}'), dated)).toBeUndefined();
  const fields = ['Resource-ID', 'X-Call-SID', 'Content-Location'];
  expect(fields.map((name) => placeOfId('{"ref":"a"}', [[name, 'a']]))).toEqual(fields.map((name) => `header:${name}`));
  expect(placeOfId('', [['Link', '</v1/calls/7>; rel="self"']])).toBe('header:Link');
});
