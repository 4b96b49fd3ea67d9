/** What two error answers are compared by comes from the answers themselves: no mask makes them equal or different. */

import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { keyedDigest } from '../../../src/exchange/facts.ts';
import { recordExchange } from '../../../src/exchange/recorder.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { errorWordingOf } from '../../../src/verdict/answer.ts';
import { READ } from '../rules/exchanges.ts';

const SECRETS = ['4f9d2c7b1a8e6035', 'Zt8Wb3xK2fPc9Q7L'];

/** The record of a rejection with that message, by a run that knows some secrets. */
function rejected(message: string, secrets: readonly string[], more: object = {}): Exchange {
  const body = Buffer.from(JSON.stringify({ success: false, error: { code: 'refused', message, ...more } }));
  const request = { method: 'GET', path: '/v1/trunks/', headers: [], body: null, timeout: 0 };
  const outcome = { kind: 'answer' as const, status: 403, headers: [], body, cut: false };
  const redactor = new Redactor(secrets.map((value) => ({ kind: 'gateway-header', label: 'a header', value })));
  const context = { redactor, digest: keyedDigest(new Uint8Array(32)), watch: new Map(), fullEvidence: false };
  return recordExchange({ ...READ, path: '/v1/trunks/', credential: 'valid', request, outcome }, context);
}

test('a wording sees through a mask', () => {
  const of = (secrets: readonly string[]) =>
    SECRETS.map((value) => errorWordingOf(rejected(`No ${value} here`, secrets)));
  expect(rejected(`No ${SECRETS[0]} here`, SECRETS).response?.body?.text).toContain('⟦a header⟧');
  expect(new Set(of(SECRETS)).size).toBe(2);
  expect(of(SECRETS)).toEqual(of([]));
});

test('a wording leaves out ids and long numbers', () => {
  const [one, other] = [
    'No trunk 0badcafe-0000-4000-8000-000000000001 (7001)',
    'No trunk 1badcafe-0000-4000-8000-000000000002 (88)',
  ].map((text) => errorWordingOf(rejected(text.replace('(88)', '(7002)'), [])));
  expect(one).toBe(other);
});

test('a wording is that of code and message, whatever else an error says, unless one of them is no text', () => {
  const of = (more: object) => errorWordingOf(rejected('No.', [], more));
  expect(of({ trace: 'a' })).toBe(of({ trace: 'b' }));
  expect(of({ code: 'taken' })).not.toBe(of({}));
  expect(of({ code: ['a'], trace: 'a' })).not.toBe(of({ code: ['a'], trace: 'b' }));
});
