/** Recorded traffic: what it breaks, what accuses nobody, and what is not judged. */

import { describe, expect, test } from 'vitest';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { addressOf, placeOf } from '../../../src/traffic/entry.ts';
import { BASE, ERROR, line, type Made, said, TOKEN, TRUNK } from './recording.ts';

const LENGTH = { 'content-type': 'application/json', 'content-length': '9' };
const HTML = { headers: { 'content-type': 'text/html' }, body: '<html>down</html>' } as const;
const CALL = { method: 'POST', path: '/v1/calls/', sent: { from: '+15550100', to: '+15550101' } } as const;
const named = (name: string): Made => ({
  path: TRUNK,
  body: { data: { id: 'x', name, status: 'up', direction: 'both' } },
});
const INBOUND: Made = { method: 'PUT', path: `/v1/carrier-connections/${TRUNK.slice(11)}/inbound-auth`, body: {} };
const REALM = { realm: 'sip.example.com' };
const weak = (secret: string): Made => ({ ...INBOUND, sent: { ...REALM, secret }, body: { ...REALM, secret } });
/** A word, digits, two characters, a short one, and one of which a part occurs by chance. */
const WEAK = ['sip.example.company', '1234567890123456', 'a1a1a1a1a1a1a1a1', 'q8Zr2Lk7', 'q8Zr2Lk7aaaaaaaa'];
const MASKED = '****************';
const GIVEN_UP = `${JSON.stringify({ request: { method: 'GET', url: `${BASE}${TRUNK}` }, response: null })}\n`;
const DOWN = { ...HTML, status: 502, path: TRUNK } as const;
const MOVED: Made = { base: 'http://api.example/pcs', status: 301, headers: { location: BASE }, body: null };
const TO_PORTAL: Made = { status: 302, path: TRUNK, headers: { location: 'https://login.example/' }, body: null };
const LEFT_OUT = line({ status: 404, path: TRUNK, body: undefined }).replace('"body":"[]"', '"x":1');
const times = (count: number, made: Made, between: Made = {}): readonly string[] =>
  Array.from({ length: count }, () => [line(made), line(between)]).flat();

describe('the place of a request', () => {
  test.each([
    ['GET', 'https://a.example/v1/trunks/', 'listTrunks', 'https://a.example'],
    ['GET', 'https://a.example/x/y/v1/trunks/?page=2', 'listTrunks', 'https://a.example/x/y'],
    ['GET', 'https://a.example/v1/proxy/v1/trunks/', 'listTrunks', 'https://a.example/v1/proxy'],
    ['GET', '/v1/numbers/available?country=US', 'searchAvailableNumbers', ''],
    ['POST', 'https://user:word@a.example/v1/calls/7/hangup', 'hangUpCall', 'https://a.example'],
  ])('%s %s', (method, url, operation, base) => {
    const place = placeOf(method, url);
    expect([place?.operation, addressOf(place?.address ?? 'none')]).toEqual([operation, base]);
  });

  test.each([
    ['OPTIONS', 'https://a.example/v1/trunks/'],
    ['DELETE', 'https://a.example/v1/trunks/7'],
    ['GET', 'https://a.example/v1/calls/'],
    ['GET', 'https://a.example/search?q=/v1/trunks/'],
  ])('is none for %s %s', (method, url) => {
    expect(placeOf(method, url)).toBeNull();
  });
});

