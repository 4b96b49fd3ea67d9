/** Whether a long error is the envelope is judged by its members, wherever they stand. */

import { describe, expect, test } from 'vitest';
import { bodyFacts } from '../../../src/exchange/facts.ts';
import { opinionOn } from '../rules/exchanges.ts';

function opinionOf(text: string) {
  const options = { keepText: true, redact: (all: string) => all, digest: () => 'd', watch: new Map() };
  const said = { status: 400, tag: { control: false }, body: bodyFacts(Buffer.from(text), options) };
  return opinionOn('ERROR-ENVELOPE', [said], 0);
}

const ENVELOPE = '"success":false,"error":{"code":"no","message":"No."}';
const deep = `${'['.repeat(9_000) + '1,'.repeat(90_000)}1${']'.repeat(9_000)}`;
const late = Array.from({ length: 20_000 }, (_, at) => `"name ${at}":{"at":${at}}`).join();

describe('a long error', () => {
  test.each([
    ['with a member of very many levels', `{"d":${deep},${ENVELOPE}}`],
    ['with its envelope behind thousands of members', `{${late},${ENVELOPE}}`],
    ['with a long code', `{"success":false,"error":{"message":"m","code":"${'c'.repeat(100_000)}"}}`],
    ['full of space', `{${' '.repeat(100_000)}${ENVELOPE}}`],
  ])('%s is the envelope', (_, text) => expect(opinionOf(text)?.kind).toBe('pass'));

  test.each([
    ['says success: true', `{"d":${deep},"success":true,"error":{"code":"no","message":"No."}}`, 'success: false'],
    ['has no code', `{${late},"success":false,"error":{"message":"No."}}`, 'error.code'],
    ['has a code that is a list', `{"success":false,"error":{"code":${deep},"message":"No."}}`, /^error.code/],
  ])('that %s is not', (_, text, expected) => {
    expect(opinionOf(text)).toMatchObject({ kind: 'finding', finding: { expected: expect.stringMatching(expected) } });
  });

  test('with its envelope again and again is judged by the last of them, as most readers do', () => {
    expect(opinionOf(`{${`${ENVELOPE},`.repeat(20_000)}"error":1}`)?.kind).toBe('finding');
    expect(opinionOf(`{"error":1,${`${ENVELOPE},`.repeat(20_000)}"d":1}`)?.kind).toBe('pass');
  });
});

test.each([
  ['true', 'true'],
  ['null', 'null'],
  ['[]', 'an array'],
  ['{}', 'an object'],
  ['7', 'a number'],
  ['"x"', 'a string'],
])('instead of success: false a finding shows %s as %s', (value, actual) => {
  const text = `{"success":${value},"error":{"code":"no","message":"No."}}`;
  expect(opinionOf(text)).toMatchObject({ finding: { expected: 'success: false', actual } });
});

test('a finding names each of several faults', () => {
  expect(opinionOf('{"error":"unauthorized"}')).toMatchObject({
    finding: { expected: 'the member success, and error: an object', actual: 'no success, and error: a string' },
  });
});
