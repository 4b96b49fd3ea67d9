/**
 * Which bodies of a 2xx are errors all the same, which long errors are the envelope, and fields that come several
 * times (RFC 9110, section 5.3).
 */

import { describe, expect, test } from 'vitest';
import { bodyFacts } from '../../../src/exchange/facts.ts';
import { allow } from '../../../suites/observations/readers.ts';
import { asks, bodyOf, exchangeOf, opinionOn } from '../rules/exchanges.ts';

const ERROR = { code: 'x', message: 'X.' };

const kindOf = (json: Readonly<Record<string, unknown>>) => {
  const body = bodyOf(json);
  const said = { tag: { asks: asks('SUCCESS-NOT-ERROR'), control: true }, body };
  return opinionOn('SUCCESS-NOT-ERROR', [said], 0)?.kind;
};

test.each([
  [{ error: ERROR }],
  [{ success: 'no', error: ERROR }],
  [{ error: { ...ERROR, more: 'y' } }],
  [{ error: ERROR, data: null, traceId: 'a', request_id: 'b', timestamp: 1 }],
])('the body %j is an error', (json) => {
  expect(kindOf(json)).toBe('finding');
});

test.each([
  [{}],
  [{ success: true, error: { code: '', message: '' } }],
  [{ success: 'yes' }],
  [{ error: ERROR, data: {} }],
  [{ error: ERROR, a: 'b' }],
  [{ error: ERROR, id: 'b' }],
  [{ data: { error: ERROR } }],
  [{ failure: ERROR }],
  [{ error: { code: 'x' } }],
  [{ error: { message: 'X.' } }],
  [{ error: { code: null, message: 'X.' } }],
  [{ error: { code: 'x', message: null } }],
  [{ error: { inner: ERROR } }],
  [{ error: 'x' }],
])('the body %j is none', (json) => {
  expect(kindOf(json)).toBe('pass');
});

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

const allowing = (...values: readonly string[]): string =>
  allow(exchangeOf({ status: 405, headers: values.map((value) => ['Allow', value]) }, 0));

test('methods in two lines of Allow are read in any order', () => {
  expect(allowing('POST', 'GET')).toBe(allowing('GET', 'POST'));
  expect(allowing('POST', 'GET')).toBe(allowing('GET, POST'));
});

test('a challenge counts in whatever line of WWW-Authenticate it stands', () => {
  const accepted = { tag: { control: true } };
  const rejected = (...values: readonly string[]) => ({
    status: 401,
    tag: { asks: asks('AUTH-CHALLENGE') },
    request: { credential: 'none' } as const,
    headers: values.map((value) => ['WWW-Authenticate', value] as const),
  });
  expect(opinionOn('AUTH-CHALLENGE', [accepted, rejected('', 'Bearer')], 1)?.kind).toBe('pass');
  expect(opinionOn('AUTH-CHALLENGE', [accepted, rejected('', '')], 1)?.kind).toBe('finding');
});