describe('what an answer breaks by itself', () => {
  test.each<readonly [string, Made]>([
    ['CALL-CREATE-STATUS', { ...CALL, body: {} }],
    ['LIST-STATUS', { status: 202 }],
    ['NO-REDIRECT', { status: 302, headers: { location: '/v1/trunks' }, body: null }],
    ['NO-SERVER-ERROR', { status: 500, body: ERROR }],
    ['JSON-SYNTAX', { headers: LENGTH, body: '{"a": 1,}' }],
    ['JSON-LABEL', { headers: { 'content-type': 'text/plain' } }],
    ['ERROR-ENVELOPE', { status: 404, path: TRUNK, body: { message: 'no' } }],
    ['CALL-CREATE-409, ERROR-ENVELOPE', { ...CALL, status: 409, body: {} }],
    ['SUCCESS-NOT-ERROR', { body: { success: false } }],
    ['CREDENTIAL-WITHHELD', { body: { token: TOKEN } }],
    ['CREDENTIAL-WITHHELD', { headers: { 'content-type': 'application/json', 'x-echo': btoa(TOKEN) } }],
    ['METHOD-ALLOW', { status: 405, headers: { 'content-type': 'application/json', date: 'today' }, body: ERROR }],
    ['TRUNK-SHOWS-STATE', { path: TRUNK, body: { data: { name: 'a' } } }],
  ])('%s', async (due, made) => {
    const { broken, judged } = await said([line(), line(made)]);
    expect(broken.join(', ')).toBe(due);
    expect(judged.exchanges.map(({ tag }) => tag.about)).toEqual(['made.ndjson, line 2']);
  });

  test('a secret that was set is searched for in every later response', async () => {
    const secret = 'q8Zr2Lk7Vx4Nm1Pt';
    const { broken } = await said([line({ ...INBOUND, sent: { secret } }), line({ body: { note: btoa(secret) } })]);
    expect(broken).toEqual(['SECRET-WITHHELD']);
  });
});

describe('what accuses nobody', () => {
  test.each<readonly [string, readonly string[]]>([
    ['a preflight', [line({ method: 'OPTIONS', status: 204, headers: {}, body: null })]],
    ['a cached 304', [line({ status: 304, body: null })]],
    ['a request that the client gave up', [GIVEN_UP]],
    ['a redirect from http, where nothing else answers', [line(MOVED)]],
    ['a redirect to a portal', times(2, TO_PORTAL)],
    ['a page of a gateway, twice', times(2, DOWN)],
    ['an outage, however long', [line(), ...times(50, { ...HTML, status: 502 }, DOWN)]],
    ['a gateway that came back', [...times(5, { ...DOWN, status: 503 }), line(named('a'))]],
    ['a page at the other slash form', [line({ path: '/v1/trunks', ...HTML })]],
    ['another service with such a path', [line({ base: 'https://cdn.example', ...HTML })]],
    ['a body that the log left out', [LEFT_OUT]],
    ['an announced body that the log left empty', [line({ status: 404, path: TRUNK, headers: LENGTH, body: '' })]],
    [
      'a body that the log cut',
      [line({ status: 404, path: TRUNK, body: '' }).replace('"body"', '"truncated":true,"body"')],
    ],
    ['a list that the log has as a value', [line().replace('"body":"[]"', '"body":{"data":[{"id":1}]}')]],
    ['fields that the log left out', [line({ headers: null })]],
    ['a masked credential', [line({ with: { authorization: `Bearer ${MASKED}` }, body: { token: MASKED } })]],
    ...WEAK.map((secret): [string, string[]] => [`the weak secret ${secret}`, [line(weak(secret))]]),
    ['an error for an id that is none', [line({ path: '/v1/trunks/none', ...HTML, status: 404 })]],
    ['no credential where none was recorded', [line({ path: '/v1/numbers/', with: { accept: '*/*' } })]],
    ['a cookie instead of a credential', [line(), line({ with: { cookie: 'session=1' } })]],
    ['a credential whose value the log left out', [line({ with: { accept: '*/*', authorization: null } })]],
  ])('%s', async (_, lines) => {
    const { verdict, broken } = await said([line(), ...lines]);
    expect({ verdict, broken }).toEqual({ verdict: 'no breach', broken: [] });
  });
});

const ofCall = (to: string): Made => ({ ...CALL, sent: { from: '1', to }, ...HTML, status: 404 });

/** A page is neither JSON nor labelled so, and not the envelope. */
const OF_A_PAGE = ['JSON-SYNTAX', 'JSON-LABEL', 'ERROR-ENVELOPE'];

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['for the same request, each time', ['NO-SERVER-ERROR', ...OF_A_PAGE], times(3, DOWN)],
  ['for an operation, always', OF_A_PAGE, ['1', '2', '3'].flatMap((to) => times(1, ofCall(to)))],
])('a page persists %s', async (_, due, lines) => {
  expect((await said([line(), ...lines])).broken).toEqual(due);
});

