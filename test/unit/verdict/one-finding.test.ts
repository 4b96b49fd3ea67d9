/** An exchange gives one finding: a binding one before a recommendation, whatever its rank. */

import { expect, test } from 'vitest';
import { found, none, RANKS, type Rank } from '../../../src/verdict/opinion.ts';
import { oneFinding } from '../../../src/verdict/opinions.ts';
import type { JudgedRequirement } from '../../../src/verdict/requirement.ts';

type Level = JudgedRequirement['level'];
type PlainRank = Exclude<Rank, 'status'>;

const PLAIN = RANKS.filter((rank): rank is PlainRank => rank !== 'status');

function stated(id: string, level: Level, rank: PlainRank) {
  const requirement: JudgedRequirement = {
    ...{ id, level, section: '1', statement: 'It is made.', operations: ['createCall'] },
    expect: () => none('it is made'),
  };
  return { requirement, opinion: found(rank, 'the status', 'one', 'another') };
}

const kept = (all: readonly ReturnType<typeof stated>[], asked: readonly string[] = []): readonly string[] =>
  oneFinding(all, asked).flatMap(({ requirement, opinion }) => (opinion.kind === 'finding' ? [requirement.id] : []));

const PAIRS = PLAIN.flatMap((must) => PLAIN.map((should) => [must, should] as const));

test.each(PAIRS)('of a must finding of rank %s and a should finding of rank %s, the first counts', (must, should) => {
  const both = [stated('SHOULD', 'should', should), stated('MUST', 'must', must)];
  // A leaked secret is always reported as well.
  const due = [must, should].includes('secrecy') ? ['SHOULD', 'MUST'] : ['MUST'];
  expect(kept(both)).toEqual(due);
  expect(kept(both.toReversed()).toSorted()).toEqual(due.toSorted());
});

test('of two findings of one level, the first of the ranks counts', () => {
  expect(kept([stated('LATER', 'must', 'content'), stated('FIRST', 'must', 'envelope')])).toEqual(['FIRST']);
});

test('of recommendations that were tried together and accepted, each counts', () => {
  const tried = [stated('NULLS', 'should', 'content'), stated('TRAILING', 'should', 'content')];
  const others = [stated('BESIDE', 'should', 'content')];
  expect(kept([...tried, ...others], ['NULLS', 'TRAILING'])).toEqual(['NULLS', 'TRAILING']);
  expect(kept(tried, ['NULLS'])).toEqual(['NULLS']);
  // A binding finding still explains them.
  expect(kept([...tried, stated('MUST', 'must', 'content')], ['NULLS', 'TRAILING', 'MUST'])).toEqual(['MUST']);
});
