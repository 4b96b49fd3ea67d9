import { describe, expect, test } from 'vitest';
import { dialGuard, dialsNothing } from '../../../src/client/safety/guard.ts';
import { create, dialling, NO_IDS, NUMBERS } from './create-request.ts';
import { demandGuarded } from './guarded.ts';

const { from, to } = NUMBERS;
const digits = to.slice(1);

function ruleOf(body: string | Uint8Array | null): string | null {
  return dialGuard(create(body), { numbers: NUMBERS, ids: NO_IDS })?.rule ?? null;
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
    (name) => [`an unconfigured number under ${name}`, dialling(`,${name}:"911"}`)] as const,
  ),
  ['an unconfigured number under a name with invalid bytes', latin(dialling(',"t\xffo":"911"}'))],
  ['an unconfigured number under a name with other letters between', dialling(',"tжo":"911"}')],
  ['an unconfigured number under a name with a space inside', dialling(',"f rom":"911"}')],
  ['an unconfigured number under a name after another letter', dialling(',"callжto":"911"}')],
  ['a form field with other letters between', dialling(',"variables":{"a":"tжo=911"}}')],
  ['a form field whose reader ignores escapes', dialling(',"variables":{"a":"x\\to=911"}}')],
  ['a form field with an ordinal sign in Latin-1', latin(dialling(',"variables":{"a":"t\xba=911"}}'))],
  ['a comma in place of the value of to', `{"from":"${from}","to":,"a":1}`],
  ['an unconfigured from', dialling(',"FROM":"911"}')],
  ['an unconfigured number inside a map', dialling(',"variables":{"a":{"to":"911"}}}')],
  ['an unconfigured number after the value', dialling('}{"to":"911"}')],
  ['a member after the value', dialling('},"x":"911"}')],
  ['a bare to after the value', dialling('} to 911')],
  ['the text cut in to', `{"from":"${from}","to":"${to}`],
  ['the text cut before the value of to', `{"from":"${from}","to":`],
  ['the text cut in a list of to, after an empty list', `{"from":"${from}","to":["911",[]`],
  ['the configured number in an object without a name', `{"from":"${from}","to":{"${to}"}}`],
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
  test.each(NEEDED)('%s is sent', (_what, body) => {
    expect(ruleOf(body)).toBeNull();
  });

  test.each(DANGEROUS)('%s is blocked', (_what, body) => {
    expect(ruleOf(body)).not.toBeNull();
  });

  test('a JSON number is sent only if it keeps every digit', () => {
    const zero = { from, to: '0049123' };
    const long = { from, to: '+1234567890123456' };
    expect(dialGuard(create('{"to":49123}'), { numbers: zero, ids: NO_IDS })?.rule).toBe('create-to');
    expect(dialGuard(create('{"to":1234567890123456}'), { numbers: long, ids: NO_IDS })?.rule).toBe('create-to');
    expect(dialGuard(create('{"to":123456789012345}'), { numbers: long, ids: NO_IDS })?.rule).toBe('create-to');
    expect(dialGuard(create('{"to":1500}'), { numbers: { from, to: '+1500' }, ids: NO_IDS })).toBeNull();
  });

  test('without configured numbers only bodies without from and to are sent', () => {
    const rule = (body: string | null) => dialGuard(create(body), { numbers: null, ids: NO_IDS })?.rule;
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

  test('the reason quotes nothing of the body', () => {
    const blocked = dialGuard(create('{"to":"+1911"}'), { numbers: NUMBERS, ids: NO_IDS });
    expect(blocked?.sentence).toBe('Every "to" member of a create-call body must hold the configured number or none.');
  });
});