describe('what a pair shows', () => {
  const none = { with: { accept: '*/*' } };

  test.each<readonly [string, readonly Made[]]>([
    ['before', [{}, none]],
    ['after', [none, {}]],
  ])('a request without a credential is accepted, and another one %s it has one', async (_, made) => {
    expect((await said(made.map(line))).broken).toEqual(['AUTH-CREDENTIAL-REQUIRED']);
  });

  test('a page in front of the service accepts nothing', async () => {
    expect((await said([line(), line({ ...none, ...HTML })])).broken).not.toContain('AUTH-CREDENTIAL-REQUIRED');
  });
});

describe('a secret that was never seen', () => {
  const verdictOf = async (id: string, lines: readonly string[]) =>
    (await said(lines)).judged.results.requirements.find((one) => one.id === id)?.verdict;

  test.each<readonly [string, Made, string]>([
    ['CREDENTIAL-WITHHELD', {}, 'pass'],
    ['CREDENTIAL-WITHHELD', { with: { accept: '*/*' } }, 'not-exercised'],
    ['CREDENTIAL-WITHHELD', { with: { authorization: 'Bearer ********' } }, 'not-exercised'],
    ['SECRET-WITHHELD', {}, 'not-exercised'],
    ['SECRET-WITHHELD', { ...INBOUND, sent: { secret: 'q8Zr2Lk7Vx4Nm1Pt' } }, 'pass'],
    ['SECRET-WITHHELD', { ...INBOUND, sent: { secret: 'a word' } }, 'not-exercised'],
  ])('is no evidence for %s: %j', async (id, made, due) => {
    expect(await verdictOf(id, [line(made)])).toBe(due);
  });
});

// A line to paste had named --base-url /api.
test.each([
  [{ baseUrl: 'https://API.example:443/api' }, 'https://api.example/api'],
  [{}, 'http://address.not.recorded.invalid/api'],
])('where the recording has the path alone, the target is the address that was given: %j', async (options, target) => {
  expect((await said([line({ base: '/api' })], options)).judged.results).toMatchObject({
    target,
    counts: { requests: 1 },
  });
});

describe('the word', () => {
  test('says how much of the interface was exercised', async () => {
    const lines = [line(), line({ ...CALL, status: 201, body: {} }), line({ method: 'OPTIONS' })];
    const { verdict, reason, traffic } = await said(lines);
    expect(verdict).toBe('no breach');
    // Of each request that had its credential the report had said that it was perhaps elsewhere.
    expect(traffic?.unknown).toEqual([]);
    expect(reason).toMatch(/^in 2 exchanges \(2 of \d+ operations, \d+ of \d+ requirements exercised\)$/);
    expect(reason).toContain(`of ${OPERATION_IDS.length} operations`);
  });

  test('is incomplete where nothing belongs to the interface', async () => {
    const { verdict, reason } = await said([line({ path: '/other' })]);
    expect([verdict, reason]).toEqual(['incomplete', 'no exchange of made.ndjson belongs to the interface']);
  });

  test('judges the address that was named, and no other', async () => {
    const lines = [line(), line({ base: 'https://b.example', body: '<html>' })];
    expect((await said(lines, { baseUrl: BASE })).verdict).toBe('no breach');
    expect((await said(lines, { baseUrl: 'https://c.example' })).reason).toBe(
      'no exchange of made.ndjson belongs to the interface below https://c.example (--base-url)',
    );
    const other = { baseUrl: 'https://b.example' };
    expect((await said([...lines, line({ base: 'https://b.example' })], other)).broken).toEqual(['JSON-SYNTAX']);
  });
});

describe('what is kept', () => {
  test('holds no credential, no number and nothing that a customer wrote', async () => {
    const texts = ['+1 555 010 0199', 'ann@example.org', TOKEN, 'Ann', '15550101'];
    const sent = { ...CALL.sent, variables: { name: 'Ann' } };
    const body = { message: texts.slice(0, 3).join(' ') };
    const lines = [line(), line({ ...CALL, sent, status: 400, body })];
    const { judged } = await said(lines);
    expect(judged.exchanges).toHaveLength(1);
    const kept = JSON.stringify(judged);
    expect(texts.filter((text) => kept.includes(text))).toEqual([]);
    expect(kept).toContain('⟦number⟧ ⟦address⟧ ⟦credential⟧');
  });
});
