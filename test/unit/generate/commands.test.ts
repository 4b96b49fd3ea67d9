import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { DRAWN } from '../../../src/contract/limits.ts';
import { type Command, type CommandSubject, chosenPlaces, pairOf, walksOver } from '../../../src/generate/commands.ts';
import { RequestBuilder } from '../../../src/run/builder.ts';
import type { Session } from '../../../src/run/sequence.ts';
import { RunState } from '../../../src/run/state.ts';
import { commandBody } from '../../../suites/sequences/walk.ts';
import { optionsFrom } from '../../selftest/harness.ts';

const subject = (operation: CommandSubject['operation']): CommandSubject => ({
  operation,
  unusual: ['other slash form', 'invalid credential', 'other organization', 'two at once'],
});

const SUBJECTS = (['listTrunks', 'getTrunk', 'updateTrunk', 'listNumbers', 'muteParticipant'] as const).map(subject);
const MOST = DRAWN.walk - 1;

/** Three hundred walks, each behind nothing. */
const walks = (most: number, subjects = SUBJECTS): readonly (readonly Command[])[] => {
  const draw = walksOver(subjects);
  return Array.from({ length: 300 }, (_, seed) => {
    const drawn = draw(seed);
    return chosenPlaces(drawn, new Set(), most).map((place) => drawn[place] as Command);
  });
};

const requestsOf = ({ unusual }: Command): number => (unusual === 'two at once' ? 2 : 1);

describe('a walk', () => {
  test.each([1, 4, MOST])('of %i requests sends exactly so many', (most) => {
    const sums = walks(most).map((walk) => walk.reduce((sum, one) => sum + requestsOf(one), 0));
    expect([...new Set(sums)]).toEqual([most]);
  });

  test('that changes the trunk reads it afterwards as its owner', () => {
    const behind = walks(MOST).flatMap((walk) => {
      const changed = walk.findLastIndex(({ operation }) => operation === 'updateTrunk');
      return changed < 0 ? [] : [walk.slice(changed + 1)];
    });
    expect(behind.length).toBeGreaterThan(100);
    const isRead = ({ operation, unusual }: Command): boolean => operation === 'getTrunk' && unusual === null;
    expect(behind.filter((rest) => !rest.some(isRead))).toEqual([]);
  });

  test('reads no trunk where that cannot be drawn', () => {
    const commands = walks(
      MOST,
      SUBJECTS.filter(({ operation }) => operation !== 'getTrunk'),
    ).flat();
    expect(commands.filter(({ operation }) => operation === 'getTrunk')).toEqual([]);
  });

  test('has one invalid credential at most', () => {
    const numbers = walks(MOST).map((walk) => walk.filter(({ unusual }) => unusual === 'invalid credential').length);
    expect(Math.max(...numbers)).toBe(1);
  });

  test('sends no pair of ordinary requests that was sent before, as long as others are drawn, those to one resource first', () => {
    const draw = walksOver(SUBJECTS);
    const sent = new Set([pairOf('listTrunks', 'getTrunk')]);
    const pairs = [0, 1].map((seed) => {
      const drawn = draw(seed);
      const walk = chosenPlaces(drawn, sent, 9).map((place) => drawn[place] as Command);
      return walk.slice(1).map((one, at) => pairOf(walk[at]?.operation ?? '', one.operation));
    });
    const [first = [], second = []] = pairs;
    expect(new Set(first).size).toBe(first.length);
    expect(first).not.toContain(pairOf('listTrunks', 'getTrunk'));
    expect(second.filter((pair) => first.includes(pair))).toEqual([]);
  });
});

const builder = new RequestBuilder(optionsFrom(createReference().settings), 'Wq5t', []);
const session = { builder, state: new RunState() } as unknown as Session;

/** Odd places draw a random body, here one with a name. */
const BODIES = [
  ['a typical body', 0],
  ['a random valid body', 3],
] as const;

test.each(BODIES)('%s for the trunk has a name of its own, so that a read tells which change took effect', (_, at) => {
  const bodies = ['1 0', '1 1', '2 0'].map((label) =>
    commandBody({ operation: 'updateTrunk', unusual: null, at }, session, label),
  );
  const names = bodies.map(({ json }) => String(Object(json).name));
  expect(names.filter((name) => !name.startsWith(builder.mark))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('no invalid body has a secret other than that of the run', () => {
  const bodies = Array.from({ length: 40 }, (_, at) =>
    commandBody({ operation: 'setInboundAuth', unusual: 'invalid body', at }, session, '1 0'),
  );
  expect(new Set(bodies.flatMap(({ json }) => Object(json).secret ?? []))).toEqual(new Set(['Wq5t']));
});
