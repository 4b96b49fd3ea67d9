import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { OPERATION_IDS, operationById, otherSlashForm, pathOf } from '../../../src/contract/operations.ts';
import {
  ask,
  BODY_OPERATIONS,
  call,
  envelopeOf,
  ID_OPERATIONS,
  idOfKind,
  STRANGER,
  state,
  validBody,
} from './caller.ts';

const invalidCredentials = (valid: string): readonly (readonly [string, Readonly<Record<string, string>>])[] => [
  ['no header', {}],
  ['an empty bearer token', { authorization: 'Bearer ' }],
  ['Basic', { authorization: `Basic ${valid}` }],
  ['a bare token', { authorization: valid }],
  ['a scheme without a space', { authorization: `Bearer${valid}` }],
  ['a wrong secret', { authorization: 'Bearer pcs_org_WrongWrongWrongWrong1234' }],
  ['a truncated credential', { authorization: `Bearer ${valid.slice(0, -1)}` }],
  ['a suffix', { authorization: `Bearer ${valid}x` }],
  ['no prefix', { authorization: `Bearer ${valid.slice('pcs_org_'.length)}` }],
  ['another letter case', { authorization: `Bearer ${valid.toLowerCase()}` }],
];

describe.each(OPERATION_IDS)('%s of the reference service', (id) => {
  test(`${id} rejects every invalid credential with 401, challenge and envelope, and changes nothing`, async () => {
    const reference = createReference();
    const before = state(reference);
    const revoked = { authorization: `Bearer ${reference.settings.PCS_REVOKED_ACCESS_TOKEN}` };
    const ways = [
      ...invalidCredentials(reference.settings.PCS_ACCESS_TOKEN),
      ['a revoked credential', revoked] as const,
    ];
    for (const [way, headers] of ways) {
      const answer = await call(reference, id, { token: null, headers });
      expect(answer.status, way).toBe(401);
      expect(answer.headers['www-authenticate'], way).toMatch(/^Bearer/);
      expect(envelopeOf(answer), way).toEqual({
        success: false,
        error: { code: 'unauthorized', message: expect.any(String) },
      });
    }
    expect(state(reference)).toEqual(before);
  });

  test(`${id} does not read the credential from the query`, async () => {
    const reference = createReference();
    const query = `?access_token=${reference.settings.PCS_ACCESS_TOKEN}`;
    expect((await call(reference, id, { token: null, query })).status).toBe(401);
  });

  test(`${id} accepts the scheme in any letter case`, async () => {
    const reference = createReference();
    const headers = { authorization: `bEARER ${reference.settings.PCS_ACCESS_TOKEN}` };
    expect((await call(reference, id, { token: null, headers })).status).toBeLessThan(300);
  });

  test(`${id} is not served on the other slash form of its path`, async () => {
    const reference = createReference();
    const operation = operationById(id);
    const path = pathOf(
      operation,
      operation.resources.map((kind) => idOfKind(reference, kind)),
    );
    const answer = await ask(reference, operation.method, otherSlashForm(path), { body: validBody(reference, id) });
    expect(answer.status).toBe(404);
    expect(envelopeOf(answer).success).toBe(false);
  });

  test(`${id} answers another method with 405, Allow and the envelope`, async () => {
    const reference = createReference();
    const operation = operationById(id);
    const path = pathOf(
      operation,
      operation.resources.map((kind) => idOfKind(reference, kind)),
    );
    const answer = await ask(reference, 'DELETE', path);
    expect([answer.status, envelopeOf(answer).error.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers['allow']?.split(', ')).toContain(operation.method);
  });

  test(`${id} answers 503 with the envelope while a dependency is unavailable`, async () => {
    const reference = createReference({ unavailable: (operation) => operation === id });
    const before = state(reference);
    const answer = await call(reference, id);
    expect([answer.status, envelopeOf(answer).error.code]).toEqual([503, 'unavailable']);
    expect(state(reference)).toEqual(before);
  });
});

describe.each(ID_OPERATIONS)('ids of %s', (id) => {
  const { resources } = operationById(id);

  test.each([
    ['an unknown', STRANGER],
    ['a plain-word', 'trunk'],
    ['an undecodable', '%zz'],
    ['a braced', `%7B${STRANGER}%7D`],
  ])(`${id} answers %s id with 404 and the envelope`, async (_, malformed) => {
    const reference = createReference();
    const before = state(reference);
    const answer = await call(reference, id, { ids: resources.map(() => malformed) });
    expect([answer.status, envelopeOf(answer).success]).toEqual([404, false]);
    expect(state(reference)).toEqual(before);
  });

  test(`${id} accepts an id in upper case`, async () => {
    const reference = createReference();
    const ids = resources.map((kind) => idOfKind(reference, kind).toUpperCase());
    expect((await call(reference, id, { ids })).status).toBe(200);
  });
});

test.each(ID_OPERATIONS.filter((id) => id !== 'getCarrierProvider'))(
  '%s hides the resource from another organization',
  async (id) => {
    const reference = createReference();
    const before = state(reference);
    const answer = await call(reference, id, { token: reference.settings.PCS_OTHER_ORG_ACCESS_TOKEN });
    expect([answer.status, envelopeOf(answer).success]).toEqual([404, false]);
    expect(state(reference)).toEqual(before);
  },
);

describe.each(BODY_OPERATIONS)('bodies of %s', (id) => {
  const valid = (): unknown => validBody(createReference(), id);
  const invalid: readonly (readonly [string, unknown, number])[] = [
    ['another media type', valid(), 415],
    ['an array', [], 400],
    ['null', 'null', 400],
    ['a string', '"text"', 400],
    ['no bytes', undefined, 400],
    ['JSON cut short', JSON.stringify(valid()).slice(0, -1), 400],
    ['bytes after the value', `${JSON.stringify(valid())}{}`, 400],
    ['a byte order mark', `\uFEFF${JSON.stringify(valid())}`, 400],
    ['invalid UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}')]), 400],
    ['more than 64 KiB', { ...(valid() as object), filler: 'x'.repeat(65_536) }, 413],
  ];

  test.each(invalid)(`${id} rejects a body of %s and changes nothing`, async (what, body, status) => {
    const reference = createReference();
    const before = state(reference);
    const headers: Record<string, string> = what === 'another media type' ? { 'content-type': 'text/plain' } : {};
    const answer = await call(reference, id, { body, headers });
    expect([answer.status, envelopeOf(answer).success]).toEqual([status, false]);
    expect(state(reference)).toEqual(before);
  });

  test(`${id} accepts a charset and any letter case in Content-Type`, async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await call(createReference(), id, { headers })).status).toBeLessThan(300);
  });
});

test('an unknown route gets a 404 with the envelope', async () => {
  const answer = await ask(createReference(), 'GET', '/v1/nothing');
  expect([answer.status, envelopeOf(answer).success]).toEqual([404, false]);
});

test('HEAD gets a response without a body', async () => {
  const answer = await ask(createReference(), 'HEAD', '/v1/trunks/');
  expect([answer.status, answer.reply.body]).toEqual([405, null]);
});
