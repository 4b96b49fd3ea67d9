/** What invalid and other credentials may get: which answers are access, and which only look like it. */

import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../../suites/catalogue.ts';
import { asks, bodyOf, opinionOn, type Said } from './judged-exchanges.ts';

const TRUNK = '/v1/trunks/1';

const read = (status: number | null, tag: Said['tag'] = {}, path = TRUNK): Said => ({
  status,
  tag: { operation: 'getTrunk', ...tag },
  request: { method: 'GET', path },
});

const withCredential = (said: Said, credential: 'none' | 'other-organization' | 'revoked'): Said => ({
  ...said,
  tag: { ...said.tag, control: false },
  request: { ...said.request, credential },
});

const withJson = (said: Said, json: Readonly<Record<string, unknown>>): Said => ({ ...said, body: bodyOf(json) });

describe('AUTH-ALIAS', () => {
  const OTHER = `${TRUNK}/`;
  const unknown = (status: number, path = '/v1/nothing/'): Said => ({
    status,
    tag: { operation: null, role: 'unknown-route', control: false },
    request: { method: 'GET', path },
  });
  const alias = (status: number | null, path = OTHER): Said =>
    read(status, { role: 'valid-alias', sequence: 'alias', control: false }, path);
  const judged = (status: number | null): Said => {
    const tag = { sequence: 'alias', asks: asks('AUTH-ALIAS' as RequirementId), role: 'probe' } as const;
    return withCredential(read(status, tag, OTHER), 'none');
  };
  const kindOf = (status: number | null, ...others: readonly Said[]) =>
    opinionOn('AUTH-ALIAS', [judged(status), ...others], 0)?.kind;
  const SERVED = [alias(200), unknown(404), read(200)];

  test.each([
    [200, 'finding'],
    [401, 'pass'],
    [404, 'pass'],
    [429, 'inconclusive'],
    [503, 'inconclusive'],
  ])('takes %s at a spelling that is served for %s', (status, kind) => {
    expect(kindOf(status, ...SERVED)).toBe(kind);
  });

  test.each([null, 301, 399, 404, 405])('has no opinion where the valid credential gets %s there', (status) => {
    expect(kindOf(200, alias(status), unknown(400), read(status))).toBe('none');
  });

  test('has no opinion where an unknown route of that slash form gets the same, or none was asked', () => {
    expect(kindOf(200, alias(200), unknown(200), read(200))).toBe('none');
    expect(kindOf(200, alias(200), read(200))).toBe('none');
    expect(kindOf(200, alias(200), unknown(404, '/v1/nothing'), read(200))).toBe('none');
    expect(kindOf(200, ...SERVED, unknown(200, '/v1/nothing'))).toBe('finding');
  });

  test('has no opinion unless the documented path gives the same', () => {
    expect(kindOf(200, alias(200), unknown(404))).toBe('none');
    expect(kindOf(200, alias(200), unknown(404), read(204))).toBe('none');
    const documented = (status: number) => read(status, { role: 'documented-path', sequence: 'alias', control: false });
    expect(kindOf(200, ...SERVED, documented(204))).toBe('none');
    expect(kindOf(200, alias(200), unknown(404), documented(200))).toBe('finding');
  });

  test('takes the valid request to the same route of another sequence, in the same slash form', () => {
    const elsewhere = (path: string, operation: 'getTrunk' | 'getVoiceApplication' = 'getTrunk') =>
      read(200, { role: 'valid-alias', sequence: 'another', control: false, operation }, path);
    const kinds = [elsewhere(OTHER), elsewhere(TRUNK), elsewhere(OTHER, 'getVoiceApplication')].map((valid) =>
      kindOf(200, valid, unknown(404), read(200)),
    );
    expect(kinds).toEqual(['finding', 'none', 'none']);
  });

  test('has no opinion on a rejection that the valid credential gets as well', () => {
    const control = (status: number) => read(status, { sequence: 'alias', role: 'control' }, OTHER);
    expect(kindOf(409, alias(409), unknown(404), read(409))).toBe('none');
    expect(kindOf(409, ...SERVED, control(409))).toBe('none');
    expect(kindOf(409, ...SERVED, control(200))).toBe('pass');
  });
});

