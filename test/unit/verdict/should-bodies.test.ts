import { describe, expect, test } from 'vitest';
import { asks, between, bodyOf, opinionOn, type Said } from './should-exchanges.ts';

const REFUSED = [
  'NULL-REFUSED',
  'UPDATE-FIELD-TYPES',
  'UPDATE-BODY-OBJECT',
  'CONTENT-TYPE-OTHER',
  'TRAILING-BYTES-REFUSED',
] as const;

describe.each(REFUSED)('%s', (requirement) => {
  test.each([
    [200, 'finding'],
    [202, 'finding'],
    [400, 'pass'],
    [404, 'pass'],
    [415, 'pass'],
    [422, 'pass'],
    [401, 'none'],
    [429, 'none'],
    [500, 'none'],
    [503, 'none'],
    [308, 'none'],
    [null, 'none'],
  ])('takes %s between accepted controls for %s', (status, kind) => {
    expect(between(requirement, { status })).toBe(kind);
  });

  test('counts a rejection only between two accepted controls', () => {
    expect(between(requirement, { status: 400 }, 400, 200)).toBe('none');
    expect(between(requirement, { status: 400 }, 200, 400)).toBe('none');
  });

  test('counts a rejection only where the accepted request differs in that element alone', () => {
    expect(between(requirement, { status: 400 }, 200, 200, '{"name":"another"}')).toBe('none');
  });

  test('warns of nothing where no control was accepted', () => {
    expect(between(requirement, { status: 200 }, 400, 400)).toBe('none');
    expect(between(requirement, { status: 200 }, 200, 400)).toBe('finding');
  });
});

describe('CONTENT-TYPE-CHARSET', () => {
  test.each([
    [204, 'pass'],
    [415, 'finding'],
    [400, 'finding'],
    [409, 'none'],
    [403, 'none'],
    [500, 'none'],
    [null, 'none'],
  ])('takes %s between accepted controls for %s', (status, kind) => {
    expect(between('CONTENT-TYPE-CHARSET', { status })).toBe(kind);
  });

  test('does not warn of a rejection that the usual label gets as well', () => {
    expect(between('CONTENT-TYPE-CHARSET', { status: 415 }, 200, 415)).toBe('none');
    expect(between('CONTENT-TYPE-CHARSET', { status: 415 }, 415, 200)).toBe('none');
    expect(between('CONTENT-TYPE-CHARSET', { status: 415 }, 200, 200, '{"name":"another"}')).toBe('none');
  });
});

describe('UPDATE-FIELD-ALONE', () => {
  test.each([
    [200, 'pass'],
    [400, 'pass'],
    [422, 'pass'],
    [415, 'finding'],
    [401, 'none'],
    [500, 'none'],
    [null, 'none'],
  ])('takes %s between accepted controls for %s', (status, kind) => {
    expect(between('UPDATE-FIELD-ALONE', { status })).toBe(kind);
  });

  test('has no opinion on a target that rejects the whole body', () => {
    expect(between('UPDATE-FIELD-ALONE', { status: 415 }, 415, 415)).toBe('none');
  });
});

describe('BODY-CHUNKED', () => {
  const inChunks: Said = { tag: { asks: asks('BODY-CHUNKED') }, request: { body: bodyOf({ name: 'a' }) } };
  const kindBeside = (bodiless: Said): string | undefined => opinionOn('BODY-CHUNKED', [inChunks, bodiless], 0)?.kind;

  test('says nothing where a request without a body is accepted, since chunks may be taken for none', () => {
    expect(kindBeside({ status: 200 })).toBe('none');
    expect(kindBeside({ status: 400 })).toBe('pass');
    expect(kindBeside({ status: 200, request: { credential: 'none' } })).toBe('pass');
    expect(kindBeside({ status: 200, tag: { operation: 'setInboundAuth' } })).toBe('pass');
    expect(kindBeside({ status: 200, request: { body: bodyOf({}) } })).toBe('pass');
  });

  test('still counts a rejection', () => {
    const sibling = { name: 'typical' };
    const rejected: Said = { status: 411, request: { body: bodyOf(sibling) } };
    expect(between('BODY-CHUNKED', rejected)).toBe('finding');
  });
});
