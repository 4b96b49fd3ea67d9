/** What is told of a choice: where members stand, whose rejection a label is, and nothing that may be data. */

import { expect, test } from 'vitest';
import { choicesOf } from '../../../suites/index.ts';
import { bodyOf, exchangeOf, type Said } from './exchanges.ts';

const header = { profile: 'full', settings: {} } as unknown as Parameters<typeof choicesOf>[0]['header'];

/** The choices in a gap that these exchanges show. */
const told = (gap: string, ...said: readonly Said[]): readonly string[] =>
  choicesOf({ header, exchanges: said.map(exchangeOf) }).flatMap((one) => (one.gap === gap ? [one.choice] : []));

const trunk = { id: 'a', name: 'b', codecs: ['PCMU'] };
const FIELDS = 'codecs array, codecs[] string, id string, name string';

test.each([
  ['a bare record', trunk],
  ['a record in a wrapper', { success: true, data: trunk }],
  ['a record in two', { success: true, data: { trunk }, meta: { took: 1 } }],
])('the fields of %s are told by their names', (_, body) => {
  expect(told('GAP-RECORD-TRUNK', { body: bodyOf(body) })).toEqual([FIELDS]);
});

test('a record without an id is the outermost object with a plain member, and none is told as none', () => {
  const tag = { operation: 'setInboundAuth' } as const;
  const shown = (data: object) =>
    told('GAP-RECORD-CARRIER-CONNECTION', { tag, body: bodyOf({ success: true, data: { auth: data } }) });
  expect([shown({ method: 'digest' }), shown({})]).toEqual([['method string'], ['no members shown']]);
});

test('what stands beside a list is told, and not what its items hold', () => {
  const list = { tag: { operation: 'listTrunks' }, request: { method: 'GET', path: '/v1/trunks/' } } as const;
  const body = bodyOf({ success: true, data: { items: [{ id: 'a' }], next: null } });
  const second = bodyOf({ success: true, data: { items: [], next: 'b' } });
  const both = [
    { ...list, body },
    { ...list, body: second },
  ];
  expect(told('GAP-LIST-PAGING', ...both)).toEqual(['items array, items[] object, next null|string']);
  expect(told('GAP-LIST-ITEMS', ...both)).toEqual(['id string']);
});

test('the acceptance of several labels counts for each, and their rejection for none', () => {
  const labels = ['40 variables', 'a variable of 5,000 characters'];
  const tag = { operation: 'createCall', asks: labels.map((variation) => ({ id: 'GAP-FIELD-BOUNDS', variation })) };
  const shown = (status: number) => told('GAP-FIELD-BOUNDS', { tag, status } as Said);
  expect(shown(201)).toEqual(labels.map((label) => `${label}: accepted (201)`));
  expect(shown(400)).toEqual([]);
});

test('a request that a requirement asks is told by its variation, or else by what it is about', () => {
  const asked = (variation: string): Said => ({
    status: 415,
    tag: { asks: [{ id: 'CONTENT-TYPE-OTHER', variation }], about: 'labelled text/plain' },
  });
  const told415 = told('GAP-MEDIA-TYPE', asked(''), asked('a form'));
  expect(told415).toEqual(['a form: rejected (415)', 'labelled text/plain: rejected (415)']);
});

test('a code that looks like data is not told', () => {
  const withCode = (code: string): Said => ({ status: 404, body: bodyOf({ success: false, error: { code } }) });
  expect(told('GAP-ERROR-CODES', withCode('not_found'), withCode('id 12345678'))).toEqual([
    'rejected (404), a code that is not a word',
    'rejected (404), code not_found',
  ]);
});

test('an action is told by what was accepted before on the same call, and not on a made-up one', () => {
  const hangUp = (id: string, status: number, ids: 'named' | 'well-formed' = 'named'): Said => ({
    status,
    tag: { operation: 'hangUpCall', ids },
    request: { method: 'POST', path: `/v1/calls/${id}/hangup` },
  });
  const course = [hangUp('a', 200), hangUp('b', 409), hangUp('a', 404), hangUp('c', 400, 'well-formed')];
  expect(told('GAP-HANGUP-TWICE', ...course)).toEqual(['hangUpCall after hangUpCall: rejected (404)']);
  expect(told('GAP-STATE-TRANSITIONS', ...course)).toEqual([
    'hangUpCall after hangUpCall: rejected (404)',
    'hangUpCall first: accepted (200)',
    'hangUpCall first: rejected (409)',
  ]);
});
