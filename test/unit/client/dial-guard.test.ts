import { describe, expect, test } from 'vitest';
import { dialGuard } from '../../../src/client/dial-guard.ts';
import type { Header } from '../../../src/http/message.ts';
import { APPLICATION, create, dialling, JSON_HEADERS, NUMBERS } from './create-request.ts';

const { from, to } = NUMBERS;
const digits = to.slice(1);

function ruleOf(body: string | Uint8Array | null, headers?: readonly Header[]): string | null {
  return dialGuard(create(body, headers), NUMBERS, [APPLICATION])?.rule ?? null;
}

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

const NEEDED: readonly (readonly [string, string | Uint8Array | null])[] = [
  ['no body', null],
  ['an empty body', ''],
  ['white space', ' \r\n\t'],
  ['both numbers', dialling('}')],
  ['no from', `{"to":"${to}"}`],
  ['no to', `{"from":"${from}"}`],
  ...['null', 'true', 'false', '[]', '{}', '[ ]', digits, `["${to}"]`, `[ "${to}" ]`].map(
    (value) => [`to as ${value}`, `{"from":"${from}","to":${value}}`] as const,
  ),
  ['the text cut after the numbers', dialling()],
  ['the text cut after a comma', dialling(',')],
  ['the text cut in another name', dialling(',"dtm')],
  ['the text cut in another string', dialling(',"dtmf_mode":"rfc')],
  ['the text cut in an escape', dialling(',"dtmf_mode":"a\\u00')],
  ['the text cut in a literal', dialling(',"privacy":tr')],
  ['the text cut in a number', dialling(',"privacy":1.')],
  ['the text cut in a map', dialling(',"variables":{"a":"b"')],
  ['bytes after the value', dialling('} trailing')],
  ['a second value', dialling('}{"a":1}')],
  ['a brace too many', dialling('}}')],
  ['a comma too many', dialling(',}')],
  ['a byte order mark', latin(`\xef\xbb\xbf${dialling('}')}`)],
  ['invalid UTF-8 in another string', latin(dialling(',"dtmf_mode":"a\xffb"}'))],
  ['duplicates of other members', dialling(',"privacy":true,"privacy":false}')],
  ['equal duplicates of to', dialling(`,"to":"${to}"}`)],
  ['nesting of 400', dialling(`,"variables":${'['.repeat(400)}${']'.repeat(400)}}`)],
  ['a string of 5,000 characters', dialling(`,"variables":{"a":"${'x'.repeat(5000)}"}}`)],
  ['a bare name', dialling(',privacy:true}')],
  ['a name in single quotes', dialling(",'privacy':true}")],
  ['a comment of letters', dialling('/* a comment */}')],
  ['NaN', dialling(',"privacy":NaN}')],
  ['a huge number', dialling(',"privacy":1e400}')],
  ['U+0000 and astral characters', dialling(',"variables":{"\\u0000k":"\\ud83d\\ude00😀\\n"}}')],
  ['__proto__', dialling(',"__proto__":{"a":"b"},"constructor":"c"}')],
  ...['[]', '"x"', '1', 'true', 'null', 'not json'].map((text) => [`${text} at the top`, text] as const),
];

