/** What is noted of a body: it stays small, also of megabytes and of very many levels. */

import { describe, expect, test } from 'vitest';
import type { RecordedBody } from '../../../src/exchange/exchange.ts';
import { bodyFacts, type FactOptions, keyedDigest } from '../../../src/exchange/facts.ts';

const digest = keyedDigest(Buffer.from('a key'));

function facts(body: string | Uint8Array, options: Partial<FactOptions> = {}): RecordedBody {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bodyFacts(bytes, { keepText: false, redact: (text) => text, digest, watch: new Map(), ...options });
}

describe('bytes and grammar', () => {
  test('an empty body is not JSON', () => {
    expect(facts('')).toMatchObject({ length: 0, utf8: true, json: 'invalid', reason: 'it is empty', members: [] });
  });

  test('a byte order mark is noted, and what follows it is still read', () => {
    const body = facts('\ufeff{"success":false}');
    expect(body).toMatchObject({ length: 20, utf8: true, byteOrderMark: true, json: 'invalid' });
    expect(body.reason).toBe('it begins with a byte order mark');
    expect(body.members).toContainEqual({ pointer: '/success', type: 'boolean', value: false });
  });

  test.each([
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a lone continuation', [0x80]],
    ['a sequence that is cut short', [0xe2, 0x82]],
  ])('%s inside a JSON string is not UTF-8', (_, odd) => {
    const body = facts(Buffer.from([0x22, ...odd, 0x22]), { keepText: true });
    expect(body).toMatchObject({ utf8: false, byteOrderMark: false, json: 'invalid', reason: 'it is not UTF-8' });
    expect(body.text).toBe(`"${odd.map((byte) => `⟦byte ${byte.toString(16)}⟧`).join('')}"`);
  });

  test.each(['null', ' 1 ', '"\\ud800"', '{"a":1,"a":2}', '[]'])('%s is JSON', (text) => {
    expect(facts(text).json).toBe('valid');
    expect(facts(text)).not.toHaveProperty('reason');
  });
});

