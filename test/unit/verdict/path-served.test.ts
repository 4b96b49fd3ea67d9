/** Which rejections of a valid request show that its path is not served, and which do not. */

import { describe, expect, test } from 'vitest';
import { asks, bodyOf, opinionOn, type Said } from './judged-exchanges.ts';

const TRUNK = '/v1/trunks/1';
const ERROR = { success: false, error: { code: 'x', message: 'X.' } };

/** The list of trunks, which shows the configured one or nothing. */
const list = (mentions: readonly string[]): Said => ({
  tag: { operation: 'listTrunks' },
  request: { method: 'GET', path: '/v1/trunks/' },
  body: { ...bodyOf({ data: [] }), mentions },
});
const LISTED = list(['PCS_TRUNK_ID']);

const unknownRoute = (status: number, json: Readonly<Record<string, unknown>> = ERROR): Said => ({
  status,
  tag: { operation: null, role: 'unknown-route', control: false },
  request: { method: 'GET', path: '/v1/nothing' },
  body: bodyOf(json),
});

const read = (status: number | null, tag: Said['tag'] = {}, path = TRUNK): Said => ({
  status,
  tag: { operation: 'getTrunk', ...tag },
  request: { method: 'GET', path },
});

const update = (status: number, json: Readonly<Record<string, unknown>>, tag: Said['tag'] = {}): Said => ({
  status,
  tag,
  request: { path: TRUNK, body: bodyOf(json) },
});

/** The kind of the opinion on one of these exchanges, the first unless told. */
const kindOf = (all: readonly Said[], at = 0): string | undefined => {
  const asked = all.map((one, index) =>
    index === at ? { ...one, tag: { ...one.tag, asks: asks('PATH-SERVED'), control: true } } : one,
  );
  return opinionOn('PATH-SERVED', asked, at)?.kind;
};

describe('a read', () => {
  test.each([
    ...[200, 204, 400, 409, 411, 415, 422].map((status) => [status, 'pass'] as const),
    ...[300, 301, 308, 399, 404, 405].map((status) => [status, 'finding'] as const),
    ...[401, 403, 412, 428, 429, 500, 503, null].map((status) => [status, 'none'] as const),
  ])('of a listed resource that gets %s is %s', (status, kind) => {
    expect(kindOf([read(status), LISTED])).toBe(kind);
  });

  test('that gets 404 is not a finding unless a list shows the resource that it names', () => {
    expect(kindOf([read(404), list(['PCS_NUMBER_ID'])])).toBe('none');
    expect(kindOf([read(404), { ...LISTED, status: 403 }])).toBe('none');
    expect(kindOf([read(404, { ids: 'well-formed' }), LISTED])).toBe('none');
  });

  test('that gets 404 is a finding where the same read found the resource before and after', () => {
    expect(kindOf([read(200), read(404), read(200)], 1)).toBe('finding');
    expect(kindOf([read(200), read(404)], 1)).toBe('none');
    expect(kindOf([read(404), read(200)])).toBe('none');
    const [found, missing] = [read(200, { ids: 'well-formed' }), read(404, { ids: 'well-formed' })];
    expect(kindOf([found, missing, found], 1)).toBe('none');
    const [changed, rejected] = [update(200, {}), update(404, {})];
    expect(kindOf([changed, rejected, changed], 1)).toBe('none');
  });

  test('that gets 404 is a finding where the other slash form is served, and no control is accepted', () => {
    const other = read(200, { control: false }, `${TRUNK}/`);
    expect(kindOf([read(404), other])).toBe('finding');
    expect(kindOf([read(404), other, read(200)])).toBe('none');
    expect(kindOf([read(404), { ...other, status: 404 }])).toBe('none');
    expect(kindOf([read(404), read(200, { control: false }, '/v1/trunks/2/')])).toBe('none');
    expect(kindOf([read(404), { ...other, request: { ...other.request, credential: 'none' } }])).toBe('none');
    expect(kindOf([read(404), { ...other, tag: { operation: 'updateTrunk', control: false } }])).toBe('none');
  });
});

describe('a search that gets 503', () => {
  const search = (status: number, body: Said['body'] = bodyOf(ERROR), operation = 'searchAvailableNumbers' as const) =>
    ({ status, body, tag: { operation }, request: { method: 'GET', path: '/v1/numbers/available' } }) as const;
  const noJson = { ...bodyOf(ERROR), json: 'invalid' } as const;

  test('is served where the credential works, since there may be no numbers', () => {
    expect(kindOf([search(503), LISTED])).toBe('pass');
    expect(kindOf([search(429), LISTED, search(503)])).toBe('pass');
    expect(kindOf([search(503)])).toBe('none');
    expect(kindOf([search(429), LISTED])).toBe('none');
    expect(kindOf([search(500), LISTED, search(503)])).toBe('none');
    expect(kindOf([search(503, noJson as never), LISTED])).toBe('none');
    expect(kindOf([read(503), LISTED, search(503)])).toBe('none');
  });

  test('is not where unknown routes get nothing else', () => {
    const kinds = [
      [unknownRoute(503)],
      [unknownRoute(503), unknownRoute(429)],
      [unknownRoute(503), unknownRoute(404)],
      [unknownRoute(429)],
    ].map((routes) => kindOf([search(503), LISTED, ...routes]));
    expect(kinds).toEqual(['none', 'none', 'pass', 'pass']);
  });
});