describe('an invalid credential', () => {
  const judged = (status: number | null, credential: 'none' | 'revoked' = 'none', said = read(200)): Said => {
    const asked = { ...said, status, tag: { ...said.tag, asks: asks('AUTH-CREDENTIAL-REQUIRED') } };
    return withCredential(asked, credential);
  };
  const kindOf = (said: readonly Said[], at: number, profile?: 'read-only') =>
    opinionOn('AUTH-CREDENTIAL-REQUIRED', said, at, profile)?.kind;

  test.each([
    [200, 'finding'],
    [302, 'inconclusive'],
    [401, 'pass'],
    [404, 'pass'],
    [429, 'inconclusive'],
    [500, 'inconclusive'],
    [null, 'inconclusive'],
  ])('that gets %s between accepted requests is judged as %s', (status, kind) => {
    expect(kindOf([read(200), judged(status), read(200)], 1)).toBe(kind);
  });

  test('is judged only where the valid one is accepted afterwards, and sends the same request', () => {
    expect(kindOf([read(200), judged(401)], 1)).toBe('inconclusive');
    expect(kindOf([judged(401), read(200, {}, '/v1/trunks/2')], 0)).toBe('none');
    expect(kindOf([judged(401), read(200, { operation: 'getVoiceApplication' })], 0)).toBe('none');
  });

  test('may get the status of the valid one only if that is accepted next', () => {
    expect(kindOf([read(404), judged(404), read(200)], 1)).toBe('pass');
    expect(kindOf([read(404), judged(404), read(404), read(200)], 1)).toBe('none');
    expect(kindOf([read(404), judged(404), read(200, {}, '/v1/trunks/2')], 1)).toBe('none');
  });

  test('is told by 401 and 403 alone where a write has no body', () => {
    const write: Said = { tag: { operation: 'updateTrunk' }, request: { method: 'PATCH', path: TRUNK } };
    const kinds = [401, 403, 400, 404].map((status) =>
      kindOf([judged(status, 'none', write), read(200)], 0, 'read-only'),
    );
    expect(kinds).toEqual(['pass', 'pass', 'none', 'none']);
    expect(kindOf([judged(404, 'none', write), { ...write, status: 200 }], 0)).toBe('pass');
    expect(kindOf([judged(404), read(200)], 0, 'read-only')).toBe('pass');
  });
});

describe('a revoked credential', () => {
  const as = (said: Said, credential: 'revoked' | 'none' | 'wrong-secret' | 'bare' = 'revoked'): Said => ({
    ...said,
    tag: { ...said.tag, control: false },
    request: { ...said.request, credential },
  });
  const list = (status: number, path = '/v1/trunks/', method = 'GET'): Said => ({
    status,
    tag: { operation: 'listTrunks', control: false },
    request: { method, path },
  });
  /** The kind of the opinion on its acceptance, in a run with these other exchanges. */
  const kindOf = (...others: readonly Said[]) => {
    const probe = as(read(200));
    const judged = { ...probe, tag: { ...probe.tag, asks: asks('AUTH-REVOKED') } };
    return opinionOn('AUTH-REVOKED', [judged, ...others, read(200)], 0)?.kind;
  };

  test('that is accepted may be alive unless it is rejected somewhere as an unknown one is', () => {
    expect(kindOf()).toBe('inconclusive');
    expect(kindOf(as(list(401)), as(list(401), 'none'))).toBe('finding');
    expect(kindOf(as(list(403)), as(list(403), 'wrong-secret'))).toBe('finding');
    expect(kindOf(as(read(401)), as(read(401), 'none'))).toBe('finding');
    expect(kindOf(as(list(401)), as(list(401), 'none'), as(list(403)))).toBe('finding');
  });

  test('is not known as revoked by what says nothing about a credential', () => {
    const pairs = [
      [as(read(403)), as(read(403), 'none')],
      [as(list(429)), as(list(429), 'none')],
      [as(list(500)), as(list(500), 'none')],
      [as(list(200)), as(list(200), 'none')],
      [as(list(401)), as(list(403), 'none')],
      [as(list(401)), as(list(401), 'bare')],
      [as(list(401)), as(list(401, '/v1/numbers/'), 'none')],
      [as(list(401)), as(list(401, '/v1/trunks/', 'HEAD'), 'none')],
      [as(list(401), 'bare'), as(list(401), 'none')],
    ];
    expect(pairs.map((pair) => kindOf(...pair))).toEqual(Array(pairs.length).fill('inconclusive'));
  });

  test('that is rejected everywhere is judged as any other', () => {
    const rejected = as(read(401));
    const judged = { ...rejected, tag: { ...rejected.tag, asks: asks('AUTH-REVOKED') } };
    expect(opinionOn('AUTH-REVOKED', [judged, read(200)], 0)?.kind).toBe('pass');
    const other = as(read(200), 'none');
    const accepted = { ...other, tag: { ...other.tag, asks: asks('AUTH-REVOKED') } };
    expect(opinionOn('AUTH-REVOKED', [accepted, as(read(200)), read(200)], 0)?.kind).toBe('finding');
  });
});

