import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../../src/contract/operations.ts';
import { type Command, type CommandSubject, WALK_REQUESTS, walksOver } from '../../../src/generate/commands.ts';
import { dimensionsOf, type Stimulus, stimuliOver, triplesOver } from '../../../src/generate/triples.ts';
import { schemaOf } from '../../../suites/bodies.ts';

const subject = (operation: OperationId, changes: Partial<CommandSubject> = {}): CommandSubject => ({
  operation,
  resource: operation,
  forms: ['none', 'wrong-secret', 'other-organization'],
  isReadOfOthers: false,
  isSingle: false,
  hasIds: true,
  ...changes,
});

const SUBJECTS = [
  subject('listTrunks', { hasIds: false }),
  subject('getTrunk'),
  subject('updateTrunk', { body: { schema: schemaOf('updateTrunk'), options: {} } }),
  subject('answerCall', { isSingle: true }),
];

type Name = 'ids' | 'sender' | 'slash' | 'body' | 'form' | 'history';
const NAMES: readonly Name[] = ['ids', 'sender', 'slash', 'body', 'form', 'history'];

const keyOf = (one: CommandSubject, ...values: readonly (readonly [Name, unknown])[]): string =>
  JSON.stringify([one.operation, ...values.map(([name, value]) => [name, value ?? 'usual'])]);

/** Every operation with every two values of two of its dimensions. */
function dueFor(one: CommandSubject): readonly string[] {
  const dimensions = dimensionsOf(one, true);
  return NAMES.flatMap((name, at) =>
    NAMES.slice(at + 1).flatMap((other) =>
      dimensions[name].flatMap((a) => dimensions[other].map((b) => keyOf(one, [name, a], [other, b]))),
    ),
  );
}

const shownBy = (one: Stimulus): readonly string[] =>
  NAMES.flatMap((name, at) =>
    NAMES.slice(at + 1).map((other) => keyOf(one.subject, [name, one[name]], [other, one[other]])),
  );

const stimuli = stimuliOver(SUBJECTS);
const missingIn = (some: readonly (readonly Stimulus[])[]): readonly string[] => {
  const shown = new Set(some.flat().flatMap(shownBy));
  return SUBJECTS.flatMap(dueFor).filter((triple) => !shown.has(triple));
};

describe('the beginnings of walks', () => {
  test('cover every triple of an operation and two more dimensions', () => {
    expect(missingIn(stimuli)).toEqual([]);
    expect(missingIn(stimuli.slice(0, -20))).not.toEqual([]);
  });

  test('are in the walks as they are: nothing cuts, tames or replaces them', () => {
    const [drawWalk, drawBeginning] = [walksOver(SUBJECTS), triplesOver(SUBJECTS)];
    const cut = stimuli.flatMap((_, at) => {
      const beginning = drawBeginning(at, at);
      const walk = drawWalk(at, WALK_REQUESTS - 1, beginning);
      return JSON.stringify(walk.slice(0, beginning.length)) === JSON.stringify(beginning) ? [] : [beginning];
    });
    expect(cut).toEqual([]);
  });

  test('say what they are made of in their commands, behind what comes before', () => {
    const drawBeginning = triplesOver(SUBJECTS);
    const wrong = stimuli.flatMap((walk, at) => {
      const commands = drawBeginning(at, at);
      const own = walk.map((one) => ({ one, command: commands.find((each) => isOf(one, each)) }));
      return own.filter(({ command }) => command === undefined);
    });
    expect(wrong).toEqual([]);
    expect(drawBeginning(stimuli.length, 7)).toEqual(drawBeginning(0, 7));
  });

  test('have at most one invalid credential, once', () => {
    const drawBeginning = triplesOver(SUBJECTS);
    const invalid = stimuli.map((_, at) =>
      drawBeginning(at, at).filter(({ credential }) => ['none', 'wrong-secret'].includes(credential)),
    );
    expect(invalid.filter((some) => some.length > 1 || some.some(({ pace }) => pace !== 'once'))).toEqual([]);
    expect(invalid.some((some) => some.length === 1)).toBe(true);
  });
});

const isOf = (one: Stimulus, command: Command): boolean =>
  command.operation === one.subject.operation &&
  command.ids === one.ids &&
  command.credential === one.sender.credential &&
  command.pace === one.sender.pace &&
  command.slash === one.slash &&
  command.body.kind === one.body &&
  command.form === one.form;
