/** What create call must accept and reject: which answers are findings, and which say nothing about the body. */

import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../../suites/catalogue.ts';
import { asks, bodyOf, opinionOn, type Said } from './judged-exchanges.ts';

type Json = Readonly<Record<string, unknown>>;

const PLAIN: Json = { from: '+1', to: '+2' };

/** A create call with that body in one sequence, a control unless `tag` says otherwise. */
const call = (status: number, json: Json, tag: Said['tag'] = {}, code = 'no'): Said => ({
  status,
  ...(status >= 400 && { body: bodyOf({ success: false, error: { code, message: 'No.' } }) }),
  tag: { operation: 'createCall', sequence: 'one', ...tag },
  request: {
    method: 'POST',
    path: '/v1/calls/',
    headers: [['Content-Type', 'application/json']],
    body: bodyOf(json),
  },
});

/** The kind of the opinion on a body between two controls with its sibling; `others` come first. */
function kindOf(
  id: RequirementId,
  [status, json, sibling]: readonly [number, Json, Json],
  { before = 201, after = 201, others = [] as readonly Said[], role = 'probe' as const } = {},
): string | undefined {
  const judged = call(status, json, { asks: asks(id), sibling: JSON.stringify(sibling), role });
  const all = [...others, call(before, sibling), judged, call(after, sibling)];
  return opinionOn(id, all, others.length + 1)?.kind;
}

describe('the smallest body', () => {
  const judged = (status: number, ...others: readonly Said[]) => {
    const minimal = call(status, PLAIN, { asks: asks('CALL-CREATE-MINIMAL') });
    return opinionOn('CALL-CREATE-MINIMAL', [minimal, ...others], 0)?.kind;
  };

  test.each([
    [201, 'pass'],
    [400, 'finding'],
    [422, 'finding'],
    [411, 'finding'],
    [415, 'finding'],
    [403, 'none'],
    [409, 'none'],
    [500, 'none'],
  ])('that gets %s where a larger one is accepted is %s', (status, kind) => {
    expect(judged(status, call(201, { ...PLAIN, privacy: true }))).toBe(kind);
  });

  test('is rejected for itself only where another body is accepted, and always by 411 and 415', () => {
    const kinds = [400, 422, 411, 415].map((status) => judged(status, call(400, { ...PLAIN, privacy: true })));
    expect(kinds).toEqual(['none', 'none', 'finding', 'finding']);
  });
});

describe('a field of the wrong type', () => {
  const valid = { ...PLAIN, privacy: true };
  const wrong = { ...PLAIN, privacy: 'x' };
  const TYPES = 'CALL-CREATE-FIELD-TYPES';
  const kindWith = (status: number, ...others: readonly Said[]) => kindOf(TYPES, [status, wrong, valid], { others });

  test.each([
    [400, 'pass'],
    [201, 'finding'],
    [422, 'finding'],
    [404, 'finding'],
    [409, 'finding'],
    [401, 'inconclusive'],
    [429, 'inconclusive'],
    [500, 'inconclusive'],
  ])('that gets %s between accepted controls is %s', (status, kind) => {
    expect(kindWith(status)).toBe(kind);
  });

  test('says nothing unless it is between accepted controls', () => {
    expect(kindOf(TYPES, [400, wrong, valid], { before: 400 })).toBe('inconclusive');
    expect(kindOf(TYPES, [400, wrong, valid], { after: 400 })).toBe('inconclusive');
  });

  test('may be rejected for the state of the target, if a smaller valid body is rejected alike', () => {
    expect(kindWith(409, call(409, PLAIN))).toBe('pass');
    expect(kindWith(422, call(422, PLAIN))).toBe('finding');
    expect(kindWith(409, call(404, PLAIN))).toBe('finding');
    expect(kindWith(409, call(409, PLAIN, {}, 'other'))).toBe('finding');
  });

  test('is compared with no body that holds something else', () => {
    expect(kindWith(409, call(409, { ...PLAIN, to: '+3' }))).toBe('finding');
    expect(kindWith(409, call(409, { ...PLAIN, codecs: [] }))).toBe('finding');
    expect(kindWith(409, call(409, { ...PLAIN, privacy: false }))).toBe('finding');
    const taken = call(201, { ...PLAIN, privacy: false, codecs: [] });
    expect(kindWith(409, taken, call(409, { ...PLAIN, privacy: false }))).toBe('pass');
  });

  test('is compared with none where it differs in more than one element', () => {
    const others = [call(409, PLAIN)];
    expect(kindOf(TYPES, [409, { ...wrong, codecs: 1 }, valid], { others })).toBe('finding');
  });
});
