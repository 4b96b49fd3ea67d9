import { describe, expect, test } from 'vitest';
import { DRAWN } from '../../../src/contract/limits.ts';
import { type Command, type CommandSubject, type DrawWalk, walksOver } from '../../../src/generate/commands.ts';

const subject = (operation: CommandSubject['operation'], resource: string): CommandSubject => ({
  operation,
  resource,
  forms: ['none', 'other-organization'],
  isSingle: false,
});

const TRUNKS = (['listTrunks', 'getTrunk', 'updateTrunk'] as const).map((id) => subject(id, 'trunks'));
const NUMBERS = [subject('listNumbers', 'numbers'), subject('muteParticipant', 'conferences')];

const requestsOf = ({ pace }: Command): number => (pace === 'once' ? 1 : 2);

const drawn = (draw: DrawWalk, most: number) => Array.from({ length: 300 }, (_, seed) => draw(seed, most));

describe('a walk', () => {
  test.each([1, 4, DRAWN.walk - 1])('of %i requests sends exactly so many', (most) => {
    const sums = drawn(walksOver([...TRUNKS, ...NUMBERS]), most).map((walk) =>
      walk.reduce((sum, one) => sum + requestsOf(one), 0),
    );
    expect([...new Set(sums)]).toEqual([most]);
  });

  test('that changes the trunk reads it afterwards as its owner', () => {
    const walks = drawn(walksOver([...TRUNKS, ...NUMBERS]), DRAWN.walk - 1);
    const behind = walks.flatMap((walk) => {
      const changed = walk.findLastIndex(({ operation, ids }) => operation === 'updateTrunk' && ids === 'own');
      return changed < 0 ? [] : [walk.slice(changed + 1)];
    });
    expect(behind.length).toBeGreaterThan(100);
    const isRead = (one: Command): boolean =>
      [one.operation, one.ids, one.credential, one.slash].join() === 'getTrunk,own,valid,documented';
    expect(behind.filter((rest) => !rest.some(isRead))).toEqual([]);
  });

  test('that is shorter is the beginning of the whole one, but for what its last command leaves out', () => {
    const draw = walksOver([...TRUNKS, ...NUMBERS]);
    for (let seed = 0; seed < 300; seed += 1) {
      const [short, whole] = [draw(seed, 4), draw(seed, DRAWN.walk - 1)];
      expect(short.slice(0, -1)).toEqual(whole.slice(0, short.length - 1));
      expect(short.at(-1)?.operation).toBe(whole[short.length - 1]?.operation);
    }
  });

  test('reads no trunk where that cannot be drawn', () => {
    const walks = drawn(walksOver([...TRUNKS.slice(0, 1), ...TRUNKS.slice(2), ...NUMBERS]), DRAWN.walk - 1);
    expect(walks.flat().filter(({ operation }) => operation === 'getTrunk')).toEqual([]);
  });
});
