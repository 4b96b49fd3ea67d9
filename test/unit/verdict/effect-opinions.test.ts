/** What the read after a change shows: an effect that it should not have, or nothing that can be told. */

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { Evidence } from '../../../src/verdict/evidence.ts';
import type { Expectation } from '../../../src/verdict/requirement.ts';
import { afterChange, noEffect, rejectedUpdate } from '../../../suites/expect/effect.ts';
import { bodyOf, exchangeOf, type Said } from './judged-exchanges.ts';

type Credential = 'valid' | 'none' | 'bare' | 'other-organization';

const read = (name: string | null, role: 'before' | 'after' | 'control' = 'after', status = 200): Said => ({
  status,
  tag: { operation: 'getTrunk', sequence: 'one', role, control: true },
  request: { method: 'GET' },
  body: bodyOf(name === null ? {} : { data: { name } }),
});

const change = (name: string, status: number, credential: Credential = 'none'): Said => ({
  status,
  tag: { sequence: 'one', role: 'change', control: false },
  request: { credential, body: bodyOf({ name }) },
});

/** The kind of the opinion on the last of these exchanges, or on that place. */
const kindOf = (expectation: Expectation, said: readonly Said[], at = said.length - 1): string => {
  // A moment passes between two exchanges.
  const exchanges = said.map((one, place) => ({ ...exchangeOf(one, place), at: 10 * place }));
  return expectation(exchanges[at] as Exchange, new Evidence({ profile: 'full', settings: [] }, exchanges)).kind;
};

describe('a change with an invalid credential', () => {
  const judge = noEffect((form) => form === 'none');
  const judged = (...said: readonly Said[]) => kindOf(judge, said);
  const asking = (said: Said, ...forms: readonly Credential[]): Said => ({
    ...said,
    tag: { ...said.tag, asks: forms.map((form) => ({ id: 'AUTH-NO-EFFECT', variation: afterChange(form) })) },
  });

  test('has no effect if the read after it shows what the one before it did', () => {
    expect(judged(read('a', 'before'), change('b', 401), read('a'))).toBe('pass');
    expect(judged(read('a', 'before'), change('b', 401), change('c', 403, 'bare'), read('a'))).toBe('pass');
  });

  test('has an effect if the read shows its name, or one that the trunk never had', () => {
    expect(judged(read('a', 'before'), change('b', 401), read('b'))).toBe('finding');
    expect(judged(read('a', 'before'), change('b', 401), change('c', 401), read('b'))).toBe('finding');
    expect(judged(read('a', 'before'), change('b', 401), read('d'))).toBe('finding');
  });

  test('is not accused of a name that the trunk had before', () => {
    expect(judged(read('d', 'control'), read('a', 'before'), change('b', 401), read('d'))).toBe('none');
    expect(judged(change('d', 200, 'valid'), read('a', 'before'), change('b', 401), read('d'))).toBe('none');
    expect(judged(read('b', 'control'), read('a', 'before'), change('b', 401), read('b'))).toBe('finding');
  });

  test('says nothing where it was accepted, unless another organization got a polite 2xx', () => {
    expect(judged(read('a', 'before'), change('b', 200), read('b'))).toBe('none');
    expect(judged(read('a', 'before'), change('b', 200), read('a'))).toBe('none');
    expect(judged(read('a', 'before'), change('b', 200), change('c', 401), read('c'))).toBe('none');
    expect(judged(read('a', 'before'), change('b', 200, 'other-organization'), read('b'))).toBe('finding');
    expect(judged(read('a', 'before'), change('b', 200, 'other-organization'), read('d'))).toBe('none');
    const two = [change('b', 200, 'other-organization'), change('c', 200)];
    expect(judged(read('a', 'before'), ...two, read('b'))).toBe('none');
  });

  test('says nothing where a read was rejected or shows no name', () => {
    expect(judged(read('a', 'before', 404), change('b', 401), read('b'))).toBe('none');
    expect(judged(read('a', 'before'), change('b', 401), read('b', 'after', 404))).toBe('none');
    expect(judged(read(null, 'before'), change('b', 401), read('b'))).toBe('none');
    expect(judged(read('a', 'before'), change('b', 401), read(null))).toBe('none');
    expect(judged(change('b', 401), read('a'))).toBe('none');
  });

  test('has to be sent for each variation that the read asks', () => {
    expect(judged(read('a', 'before'), change('b', 401), asking(read('a'), 'none'))).toBe('pass');
    expect(judged(read('a', 'before'), change('b', 401), asking(read('a'), 'none', 'bare'))).toBe('none');
    const other = asking(read('a'), 'none');
    const asks = [...(other.tag?.asks ?? []), { id: 'AUTH-NO-EFFECT', variation: 'bare' }];
    expect(judged(read('a', 'before'), change('b', 401), { ...other, tag: { ...other.tag, asks } })).toBe('pass');
  });

  test('itself has the opinion of the read, unless that is a finding', () => {
    const kinds = ['a', 'b'].map((name) => kindOf(judge, [read('a', 'before'), change('b', 401), read(name)], 1));
    expect(kinds).toEqual(['pass', 'none']);
    expect(kindOf(judge, [read('a', 'before'), change('b', 401)])).toBe('none');
  });

  test('says nothing of a target whose reads lag behind accepted changes as long', () => {
    const later = (said: Said): Said => ({ ...said, tag: { ...said.tag, sequence: 'two' } });
    const lagging = [read('x', 'control'), change('y', 200, 'valid'), read('x')].map(later);
    const probe = [read('a', 'before'), change('b', 401), read('a')];
    expect(judged(...lagging, ...probe)).toBe('none');
    expect(judged(...[read('x', 'control'), change('y', 200, 'valid'), read('y')].map(later), ...probe)).toBe('pass');
    expect(judged(...[read('x', 'control'), change('y', 200, 'none'), read('x')].map(later), ...probe)).toBe('pass');
    expect(judged(...[read('x', 'control'), change('y', 400, 'valid'), read('x')].map(later), ...probe)).toBe('pass');
    expect(judged(...[change('y', 200, 'valid'), read('z')].map(later), ...probe)).toBe('pass');
    const again = [...lagging, later(read('y'))];
    expect(judged(...again, ...probe)).toBe('none');
    expect(judged(...again, read('a', 'before'), change('b', 401), read('a', 'before'), read('a'))).toBe('pass');
  });
});

describe('an update that was rejected as invalid', () => {
  const judged = (...said: readonly Said[]) => kindOf(rejectedUpdate, said);

  test.each([400, 422])('with %s does nothing that the read after it shows', (status) => {
    expect(judged(change('b', status, 'valid'), read('a'))).toBe('pass');
    expect(judged(change('b', status, 'valid'), read('b'))).toBe('finding');
    expect(judged(change('b', status, 'valid'), read(null))).toBe('none');
  });

  test.each([200, 404, 409, 500])('is none that got %s', (status) => {
    expect(judged(change('b', status, 'valid'), read('b'))).toBe('none');
  });

  test('is none where nothing was sent, and one of ours in a walk', () => {
    expect(judged(read('b'))).toBe('none');
    const walked = { ...read('b'), tag: { ...read('b').tag, origin: 'a walk' as never } };
    const changes = [change('b', 400, 'valid'), change('b', 422, 'valid'), change('b', 404, 'valid'), change('b', 400)];
    expect(changes.map((one) => judged(one, walked))).toEqual(['finding', 'finding', 'none', 'none']);
  });
});
