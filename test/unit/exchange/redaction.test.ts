import { describe, expect, test } from 'vitest';
import { chance as seeded } from '../../../fixtures/gateways/drawn.ts';
import type { Secret } from '../../../src/exchange/redaction.ts';
import { isOrdinary, Redactor } from '../../../src/exchange/redaction.ts';
import { inLongAlone } from '../../sampled.ts';
import { ENCODINGS, randomText, readings, TOKEN_LETTERS } from './encodings.ts';

const TOKEN = 'pcs_live_org_Zk3-vQ9_aTyB7wXeLm20';
const INBOUND = 'q7/W+m&"x<é> %41y\\z=Qa';
const SECRETS: readonly Secret[] = [
  { kind: 'credential', label: 'credential', value: TOKEN },
  { kind: 'inbound-secret', label: 'inbound secret', value: INBOUND },
];

/** `true` where six letters in a row of the secret can still be read. */
function survives(secret: string, redacted: string): boolean {
  const texts = readings(redacted).map((text) => text.toLowerCase());
  const windows = Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6).toLowerCase());
  return windows.some((window) => texts.some((text) => text.includes(window)));
}

describe('every encoding of a secret is redacted', () => {
  test.each(Object.entries(ENCODINGS))('random secrets written as %s leave nothing readable', (_, encode) => {
    const random = seeded(11);
    for (let round = 0; round < 60; round++) {
      const part = randomText(random, 12 + (round % 30), TOKEN_LETTERS);
      const redactor = new Redactor([{ kind: 'credential', label: 'credential', value: `pcs_org_${part}` }]);
      const spoken = [part, `pcs_org_${part}`, `${part}x`, part.slice(0, -1), `user:pcs_org_${part}`][round % 5] ?? '';
      const before = randomText(random, round % 4, ' ?!');
      const { text, leaks } = redactor.redact(`{"m":"${before}${encode(spoken, random)} ${before}"}`);
      expect(survives(part, text), text).toBe(false);
      expect(leaks).toHaveLength(1);
      expect(() => JSON.parse(text), text).not.toThrow();
    }
  });

  test.each(Object.entries(ENCODINGS))('a secret of awkward characters written as %s is found', (name, encode) => {
    const written = encode(INBOUND, seeded(3));
    const { text, leaks } = new Redactor(SECRETS).redact(`before ${written} after`);
    // Of base64 within base64, letters with the last bits of one letter are left.
    expect(text).toMatch(/^before ⟦inbound secret[^⟧]*⟧(?:\w{0,3}=*|(?:%3D)*) after$/);
    expect(leaks.map(({ secret }) => secret)).toEqual(['inbound-secret']);
    if (name === 'raw') expect(leaks[0]?.encoding).toBe('raw');
  });

  test('base64 is found at each of the three alignments', () => {
    const random = seeded(5);
    for (const before of ['', 'a', 'ab', 'user:', 'someone:']) {
      for (const after of ['', 'z', 'zz', '\n']) {
        const written = Buffer.from(before + TOKEN + after).toString('base64');
        const { text } = new Redactor(SECRETS).redact(`Basic ${written}${randomText(random, 0, 'a')}`);
        expect(survives(TOKEN.slice('pcs_live_org_'.length), text), text).toBe(false);
        expect(text).toContain('⟦credential, base64⟧');
      }
    }
  });

  test('of base64 around a secret, only whole unrelated letters are left', () => {
    const secret = 'k7Gz0pQw3RtY5uI9';
    const redactor = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: secret }]);
    const left = (before: string): string => redactor.redact(Buffer.from(before + secret).toString('base64')).text;
    expect(left('')).toBe('⟦inbound secret, base64⟧==');
    expect(left('a')).toBe('Y⟦inbound secret, base64⟧=');
    expect(left('ab')).toBe('YW⟦inbound secret, base64⟧');
  });

  test('base64url, form encoding, characters of two units and a letter that grows in lower case are read', () => {
    const found = (value: string, written: string): string =>
      new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value }]).redact(written).text;
    const awkward = '???>>>???>>>';
    expect(found(awkward, Buffer.from(awkward).toString('base64url'))).toBe('⟦inbound secret, base64url⟧');
    expect(found('three plain words', 'secret=three+plain+words&a=1')).toBe('secret=⟦inbound secret⟧&a=1');
    expect(found('smile 😀 please', '<smile &#128512; please>')).toBe('<⟦inbound secret, HTML-escaped⟧>');
    expect(found('no character', '&#x110000; no character')).toBe('&#x110000; ⟦inbound secret⟧');
    expect(found('abcdefghijk', 'İİİ abcdefghijk İ')).toBe('İİİ ⟦inbound secret⟧ İ');
  });

  test('the encoding is named in the placeholder and in the leak', () => {
    const redactor = new Redactor(SECRETS);
    const named = (text: string): unknown => [redactor.redact(text).text, redactor.redact(text).leaks[0]?.encoding];
    expect(named(`is ${TOKEN}.`)).toEqual(['is ⟦credential⟧.', 'raw']);
    expect(named(encodeURIComponent(INBOUND))).toEqual(['⟦inbound secret, percent-encoded⟧', 'percent-encoded']);
    redactor.add({ kind: 'inbound-secret', label: 'inbound secret', value: '???>>>???>>>' });
    const base64 = encodeURIComponent(Buffer.from('???>>>???>>>').toString('base64'));
    expect(base64).toBe('Pz8%2FPj4%2BPz8%2FPj4%2B');
    expect(named(base64)).toEqual(['⟦inbound secret, percent-encoded base64⟧', 'percent-encoded base64']);
    redactor.add({ kind: 'inbound-secret', label: 'inbound secret', value: 'with "quotes" in it' });
    expect(named(JSON.stringify('with "quotes" in it'))).toEqual(['"⟦inbound secret, JSON-escaped⟧"', 'JSON-escaped']);
  });

  test('a credential is found whole, without its prefix, cut by one letter and with a suffix', () => {
    const { text, leaks } = new Redactor(SECRETS).redact(
      [TOKEN, TOKEN.slice('pcs_live_org_'.length), TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase()].join(' | '),
    );
    expect(text).toBe('⟦credential⟧ | ⟦credential⟧ | ⟦credential⟧ | ⟦credential⟧x | ⟦credential⟧');
    expect(leaks).toEqual([{ secret: 'credential', encoding: 'raw' }]);
  });

  test.each(Object.entries(ENCODINGS))(
    'any part of eight characters or more written as %s is redacted',
    (_, encode) => {
      const random = seeded(13);
      for (let round = 0; round < 60; round++) {
        const secret = randomText(random, 24 + (round % 30), TOKEN_LETTERS);
        const redactor = new Redactor([{ kind: 'credential', label: 'credential', value: `pcs_org_${secret}` }]);
        const from = Math.floor(random() * (secret.length - 12));
        const part = secret.slice(from, from + 8 + (round % 5));
        const around = randomText(random, round % 4, '?!.');
        const { text, leaks } = redactor.redact(`{"m":"${encode(`${around}${part}${around}`, random)}"}`);
        const texts = readings(text).map((reading) => reading.toLowerCase());
        expect(
          texts.some((reading) => reading.includes(part.toLowerCase())),
          text,
        ).toBe(false);
        expect(text).toMatch(/⟦credential, ([^⟧]*, )?in part⟧/);
        expect(leaks).toEqual([]);
      }
    },
  );

  test('every kind of secret is treated alike', () => {
    const value = 'Qm4-xR8_tVz2Lk9wPf3s';
    for (const kind of ['credential', 'inbound-secret', 'gateway-header', 'url-token'] as const) {
      const redactor = new Redactor([{ kind, label: 'it', value }]);
      for (const encode of Object.values(ENCODINGS)) {
        const { text, leaks } = redactor.redact(`"${encode(value, seeded(3))}"`);
        expect(text).toMatch(/^"⟦it[^⟧]*⟧(?:\w{0,3}=*|(?:%3D)*)"$/);
        expect(leaks.map(({ secret }) => secret)).toEqual([kind]);
      }
      expect(redactor.redact(`…${value.slice(0, 9)}…`).text).toBe('…⟦it, in part⟧…');
    }
  });

  test('if one secret contains the other, both are leaked', () => {
    const secrets = [
      { kind: 'gateway-header', label: 'header X-Login', value: `login ${TOKEN} now` },
      { kind: 'credential', label: 'credential', value: TOKEN },
    ] as const;
    for (const order of [secrets, [...secrets].reverse()]) {
      const { text, leaks } = new Redactor(order).redact(`<login ${TOKEN} now>`);
      expect(text).toBe('<⟦header X-Login⟧>');
      expect(new Set(leaks.map(({ secret }) => secret))).toEqual(new Set(['gateway-header', 'credential']));
    }
  });

  test('a secret that becomes known during the run is redacted from then on', () => {
    const redactor = new Redactor();
    expect(redactor.redact(TOKEN)).toEqual({ text: TOKEN, leaks: [] });
    for (const secret of SECRETS) redactor.add(secret);
    expect(redactor.redact(TOKEN).text).toBe('⟦credential⟧');
  });
});