const DANGEROUS: readonly (readonly [string, string | Uint8Array])[] = [
  ...['"911"', '911', '["911"]', `["${to}","${to}"]`, '{"a":1}', `"${from}"`, `"${to} "`, `"\\u002b${digits}"`].map(
    (value) => [`to as ${value}`, `{"from":"${from}","to":${value}}`] as const,
  ),
  ...[`${digits}.0`, `${digits}e0`, `-${digits}`, to, '""', '"', 'True', 'undefined', `'${to}'`, `[["${to}"]]`].map(
    (value) => [`to as ${value}`, `{"from":"${from}","to":${value}}`] as const,
  ),
  ...['"TO"', '"t\\u006f"', '"ｔｏ"', '" to "', '"to\\u0000"', '"t\\u200bo"', '"to[]"', '"call.to"', 'to', "'to'"].map(
    (name) => [`a foreign number under ${name}`, dialling(`,${name}:"911"}`)] as const,
  ),
  ['a foreign number under a name with invalid bytes', latin(dialling(',"t\xffo":"911"}'))],
  ['a foreign number under a name with other letters between', dialling(',"tжo":"911"}')],
  ['a foreign from', dialling(',"FROM":"911"}')],
  ['a foreign number inside a map', dialling(',"variables":{"a":{"to":"911"}}}')],
  ['a foreign number after the value', dialling('}{"to":"911"}')],
  ['a member after the value', dialling('},"x":"911"}')],
  ['a bare to after the value', dialling('} to 911')],
  ['the text cut in to', `{"from":"${from}","to":"${to}`],
  ['the text cut before the value of to', `{"from":"${from}","to":`],
  ['the text cut in a list of to', `{"from":"${from}","to":["${to}"`],
  ['the text cut in the name to', `{"from":"${from}","to`],
  ['JSON in a string', dialling(',"variables":{"a":"{\\"to\\":\\"911\\"}"}}')],
  ['escaped JSON in a string', dialling(',"variables":{"a":"{\\"\\\\u0074o\\":\\"911\\"}"}}')],
  ['a form field in a string', dialling(',"variables":{"a":"&to=911&"}}')],
  ['an encoded form field in a string', dialling(',"variables":{"a":"&%74%6F=911&"}}')],
  ['a form', 'from=%2B1&to=911'],
  ['a form whose name is in full-width letters', '%EF%BD%94%EF%BD%8F=911'],
  ['a comment with a member', dialling('/*,"to":"911"*/}')],
  ['a line comment with a member', dialling('//,"to":"911"\n}')],
  ['a comment sign of another language', dialling('#\n}')],
  ['a raw line break in a string', dialling(',"a":"b\nc"}')],
  ['an escape that JSON does not know', dialling(',"a":"\\x74"}')],
  ['a zero byte', latin(dialling('}\0'))],
  ['UTF-16', Buffer.from(dialling('}'), 'utf16le')],
  ['an overlong quotation mark', latin(dialling(',"a":"\xc0\xa2"}'))],
  ['a leading byte before a quotation mark', latin(dialling(',"a":"\xc3"}'))],
  ['two strings side by side', dialling(' "911"}')],
  ['a missing comma', dialling(' "a":1}')],
  ['two byte order marks', `\ufeff\ufeff${dialling('}')}`],
];

