import { describe, expect, test } from 'vitest';
import { asks, between, bodyOf, opinionOn } from './should-exchanges.ts';

describe.each(['UNKNOWN-ID-REFUSED', 'MALFORMED-ID-REFUSED'] as const)('%s', (requirement) => {
  test.each([
    [200, 'finding'],
    [404, 'pass'],
    [400, 'pass'],
    [403, 'pass'],
    [401, 'none'],
    [429, 'none'],
    [500, 'none'],
    [301, 'none'],
    [null, 'none'],
  ])('takes %s between accepted controls for %s', (status, kind) => {
    expect(between(requirement, { status })).toBe(kind);
  });

  test('takes another status than that of a known id for telling, and the same for nothing', () => {
    const probe = { status: 404, tag: { asks: asks(requirement) } };
    const alive = { tag: { operation: 'listTrunks' } };
    expect(opinionOn(requirement, [{ status: 409 }, probe, alive], 1)?.kind).toBe('pass');
    expect(opinionOn(requirement, [{ status: 404 }, probe, alive], 1)?.kind).toBe('none');
  });

  test('requires the credential to be valid afterwards', () => {
    expect(opinionOn(requirement, [{}, { status: 404, tag: { asks: asks(requirement) } }], 1)?.kind).toBe('none');
  });

  test('does not warn if a known id was rejected too', () => {
    expect(between(requirement, { status: 200 }, 409, 409)).toBe('none');
  });
});

describe('the rejection of a malformed id', () => {
  test('is a finding without a body and with another body than the envelope', () => {
    expect(between('MALFORMED-ID-REFUSED', { status: 404, body: null })).toBe('finding');
    expect(between('MALFORMED-ID-REFUSED', { status: 404, body: bodyOf({ message: 'no' }) })).toBe('finding');
  });

  test('of an unknown one is not a finding because of its body', () => {
    expect(between('UNKNOWN-ID-REFUSED', { status: 404, body: null })).toBe('pass');
  });
});