describe('nothing else is redacted', () => {
  test('random texts of UUIDs, digits, base64 and hex', () => {
    const random = seeded(7);
    const redactor = new Redactor(SECRETS);
    for (let round = 0; round < 3_000; round++) {
      const alphabet = ['0123456789abcdef-', TOKEN_LETTERS, `${TOKEN_LETTERS}+/=`, '0123456789', '%41\\u0026&#x;'][
        round % 5
      ];
      const text = randomText(random, 200, alphabet ?? '');
      expect(redactor.redact(text)).toEqual({ text, leaks: [] });
    }
  });

  test('fewer than eight characters that the text and the secret share', () => {
    const secret = randomText(seeded(9), 40, '0123456789');
    const redactor = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: secret }]);
    const text = `{"n":"${secret.slice(0, 7)}","m":"${secret.slice(20, 27)}","k":"${secret.slice(-7)}"}`;
    expect(redactor.redact(text)).toEqual({ text, leaks: [] });
    expect(redactor.redact(`n ${secret.slice(20, 28)}`).text).toBe('n ⟦inbound secret, in part⟧');
  });

  test('the public prefix of a credential, in any encoding', () => {
    for (const value of [TOKEN, 'pcs_live_org_x', 'pcs_live_org_abc']) {
      const redactor = new Redactor([{ kind: 'credential', label: 'credential', value }]);
      for (const encode of Object.values(ENCODINGS)) {
        const text = `{"m":"${encode('pcs_live_org_', seeded(3))}","n":"pcs_live_org_#17"}`;
        expect(redactor.redact(text)).toEqual({ text, leaks: [] });
      }
      expect(redactor.redact(`<${value}>`).text).toBe('<⟦credential⟧>');
    }
  });

  test('a whole lower-case word, such as the name of a member, that is part of a secret', () => {
    const redactor = new Redactor([
      { kind: 'gateway-header', label: 'header Accept-Patch', value: 'application/json; v=2' },
      { kind: 'inbound-secret', label: 'inbound secret', value: 'my-carrier_provider-77abcdefghijk' },
    ]);
    const text = '{"voice_application":"application/problem","carrier_provider":1}';
    expect(redactor.redact(text)).toEqual({ text, leaks: [] });
    expect(redactor.redact('carrier_provider-7').text).toBe('⟦inbound secret, in part⟧');
    expect(redactor.redact('abcdefghij').text).toBe('⟦inbound secret, in part⟧');
  });

  test('a short secret is replaced only where it is a whole value, and is not reported as a leak', () => {
    const redactor = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: 'code' }]);
    const text = '{"code":"code","error":{"code":"bad code","message":"\\u0063ode"},"list":["code","co,de"]}';
    expect(redactor.redact(text)).toEqual({
      text: '{"code":"⟦inbound secret⟧","error":{"code":"bad code","message":"⟦inbound secret⟧"},"list":["⟦inbound secret⟧","co,de"]}',
      leaks: [],
    });
    // A wrong credential is made of the valid one without its last letter.
    const cut = new Redactor([{ kind: 'credential', label: 'credential', value: 'a_org_xy' }]);
    expect(['a_org_x', 'x', 'a_org_'].map((text) => cut.redact(text).text)).toEqual([
      '⟦credential⟧',
      '⟦credential⟧',
      'a_org_',
    ]);
    expect(redactor.redact('code').text).toBe('⟦inbound secret⟧');
  });

  test('the text between two strings, where a secret is one comma', () => {
    const redactor = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: ',' }]);
    expect(redactor.redact('["a","b",","]').text).toBe('["a","b","⟦inbound secret⟧"]');
  });
});

