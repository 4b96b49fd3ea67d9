/** Null and hostile services: nothing that they do not do counts for them, and none of them breaks the suite. */

import { describe, expect, test } from 'vitest';
import { NULLS } from '../../fixtures/null/index.ts';
import { MET_BY_NOTHING } from '../../fixtures/null/null-service.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { requirementById } from '../../suites/catalogue.ts';
import { sampled } from '../sampled.ts';
import { metByNothing, proveNull } from '../selftest/prove.ts';

const HERE = sampled(NULLS, 8);

describe('a null service', () => {
  test('has a name of its own', () => {
    expect(new Set(NULLS.map(({ name }) => name)).size).toBe(NULLS.length);
  });

  test.each(HERE.items)(
    `keeps only what is explained, and is never conformant: $name (${HERE.words})`,
    async (service) => {
      expect(await proveNull(service)).toEqual({ kind: 'holds' });
    },
  );

  test.each(NULLS)('is explained in words of requirements that exist: $name', (service) => {
    const { behaviour, but = [], also = {} } = service;
    const reasons = Object.values(metByNothing(service));
    const named = [...but, ...Object.keys(also), ...Object.values(MET_BY_NOTHING).flat()];
    expect(named.filter((id) => requirementById(id) === undefined)).toEqual([]);
    expect([behaviour, ...reasons].filter((sentence) => !/^[A-Z][^.]*\.$/.test(sentence))).toEqual([]);
  });

  test('does each of the things that meet requirements', () => {
    const done = new Set(NULLS.flatMap(({ does }) => does));
    expect([...done].toSorted()).toEqual(Object.keys(MET_BY_NOTHING).toSorted());
  });

  test('that passes unexplained is named, with the operations', async () => {
    const [granting] = NULLS.filter(({ name }) => name === 'always-200-object');
    if (granting === undefined) throw new Error('there is no such null service');
    const proof = await proveNull({ ...granting, but: ['LIST-STATUS'], also: { 'AUTH-SECRET': 'It is a bluff.' } });
    expect(proof).toEqual({
      kind: 'broken',
      problems: [
        'unexplained pass of LIST-STATUS: listNumbers, listTrunks',
        'AUTH-SECRET is explained and does not pass',
      ],
    });
  });

  test('that is the real one breaks the proof', async () => {
    const proof = await proveNull({
      name: 'the reference',
      behaviour: 'Does everything.',
      make: () => createReference().service,
      does: [],
    });
    expect(proof).toMatchObject({
      kind: 'broken',
      problems: expect.arrayContaining([expect.stringMatching(/^CONFORMANT/)]),
    });
  });
});
