import { describe, expect, test } from 'vitest';
import { asks, bodyOf, opinionOn, type Said } from './should-exchanges.ts';

describe('UPDATE-VISIBLE', () => {
  const kindOf = (change: Said, shown: Said['body']) => {
    const after: Said = {
      body: shown ?? null,
      tag: { sequence: 'one', role: 'after' as const, asks: asks('UPDATE-VISIBLE') },
    };
    const written = { request: { body: bodyOf({ name: 'new' }) }, tag: { sequence: 'one', role: 'change' as const } };
    return opinionOn('UPDATE-VISIBLE', [{ ...written, ...change }, after], 1)?.kind;
  };

  test('compares the name that was written with the one that is read', () => {
    expect(kindOf({}, bodyOf({ data: { trunk: { name: 'new' } } }))).toBe('pass');
    expect(kindOf({}, bodyOf({ name: 'old' }))).toBe('finding');
  });

  test('has no opinion after a rejection, after 202 and on a record without a name', () => {
    expect(kindOf({ status: 400 }, bodyOf({ name: 'old' }))).toBe('none');
    expect(kindOf({ status: 202 }, bodyOf({ name: 'old' }))).toBe('none');
    expect(kindOf({}, bodyOf({ id: 'x' }))).toBe('none');
  });
});

describe('TRUNK-SHOWS-STATE', () => {
  const read = (said: Said): Said => ({ ...said, tag: { operation: 'getTrunk', ...said.tag } });
  const kindOf = (said: Said) => opinionOn('TRUNK-SHOWS-STATE', [read(said)], 0)?.kind;
  const state = { status: 'active', direction: 'inbound' };

  test('wants both in one record, wherever it stands', () => {
    expect(kindOf({ body: bodyOf(state) })).toBe('pass');
    expect(kindOf({ body: bodyOf({ data: { trunk: { attributes: state } } }) })).toBe('pass');
    expect(kindOf({ body: bodyOf({ items: { '-': state } }) })).toBe('pass');
  });

  test('finds what is missing, and what is apart', () => {
    expect(kindOf({ body: bodyOf({ status: 'ok', data: { direction: 'inbound' } }) })).toBe('finding');
    expect(kindOf({ body: bodyOf({ status: 'active' }) })).toBe('finding');
    expect(kindOf({ body: null })).toBe('finding');
  });

  test('says what is missing, and where', () => {
    const saidOf = (said: Said) => {
      const opinion = opinionOn('TRUNK-SHOWS-STATE', [read(said)], 0);
      return opinion?.kind === 'finding' ? [opinion.finding.actual, opinion.finding.where] : [];
    };
    const body = 'the body of the 200';
    expect(saidOf({ body: bodyOf({ status: 'active' }) })).toEqual(['no direction', body]);
    expect(saidOf({ body: bodyOf({ direction: 'inbound' }) })).toEqual(['no status', body]);
    expect(saidOf({ body: bodyOf({ name: 'x' }) })).toEqual(['no status and no direction', body]);
    const apart = bodyOf({ status: 'ok', data: { direction: 'inbound' } });
    expect(saidOf({ body: apart })).toEqual(['status and direction in different objects', body]);
    expect(saidOf({ body: null })).toEqual(['no status and no direction', 'the 200, which has no body']);
  });

  test('concerns accepted reads of the trunk of the settings only', () => {
    expect(kindOf({ status: 404 })).toBeUndefined();
    expect(kindOf({ tag: { ids: 'well-formed' } })).toBeUndefined();
    expect(kindOf({ request: { credential: 'other-organization' } })).toBeUndefined();
    expect(kindOf({ tag: { documented: false } })).toBeUndefined();
  });
});

describe('PUT-REPEATED', () => {
  const put = (status: number, value = 'same', tag: Said['tag'] = {}): Said => ({
    status,
    tag,
    request: { method: 'PUT', body: bodyOf({ value }) },
  });
  const kindOf = (said: readonly Said[]) => opinionOn('PUT-REPEATED', said, said.length - 1)?.kind;

  test.each([
    [200, 'pass'],
    [204, 'pass'],
    [400, 'finding'],
    [404, 'finding'],
    [409, 'finding'],
    [401, 'none'],
    [403, 'none'],
    [429, 'none'],
    [500, 'none'],
  ])('takes %s to the same PUT again for %s', (status, kind) => {
    expect(kindOf([put(200), put(status)])).toBe(kind);
  });

  test('says nothing of a first PUT, and of one after another', () => {
    expect(kindOf([put(409)])).toBe('none');
    expect(kindOf([put(400), put(409)])).toBe('none');
    expect(kindOf([put(200), put(200, 'other'), put(409)])).toBe('none');
  });

  test('concerns plain controls only', () => {
    expect(kindOf([put(200), put(415, 'same', { control: true, asks: asks('CONTENT-TYPE-CHARSET') })])).toBeUndefined();
    expect(kindOf([put(200), put(409, 'same', { control: false })])).toBeUndefined();
    expect(kindOf([put(200), { ...put(409), request: { method: 'PATCH' } }])).toBeUndefined();
  });
});
