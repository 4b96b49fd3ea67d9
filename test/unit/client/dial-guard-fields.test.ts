import { describe, expect, test } from 'vitest';
import { dialGuard } from '../../../src/client/safety/guard.ts';
import type { Header } from '../../../src/exchange/message.ts';
import { APPLICATION, create, dialling, JSON_HEADERS, NO_IDS, NUMBERS, TRUNK_OF_CALLS } from './create-request.ts';

function ruleOf(body: string, headers?: readonly Header[]): string | null {
  return (
    dialGuard(create(body, headers), { numbers: NUMBERS, ids: { application: [APPLICATION], trunk: [TRUNK_OF_CALLS] } })
      ?.rule ?? null
  );
}

describe('dial guard, ids', () => {
  const undashed = APPLICATION.replaceAll('-', '');
  const MADE_UP = '0b5c1d2e-3f4a-4b6c-8d7e-9f0a1b2c3d4e';
  const bare = MADE_UP.replaceAll('-', '');

  test.each([APPLICATION, APPLICATION.toUpperCase(), undashed, `{${APPLICATION}}`, `urn:uuid:${APPLICATION}`])(
    'the configured id is sent as %s',
    (id) => {
      expect(ruleOf(dialling(`,"APPLICATION_ID":"${id}","trunkId":"${TRUNK_OF_CALLS}"}`))).toBeNull();
      expect(ruleOf(dialling(`,"trunk_id":"${id}"}`))).toBe('create-id');
    },
  );

  test('the id of a trunk is not sent as that of an application: a deployed service dials, then answers 500', () => {
    expect(ruleOf(dialling(`,"application_id":"${TRUNK_OF_CALLS}"}`))).toBe('create-id');
    expect(ruleOf(dialling(`,"application_id":null,"trunk_id":"${TRUNK_OF_CALLS}"}`))).toBeNull();
  });

  test.each(['null', '1', 'true', '[]', '"not-a-uuid"', `"${MADE_UP.replace('b', 'g')}"`, '""'])(
    'an id of %s is sent',
    (value) => {
      expect(ruleOf(dialling(`,"trunk_id":${value}}`))).toBeNull();
    },
  );

  const SPELLINGS = [
    MADE_UP,
    MADE_UP.toUpperCase(),
    bare,
    `{${MADE_UP}}`,
    `(${bare})`,
    `URN:UUID:${MADE_UP}`,
    ` ${MADE_UP}`,
  ];
  test.each([...SPELLINGS, '1-2-3-4-5', 'urn:uuid:1-2-3-4-5', `${MADE_UP}x`, bare.replace(/(.{4})/g, '$1-')])(
    'a made-up id is blocked as %s',
    (id) => {
      expect(ruleOf(dialling(`,"trunk_id":"${id}"}`))).toBe('create-id');
    },
  );

  test.each(['"Application_Id"', '"applicationId"', '"trunk\\u005fid"', '"call.trunk_id"'])(
    'a made-up id is blocked under %s',
    (name) => {
      expect(ruleOf(dialling(`,${name}:"${MADE_UP}"}`))).toBe('create-id');
    },
  );

  test('a made-up id is blocked in a list, in a map, as a number and in a string that is cut', () => {
    for (const value of [`["${MADE_UP}"]`, `{"id":"${MADE_UP}","b":1}`, '12345678901234567890123456789012']) {
      expect(ruleOf(dialling(`,"trunk_id":${value}}`))).toBe('create-id');
    }
    expect(ruleOf(dialling(`,"trunk_id":"${MADE_UP}`))).toBe('create-id');
  });

  test('a UUID under another name is sent, before and after a configured id', () => {
    expect(ruleOf(dialling(`,"variables":{"order":"${MADE_UP}"}}`))).toBeNull();
    expect(ruleOf(dialling(`,"variables":{"order":"${MADE_UP}"},"application_id":"${APPLICATION}"}`))).toBeNull();
    expect(ruleOf(dialling(`,"application_id":"${APPLICATION}","variables":{"order":"${MADE_UP}"}}`))).toBeNull();
  });
});

