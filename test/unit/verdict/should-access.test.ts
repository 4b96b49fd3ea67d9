import { describe, expect, test } from 'vitest';
import type { CredentialForm } from '../../../src/exchange/exchange.ts';
import { asks, opinionOn, type Said } from './should-exchanges.ts';

const bad = (status: number | null, credential: CredentialForm = 'none'): Said => ({
  status,
  tag: { control: false },
  request: { credential },
});

describe('AUTH-STATUS-401', () => {
  const kindOf = (said: Said, good: Said = {}) => opinionOn('AUTH-STATUS-401', [good, said, {}], 1)?.kind;

  test.each([
    [401, 'pass'],
    [400, 'finding'],
    [403, 'finding'],
    [404, 'finding'],
    [200, 'none'],
    [429, 'none'],
    [503, 'none'],
    [500, 'none'],
    [null, 'none'],
  ])('takes %s to no credential for %s', (status, kind) => {
    expect(kindOf(bad(status))).toBe(kind);
  });

  test('has no opinion on a status that the valid credential got for the same request', () => {
    expect(kindOf(bad(404), { status: 404 })).toBe('none');
    expect(kindOf(bad(401), { status: 401 })).toBe('none');
  });

  test('concerns no credential that is right, and no undocumented path', () => {
    for (const form of ['valid', 'lower-case-scheme', 'other-organization'] as const) {
      expect(kindOf(bad(403, form))).toBeUndefined();
    }
    expect(kindOf({ ...bad(403), tag: { documented: false } })).toBeUndefined();
  });

  test('takes no status but 401 of a write that the valid credential did not send for one about the credential', () => {
    const kindIn = (status: number) =>
      opinionOn('AUTH-STATUS-401', [bad(status), { request: { method: 'GET' } }], 0, 'read-only')?.kind;
    expect([401, 403, 400, 404].map(kindIn)).toEqual(['pass', 'none', 'none', 'none']);
  });
});

describe('AUTH-CHALLENGE', () => {
  const kindOf = (said: Said, control: Said = {}) => opinionOn('AUTH-CHALLENGE', [said, control], 0)?.kind;

  test('wants the field with a value', () => {
    expect(kindOf({ ...bad(401), headers: [['www-authenticate', 'Bearer']] })).toBe('pass');
    expect(kindOf({ ...bad(401), headers: [['WWW-Authenticate', ' ']] })).toBe('finding');
    expect(kindOf(bad(401))).toBe('finding');
  });

  test('concerns 401 alone', () => {
    expect(kindOf(bad(403))).toBeUndefined();
  });

  test('has no opinion on a run whose credential is rejected everywhere', () => {
    expect(kindOf(bad(401), { status: 401 })).toBe('none');
  });
});

describe('AUTH-SCHEME-CASE', () => {
  const probe = (status: number | null): Said => ({
    status,
    tag: { asks: asks('AUTH-SCHEME-CASE') },
    request: { credential: 'lower-case-scheme' },
  });
  const kindOf = (status: number | null, before = 200, after = 200) =>
    opinionOn('AUTH-SCHEME-CASE', [{ status: before }, probe(status), { status: after }], 1)?.kind;

  test.each([
    [200, 'pass'],
    [401, 'finding'],
    [403, 'finding'],
    [429, 'none'],
    [500, 'none'],
    [302, 'none'],
    [null, 'none'],
  ])('takes %s between accepted controls for %s', (status, kind) => {
    expect(kindOf(status)).toBe(kind);
  });

  test('has no opinion if the usual spelling was rejected before or after', () => {
    expect([kindOf(401, 401), kindOf(401, 200, 401)]).toEqual(['none', 'none']);
  });
});