describe("another organization's credential", () => {
  const other = (status: number, path = TRUNK, method = 'GET'): Said =>
    withCredential({ ...read(status), request: { method, path } }, 'other-organization');
  const wrong = (status: number, path = '/v1/trunks/3', method = 'GET'): Said => ({
    ...other(status, path, method),
    request: { method, path, credential: 'wrong-secret' },
  });
  /** The kind of the opinion on the first of these exchanges. */
  const kindOf = (first: Said, ...others: readonly Said[]) => {
    const judged = { ...first, tag: { ...first.tag, asks: asks('ORG-ISOLATION') } };
    return opinionOn('ORG-ISOLATION', [judged, ...others], 0)?.kind;
  };
  const VALID = other(200, '/v1/trunks/2');

  test('is isolated if it is rejected where ours is accepted, and known as valid', () => {
    expect(kindOf(other(404), read(200), VALID)).toBe('pass');
    expect(kindOf(other(404), read(200), other(404, '/v1/trunks/3'), wrong(401))).toBe('pass');
    expect(kindOf(other(404), read(200), other(409, '/v1/trunks/3'), wrong(403))).toBe('pass');
    expect(kindOf(other(404), read(200), other(404, '/v1/trunks/3'), wrong(404), wrong(401))).toBe('pass');
  });

  test('is shown by nothing where it may lack the right, or its organization the plan, for the operation', () => {
    const unknown = (status: number): Said => read(status, { ids: 'well-formed' }, '/v1/trunks/9');
    for (const status of [400, 403, 409, 422]) {
      expect(kindOf(other(status), read(200), VALID)).toBe('pass');
      const elsewhere = { ...VALID, tag: { operation: 'listTrunks' } } as const;
      expect([status, kindOf(other(status), read(200), elsewhere)]).toEqual([status, 'none']);
      const expected = status === 403 ? 'none' : 'pass';
      expect([status, kindOf(other(status), read(200), unknown(status), elsewhere)]).toEqual([status, expected]);
    }
  });

  test('may be an invalid one where every rejection can be about the credential', () => {
    const others = [
      [],
      [other(404, '/v1/trunks/3'), wrong(404)],
      [other(401, '/v1/trunks/3'), wrong(401)],
      [other(404, '/v1/trunks/3'), wrong(401, '/v1/trunks/4')],
      [other(404, '/v1/trunks/3'), wrong(401, '/v1/trunks/3', 'HEAD')],
      [other(404, '/v1/trunks/3'), { ...wrong(401), request: { ...wrong(401).request, credential: 'bare' } } as Said],
      [wrong(200)],
    ];
    const kinds = others.map((more) => kindOf(other(404), read(200), ...more));
    expect(kinds).toEqual(Array(others.length).fill('inconclusive'));
  });

  test('says nothing where ours gets the same, or was not accepted', () => {
    expect(kindOf(other(404), read(404), VALID)).toBe('none');
    expect(kindOf(other(404), VALID)).toBe('none');
    expect(kindOf(other(404), read(404), read(200), VALID)).toBe('none');
    expect(kindOf(other(404), read(409), VALID)).toBe('pass');
    expect(kindOf(other(404), read(300), read(404), VALID)).toBe('none');
  });

  test('gets nothing of the record in a rejection', () => {
    const record = { data: { name: 'the name' } };
    expect(kindOf(withJson(other(404), record), withJson(read(200), record), VALID)).toBe('finding');
    expect(kindOf(other(503), read(200), VALID)).toBe('inconclusive');
  });
});
