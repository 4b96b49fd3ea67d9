/** What the read after a change shows: an effect that it should not have, or nothing that can be told. */

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { Evidence } from '../../../src/verdict/evidence.ts';
import type { Expectation } from '../../../src/verdict/requirement.ts';
import { afterChange, noEffect } from '../../../suites/expect/effect.ts';
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

  test('has to be sent for each variation that the read asks', () => {
    expect(judged(read('a', 'before'), change('b', 401), asking(read('a'), 'none'))).toBe('pass');
    expect(judged(read('a', 'before'), change('b', 401), asking(read('a'), 'none', 'bare'))).toBe('none');
  });

  test('itself has the opinion of the read, unless that is a finding', () => {
    const kinds = ['a', 'b'].map((name) => kindOf(judge, [read('a', 'before'), change('b', 401), read(name)], 1));
    expect(kinds).toEqual(['pass', 'none']);
    expect(kindOf(judge, [read('a', 'before'), change('b', 401)])).toBe('none');
  });
});