describe('members', () => {
  test('pointers and types stand in the order of the document, booleans with their value', () => {
    const body = facts('{"success":true,"data":{"a/b~c":1,"n":1.5,"z":null,"s":"x"},"list":[{"id":"1"},{"id":2}]}');
    expect(body.members).toEqual([
      { pointer: '', type: 'object' },
      { pointer: '/success', type: 'boolean', value: true },
      { pointer: '/data', type: 'object' },
      { pointer: '/data/a~1b~0c', type: 'integer', digest: digest('1') },
      { pointer: '/data/n', type: 'number', digest: digest('1.5') },
      { pointer: '/data/z', type: 'null', digest: digest('null') },
      { pointer: '/data/s', type: 'string', digest: digest('"x"') },
      { pointer: '/list', type: 'array' },
      { pointer: '/list/-', type: 'object' },
      { pointer: '/list/-/id', type: 'string' },
      { pointer: '/list/-/id', type: 'integer' },
    ]);
  });

  test('a list of one says of its item what a record says', () => {
    expect(facts('{"items":[{"a":true,"b":"x"}]}').members.slice(2)).toEqual([
      { pointer: '/items/-', type: 'object' },
      { pointer: '/items/-/a', type: 'boolean', value: true },
      { pointer: '/items/-/b', type: 'string', digest: digest('"x"') },
    ]);
  });

  test('what stands in a list of several has neither value nor digest', () => {
    expect(facts('[true,{"a":false,"b":1}]').members.slice(1)).toEqual([
      { pointer: '/-', type: 'boolean' },
      { pointer: '/-', type: 'object' },
      { pointer: '/-/a', type: 'boolean' },
      { pointer: '/-/b', type: 'integer' },
    ]);
  });

  test('equal scalars have equal digests, and a text and a number of the same letters have not', () => {
    const [, a, b, c] = facts('{"a":"1","b":"1","c":1}').members;
    expect(a?.digest).toBe(b?.digest);
    expect(a?.digest).not.toBe(c?.digest);
    expect(a?.digest).toMatch(/^[0-9a-f]{16}$/);
  });

  test('more members than are listed are noted', () => {
    const named = (count: number, before = {}): RecordedBody =>
      facts(
        JSON.stringify({ ...before, ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1])) }),
      );
    expect(named(199)).not.toHaveProperty('membersCut');
    expect(named(200)).toHaveProperty('membersCut', true);
    expect(named(5_000).members).toHaveLength(200);
    // What the envelope looks for is neither listed twice nor made up.
    expect(named(5_000, { success: false }).members).toHaveLength(200);
  });

  test('long names are folded, and the pointers of nested ones end after 8 KiB', () => {
    expect(facts(`{"${'n'.repeat(257)}":1}`, { keepText: true }).members.at(-1)?.pointer).toBe('/⟦name⟧');
    const name = 'n'.repeat(250);
    const body = facts(`${`{"${name}":`.repeat(30)}1${'}'.repeat(30)}`, { keepText: true });
    expect(body.membersCut).toBe(true);
    expect(body.members.map(({ pointer }) => pointer.length).reduce((sum, length) => sum + length)).toBeLessThan(8_193);
  });

  test('a name that is a phone number is folded in a success body and kept next to a text', () => {
    const text = '{"+15550100999":1,"15550100998":2,"address_line_2":3}';
    const pointers = (body: RecordedBody): readonly string[] => body.members.map(({ pointer }) => pointer);
    expect(pointers(facts(text))).toEqual(['', '/⟦name⟧', '/address_line_2']);
    expect(pointers(facts(text, { keepText: true }))).toContain('/+15550100999');
    const isFolded = (name: string): boolean => pointers(facts(`{"${name}":1}`)).includes('/⟦name⟧');
    expect(['n'.repeat(64), 'n'.repeat(65), 'a1b2c3d456', 'a1b2c3d4567'].map(isFolded)).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('a member called __proto__ is a member like any other', () => {
    expect(facts('{"__proto__":{"a":true}}').members.map(({ pointer }) => pointer)).toEqual([
      '',
      '/__proto__',
      '/__proto__/a',
    ]);
  });
});

describe('text and mentions', () => {
  test('a success body has no text, and all of it is searched for leaks', () => {
    const searched: string[] = [];
    const body = facts('{"hidden":"hidden"}', {
      redact: (text) => {
        searched.push(text);
        return text.replaceAll('hidden', '⟦x⟧');
      },
    });
    expect(searched[0]).toBe('{"hidden":"hidden"}');
    expect(JSON.stringify(body)).not.toContain('hidden');
    expect(body.members.at(-1)?.pointer).toBe('/⟦x⟧');
  });

  test('watched ids are mentioned in any letter case, each label once, in order', () => {
    const watch = new Map([
      ['550e8400-e29b-41d4-a716-446655440000', 'trunk'],
      ['CA-1234567', 'call'],
      ['ca-1234567-b', 'call'],
      ['never-there', 'number'],
    ]);
    const text = '{"t":"550E8400-E29B-41D4-A716-446655440000","c":"xca-1234567-by"}';
    expect(facts(text, { watch }).mentions).toEqual(['call', 'trunk']);
  });

  test('a short id is not mentioned, since others have it too', () => {
    const watch = new Map([['17', 'provider']]);
    expect(facts('{"n":"edge-17","id":17}', { watch }).mentions).toEqual([]);
  });

  test('a text of 8 KiB is kept whole, and of a longer one the envelope with its strings shortened', () => {
    const error = (length: number): string =>
      `{"success":false,"error":{"code":"c","message":"${'m'.repeat(length)}"}}`;
    const frame = error(0).length;
    const whole = facts(error(8_192 - frame), { keepText: true });
    expect(whole.text).toHaveLength(8_192);
    expect(whole).not.toHaveProperty('pruned');
    const long = facts(error(8_193 - frame), { keepText: true });
    expect(long.pruned).toBe(true);
    expect(JSON.parse(long.text ?? '')).toEqual({
      success: false,
      error: { code: 'c', message: `${'m'.repeat(256)}…` },
    });
    expect(facts(error(70_000), { keepText: true, keepWhole: true })).not.toHaveProperty('pruned');
  });
});

const LONG = 'y'.repeat(300);

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
