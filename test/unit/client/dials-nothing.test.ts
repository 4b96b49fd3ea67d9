/** Which create-call bodies can ring nobody: calls with these may begin side by side, and count as none. */

import { describe, expect, test } from 'vitest';
import { dialsNothing } from '../../../src/client/safety/guard.ts';

const judged = (body: string): boolean => dialsNothing(Buffer.from(body));
const from = '"from":"+15005550006"';

describe('a body dials nothing', () => {
  test('without bytes', () => {
    expect([dialsNothing(null), judged('')]).toEqual([true, true]);
  });

  test.each(['null', 'true', 'false', '[]', '[ \t]', '{}', '{ }'])('with %s in place of a number', (value) => {
    expect(judged(`{${from},"to":${value}}`)).toBe(true);
  });

  test.each(['a word', 'plus +1 behind a word', 'sip and tel', '12', 'x (500) 555', '555 and a word', '--'])(
    'with "%s" in another member',
    (text) => {
      expect(judged(`{${from},"dtmf_mode":"${text}"}`)).toBe(true);
    },
  );

  test('with numbers of the caller alone, wherever they stand', () => {
    expect(judged(`{"privacy":true,${from},"dtmf_mode":"a word"}`)).toBe(true);
    expect(judged('{"from":["+15005550006","+15005550007"],"FROM":"5005550006"}')).toBe(true);
  });
});

describe('a body may dial', () => {
  test.each(['"+15005550010"', '15005550010', '"a word"', '""', '["+15005550010"]', '[[]]', '{"a":{}}', '[null]'])(
    'with %s for to',
    (value) => {
      expect(judged(`{${from},"to":${value}}`)).toBe(false);
      expect(judged(`{"to":${value},${from}}`)).toBe(false);
      expect(judged(`{"to":null,"TO":${value}}`)).toBe(false);
    },
  );

  test.each([
    ...['+1', ' +15005550010', 'sip:a@b.example', 'SIPS:a', '  tel:5', '911', '(500) 555-0010', ' .-(911', '500 555'],
    ...['5()'],
  ])('with "%s" in another member', (text) => {
    expect(judged(`{${from},"dtmf_mode":"${text}"}`)).toBe(false);
    expect(judged(`{"dtmf_mode":"${text}",${from}}`)).toBe(false);
    expect(judged(`{"dtmf_mode":"a word","variables":{"a":["${text}"]}}`)).toBe(false);
  });

  test('where a reader may find another member, or nothing is certain', () => {
    expect(judged(`{${from},"variables":{"a":"b","c":"{\\"to\\":\\"x\\"}"}}`)).toBe(false);
    expect(judged(`{${from},"variables":{"a":"&to=x&"}}`)).toBe(false);
    expect(judged('{"codecs":["to","=x"]}')).toBe(false);
    expect(judged('{"a" "b"}')).toBe(false);
  });
});
