/** Bodies of megabytes and of very many levels: what is noted of them stays small. */

import { describe, expect, test } from 'vitest';
import type { RecordedBody } from '../../../src/exchange/exchange.ts';
import { bodyFacts, type FactOptions, keyedDigest } from '../../../src/exchange/facts.ts';

const digest = keyedDigest(Buffer.from('a key'));
const LONG = 'y'.repeat(300);

function facts(body: string | Uint8Array, options: Partial<FactOptions> = {}): RecordedBody {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bodyFacts(bytes, { keepText: false, redact: (text) => text, digest, watch: new Map(), ...options });
}

describe('members of a long body', () => {
  test('a body of 10,000 levels is walked 32 deep, and a deeper one is not read', () => {
    const levels = (count: number): RecordedBody => facts(` ${'['.repeat(count)}${']'.repeat(count)}`);
    expect(levels(10_000)).toMatchObject({ json: 'valid', members: levels(40).members });
    expect(levels(200_000)).toMatchObject({ json: 'invalid', reason: 'it has more than 10,000 levels' });
  });

  test('a member of 9,999 levels hides none of the others', () => {
    const body = facts(`{"a":1,"deep":${'['.repeat(9_999)}${']'.repeat(9_999)},"success":false,"b":"${LONG}"}`);
    expect(body.members.slice(0, 3).map(({ pointer }) => pointer)).toEqual(['', '/a', '/deep']);
    expect(body.members.slice(-2)).toEqual([
      { pointer: '/success', type: 'boolean', value: false },
      { pointer: '/b', type: 'string', digest: digest(JSON.stringify(LONG)) },
    ]);
  });

  test('names of 2 kB in each other are not repeated without a bound, and the record says so', () => {
    const name = 'n'.repeat(2_000);
    const chain = `{"${name}":`.repeat(30);
    const many = Array.from({ length: 40 }, (_, at) => `"a${at}":${chain}{}${'}'.repeat(30)}`).join();
    const body = facts(`{"success":false,${many},"b":1}`, { keepText: true });
    expect(JSON.stringify(body.members).length).toBeLessThan(100_000);
    expect(body).toMatchObject({ json: 'valid', membersCut: true });
    expect(facts('{"success":false}')).not.toHaveProperty('membersCut');
  });

  test('a body of 4 MiB is judged by all of it, its last item too', () => {
    const items = `${'{"id":"x","on":true},'.repeat(199_000)}{"id":1}`;
    const body = facts(`{"items":[${items}]}`);
    expect([body.json, body.members.map(({ pointer }) => pointer)]).toEqual([
      'valid',
      ['', '/items', '/items/-', '/items/-/id', '/items/-/on', '/items/-/id'],
    ]);
    expect(facts(`{"items":[${items}]`)).toMatchObject({ reason: 'it ends before the JSON value is complete' });
    expect(facts(`{"items":[${items}]} 1`)).toMatchObject({ reason: 'more follows after the JSON value' });
    expect(facts(`{"items":[${items},]}`)).toMatchObject({ reason: 'it is not a JSON value' });
  });
});

describe('the text of a long body', () => {
  test('of a long error its envelope is kept, whatever stands around that', () => {
    const deep = `${'{"a":['.repeat(4_999)}${'1,'.repeat(5_000)}1${']}'.repeat(4_999)}`;
    const body = facts(`{"d":${deep},"success":false,"error":{"d":${deep},"code":"c","message":"m"}}`, {
      keepText: true,
    });
    expect(body).toMatchObject({ json: 'valid', pruned: true });
    expect(body.text).toBe('{"success":false,"error":{"code":"c","message":"m"}}');
  });

  test.each(['code', 'message'])('of an error whose %s has 9,998 levels its kind is kept', (name) => {
    const body = `{"error":{"${name}":${'['.repeat(9_998)}${'1,'.repeat(5_000)}1${']'.repeat(9_998)}}}`;
    expect(facts(body, { keepText: true, isError: true }).text).toBe(`{"error":{"${name}":[]}}`);
  });

  test.each([
    ['a list', `[${'0,'.repeat(9_000)}0]`, `[${'0,'.repeat(4_095)}0…`],
    ['an error that is a string', `{"error":"${'x'.repeat(9_000)}"}`, `{"error":"${'x'.repeat(256)}…"}`],
    ['a code that is an object', `{"error":{"code":{"a":"${'x'.repeat(9_000)}"}}}`, '{"error":{"code":{}}}'],
    ['members that come twice', `{"success":true,"x":"${'x'.repeat(9_000)}","success":false}`, '{"success":false}'],
    ['a name of the language', `{"error":1,"__proto__":{"success":false},"x":"${'x'.repeat(9_000)}"}`, '{"error":1}'],
  ])('of %s so much is kept', (_, text, kept) => {
    expect(facts(text, { keepText: true })).toMatchObject({ json: 'valid', pruned: true, text: kept });
  });

  test('ids are found wherever they stand in a long text', () => {
    const watch = new Map([['550e8400-e29b-41d4-a716-446655440000', 'trunk']]);
    for (const before of [0, 917_480, 1_048_570, 3_000_000]) {
      const text = `"${'x'.repeat(before)}550E8400-E29B-41D4-A716-446655440000${'x'.repeat(1_000_000)}"`;
      expect(facts(text, { watch }).mentions, String(before)).toEqual(['trunk']);
    }
  });
});