describe('a secret of ordinary words', () => {
  const redactor = new Redactor([
    { kind: 'inbound-secret', label: 'inbound secret', value: 'not_found', isOrdinary: isOrdinary('not_found') },
  ]);

  test('is masked in what is sent, and in no answer', () => {
    expect(redactor.redactSent('{"method":"m","secret":"not_found"}')).toBe(
      '{"method":"m","secret":"⟦inbound secret⟧"}',
    );
    expect(redactor.redactSent('not_found')).toBe('⟦inbound secret⟧');
    const text = '{"success":false,"error":{"code":"not_found","message":"trunk not_found"}}';
    expect(redactor.redact(text)).toEqual({ text, leaks: [] });
  });

  test.each(['application/json; charset=utf-8', 'resource not found', 'GET', 'Trunk', 'HTTP/1.1', 'pcs-conformance'])(
    '%s is one',
    (text) => expect(isOrdinary(text)).toBe(true),
  );

  test.each(['Wq5tUz81LmXo27Rb', 'changeme1', '47114711', 'aVeryLongWordInCamelCase', 'correcthorsebatterystaple'])(
    '%s is none',
    (text) => expect(isOrdinary(text)).toBe(false),
  );

  test('as a part of a secret it is masked where as much of the rest is not left', () => {
    const masked = (value: string, text: string): string =>
      new Redactor([{ kind: 'gateway-header', label: 'key', value }]).redact(text).text;
    expect(masked('application/json-9fK2xQ7Lm4Zt', 'application/json')).toBe('application/json');
    expect(masked('authentication-9fK2xQ7Lm4Zt', 'WWW-Authenticate')).toBe('WWW-Authenticate');
    expect(masked('application/json-9fK2', 'application/json')).toBe('⟦key, in part⟧');
    expect(masked('application/json-9fK2xQ7Lm4Zt', 'json-9fK2xQ')).toBe('⟦key, in part⟧');
  });
});