describe('a number that is not E.164', () => {
  const SIP = { from: '112', to: 'sip:test@example.com:5060;transport=tls' };
  const judged = (value: string, name = 'to', type = 'application/json'): string | null =>
    dialGuard(create(`{"from":"112","${name}":${value}}`, [['Content-Type', type]]), { numbers: SIP, ids: NO_IDS })
      ?.rule ?? null;

  test.each([`"${SIP.to}"`, `["${SIP.to}"]`, 'null', 'true', 'false', '[]', '{}'])('may be dialled as %s', (value) => {
    expect(judged(value)).toBe(null);
  });

  test.each([
    '"sip:test@example.com:5060"',
    '"SIP:test@example.com:5060;transport=tls"',
    '"sips:test@example.com:5060;transport=tls"',
    `" ${SIP.to}"`,
    `["${SIP.to}","${SIP.to}"]`,
    `{"uri":"${SIP.to}"}`,
    '5060',
    '"112"',
    '112',
  ])('may not be dialled as %s', (value) => {
    expect(judged(value)).toBe('create-to');
  });

  test('may be dialled as its digits if it has nothing but digits', () => {
    expect(judged('112', 'from')).toBe(null);
    expect(judged('0112', 'from')).not.toBe(null);
    expect(dialGuard(create('{"from":112}'), { numbers: { ...SIP, from: '112@example.com' }, ids: NO_IDS })?.rule).toBe(
      'create-from',
    );
    expect(dialGuard(create('{"from":800}'), { numbers: { ...SIP, from: '0800' }, ids: NO_IDS })?.rule).toBe(
      'create-from',
    );
  });

  test('may contain an equals sign in a body of any type, and no other member may', () => {
    expect(judged(`"${SIP.to}"`, 'to', 'text/plain')).toBe(null);
    expect(judged(`"${SIP.to}","variables":{"a":"b=c"}`, 'to', 'text/plain')).toBe('create-headers');
  });
});

/** A million of them are tried with the long tests. */
const BODIES = 2_000;
const SEED = 20_260_101;

test('no reader finds another number in a body that the guard lets pass', () => {
  demandGuarded(BODIES, SEED);
});

test('the same holds for a SIP URI and its digits', () => {
  const numbers = { from: 'sip:suite@example.com', to: 'sip:15005550010@example.com:5060;transport=tls' };
  demandGuarded(BODIES / 4, SEED, numbers);
});

const judged = (body: string): boolean => dialsNothing(Buffer.from(body));
const CALLER = '"from":"+15005550006"';

describe('a body dials nothing', () => {
  test('without bytes', () => {
    expect([dialsNothing(null), judged('')]).toEqual([true, true]);
  });

  test.each(['null', 'true', 'false', '[]', '[ \t]', '{}', '{ }'])('with %s in place of a number', (value) => {
    expect(judged(`{${CALLER},"to":${value}}`)).toBe(true);
  });

  test.each(['a word', 'plus +1 behind a word', 'sip and tel', '12', 'x (500) 555', '555 and a word', '--'])(
    'with "%s" in another member',
    (text) => {
      expect(judged(`{${CALLER},"dtmf_mode":"${text}"}`)).toBe(true);
    },
  );

  test('with numbers of the caller alone, wherever they stand', () => {
    expect(judged(`{"privacy":true,${CALLER},"dtmf_mode":"a word"}`)).toBe(true);
    expect(judged('{"from":["+15005550006","+15005550007"],"FROM":"5005550006"}')).toBe(true);
  });
});

describe('a body may dial', () => {
  test.each(['"+15005550010"', '15005550010', '"a word"', '""', '["+15005550010"]', '[[]]', '{"a":{}}', '[null]'])(
    'with %s for to',
    (value) => {
      expect(judged(`{${CALLER},"to":${value}}`)).toBe(false);
      expect(judged(`{"to":${value},${CALLER}}`)).toBe(false);
      expect(judged(`{"to":null,"TO":${value}}`)).toBe(false);
    },
  );

  test.each([
    ...['+1', ' +15005550010', 'sip:a@b.example', 'SIPS:a', '  tel:5', '911', '(500) 555-0010', ' .-(911', '500 555'],
    ...['5()'],
  ])('with "%s" in another member', (text) => {
    expect(judged(`{${CALLER},"dtmf_mode":"${text}"}`)).toBe(false);
    expect(judged(`{"dtmf_mode":"${text}",${CALLER}}`)).toBe(false);
    expect(judged(`{"dtmf_mode":"a word","variables":{"a":["${text}"]}}`)).toBe(false);
  });

  test('where a reader may find another member, or nothing is certain', () => {
    expect(judged(`{${CALLER},"variables":{"a":"b","c":"{\\"to\\":\\"x\\"}"}}`)).toBe(false);
    expect(judged(`{${CALLER},"variables":{"a":"&to=x&"}}`)).toBe(false);
    expect(judged('{"codecs":["to","=x"]}')).toBe(false);
    expect(judged('{"a" "b"}')).toBe(false);
  });
});