describe('dial guard, headers', () => {
  const typed = (value: string): readonly Header[] => [['content-type', value]];

  test.each([
    ...['Application/JSON; Charset=UTF-8', 'application/json;charset="utf-8"'],
    ...['application/json; charset=utf8 ; a=b', 'application/json ;charset="UTF8"', 'text/plain'],
    ...['application/vnd.api+json'],
  ])('a body labelled %s is sent', (type) => {
    expect(ruleOf(dialling('}'), typed(type))).toBeNull();
  });

  const UTF_16 = [
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-7',
    'text/plain;charset',
    'application/json; charset=utf-8x',
    'application/json; charset="utf8"x',
  ];
  /** A part of the label is not the label. */
  const PARTS = [
    ...['x-application/json', 'application/jsonx', 'xtext/xml', 'text/json/x', 'x-text/plain', 'text/plainer'],
    ...['x-application/octet-stream', 'application/octet-streams', 'xmultipart/form-data', 'multipart/form-data-x'],
  ];
  test.each([...UTF_16, ...PARTS, 'application/yaml', 'application/cbor'])('a body labelled %s is blocked', (type) => {
    expect(ruleOf(dialling('}'), typed(type))).toBe('create-headers');
  });

  test('an equals sign needs the label of JSON', () => {
    const body = dialling(',"variables":{"a":"b=c"}}');
    const types = [
      'application/json',
      'application/problem+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ];
    expect(types.map((type) => ruleOf(body, typed(type)))).toEqual([null, null, ...Array(3).fill('create-headers')]);
    expect(ruleOf(body, [])).toBe('create-headers');
  });

  test('a create call with the right length is sent', () => {
    const body = dialling('}');
    expect(ruleOf(body, [...JSON_HEADERS, ['Content-Length', `${body.length}`]])).toBeNull();
  });

  test('a list is sent with the configured numbers in their order alone', () => {
    const { from, to } = NUMBERS;
    const rules = [[from, to], [to, from], ['+15005550099'], [{ from, to }]].map((one) => ruleOf(JSON.stringify(one)));
    expect(rules).toEqual([null, 'create-list', 'create-list', null]);
  });

  // A run with such a caller had ended with exit 4, after it had placed calls.
  test('a list of both configured texts passes where the caller is not a number, and a list of one of them does not', () => {
    const [from, { to }] = ['alice@pbx', NUMBERS];
    const ruleWith = (one: unknown) =>
      dialGuard(create(JSON.stringify(one)), { numbers: { from, to }, ids: NO_IDS })?.rule ?? null;
    expect([[from, to], [to, from], [to], [from, '911']].map(ruleWith)).toEqual([
      null,
      ...Array(3).fill('create-list'),
    ]);
  });

  test.each([
    ['Content-Encoding', 'identity'],
    [' Content-Encoding ', 'identity'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '3'],
    ['content_type', 'application/json'],
    ['X-HTTP-Method-Override', 'POST'],
  ] as const)('a create call with %s: %s is blocked', (name, value) => {
    expect(ruleOf(dialling('}'), [...JSON_HEADERS, [name, value]])).not.toBeNull();
  });

  test.each(['X-HTTP-Method-Override', 'x_http_method', 'X-Original-URL', 'X-Rewrite-Url'])(
    'every request with %s is blocked',
    (name) => {
      const request = { method: 'GET', path: '/v1/trunks/', headers: [[name, 'POST'] as const], body: null };
      expect(dialGuard(request, { numbers: NUMBERS, ids: NO_IDS })?.rule).toBe('override-header');
    },
  );
});

describe('dial guard, path', () => {
  const foreign = Buffer.from('{"to":"911"}');
  const judge = (path: string, method = 'POST') =>
    dialGuard({ method, path, headers: JSON_HEADERS, body: foreign }, { numbers: NUMBERS, ids: NO_IDS })?.rule ?? null;

  test.each(['/v1/calls', '/v1/calls/'])('the body of %s is judged under any method', (path) => {
    expect([judge(path), judge(path, 'GET'), judge(path, 'post')]).toEqual(['create-to', 'create-to', 'create-to']);
  });

  test.each([
    ...['/v1/calls?', '/v1/calls/?a=b', '/v1/calls#', '/v1/Calls/', '/v1//calls', '//v1/calls/', '/v1/calls//'],
    ...['/v1/%63alls', '/v1/%2563alls', '/v1%2Fcalls', '/v1/calls%2F', '/v1/calls%3Fa', '/v1/calls;a=b'],
    ...['/v1/calls.json'],
    ...['/v1/./calls', '/v1/trunks/../calls', '/v1/trunks/%2e%2e/calls', '/v1\\calls', '/v1/calls/.', '/v1/calls/x/..'],
    ...['http://target/v1/calls', '/v1/calls%00', '/v1/calls%20', '/v1/%c0%afcalls', '/v1/ｃalls', '/v1/calls/%2e'],
  ])('create call is not sent to %s', (path) => {
    expect(judge(path)).toBe('create-path');
  });

  test.each(['/v1/calls/abc/hangup', '/v1/trunks/abc', '/v1/numbers/available?like=/v1/calls/', '/v1/callsigns'])(
    '%s is not judged as create call',
    (path) => {
      expect(judge(path)).toBeNull();
    },
  );
});