describe('what remains is intact', () => {
  test('no escape sequence is cut in two where a secret begins with the letter of one', () => {
    const redactor = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: 'nabcdefghijk' }]);
    const { text } = redactor.redact('{"m":"line\\nabcdefghijk","n":"\\\\nabcdefghijk"}');
    expect(JSON.parse(text)).toEqual({ m: 'line\n⟦inbound secret⟧', n: '\\⟦inbound secret⟧' });
  });

  test('JSON stays JSON where a number or more than a string is redacted', () => {
    const redactor = new Redactor([
      { kind: 'inbound-secret', label: 'inbound secret', value: '918273645546372819' },
      { kind: 'inbound-secret', label: 'other secret', value: 'x","y":["z8w7' },
    ]);
    const left = (text: string): unknown => JSON.parse(redactor.redact(text).text);
    expect(left('{"a": 918273645546372819 ,"b":[1,-9182736455e3]}')).toBe('⟦inbound secret⟧');
    expect(left('918273645546372819')).toBe('⟦inbound secret⟧');
    expect(left('{"a":"x","y":["z8w7"]}')).toBe('⟦other secret⟧');
  });

  test('a label cannot break the JSON around its placeholder', () => {
    const redactor = new Redactor([{ kind: 'inbound-secret', label: 'a "quoted\\" label\n', value: 'abcdefghijk' }]);
    expect(JSON.parse(redactor.redact('["abcdefghijk"]').text)).toEqual(['⟦a quoted label⟧']);
  });

  inLongAlone('megabytes that hold the secret once are the same megabytes around it', () => {
    const filler = '{"id":"550e8400-e29b-41d4-a716-446655440000","url":"https:\\/\\/a.invalid\\/%41&amp;"},'.repeat(
      90_000,
    );
    const { text, leaks } = new Redactor(SECRETS).redact(`[${filler}"${TOKEN}"]`);
    expect(text === `[${filler}"⟦credential⟧"]`).toBe(true);
    expect(leaks).toHaveLength(1);
  });
});

describe('a text full of secrets', () => {
  const redactor = new Redactor(SECRETS);
  const parts = (count: number, between: string): string =>
    Array.from({ length: count }, (_, at) => TOKEN.slice(13 + (at % 9), 21 + (at % 9))).join(between);

  test('stays JSON where they are items of a list', () => {
    const { text } = redactor.redact(`["${parts(300, '","')}"]`);
    expect(JSON.parse(text)).toHaveLength(300);
  });
});