describe('dial guard, body', () => {
  test.each(NEEDED)('%s leaves', (_what, body) => {
    expect(ruleOf(body)).toBeNull();
  });

  test.each(DANGEROUS)('%s stays', (_what, body) => {
    expect(ruleOf(body)).not.toBeNull();
  });

  test('a JSON number stands for a number only where it keeps every digit', () => {
    const zero = { from, to: '0049123' };
    const long = { from, to: '+1234567890123456' };
    expect(dialGuard(create('{"to":49123}'), zero, [])?.rule).toBe('create-to');
    expect(dialGuard(create('{"to":1234567890123456}'), long, [])?.rule).toBe('create-to');
    expect(dialGuard(create('{"to":1500}'), { from, to: '+1500' }, [])).toBeNull();
  });

  test('without configured numbers only bodies without from and to leave', () => {
    const rule = (body: string | null) => dialGuard(create(body), null, [])?.rule;
    expect([rule(null), rule(''), rule('{}'), rule('{"privacy":true}')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([rule('{"to":null}'), rule(`{"from":"${from}"}`), rule(dialling('}'))]).toEqual([
      'create-to',
      'create-from',
      'create-from',
    ]);
  });

  test('a refusal quotes nothing of the body', () => {
    const refusal = dialGuard(create('{"to":"+1911"}'), NUMBERS, []);
    expect(refusal?.sentence).toBe(
      'Every member called "to" of a create-call body is the configured number or no number.',
    );
  });
});

describe('dial guard, ids', () => {
  const undashed = APPLICATION.replaceAll('-', '');
  const MADE_UP = '0b5c1d2e-3f4a-4b6c-8d7e-9f0a1b2c3d4e';
  const bare = MADE_UP.replaceAll('-', '');

  test.each([APPLICATION, APPLICATION.toUpperCase(), undashed, `{${APPLICATION}}`, `urn:uuid:${APPLICATION}`])(
    'the configured id leaves as %s',
    (id) => {
      expect(ruleOf(dialling(`,"application_id":"${id}","TRUNK_ID":"${id}"}`))).toBeNull();
    },
  );

  test.each(['null', '1', 'true', '[]', '"not-a-uuid"', `"${MADE_UP.replace('b', 'g')}"`, '""'])(
    'an id of %s leaves',
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
  test.each([...SPELLINGS, '1-2-3-4-5', `${MADE_UP}x`, bare.replace(/(.{4})/g, '$1-')])(
    'a made-up id stays as %s',
    (id) => {
      expect(ruleOf(dialling(`,"trunk_id":"${id}"}`))).toBe('create-id');
    },
  );

  test.each(['"Application_Id"', '"applicationId"', '"trunk\\u005fid"', '"call.trunk_id"'])(
    'a made-up id stays under %s',
    (name) => {
      expect(ruleOf(dialling(`,${name}:"${MADE_UP}"}`))).toBe('create-id');
    },
  );

  test('a made-up id stays in a list, in a map, as a number and in a string that is cut', () => {
    for (const value of [`["${MADE_UP}"]`, `{"id":"${MADE_UP}"}`, '12345678901234567890123456789012']) {
      expect(ruleOf(dialling(`,"trunk_id":${value}}`))).toBe('create-id');
    }
    expect(ruleOf(dialling(`,"trunk_id":"${MADE_UP}`))).toBe('create-id');
  });

  test('a UUID under another name leaves', () => {
    expect(ruleOf(dialling(`,"variables":{"order":"${MADE_UP}"}}`))).toBeNull();
  });
});

describe('dial guard, headers', () => {
  const typed = (value: string): readonly Header[] => [['content-type', value]];

  test.each([
    'Application/JSON; Charset=UTF-8',
    'application/json;charset="utf-8"',
    'text/plain',
    'application/vnd.api+json',
  ])('a body labelled %s leaves', (type) => {
    expect(ruleOf(dialling('}'), typed(type))).toBeNull();
  });

  const UTF_16 = [
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-7',
    'text/plain;charset',
  ];
  test.each([...UTF_16, 'application/yaml', 'application/cbor'])('a body labelled %s stays', (type) => {
    expect(ruleOf(dialling('}'), typed(type))).toBe('create-headers');
  });

  test('an equals sign needs the label of JSON', () => {
    const body = dialling(',"variables":{"a":"b=c"}}');
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ];
    expect(types.map((type) => ruleOf(body, typed(type)))).toEqual([null, ...Array(3).fill('create-headers')]);
    expect(ruleOf(body, [])).toBe('create-headers');
  });

  test.each([
    ['Content-Encoding', 'identity'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '3'],
    ['content_type', 'application/json'],
    ['X-HTTP-Method-Override', 'POST'],
  ] as const)('a create call with %s: %s stays', (name, value) => {
    expect(ruleOf(dialling('}'), [...JSON_HEADERS, [name, value]])).not.toBeNull();
  });

  test.each(['X-HTTP-Method-Override', 'x_http_method', 'X-Original-URL', 'X-Rewrite-Url'])(
    'no request carries %s',
    (name) => {
      const request = { method: 'GET', path: '/v1/trunks/', headers: [[name, 'POST'] as const], body: null };
      expect(dialGuard(request, NUMBERS, [])?.rule).toBe('override-header');
    },
  );
});

describe('dial guard, path', () => {
  const foreign = Buffer.from('{"to":"911"}');
  const judge = (path: string, method = 'POST') =>
    dialGuard({ method, path, headers: JSON_HEADERS, body: foreign }, NUMBERS, [])?.rule ?? null;

  test.each(['/v1/calls', '/v1/calls/'])('the body of %s is judged under any method', (path) => {
    expect([judge(path), judge(path, 'GET'), judge(path, 'post')]).toEqual(['create-to', 'create-to', 'create-to']);
  });

  test.each([
    ...['/v1/calls?', '/v1/calls/?a=b', '/v1/calls#', '/v1/Calls/', '/v1//calls', '//v1/calls/', '/v1/calls//'],
    ...[
      '/v1/%63alls',
      '/v1/%2563alls',
      '/v1%2Fcalls',
      '/v1/calls%2F',
      '/v1/calls%3Fa',
      '/v1/calls;a=b',
      '/v1/calls.json',
    ],
    ...['/v1/./calls', '/v1/trunks/../calls', '/v1/trunks/%2e%2e/calls', '/v1\\calls', '/v1/calls/.', '/v1/calls/x/..'],
    ...['http://target/v1/calls', '/v1/calls%00', '/v1/calls%20', '/v1/%c0%afcalls', '/v1/ｃalls', '/v1/calls/%2e'],
  ])('%s is no way to place a call', (path) => {
    expect(judge(path)).toBe('create-path');
  });

  test.each(['/v1/calls/abc/hangup', '/v1/trunks/abc', '/v1/numbers/available?like=/v1/calls/', '/v1/callsigns'])(
    '%s is another matter',
    (path) => {
      expect(judge(path)).toBeNull();
    },
  );
});
