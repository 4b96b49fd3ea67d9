import { describe, expect, test } from 'vitest';
import { renderChoices } from '../../../src/run/choices.ts';
import { choicesOf } from '../../../suites/index.ts';
import { chosen, recordOf, type Said } from './exchanges.ts';

const envelope = (code: string, more: object = {}) => ({ success: false, error: { code, message: 'no', ...more } });

describe('successes', () => {
  const trunk = { id: 'a', status: 'active', trunk_id: null };
  const got = (answered: unknown): Said => ({ operation: 'getTrunk', answered });

  test('give their status where the interface shows none', () => {
    expect(chosen('GAP-SUCCESS-STATUS', { operation: 'getTrunk', status: 202 })).toEqual(['getTrunk: 202']);
    expect(chosen('GAP-SUCCESS-STATUS', { operation: 'listTrunks' })).toEqual([]);
  });

  test('give the outermost shape of their bodies', () => {
    const said = [got({ success: true, data: trunk }), got({ success: true, data: null }), got(undefined), got([1])];
    expect(chosen('GAP-SUCCESS-BODY', ...said)).toEqual([
      'getTrunk: array',
      'getTrunk: no body',
      'getTrunk: object {data null|object, success boolean}',
    ]);
  });

  test.each([
    ['bare', trunk],
    ['in data', { success: true, data: trunk }],
    ['in a noun within data', { success: true, data: { trunk }, meta: { took: 1 } }],
  ])('give the fields of a record that stands %s', (_where, answered) => {
    expect(chosen('GAP-RECORD-TRUNK', got(answered))).toEqual(['getTrunk: id string, status string, trunk_id null']);
  });

  test('give the fields of a record without an id within its wrappings', () => {
    expect(chosen('GAP-RECORD-TRUNK', got({ success: true, data: { trunk: { name: 'x' } } }))).toEqual([
      'getTrunk: name string',
    ]);
  });

  test('give the fields of items and the members next to them', () => {
    const said = {
      answered: { success: true, items: [{ id: 'a', ends: [1] }, { id: 7 }], next: null, meta: { total: 2 } },
    };
    expect(chosen('GAP-LIST-ITEMS', said)).toEqual(['listTrunks: ends array of integer, id integer|string']);
    expect(chosen('GAP-LIST-PAGING', said)).toEqual(['listTrunks: beside the items: meta, next']);
  });

  test('never give a value', () => {
    const said = [got({ id: 'a-value', name: 'a-value', nested: ['a-value'] }), { answered: [{ id: 'a-value' }] }];
    expect(renderChoices(choicesOf(recordOf(...said)))).not.toContain('a-value');
  });
});

describe('errors', () => {
  const refused = (answered: unknown, status = 404): Said => ({ operation: 'getTrunk', status, answered });

  test('give their codes, and those that look like data without repeating them', () => {
    const said = [refused(envelope('not_found')), refused(envelope('id 12345678')), refused({}), refused(undefined)];
    expect(chosen('GAP-ERROR-CODES', ...said)).toEqual([
      'getTrunk: 404: a body without a code',
      'getTrunk: 404: a code that is not a word',
      'getTrunk: 404: code not_found',
      'getTrunk: 404: no body',
    ]);
  });

  test('give their status, create call apart', () => {
    const said = [refused(envelope('x'), 409), { operation: 'createCall', status: 400 }];
    expect(chosen('GAP-ERROR-STATUS', ...said)).toEqual(['getTrunk: 409']);
  });

  test('give further members of the envelope', () => {
    const said = refused({ ...envelope('x', { details: [{ a: 1 }] }), request_id: 'r' });
    expect(chosen('GAP-ENVELOPE-MEMBERS', said)).toEqual(['getTrunk: error.details, request_id']);
    expect(chosen('GAP-ENVELOPE-MEMBERS', refused(envelope('x')))).toEqual(['getTrunk: none']);
  });
});

describe('rejected credentials', () => {
  const headers = [
    ['Date', 'today'],
    ['WWW-Authenticate', 'Bearer realm="x"'],
    ['X-Request-Id', '1'],
  ] as const;
  const bad = (credential: NonNullable<Said['credential']>, status = 401): Said => ({
    credential,
    status,
    headers,
    answered: envelope('unauthorized'),
  });

  test('give one status where all forms get the same', () => {
    expect(chosen('GAP-AUTH-REFUSAL-STATUS', bad('truncated'), bad('basic'))).toEqual(['listTrunks: rejected (401)']);
  });

  test('give the forms of each status where they differ', () => {
    expect(chosen('GAP-AUTH-REFUSAL-STATUS', bad('truncated'), bad('basic', 403), bad('bare'))).toEqual([
      'listTrunks: rejected (401) for bare, truncated',
      'listTrunks: rejected (403) for basic',
    ]);
  });

  test('give the status of a missing one apart', () => {
    expect(chosen('GAP-AUTH-MISSING-STATUS', bad('none'), bad('bare', 403))).toEqual(['listTrunks: rejected (401)']);
  });

  test('give names of header fields and the scheme of the challenge', () => {
    expect(chosen('GAP-AUTH-REFUSAL-HEADERS', bad('bare'))).toEqual([
      'listTrunks: 401: www-authenticate: Bearer, x-request-id',
    ]);
  });

  test('give what the body tells', () => {
    expect(chosen('GAP-AUTH-REFUSAL-BODY', bad('bare'))).toEqual(['listTrunks: 401: code unauthorized']);
  });

  test('tell whether a wrong prefix is answered like a wrong secret', () => {
    expect(chosen('GAP-AUTH-WRONG-PREFIX', bad('wrong-secret'), bad('wrong-prefix'))).toEqual([
      'listTrunks: like a wrong secret: rejected (401), code unauthorized',
    ]);
    expect(chosen('GAP-AUTH-WRONG-PREFIX', bad('wrong-secret'), bad('wrong-prefix', 400))).toEqual([
      'listTrunks: rejected (400), code unauthorized; a wrong secret: rejected (401), code unauthorized',
    ]);
  });
});
