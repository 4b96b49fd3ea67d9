/** What may have been caused by a network or a gateway (conformance model, section 5). */

import { expect, test } from 'vitest';
import { symptomOf } from '../../../src/exchange/exchange.ts';
import { exchangeOf, type Said } from '../rules/exchanges.ts';

const CHUNKED: Said = { request: { headers: [['Transfer-Encoding', 'chunked']] } };

test.each<readonly [string, Said, string | null]>([
  ['a 500', { status: 500 }, 'updateTrunk: 500'],
  ['a 500 to no operation', { status: 500, tag: { documented: false } }, null],
  ['a 502 to no operation', { status: 502, tag: { documented: false } }, 'updateTrunk: 502'],
  ['a 501 to chunks, as of a parser', { ...CHUNKED, status: 501 }, null],
  ['a 500 to chunks', { ...CHUNKED, status: 500 }, 'updateTrunk: 500'],
  ['a 404 that is a page', { status: 404, body: null }, 'updateTrunk: error that is not JSON'],
  ['a 400 that is a page', { status: 400, body: null }, 'updateTrunk: error that is not JSON'],
  ['a 404 to a malformed id that is a page', { status: 404, body: null, tag: { ids: 'malformed' } }, null],
])('%s', (_, said, symptom) => {
  expect(symptomOf(exchangeOf(said, 0))).toBe(symptom);
});
